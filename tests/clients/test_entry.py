"""What the tap looks like in an entry, and why an entry is left alone."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_tap.clients.entry import (
    Refusal,
    Seat,
    apply,
    label,
    objection,
    read_tapped,
    seat_of,
    unwrap_edits,
)  # fmt: skip
from mcp_tap.clients.json_text import parse_json
from mcp_tap.clients.known import ARGV, CMD, FLAT, NESTED_COMMAND, NESTED_TRANSPORT
from mcp_tap.clients.tree import Broken
from mcp_tap.clients.yaml_text import parse_yaml
from mcp_tap.commands.run_options import read_run_options
from tests.clients.texts import NAMES, WORDS

SHAPES = (FLAT, NESTED_COMMAND, NESTED_TRANSPORT)


@pytest.mark.parametrize(
    ("argv", "tap", "server"),
    [
        (["mcp-tap", "run", "npx", "-y"], 1, ["npx", "-y"]),
        (["mcp-tap", "run", "--", "npx", "--", "x"], 1, ["npx", "--", "x"]),
        (["/a b/mcp-tap", "run", "--name", "--", "--", "npx"], 1, ["npx"]),
        (["C:\\Users\\me\\Scripts\\MCP-TAP.EXE", "run", "--log=x", "npx"], 1, ["npx"]),
        (["python3.12", "-m", "mcp_tap", "run", "--", "npx"], 3, ["npx"]),
        (["py", "-3.12", "-X", "utf8", "-Wignore", "-m", "mcp_tap", "run", "npx"], 7, ["npx"]),
        (["/usr/bin/python3", "/opt/mcp-tap.pyz", "run", "--", "npx"], 2, ["npx"]),
        (["/opt/mcp-tap.pex", "run", "npx"], 1, ["npx"]),
        (["C:\\shims\\mcp-tap.cmd", "run", "npx"], 1, ["npx"]),
        (["C:\\py\\pythonw.exe", "-P", "-m", "mcp_tap", "run", "npx"], 4, ["npx"]),
        (["uvx", "--from", "mcp-tap-recorder", "mcp-tap", "run", "--", "npx"], 4, ["npx"]),
        (["pipx", "run", "--spec", "mcp-tap-recorder==1", "mcp-tap", "run", "npx"], 5, ["npx"]),
        (["mcp-tap", "run"], 1, []),
        (["mcp-tap", "run", "--name"], 1, []),
    ],
)
def test_the_tap_is_recognised(argv: list[str], tap: int, server: list[str]) -> None:
    tapped = read_tapped(argv)
    assert tapped is not None
    assert (list(tapped.tap), list(tapped.server)) == (argv[:tap], server)


@pytest.mark.parametrize(
    "argv",
    [
        ["npx", "mcp-tap", "run", "--", "x"],
        ["mcp-tap"],
        ["mcp-tap", "demo"],
        ["mcp-tap-recorder", "run", "--", "x"],
        ["uvx", "mcp-tap", "run", "--", "x"],  # the other program of that name
        ["python", "-c", "mcp_tap", "run"],
        ["python", "mcp_tap", "run"],
        ["node", "-m", "mcp_tap", "run"],
    ],
)
def test_something_else_is_not_the_tap(argv: list[str]) -> None:
    assert read_tapped(argv) is None


@given(
    st.fixed_dictionaries({}, optional={"--name": NAMES.map(label), "--log-dir": st.just("/x")}),
    st.booleans(),
    st.lists(WORDS.filter(bool), min_size=1, max_size=4),
)
def test_the_server_s_command_is_what_run_would_start(
    options: dict[str, str], joined: bool, server: list[str]
) -> None:
    given_words = [word for pair in options.items() for word in (["=".join(pair)] if joined else list(pair))]
    for words in ([*given_words, "--", *server], [*given_words, *server]):
        if len(words) == len(given_words) + len(server) and server[0].startswith("-"):
            continue
        taken, command = read_run_options(words)
        tapped = read_tapped(["mcp-tap", "run", *words])
        assert tapped is not None
        assert list(tapped.server) == command
        assert tapped.options.get("--log-dir") == taken.log_dir
        assert tapped.options.get("--name") == taken.name


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
    seat = seat_of(node, (*SHAPES, CMD))
    if isinstance(seat, Refusal):
        return seat.reason
    settings = {"even_disabled": False, "is_file": False, "expands_command": False, **options}
    why = objection(node.value, seat, **settings)
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
    assert refused('{"command": "npx", "disabled": true}', even_disabled=True) is None
    assert refused('{"command": "/my servers/x"}', is_file=True) is None
    assert refused('{"command": "~/x"}') is None
    assert refused('{"command": "~/x"}', expands_command=True) == "expansion"
    assert refused('{"command": "$HOME/x"}', expands_command=True) == "expansion"


def test_a_key_that_is_there_twice_is_not_guessed_at() -> None:
    for entry in ('{"command": "a", "comm\\u0061nd": "b"}', '{"command": "a", "args": [], "args": ["x"]}'):
        with pytest.raises(Broken, match="twice"):
            seat_of(parse_json(entry, "json"), SHAPES)


def test_what_is_not_wrapped_or_has_nothing_behind_the_tap_is_not_unwrapped() -> None:
    for text, reason in (
        ('{"command": "npx", "args": ["run"]}', "not wrapped"),
        ('{"command": "mcp-tap", "args": ["run", "--"]}', "shape"),
    ):
        seat = seat_of(parse_json(text, "json"), SHAPES)
        assert isinstance(seat, Seat)
        out = unwrap_edits(text, seat)
        assert isinstance(out, Refusal)
        assert out.reason == reason


def test_a_whole_command_line_in_one_list_needs_a_program() -> None:
    seat = seat_of(parse_json('{"command": []}', "json"), (ARGV,))
    assert isinstance(seat, Refusal)
    assert str(seat) == "has an empty command"


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
    seat = seat_of(node, (CMD,))
    why = seat if isinstance(seat, Refusal) else objection(
        node.value, seat, even_disabled=False, is_file=False, expands_command=False
    )  # fmt: skip
    assert (why.reason if why else None) == reason


def test_a_command_that_cannot_be_moved_back_stays_behind_the_tap() -> None:
    text = "cmd: mcp-tap\nargs:\n- run\n- !odd npx\n"
    seat = seat_of(parse_yaml(text), (CMD,))
    assert isinstance(seat, Seat)
    out = unwrap_edits(text, seat)
    assert isinstance(out, Refusal)
    assert "cannot be moved as it is" in str(out)


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
    seat = seat_of(parse_yaml(text), (CMD,))
    assert isinstance(seat, Seat)
    out = unwrap_edits(text, seat)
    assert not isinstance(out, Refusal)
    assert apply(text, out) == expected
    assert parse_yaml(expected).value is not None
