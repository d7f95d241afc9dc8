"""What the documentation says is so: its links lead somewhere, its commands parse, its code runs."""

from __future__ import annotations

import argparse
import json
import re
import shutil
import tomllib
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from mcp_tap.cli import make_parser
from mcp_tap.clients.known import CLIENTS
from mcp_tap.commands.run_options import OPTIONS, read_run_options
from mcp_tap.diagnosis.config import THRESHOLDS, read_pyproject, rule_names
from mcp_tap.diagnosis.settings import Thresholds
from mcp_tap.errors import TapError
from mcp_tap.rules.registry import BY_ID, RULES
from mcp_tap.views.links import REPOSITORY, SITE, rule_url
from tests.documents import (
    CODE_SPAN,
    ROOT,
    Block,
    anchors,
    blocks,
    commands,
    commands_in,
    documents,
    hooks,
    links,
    mentions,
    prose,
    read,
    with_output,
)  # fmt: skip

DOCS = ROOT / "docs"
VERBS = ("sessions", "show", "check", "stats", "cat", "demo", "wrap", "unwrap", "wrapped")
GENERATED: dict[str, str] = hooks().pages()
PAGES = pytest.mark.parametrize("path", documents(), ids=lambda path: path.relative_to(ROOT).as_posix())


def text_at(path: Path) -> str | None:
    """The text that a link to ``path`` shows; None where nothing is there."""
    if path.is_relative_to(DOCS) and path.relative_to(DOCS).as_posix() in GENERATED:
        return GENERATED[path.relative_to(DOCS).as_posix()]
    if path.suffix == ".md" and path.is_file():
        return read(path)
    return "" if path.exists() else None


def leads_nowhere(link: str, page: Path) -> bool:
    for kind in ("blob", "tree"):
        if link.startswith(f"{REPOSITORY}/{kind}/main/"):
            link, page = link.removeprefix(f"{REPOSITORY}/{kind}/main/"), ROOT / "README.md"
    if re.match(r"https?:|mailto:", link):
        return False
    name, _, anchor = link.partition("#")
    there = text_at((page.parent / name).resolve() if name else page)
    return there is None or (anchor != "" and anchor not in anchors(there))


@PAGES
def test_every_link_leads_to_something(path: Path) -> None:
    assert [link for link in links(read(path)) if leads_nowhere(link, path)] == []


def test_every_link_of_a_generated_page_leads_to_something() -> None:
    found = {name: [link for link in links(text) if leads_nowhere(link, DOCS / name)]
             for name, text in GENERATED.items()}  # fmt: skip
    assert {name: dead for name, dead in found.items() if dead} == {}


def test_a_dead_link_is_found() -> None:
    page = ROOT / "README.md"
    assert all(leads_nowhere(link, page) for link in ("docs/none.md", "docs/reading.md#none", "#none"))
    assert leads_nowhere(f"{REPOSITORY}/blob/main/nothing", page)
    assert not leads_nowhere("docs/rules/frm001.md", page)


@pytest.mark.parametrize("name", ["ARCHITECTURE.md", "CONTRIBUTING.md"])
def test_every_file_and_folder_that_is_named_is_there(name: str) -> None:
    spans = CODE_SPAN.findall(prose(read(ROOT / name)))
    paths = [span for span in spans if re.fullmatch(r"[\w./<>-]+(?:/|\.py|\.md|\.svg)", span)]
    assert paths
    built = {"site/", ".e2e/"}
    assert [path for path in paths if not is_there(path) and path not in built] == []


def is_there(path: str) -> bool:
    """Whether ``path``, in which ``<word>`` is any name, is below the repository, the package or a family."""
    pattern = re.sub(r"<\w+>", "*", path).rstrip("/")
    places = (ROOT, ROOT / "mcp_tap", ROOT / "tests", *(ROOT / "mcp_tap" / "rules").iterdir())
    return any(place.is_dir() and next(place.glob(pattern), None) for place in places)


@PAGES
def test_every_command_line_is_one_that_the_parser_takes(path: Path) -> None:
    text = read(path)
    beginnings = (["run"], ["run", "--"], *([verb] for verb in VERBS))
    wrong = [words for words in commands(text) if not parses(words)]
    wrong += [words for words in mentions(text) if words not in beginnings and not parses(words)]
    assert wrong == []


def parses(words: list[str]) -> bool:
    """Whether the program takes a command line, and knows the rules that are named in it."""
    try:
        if words[0] == "run":
            return bool(read_run_options(words[1:]))
        options = make_parser().parse_args(words)
        rule_names([*getattr(options, "only", []), *getattr(options, "disable", [])], "--only", BY_ID)
        return getattr(options, "explain", None) in {None, "RULE", *BY_ID}
    except TapError:
        return False
    except SystemExit as end:  # argparse's way; 0 is --help
        return end.code == 0


def test_a_command_line_is_found_among_others() -> None:
    line = 'mcp-tap cat --dir c2s | jq "a|b" > x && .venv/bin/mcp-tap demo  # not this: mcp-tap no'
    assert list(commands_in(line)) == [["cat", "--dir", "c2s"], ["demo"]]


@PAGES
def test_every_configuration_starts_a_server_through_the_tap(path: Path) -> None:
    for block in blocks(read(path), "json", "toml"):
        for entry in entries_in(parsed(block)):
            assert entry["args"][0] == "run"
            assert read_run_options(entry["args"][1:])[1]


def parsed(block: Block) -> Any:
    if block.language == "toml":
        return tomllib.loads(block.text)
    try:
        return json.loads(block.text)
    except json.JSONDecodeError:
        return [json.loads(line) for line in block.text.splitlines()]


def entries_in(value: Any) -> list[dict[str, Any]]:
    """The servers' entries that have the tap as their command."""
    if not isinstance(value, dict):
        return []
    if str(value.get("command", "")).rpartition("/")[2] == "mcp-tap":
        return [value]
    return [entry for each in value.values() for entry in entries_in(each)]


@PAGES
def test_the_output_that_is_shown_is_what_the_command_prints(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert text == with_output(text), "the output has changed: run python -m tests.documents"


def test_the_settings_of_check_are_read() -> None:
    (block,) = blocks(read(DOCS / "diagnosing.md"), "toml")
    assert read_pyproject(block.text, "diagnosing.md", lambda: BY_ID) is not None


def test_every_threshold_is_documented_with_its_default() -> None:
    rows = dict(re.findall(r"^\| `([\w-]+)` \| ([\d.]+) \|", read(DOCS / "diagnosing.md"), re.MULTILINE))
    defaults = {each.name: each.default for each in fields(Thresholds)}
    assert {name: float(value) for name, value in rows.items()} == {
        name: defaults[field] for name, field in THRESHOLDS.items()
    }


def test_every_option_is_documented() -> None:
    known = set(OPTIONS)
    for verb in VERBS:
        known |= set(re.findall(r"--[a-z][a-z-]+", help_of(verb))) - {"--help"}
    said = "".join(read(path) for path in documents() if path.parent in (ROOT, DOCS))
    assert sorted(option for option in known if not re.search(rf"{option}(?![\w-])", said)) == []


def help_of(verb: str) -> str:
    (verbs,) = (each for each in make_parser()._actions if isinstance(each, argparse._SubParsersAction))
    return str(verbs.choices[verb].format_usage())


def test_every_client_is_in_the_guide() -> None:
    guide = read(DOCS / "getting-started.md")
    assert [client.title for client in CLIENTS if client.title not in guide] == []
    for name in re.findall(r"^\| [^|]+ \| `(\w[\w-]+)` \|", guide, re.MULTILINE):
        assert name in {client.name for client in CLIENTS}


@PAGES
def test_every_python_example_runs(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    examples = blocks(read(path), "python")
    if not examples:
        return
    shutil.copy(ROOT / "tests" / "recordings" / "v1" / "time-py1.jsonl", tmp_path / "recording.jsonl")
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    for block in examples:
        exec(compile(block.text, path.name, "exec"), names)
    assert capsys.readouterr().out


def test_every_rule_has_a_page_where_its_address_leads() -> None:
    assert {rule_url(rule.id) for rule in RULES} | {f"{SITE}rules/"} == {
        SITE + name.removesuffix("index.md").removesuffix(".md") + ("" if "index" in name else "/")
        for name in GENERATED
    }
    for rule in RULES:
        assert f"[{rule.id}]({rule.id.lower()}.md)" in GENERATED["rules/index.md"]


def test_a_rule_s_page_has_the_whole_of_its_help_page() -> None:
    def words(text: str) -> str:
        return re.sub(r"[\W_]+", "", text).lower()

    for rule in RULES:
        page = words(GENERATED[f"rules/{rule.id.lower()}.md"])
        missing = [line for line in rule.help().splitlines() if not re.match("Fails|Passes", line)
                   and words(line) not in page]  # fmt: skip
        assert missing == [], rule.id
