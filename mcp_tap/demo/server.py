"""The bundled notes server: MCP over stdio as plain JSON-RPC, by the 2025-11-25 specification.

Two tools, ``search_notes`` and ``read_note``, over the Markdown files beside it. Run it with
``python -m mcp_tap.demo.server``.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from mcp_tap import __version__

NOTES = Path(__file__).parent / "notes"
PROTOCOL_VERSION = "2025-11-25"
OLDER_VERSIONS = ("2024-11-05", "2025-03-26", "2025-06-18")
"""Versions in which all that the server says is just as right; some clients hang up at a newer one."""

METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
PARSE_ERROR = -32700

TOOLS: list[dict[str, Any]] = [
    {
        "name": "search_notes",
        "description": "List the notes that contain a text, with the matching lines",
        "inputSchema": {
            "type": "object",
            "properties": {"query": {"type": "string", "description": "text to look for (case-insensitive)"}},
            "required": ["query"],
        },
    },
    {
        "name": "read_note",
        "description": "Return one note in full",
        "inputSchema": {
            "type": "object",
            "properties": {"name": {"type": "string", "description": "name as listed by search_notes"}},
            "required": ["name"],
        },
    },
]


class RequestError(Exception):
    """Becomes a JSON-RPC error response."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


class ToolError(Exception):
    """Becomes a result with ``isError``, which the model gets to read."""


def search_notes(query: str) -> str:
    """The lines that contain ``query``, as ``note: line``."""
    found = [
        f"{path.stem}: {line.strip()}"
        for path in sorted(NOTES.glob("*.md"))
        for line in path.read_text(encoding="utf-8").splitlines()
        if query.casefold() in line.casefold()
    ]
    return "\n".join(found) or f"no note contains {query!r}"


def read_note(name: str) -> str:
    """The text of a note. Raises :class:`ToolError` if there is none of that name."""
    names = sorted(path.stem for path in NOTES.glob("*.md"))
    if name not in names:
        raise ToolError(f"no note is called {name!r}; there are {', '.join(names)}")
    return (NOTES / f"{name}.md").read_text(encoding="utf-8")


TOOL_FUNCTIONS = {"search_notes": (search_notes, "query"), "read_note": (read_note, "name")}


def call_tool(params: dict[str, Any]) -> dict[str, Any]:
    """The result of ``tools/call``. Raises :class:`RequestError` for what is not offered."""
    if params.get("name") not in TOOL_FUNCTIONS:
        raise RequestError(INVALID_PARAMS, f"Unknown tool: {params.get('name')}")
    function, argument = TOOL_FUNCTIONS[params["name"]]
    value = (params.get("arguments") or {}).get(argument)
    try:
        if not isinstance(value, str):
            raise ToolError(f"{params['name']} needs {argument!r}, a string")
        return {"content": [{"type": "text", "text": function(value)}], "isError": False}
    except ToolError as error:
        return {"content": [{"type": "text", "text": str(error)}], "isError": True}


def answer(method: str, params: dict[str, Any]) -> dict[str, Any]:
    """The result of a request. Raises :class:`RequestError`."""
    if method == "initialize":
        offered = params.get("protocolVersion")
        return {
            "protocolVersion": offered if offered in OLDER_VERSIONS else PROTOCOL_VERSION,
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "notes", "version": __version__},
            "instructions": "Search first, then read.",
        }
    if method == "ping":
        return {}
    if method == "tools/list":
        return {"tools": TOOLS}
    if method == "tools/call":
        return call_tool(params)
    raise RequestError(METHOD_NOT_FOUND, f"Method not found: {method}")


def respond(line: str) -> dict[str, Any] | None:
    """The response to one line; None for a notification, which gets none."""
    try:
        message = json.loads(line)
    except ValueError:
        return {"jsonrpc": "2.0", "error": {"code": PARSE_ERROR, "message": "Parse error"}}
    if not isinstance(message, dict) or "id" not in message or "method" not in message:
        return None
    response: dict[str, Any] = {"jsonrpc": "2.0", "id": message["id"]}
    try:
        response["result"] = answer(message["method"], message.get("params") or {})
    except RequestError as error:
        response["error"] = {"code": error.code, "message": str(error)}
    return response


def serve() -> None:
    """Answer on stdout what comes in on stdin, until it ends."""
    print(f"notes server {__version__}: {len(list(NOTES.glob('*.md')))} notes", file=sys.stderr, flush=True)
    for line in sys.stdin.buffer:
        response = respond(line.decode("utf-8", "replace"))
        if response is not None:
            text = json.dumps(response, ensure_ascii=False, separators=(",", ":"))
            sys.stdout.buffer.write(text.encode() + b"\n")
            sys.stdout.buffer.flush()


if __name__ == "__main__":
    serve()
