"""What cannot be proven to be exact is refused, whatever has made the edit."""

from __future__ import annotations

from pathlib import Path

import pytest

from mcp_tap.clients import edit
from mcp_tap.clients.entry import CommandSlot, Edit, EntryRefusal
from mcp_tap.clients.formats import parse
from mcp_tap.clients.known import BY_NAME, CLIENTS, Client
from mcp_tap.clients.locations import Environment, locations_of_file
from mcp_tap.clients.tree import ConfigError, Format

TAP = ["/bin/mcp-tap"]
TEXT = '{"mcpServers": {"a": {"command": "x", "args": ["y"], "env": {"K": "v"}}, "b": {"command": "z"}}}'
WRAPPED = (
    '{"mcpServers": {"a": {"command": "mcp-tap", "args": ["run", "--", "x", "y"]}, "b": {"command": "z"}}}'
)


def wrap(text: str, client: str = "cursor", form: Format | None = None, name: str = "a") -> str:
    row = BY_NAME[client]
    root = parse(text, form or row.form)
    chosen = [each for each in edit.entries(root, row.files[0].keys, row) if each.name == name]
    return edit.wrap(text, form or row.form, chosen, TAP, {}, root).after


def unwrap(text: str, client: str = "cursor") -> str:
    row = BY_NAME[client]
    root = parse(text, row.form)
    chosen = [each for each in edit.entries(root, row.files[0].keys, row) if each.is_wrapped]
    return edit.unwrap(text, row.form, chosen, root).after


def at(text: str, what: str, new: str) -> Edit:
    start = text.index(what)
    return Edit(start, start + len(what), new)


RIGHT = [at(TEXT, '"x"', '"/bin/mcp-tap"'), at(TEXT, '"y"', '"run", "--", "x", "y"')]


@pytest.mark.parametrize(
    "edits",
    [
        [],
        [at(TEXT, '"x"', '"/bin/mcp-tap"')],
        [at(TEXT, '"x"', '"/bin/mcp-tap"'), at(TEXT, '"y"', '"run", "--", "other", "y"')],
        [at(TEXT, '"x"', '"/other/mcp-tap"'), RIGHT[1]],
        [*RIGHT, at(TEXT, '"v"', '"w"')],
        [*RIGHT, at(TEXT, '"z"', '"w"')],
        [*RIGHT, at(TEXT, ', "b"', ' , "b"')],
        [*RIGHT, at(TEXT, '"args"', '"arg"')],
        [RIGHT[0], at(TEXT, '["y"]', '{"run": 1}')],
    ],
)
def test_an_edit_that_does_anything_else_is_found_out(
    monkeypatch: pytest.MonkeyPatch, edits: list[Edit]
) -> None:
    monkeypatch.setattr(edit, "wrap_edits", lambda *_: edits)
    with pytest.raises(ConfigError, match="in which 'a' cannot be edited safely"):
        wrap(TEXT)


def test_an_edit_that_breaks_the_file_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(edit, "wrap_edits", lambda *_: [at(TEXT, '"x"', "x")])
    with pytest.raises(ConfigError, match="is not valid JSON"):
        wrap(TEXT)


def test_the_way_back_is_proven_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    for edits in (
        [],
        [at(WRAPPED, '"mcp-tap"', '"x"'), at(WRAPPED, '"run", "--", "x", ', ""), at(WRAPPED, "z", "w")],
    ):
        with monkeypatch.context() as patch:
            patch.setattr(edit, "unwrap_edits", lambda *_, edits=edits: edits)
            with pytest.raises(ConfigError, match="cannot be edited safely"):
                unwrap(WRAPPED)
    with pytest.raises(ConfigError, match="a starts the tap, but without a server command"):
        unwrap('{"mcpServers": {"a": {"command": "mcp-tap", "args": ["run"]}}}')


@pytest.mark.parametrize(
    "text",
    [
        "extensions:\n  a:\n    cmd: x\n    args: *list\nlist: &list [y]\n",
        "list: &list [y]\nextensions:\n  a:\n    cmd: x\n    args: *list\n",
        "list: &list\n- y\nextensions:\n  a:\n    cmd: x\n    args: *list\n",
        "extensions:\n  b: &b\n    cmd: x\n    args: [y]\n  a: *b\n",
    ],
)
def test_what_yaml_shares_between_places_is_not_edited(text: str) -> None:
    with pytest.raises(ConfigError):
        wrap(text, "goose")


def test_a_list_of_servers_that_is_shorter_afterwards_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "mcpServers:\n- name: a\n  command: x\n"
    monkeypatch.setattr(edit, "wrap_edits", lambda *_: [Edit(12, len(text), " {a: b}\n")])
    with pytest.raises(ConfigError, match="cannot be edited safely"):
        wrap(text, "continue")


def test_servers_without_a_name_in_a_list_are_passed_over() -> None:
    root = parse("mcpServers:\n- command: x\n- name: [a]\n- y\n- name: b\n  command: z\n", "yaml")
    assert [each.name for each in edit.entries(root, ["mcpServers"], BY_NAME["continue"])] == ["b"]


def test_an_entry_that_is_no_map_is_refused_and_not_an_error() -> None:
    for form, text in (
        ("toml", "[[mcp_servers.a]]\ncommand = 'x'\n"),
        ("jsonc", '{"mcp_servers": {"a": [1]}}'),
    ):
        root = parse(text, form)  # type: ignore[arg-type]  # mypy takes the tuples for lists of words
        (entry,) = edit.entries(root, ["mcp_servers"], BY_NAME["codex"])
        assert isinstance(entry.slot, EntryRefusal)
        assert not entry.is_wrapped


SAMPLES = Path(__file__).parents[2] / "sample_configs"
READERS = {
    "claude_code": "claude-code", "claude_desktop": "claude-desktop", "cursor": "cursor",
    "vscode": "vscode", "codex": "codex", "zed": "zed",
}  # fmt: skip


@pytest.mark.parametrize("name", sorted(path.name for path in SAMPLES.iterdir()))
def test_a_sample_is_unwrapped_and_wrapped_again(name: str) -> None:
    client: Client = next(
        row for row in CLIENTS if row.name == READERS[name.partition("_config")[0].partition(".")[0]]
    )
    text = (SAMPLES / name).read_text(encoding="utf-8")
    keys = client.files[0].keys
    root = parse(text, client.form)
    chosen = [each for each in edit.entries(root, keys, client) if each.is_wrapped]
    assert [each.name for each in chosen] == ["files"]
    bare = edit.unwrap(text, client.form, chosen, root).after

    root = parse(bare, client.form)
    found = {each.name: each for each in edit.entries(root, keys, client)}
    slot = found["files"].slot
    assert isinstance(slot, CommandSlot)
    assert slot.argv[:3] == ["npx", "-y", "@modelcontextprotocol/server-filesystem"]
    again = edit.wrap(bare, client.form, list(found.values()), TAP, {"--log-dir": "/x"}, root).after
    root = parse(again, client.form)
    assert edit.unwrap(again, client.form, edit.entries(root, keys, client), root).after == bare


def test_a_file_of_a_client_is_known_by_its_place(tmp_path: Path) -> None:
    path = tmp_path / ".cursor" / "mcp.json"
    path.parent.mkdir()
    path.write_text("{}")
    here = Environment("linux", str(tmp_path), str(tmp_path / "x"), {})
    assert [location.known.scope for location in locations_of_file(str(path), here, CLIENTS)] == ["user"]
