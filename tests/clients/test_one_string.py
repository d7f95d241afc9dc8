"""Which commands are programs with blanks in their path, and which are whole command lines."""

from __future__ import annotations

import pytest

from mcp_tap.clients.one_string import is_one_string

WINDOWS = r"C:\Program Files\nodejs\node.exe"
MACOS = "/Applications/My Tool.app/Contents/MacOS/My Tool"


@pytest.mark.parametrize(
    "argv",
    [
        [WINDOWS, "server.js"],
        [WINDOWS],
        [r"C:\Program Files (x86)\Tool - old\run.cmd", "-y"],
        ["C:/Program Files/nodejs/npx.CMD", "-y", "notes"],
        [r"\\server\my share\tool.exe", "x"],
        [MACOS, "--stdio"],
        [MACOS],
        ["/opt/my tools/server", "x"],
        ["~/My Tools/server", "x"],
        ["./my tools/server", "x"],
        ["${workspaceFolder}/my tools/server", "x"],
        [r"%ProgramFiles%\My Tool\tool", "x"],
        ["npx", "a b"],
    ],
)
def test_a_path_with_blanks_is_a_program(argv: list[str]) -> None:
    assert not is_one_string(argv)


@pytest.mark.parametrize(
    "argv",
    [
        ["npx -y foo"],
        ["npx -y foo", "--verbose"],
        ["my tool"],
        ["my tool", "x"],
        ["/usr/bin/node server.js"],
        ["/usr/bin/npx -y foo", "--verbose"],
        ["/usr/bin/node /srv/server.js", "--verbose"],
        [r"C:\node.exe C:\server.js"],
        [r"C:\Program Files\nodejs\node.exe server.js"],
        [r"C:\node.exe D:\tool.exe", "x"],
        [r'C:\node.exe "D:\server.js"', "x"],
    ],
)
def test_a_program_with_its_arguments_behind_it_is_a_command_line(argv: list[str]) -> None:
    assert is_one_string(argv)
