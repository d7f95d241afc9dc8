"""What the tap looks like in an entry, and why an entry is left alone."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_tap.clients.entry import (
    CommandSlot,
    EntryRefusal,
    apply,
    command_slot,
    label,
    unwrap_edits,
    wrap_refusal,
)  # fmt: skip
from mcp_tap.clients.json_text import parse_json
from mcp_tap.clients.known import ARGV, CMD, FLAT, NESTED_COMMAND, NESTED_TRANSPORT
from mcp_tap.clients.tree import ConfigError
from mcp_tap.clients.yaml_text import parse_yaml
from mcp_tap.commands.run_options import read_run_options

SHAPES = (FLAT, NESTED_COMMAND, NESTED_TRANSPORT)


@given(st.text())
def test_a_label_is_a_name_that_run_takes_and_no_client_expands(name: str) -> None:
    made = label(name)
    assert made.isprintable()
    assert not set(made) & set("$%{}")
    assert read_run_options([f"--name={made}", "--", "x"])[0].name == made


def test_labels_of_plain_names_are_these_names() -> None:
    assert [label(name) for name in ("files", "a b", "ünï", "", "--", "a${X}", "x\n")] == [
        "files", "a b", "ünï", "server", "server", "a--X-", "x-",
    ]  # fmt: skip


def refused(entry: str, **options: Any) -> str | None:
    node = parse_json(entry, "jsonc")
    slot = command_slot(node, (*SHAPES, CMD))
    if isinstance(slot, EntryRefusal):
        return slot.reason
    settings = {"with_disabled": False, "is_file": False, "expands_command": False, **options}
    why = wrap_refusal(node.value, slot, **settings)
    return why.reason if why else None


@pytest.mark.parametrize(
    ("entry", "reason"),
    [
        ('{"command": "npx"}', None),
        ('{"command": "npx", "disabled": false, "enabled": true, "url": ""}', None),
        ('{"url": "https://x"}', "remote"),
        ('{"httpUrl": "https://x"}', "remote"),
        ('{"type": "streamable_http", "uri": "https://x"}', "remote"),
        ('{"type": "SSE"}', "remote"),
        ('{"transport": {"type": "streamableHttp"}}', "remote"),
        ('{"command": "npx", "serverUrl": "https://x"}', "remote"),
        ('{"settings": {}}', "extension"),
        ('{"source": "extension"}', "extension"),
        ('{"type": "builtin", "name": "developer"}', "extension"),
        ('{"type": "inline_python", "code": "x"}', "extension"),
        ('{"command": "npx", "disabled": true}', "disabled"),
        ('{"command": "npx", "enabled": false}', "disabled"),
        ('{"command": "npx -y x"}', "one string"),
        ('{"command": "npx\\t-y", "args": ["x"]}', "one string"),
        ('{"command": "npx", "dev": {"debug": {"type": "node"}}}', "debug"),
        ('{"command": "npx", "dev": {"watch": "x"}}', None),
        ('{"command": ""}', "shape"),
        ('{"command": 1}', "shape"),
        ('{"command": ["npx"]}', "shape"),
        ('{"command": {"args": []}}', "shape"),
        ('{"command": "npx", "args": null}', "shape"),
        ('{"command": "npx", "args": "x"}', "shape"),
        ('{"command": "npx", "args": ["x", 1]}', "shape"),
        ("{}", "shape"),
        ("[]", "shape"),
        ('"npx"', "shape"),
    ],
)
def test_an_entry_is_left_alone_for_a_reason(entry: str, reason: str | None) -> None:
    assert refused(entry) == reason


def test_what_may_be_asked_for_all_the_same() -> None:
    assert refused('{"command": "npx", "disabled": true}', with_disabled=True) is None
    assert refused('{"command": "/my servers/x"}', is_file=True) is None
    assert refused('{"command": "~/x"}') is None
    assert refused('{"command": "~/x"}', expands_command=True) == "expansion"
    assert refused('{"command": "$HOME/x"}', expands_command=True) == "expansion"


def test_a_key_that_is_there_twice_is_not_guessed_at() -> None:
    for entry in ('{"command": "a", "comm\\u0061nd": "b"}', '{"command": "a", "args": [], "args": ["x"]}'):
        with pytest.raises(ConfigError, match="duplicate key"):
            command_slot(parse_json(entry, "json"), SHAPES)


def test_what_is_not_wrapped_or_has_nothing_behind_the_tap_is_not_unwrapped() -> None:
    for text, reason in (
        ('{"command": "npx", "args": ["run"]}', "not wrapped"),
        ('{"command": "mcp-tap", "args": ["run", "--"]}', "shape"),
    ):
        slot = command_slot(parse_json(text, "json"), SHAPES)
        assert isinstance(slot, CommandSlot)
        out = unwrap_edits(text, slot)
        assert isinstance(out, EntryRefusal)
        assert out.reason == reason


def test_a_whole_command_line_in_one_list_needs_a_program() -> None:
    slot = command_slot(parse_json('{"command": []}', "json"), (ARGV,))
    assert isinstance(slot, EntryRefusal)
    assert str(slot) == "has an empty command"


@pytest.mark.parametrize(
    ("entry", "reason"),
    [
        ("cmd: a,b\nargs: [x]\n", "shape"),
        ("cmd: a,b\n", "shape"),
        ("cmd: a,b\nargs:\n- x\n", None),
        ("cmd: >-\n  npx\nargs:\n- x\n", "shape"),
        ("cmd: npx\nargs:\n-\n  # c\n  x\n", "shape"),
        ("cmd: ''\nargs: []\n", "shape"),
    ],
)
def test_what_yaml_could_not_have_elsewhere_is_left_where_it_is(entry: str, reason: str | None) -> None:
    node = parse_yaml(entry)
    slot = command_slot(node, (CMD,))
    why = slot if isinstance(slot, EntryRefusal) else wrap_refusal(
        node.value, slot, with_disabled=False, is_file=False, expands_command=False
    )  # fmt: skip
    assert (why.reason if why else None) == reason


def test_a_command_that_cannot_be_moved_back_stays_behind_the_tap() -> None:
    text = "cmd: mcp-tap\nargs:\n- run\n- !odd npx\n"
    slot = command_slot(parse_yaml(text), (CMD,))
    assert isinstance(slot, CommandSlot)
    out = unwrap_edits(text, slot)
    assert isinstance(out, EntryRefusal)
    assert "cannot be moved" in str(out)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("cmd: mcp-tap\nargs:\n- run\n- --\n- a\n  b\n- c\nx: 1\n", 'cmd: "a b"\nargs:\n- c\nx: 1\n'),
        ("cmd: mcp-tap\nargs:\n- run\n- |-\n  npx\nx: 1\n", 'cmd: "npx"\nargs: []\nx: 1\n'),
        ("args:  # why\n  - run\n  - npx\ncmd: mcp-tap\n", "args:  # why\n   []\ncmd: npx\n"),
        ("args:\n- run\n- npx # c\ncmd: mcp-tap\n", "args: [] # c\ncmd: npx\n"),
        ("cmd: mcp-tap\nargs:\n- run\n- --name=x\n- npx\nx: 1\n", "cmd: npx\nx: 1\n"),
    ],
)
def test_what_a_client_has_folded_or_spread_comes_back_in_meaning(text: str, expected: str) -> None:
    slot = command_slot(parse_yaml(text), (CMD,))
    assert isinstance(slot, CommandSlot)
    out = unwrap_edits(text, slot)
    assert not isinstance(out, EntryRefusal)
    assert apply(text, out) == expected
    assert parse_yaml(expected).value is not None
