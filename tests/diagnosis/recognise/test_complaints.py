"""What programs say on stderr before they give up."""

from __future__ import annotations

import pytest

from mcp_tap.diagnosis.recognise.complaints import COMPLAINTS, FIRST_LOOK, brief, read_complaint, reason

SAID = {
    "missing-program": ["env: node: No such file or directory",
                        "/usr/bin/env: ‘node’: No such file or directory",
                        "sh: 1: node: not found", "bash: line 1: node: command not found",
                        "zsh:1: command not found: node", "Error: spawn node ENOENT",
                        "'node' is not recognized as an internal or external command,"],
    "missing-python-module": ["ModuleNotFoundError: No module named 'mcp'", "python3: No module named notes"],
    "import-failed": ["ImportError: cannot import name 'x' from 'y'"],
    "missing-node-module": ["Error: Cannot find module '/x/y.js'", "Error [ERR_MODULE_NOT_FOUND]: no"],
    "port-in-use": ["OSError: [Errno 98] Address already in use"],
    "unset-variable": ["KeyError: 'DEMO_TOKEN'", "Error: BRAVE_API_KEY environment variable is required",
                       "Missing required environment variable: FOO_BAR", "GITHUB_TOKEN is not set"],
    "missing-credential": ["API key missing", "No API key provided"],
    "out-of-memory": ["FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory"],
    "python-version": ["error: notes requires Python >=3.12", "ERROR: Package requires a different Python"],
    "node-version": ["error notes@1.0.0: The engine \"node\" is incompatible with this module."],
    "uv-failed": ["  × No solution found when resolving dependencies:", "error: Failed to spawn: `notes`"],
    "npm-failed": ["npm ERR! code E404", "npm error code E404"],
    "docker": ["Cannot connect to the Docker daemon at unix:///var/run/docker.sock."],
    "permission": ["PermissionError: [Errno 13] Permission denied: '/x'"],
    "syntax-error": ["SyntaxError: Unexpected token '?'"],
    "network": ["Error: getaddrinfo ENOTFOUND registry.example"],
    "usage": ["Usage: mcp-server-filesystem [allowed-directory]"],
    "missing-file": ["FileNotFoundError: [Errno 2] No such file or directory: 'x'"],
}  # fmt: skip
"""What programs say, by the complaint that it is."""


@pytest.mark.parametrize(("name", "line"), [(name, line) for name, lines in SAID.items() for line in lines])
def test_a_known_complaint_is_recognised(name: str, line: str) -> None:
    match = read_complaint(line)
    assert match is not None
    assert match.complaint.name == name
    assert "{}" not in match.title + match.next


def test_every_complaint_of_the_table_has_an_example_and_passes_the_first_look() -> None:
    assert set(SAID) == {each.name for each in COMPLAINTS}
    assert all(word == word.lower() for word in FIRST_LOOK)


@pytest.mark.parametrize(
    "line",
    ["Secure MCP Filesystem Server running on stdio", "2026-11-29 INFO set LOG_LEVEL to debug",
     "Session opened without credentials", "KeyError: 'name'", "API token loaded", ""],
)  # fmt: skip
def test_a_harmless_line_is_no_complaint(line: str) -> None:
    assert read_complaint(line) is None


def test_nothing_on_stderr_is_no_reason_and_frames_alone_are_quoted() -> None:
    assert reason([]) is None
    assert reason(["", "  "]) is None
    only = reason(["    at sea"])
    assert only is not None
    assert only.quoted == "last stderr line: at sea"


def test_a_long_line_is_shortened_in_a_sentence() -> None:
    assert len(brief("x" * 1000)) == 140
