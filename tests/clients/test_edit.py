"""Wrapping and unwrapping are inverse to each other, whatever the file looks like."""

from __future__ import annotations

import copy
import json
import tomllib
from collections.abc import Sequence
from typing import Any

import pytest
import yaml
from hypothesis import example, given

from mcp_tap.clients import edit
from mcp_tap.clients.entry import CommandSlot, EntryRefusal, label
from mcp_tap.clients.formats import parse
from mcp_tap.clients.json_text import blank
from mcp_tap.clients.known import BY_NAME
from mcp_tap.clients.tree import Format
from tests.clients.texts import json_configuration, toml_configuration, yaml_configuration
from tests.profiles import examples

TAP = ["/opt/with space/mcp-tap"]
MODULE = ["/usr/bin/python3", "-m", "mcp_tap"]
OPTIONS = {"--log-dir": "/var/log/tap"}


def found(text: str, client: str, keys: Sequence[str], form: Format | None = None) -> list[edit.ServerEntry]:
    return edit.entries(parse(text, form or BY_NAME[client].form), keys, BY_NAME[client])


def wrapped(text: str, client: str, keys: Sequence[str], tap: list[str], form: Format | None = None) -> str:
    form = form or BY_NAME[client].form
    root = parse(text, form)
    chosen = edit.entries(root, keys, BY_NAME[client])
    assert all(isinstance(each.slot, CommandSlot) for each in chosen)
    return edit.wrap(text, form, chosen, tap, OPTIONS, root).after


def unwrapped(text: str, client: str, keys: Sequence[str], form: Format | None = None) -> str:
    form = form or BY_NAME[client].form
    root = parse(text, form)
    return edit.unwrap(text, form, edit.entries(root, keys, BY_NAME[client]), root).after


def expected(meaning: Any, tap: list[str], key: str, command_key: str = "command") -> Any:
    """What a wrapped file has to mean."""
    meaning = copy.deepcopy(meaning)
    for name, entry in meaning[key].items() if key else meaning.items():
        joined = "args" not in entry
        pairs = [("--name", label(name)), *OPTIONS.items()]
        options = [f"{a}={b}" for a, b in pairs] if joined else [word for pair in pairs for word in pair]
        entry["args"] = [*tap[1:], "run", *options, "--", entry[command_key], *entry.get("args", [])]
        entry[command_key] = tap[0]
    return meaning


@examples(2)
@given(json_configuration())
def test_jsonc_comes_back_byte_for_byte(file: tuple[str, Any]) -> None:
    text, meaning = file
    for tap in (TAP, MODULE):
        after = wrapped(text, "cursor", ["mcpServers"], tap)
        assert json.loads(blank(after, "jsonc")) == expected(meaning, tap, "mcpServers")
        assert unwrapped(after, "cursor", ["mcpServers"]) == text


@examples(2)
@given(json_configuration(lenient=False))
def test_json_that_its_client_has_written_anew_comes_back_in_meaning(file: tuple[str, Any]) -> None:
    text, meaning = file
    after = json.loads(wrapped(text, "claude-code", ["mcpServers"], TAP))
    for again in (
        json.dumps(after),
        json.dumps(after, indent=2),
        json.dumps(after, indent="\t", sort_keys=True, ensure_ascii=False),
    ):
        back = json.loads(unwrapped(again, "claude-code", ["mcpServers"]))
        assert back == meaning


@examples(2)
@given(toml_configuration())
@example(('mcp_servers.a.command="x"', {"model": "x", "mcp_servers": {"a": {"command": "x"}}}))
@example(
    ('[mcp_servers]\nz={a.b=1,command="n",c=nan}\n[[x]]\ny=1\n[[x]]\n[x.z]\nt=1979-05-27 07:32:00\n', None)
)
@example(('[mcp_servers.a.env]\nK=\'v\'\n[x]\n[mcp_servers.a]\ncommand="""n\\\n  px"""\r\n', None))
@example(("mcp_servers={a={command='x',args=[[],{}]}}\nb=2\nc=[{d={e=[1,]}},]", "refused"))
def test_toml_comes_back_byte_for_byte(file: tuple[str, Any]) -> None:
    text, meaning = file
    if meaning == "refused":
        assert isinstance(found(text, "codex", ["mcp_servers"])[0].slot, EntryRefusal)
        return
    for tap in (TAP, MODULE):
        after = wrapped(text, "codex", ["mcp_servers"], tap)
        if meaning is not None and text.startswith("model"):
            assert tomllib.loads(after) == expected(meaning, tap, "mcp_servers")
        assert unwrapped(after, "codex", ["mcp_servers"]) == text


@examples(2)
@given(yaml_configuration(by_name=False))
def test_yaml_of_goose_comes_back_byte_for_byte(file: tuple[str, Any]) -> None:
    text, meaning = file
    after = wrapped(text, "goose", ["extensions"], TAP)
    assert yaml.safe_load(after)["extensions"] == expected(meaning, TAP, "", "cmd")
    assert unwrapped(after, "goose", ["extensions"]) == text


@examples(2)
@given(yaml_configuration(by_name=True))
def test_yaml_of_continue_comes_back_byte_for_byte(file: tuple[str, Any]) -> None:
    text, meaning = file
    after = wrapped(text, "continue", ["mcpServers"], TAP)
    assert yaml.safe_load(after)["mcpServers"] == list(expected(meaning, TAP, "").values())
    assert unwrapped(after, "continue", ["mcpServers"]) == text


@examples(2)
@given(yaml_configuration(by_name=False))
def test_yaml_that_goose_has_written_anew_comes_back_in_meaning(file: tuple[str, Any]) -> None:
    text, meaning = file
    again = yaml.safe_dump(yaml.safe_load(wrapped(text, "goose", ["extensions"], TAP)), width=10_000)
    back = yaml.safe_load(unwrapped(again, "goose", ["extensions"]))["extensions"]
    for name, entry in meaning.items():
        # An empty block list would be null, so the key goes as a whole.
        assert {"args": [], **back[name]} == {"args": [], **entry}


@pytest.mark.timeout(20)
def test_a_file_in_one_long_line_is_read_in_a_second() -> None:
    text = json.dumps({"mcpServers": {f"s{number}": {"command": "npx"} for number in range(120_000)}})
    assert len(found(text, "cursor", ("mcpServers",))) == 120_000
