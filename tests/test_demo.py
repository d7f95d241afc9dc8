"""The bundled notes server speaks MCP, also to those who do not."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import Any

import pytest

from mcp_tap.commands.demo import typed_command
from mcp_tap.demo.server import respond


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("not json", {"error": {"code": -32700, "message": "Parse error"}}),
        ('{"jsonrpc":"2.0","method":"notifications/initialized"}', None),
        ("[]", None),
        ('{"id":"a","method":"ping"}', {"id": "a", "result": {}}),
        ('{"id":1,"method":"x"}', {"id": 1, "error": {"code": -32601, "message": "Method not found: x"}}),
        (
            '{"id":1,"method":"tools/call","params":{"name":"x"}}',
            {"id": 1, "error": {"code": -32602, "message": "Unknown tool: x"}},
        ),
    ],
)
def test_a_line_is_answered_as_the_specification_has_it(line: str, expected: dict[str, Any] | None) -> None:
    response = respond(line)
    assert response == (None if expected is None else {"jsonrpc": "2.0", **expected})


@pytest.mark.parametrize(
    ("arguments", "text", "is_error"),
    [
        ('{"name":"search_notes","arguments":{"query":"GREEN TEA"}}', "tea: Green tea: 75 °C", False),
        ('{"name":"search_notes","arguments":{"query":"zzz"}}', "no note contains 'zzz'", False),
        ('{"name":"search_notes"}', "search_notes needs 'query', a string", True),
        ('{"name":"read_note","arguments":{"name":"tea"}}', "# Tea", False),
        ('{"name":"read_note","arguments":{"name":"../server"}}', "no note is called '../server'", True),
    ],
)
def test_a_tool_that_fails_says_so_to_the_model(arguments: str, text: str, is_error: bool) -> None:
    response = respond(f'{{"id":1,"method":"tools/call","params":{arguments}}}')
    assert response is not None
    assert response["result"]["content"][0]["text"].startswith(text)
    assert response["result"]["isError"] is is_error


@pytest.mark.parametrize(
    ("offered", "agreed"),
    [
        ('"2025-06-18"', "2025-06-18"),
        ('"2024-11-05"', "2024-11-05"),
        ('"2099-01-01"', "2025-11-25"),
        ("7", "2025-11-25"),
    ],
)
def test_the_server_speaks_the_client_s_version_if_it_can(offered: str, agreed: str) -> None:
    response = respond(f'{{"id":1,"method":"initialize","params":{{"protocolVersion":{offered}}}}}')
    assert response is not None
    assert response["result"]["protocolVersion"] == agreed


@pytest.mark.parametrize(
    ("program", "found", "typed"),
    [
        ("bin/mcp-tap", None, "bin/mcp-tap"),
        ("bin/mcp-tap", "bin/mcp-tap", "mcp-tap"),
        ("my bin/mcp-tap", "bin/mcp-tap", "'my bin/mcp-tap'"),
        ("mcp_tap/__main__.py", "bin/mcp-tap", f"{shlex.quote(sys.executable)} -m mcp_tap"),
    ],
)
def test_the_demo_names_the_command_as_it_can_be_typed_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, program: str, found: str | None, typed: str
) -> None:
    monkeypatch.chdir(tmp_path)
    for directory in ("bin", "my bin"):
        (tmp_path / directory).mkdir()
        (tmp_path / directory / "mcp-tap").touch(0o755)
    monkeypatch.setenv("PATH", str(tmp_path / "bin") if found else "")
    assert typed_command(program) == typed
