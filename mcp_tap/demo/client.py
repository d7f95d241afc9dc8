"""The demo's client: one scripted session with the notes server, as a real client would hold it."""

from __future__ import annotations

import contextlib
import json
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import anyio
from anyio.abc import Process
from anyio.streams.buffered import BufferedByteReceiveStream

from mcp_tap import __version__
from mcp_tap.demo.server import PROTOCOL_VERSION
from mcp_tap.errors import TapError

ANSWER_LIMIT = 30.0
"""Seconds for one answer: a machine that is slower than this has another problem to solve first."""

LINE_LIMIT = 1024 * 1024
"""Bytes of one answer; the longest note has some hundred."""

SESSION: tuple[tuple[str, dict[str, Any] | None, bool], ...] = (
    (
        "initialize",
        {
            "protocolVersion": PROTOCOL_VERSION,
            "capabilities": {},
            "clientInfo": {"name": "mcp-tap-demo", "version": __version__},
        },
        True,
    ),
    ("notifications/initialized", None, False),
    ("tools/list", None, True),
    ("tools/call", {"name": "search_notes", "arguments": {"query": "record"}}, True),
    ("tools/call", {"name": "read_note", "arguments": {"name": "reading-list"}}, True),
    ("tools/call", {"name": "read_note", "arguments": {"name": "shopping"}}, True),  # fails: isError
    ("notes/delete", {"name": "tea"}, True),  # no method of MCP: -32601
    ("ping", None, True),
)
"""Method, params, and whether it is a request."""


async def play(command: Sequence[str], environment: Mapping[str, str] | None = None) -> int:
    """Start ``command``, hold the session, close; returns the exit status.

    ``environment`` is the command's, by default this process's. Raises :class:`TapError` if an
    answer does not come.
    """
    async with await anyio.open_process(list(command), stderr=subprocess.DEVNULL, env=environment) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        answers = BufferedByteReceiveStream(process.stdout)
        for message, expects_answer in messages():
            with explained(process, message["method"]):
                await process.stdin.send(json.dumps(message).encode() + b"\n")
                if expects_answer:
                    with anyio.fail_after(ANSWER_LIMIT):
                        await answers.receive_until(b"\n", LINE_LIMIT)
        await process.stdin.aclose()
        return await process.wait()


def messages() -> list[tuple[dict[str, Any], bool]]:
    """The client's side of the session as JSON-RPC messages."""
    made = []
    for number, (method, params, is_request) in enumerate(SESSION):
        message: dict[str, Any] = {"jsonrpc": "2.0"}
        if is_request:
            message["id"] = number
        message["method"] = method
        if params is not None:
            message["params"] = params
        made.append((message, is_request))
    return made


@contextlib.contextmanager
def explained(process: Process, method: str) -> Iterator[None]:
    """Turn what can go wrong on a pipe into a :class:`TapError`."""
    try:
        yield
    except (TimeoutError, anyio.EndOfStream, anyio.IncompleteRead, anyio.BrokenResourceError) as error:
        raise TapError(
            f"the demo's server did not answer {method} ({type(error).__name__}, "
            f"exit status {process.returncode})"
        ) from None
