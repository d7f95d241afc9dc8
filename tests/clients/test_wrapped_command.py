"""A command line in which the tap is, however it was written."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_tap.clients.entry import label
from mcp_tap.clients.wrapped_command import read_wrapped
from mcp_tap.commands.run_options import read_run_options
from tests.clients.texts import NAMES, WORDS


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
    wrapped = read_wrapped(argv)
    assert wrapped is not None
    assert (list(wrapped.tap), list(wrapped.server)) == (argv[:tap], server)


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
    assert read_wrapped(argv) is None


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
        wrapped = read_wrapped(["mcp-tap", "run", *words])
        assert wrapped is not None
        assert list(wrapped.server) == command
        assert wrapped.options.get("--log-dir") == taken.log_dir
        assert wrapped.options.get("--name") == taken.name
