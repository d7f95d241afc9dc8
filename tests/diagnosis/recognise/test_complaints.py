"""What programs say on stderr before they give up."""

from __future__ import annotations

import pytest

from mcp_tap.diagnosis.recognise.codepages import decoded
from mcp_tap.diagnosis.recognise.complaints import COMPLAINTS, FIRST_LOOK, brief, read_complaint
from mcp_tap.diagnosis.recognise.reasons import reason

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
    "docker": ["docker: Error response from daemon: no space left on device."],
    "docker-not-running": ["Cannot connect to the Docker daemon at unix:///var/run/docker.sock.",
                           "Docker Desktop is not running"],
    "docker-terminal": ["the input device is not a TTY"],
    "container-name": ['Conflict. The container name "/n" is already in use'],
    "no-such-image": ["docker: Error response from daemon: pull access denied for acme/x, repository"],
    "no-executable": ["npm error could not determine executable to run",
                      "An executable named `notes` is not provided by package `notes-mcp`."],
    "no-such-package": ["Because notess was not found in the package registry and you require notess",
                        "npm error 404  '@acme/notess@*' is not in this registry.",
                        "ERROR: No matching distribution found for notess"],
    "native-module": ["NODE_MODULE_VERSION 115. This version of Node.js requires"],
    "c-library": ["notes: /lib64/libc.so.6: version `GLIBC_2.38' not found (required by notes)",
                  "/lib/libstdc++.so.6: version `GLIBCXX_3.4.30' not found"],
    "shared-library": ["notes: error while loading shared libraries: libssl.so.1.1: no"],
    "architecture": ["exec /app/notes: exec format error", "zsh: bad CPU type in executable: notes"],
    "node-too-old": ["ReferenceError: File is not defined", "TypeError: list.toSorted is not a function",
                     "Error [ERR_UNKNOWN_BUILTIN_MODULE]: No such built-in module: node:sqlite",
                     "SyntaxError: Unexpected token '?'"],
    "python-too-old": ["ModuleNotFoundError: No module named 'tomllib'",
                       "ImportError: cannot import name 'StrEnum' from 'enum' (/usr/lib/python3.9/enum.py)",
                       "TypeError: unsupported operand type(s) for |: 'type' and 'NoneType'"],
    "python-too-new": ["ModuleNotFoundError: No module named 'distutils'"],
    "version-manager": ["No version is set for command node", "Volta error: Node is not available."],
    "deno-permission": ['NotCapable: Requires env access to "X", run again with the --allow-env flag'],
    "folder-unreadable": ["Error: EPERM: operation not permitted, uv_cwd"],
    "folder-gone": ["Error: ENOENT: no such file or directory, uv_cwd"],
    "locked": ["IO exception: Could not set lock on file : /x/main.kz",
               "sqlite3.OperationalError: database is locked",
               "Another instance of notes is already running (pid 7)"],
    "certificate": ["fetch failed: unable to get local issuer certificate", "Error: self-signed certificate",
                    "ssl.SSLCertVerificationError: certificate verify failed"],
    "permission": ["PermissionError: [Errno 13] Permission denied: '/x'"],
    "syntax-error": ["SyntaxError: invalid syntax"],
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
     "Session opened without credentials", "KeyError: 'name'", "API token loaded", "",
     "lock acquired", "loading the certificate /etc/ssl/ca.pem", "GLIBC 2.36 found",
     "Docker Desktop is running"],
)  # fmt: skip
def test_a_harmless_line_is_no_complaint(line: str) -> None:
    assert read_complaint(line) is None


def test_what_cmd_says_in_another_language_is_read_in_its_code_page() -> None:
    said = {
        "gbk": "'npx' 不是内部或外部命令，也不是可运行的程序",
        "cp866": '"npx" не является внутренней или внешней',
        "cp932": "'npx' は、内部コマンドまたは外部コマンド、",
        "cp1252": "'npx' não é reconhecido como um comando",
    }
    for encoding, line in said.items():
        assert decoded([line.encode(encoding)]) == [line]
        match = read_complaint(line)
        assert match is not None
        assert (match.complaint.name, match.what) == ("missing-program", "npx")
    assert decoded(["naïve".encode(), b"plain"]) == ["naïve", "plain"]


@pytest.mark.parametrize(
    ("lines", "telling"),
    [
        (["Error: listen EADDRINUSE: address already in use 127.0.0.1:1", "    at x", "  code: 'EADDRINUSE',",
          "}", "", "Node.js v20.19.6"], "Error: listen EADDRINUSE: address already in use 127.0.0.1:1"),
        (["Error: the thing broke", "    at x {", "  code: 'EODD',", "  errno: -1", "}", "Node.js v20.1.0"],
         "Error: the thing broke"),
        (["error: the following arguments are required: --dir", "Usage: notes [--dir D]", "  --dir  where"],
         "error: the following arguments are required: --dir"),
        (["npm error code E404", "npm error 404  'acme@*' is not in this registry.",
          "npm error A complete log of this run can be found in: /x"],
         "npm error 404  'acme@*' is not in this registry."),
        (["  × No solution found when resolving tool dependencies:",
          "  ╰─▶ Because acme was not found in the package registry and you", "      need acme."],
         "  ╰─▶ Because acme was not found in the package registry and you need acme."),
        (["[1] opening store", "Fatal: no store"], "Fatal: no store"),
    ],
)  # fmt: skip
def test_the_reason_is_the_line_that_names_it(lines: list[str], telling: str) -> None:
    found = reason(lines)
    assert found is not None
    assert found.line == telling


def test_a_long_line_is_quoted_around_what_tells() -> None:
    line = "x " * 100 + "listen EADDRINUSE: address already in use :::1 " + "y " * 50
    found = reason([line])
    assert found is not None
    assert "EADDRINUSE" in found.quoted
    assert len(found.quoted) < 170


def test_nothing_on_stderr_is_no_reason_and_frames_alone_are_quoted() -> None:
    assert reason([]) is None
    assert reason(["", "  "]) is None
    only = reason(["    at sea"])
    assert only is not None
    assert only.quoted == "last stderr line: at sea"


def test_a_long_line_is_shortened_in_a_sentence() -> None:
    assert len(brief("x" * 1000)) == 140
