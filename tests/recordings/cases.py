"""Real failures over stdio, one recording each, from wire bytes that are invented.

Usage: python -m tests.recordings.cases writes them to ``cases/``, always the same bytes.

The numbers are those of the project's list of failures. What a recording cannot show has none:
A24 (what a launcher leaves behind is in A23's ``left``) and A35 (HTTP).
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from mcp_tap.wire.lines import Segment
from tests.record_cases import RECORDINGS, Tape, error, request, result, told

FOLDER = RECORDINGS / "cases"

SCHEMA = {"type": "object"}
CAPABILITIES: dict[str, Any] = {"tools": {}}


def offer(version: str = "2025-11-25", id: Any = 0, **capabilities: Any) -> dict[str, Any]:
    """The first request of a client."""
    me = {"name": "editor", "version": "2"}
    return request(id, "initialize", protocolVersion=version, capabilities=capabilities, clientInfo=me)


def agreed(version: str = "2025-11-25", id: Any = 0) -> dict[str, Any]:
    """The server's answer to it."""
    me = {"name": "notes", "version": "1.2"}
    return result(id, protocolVersion=version, capabilities=CAPABILITIES, serverInfo=me)


def tool(name: str, **members: Any) -> dict[str, Any]:
    """A tool as it is listed."""
    return {"name": name, "inputSchema": SCHEMA, **members}


def call(id: Any, name: str, **arguments: Any) -> dict[str, Any]:
    """A tool's call."""
    return request(id, "tools/call", name=name, arguments=arguments)


def said(id: Any, text: str, **members: Any) -> dict[str, Any]:
    """What a tool answers."""
    return result(id, content=[{"type": "text", "text": text}], **members)


def begun(version: str = "2025-11-25", **capabilities: Any) -> Tape:
    """A session whose handshake is complete at 0.2 s."""
    tape = Tape().start().client(offer(version, **capabilities), 0.1).server(agreed(version), 0.2)
    return tape.client(told("notifications/initialized"), 0.2)


def closed(tape: Tape, t: float) -> Tape:
    """The client closes stdin, and the server leaves."""
    tape.event("eof", t, stream="c2s").event("eof", t + 0.1, stream="s2c").event(
        "eof", t + 0.1, stream="stderr"
    )
    return tape.exit(t + 0.1, "client-eof")


def listed(tape: Tape, *tools: dict[str, Any], id: int = 1) -> Tape:
    """The client lists the tools."""
    return tape.client(request(id, "tools/list"), 0.3).server(result(id, tools=list(tools)), 0.4)


def a01_start_up_banner() -> Tape:
    tape = Tape().start().client(offer(), 0.1).server(b"Demo server v1 ready", 0.2)
    tape.server(b"Loaded 3 plugins", 0.2).server(agreed(), 0.3).client(told("notifications/initialized"), 0.3)
    return closed(listed(tape, tool("search")), 5)


def a02_coloured_log_lines() -> Tape:
    tape = begun()
    for number in range(3):
        tape.server(b"\x1b[2m10:00:0%d\x1b[0m \x1b[33mWARN\x1b[0m cache cold" % number, 1 + number)
    return closed(tape, 5)


def a03_structured_logger() -> Tape:
    tape = begun().client(call(1, "search"), 1)
    tape.server({"level": "info", "msg": "client ready", "time": "2026-01-01T00:00:00Z"}, 1.1)
    return closed(tape.server(said(1, "ok"), 1.2), 1.3)


def a04_content_length_headers() -> Tape:
    tape = Tape().start().client(offer(), 0.1)
    tape.server(b"Content-Length: 38\r", 0.2).server(b"\r", 0.2)
    tape.line("s2c", Segment((b'{"jsonrpc":"2.0","id":0,"result":{}}  ',), more=True), 1.2)
    tape.event("eof", 30.1, stream="c2s").line("s2c", Segment((b"",)), 30.2)
    return tape.event("eof", 30.2, stream="s2c").exit(30.2, "client-eof")


def a05_carriage_returns() -> Tape:
    tape = Tape().start()
    tape.client(
        b'{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}\r', 0.1
    )
    return tape.event("eof", 0.2, stream="s2c").exit(0.2, "server-exit")


def a06_code_page() -> Tape:
    tape = begun().client(call(3, "read"), 1)
    line = b'{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"\xd6\xd0\xce\xc4"}]}}'
    return closed(tape.server(line, 1.1), 61)


def a07_lone_surrogate() -> Tape:
    tape = begun()
    tape.client(
        b'{"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"name":"w","arguments":{"text":"\\ud83d"}}}',
        1,
    )
    return closed(tape, 61)


def a08_long_line() -> Tape:
    tape = begun().client(call(2, "list_rows"), 1)
    return closed(tape.server(said(2, "0123456789" * 6_600), 1.5), 2)


def a09_server_does_not_flush() -> Tape:
    tape = Tape().start().client(offer(), 0.1).client(request(1, "ping"), 5).server(agreed(), 5.0)
    tape.server(result(1), 5.0).client(told("notifications/initialized"), 5.1)
    tape.client(call(2, "a"), 6).client(call(3, "b"), 9).client(call(4, "c"), 10.9)
    return closed(tape.server(said(2, "a"), 10.9).server(said(3, "b"), 10.9).server(said(4, "c"), 10.9), 12)


def a10_nan() -> Tape:
    tape = begun().client(call(4, "statistics"), 1)
    tape.server(b'{"jsonrpc":"2.0","id":4,"result":{"content":[],"structuredContent":{"mean":NaN}}}', 1.1)
    return closed(tape.client(told("notifications/cancelled", requestId=4), 61), 62)


def a11_id_of_another_type() -> Tape:
    tape = begun().client(request("7", "tools/list"), 1).server(result(7, tools=[]), 1.1)
    tape.client(request(8, "tools/list"), 2).server(b'{"jsonrpc":"2.0","id":8.0,"result":{"tools":[]}}', 2.1)
    return closed(tape, 63)


def a12_id_null() -> Tape:
    tape = begun().client(request(None, "tools/list"), 1).client(request(None, "prompts/list"), 2)
    return closed(tape, 62)


def a13_notification_answered() -> Tape:
    return closed(begun().server(error(None, -32601, "Method not found"), 0.3), 0.5)


def a14_request_before_the_handshake() -> Tape:
    tape = Tape().start().client(request(0, "tools/list"), 0.1).server(error(0, -32602), 0.2)
    tape.client(offer(id=1), 0.3).server(agreed(id=1), 0.4).client(call(2, "search"), 0.5)
    return closed(tape.server(error(2, -32602, "Invalid request parameters"), 0.6), 1)


def a15_version_refused() -> Tape:
    tape = Tape().start().client(offer("2025-11-25"), 0.1)
    return closed(tape.server(error(0, -32602, "Unsupported protocol version"), 0.2), 0.3)


def a16_batch() -> Tape:
    tape = begun("2025-06-18").client([request(1, "tools/list"), request(2, "prompts/list")], 1)
    return closed(tape, 61)


def a17_client_never_answers() -> Tape:
    tape = begun(roots={}).client(call(5, "index"), 1).server(request(0, "roots/list"), 1.5)
    return closed(tape.server(said(5, "no roots"), 61.5), 62)


def a18_optional_list_not_there() -> Tape:
    tape = begun().client(request(1, "resources/list"), 0.5)
    return closed(tape.server(error(1, -32601, "Method not found"), 0.6), 5)


def a19_progress_after_the_result() -> Tape:
    tape = begun().client(
        request(5, "tools/call", name="export", arguments={}, _meta={"progressToken": 5}), 1
    )
    tape.server(told("notifications/progress", progressToken=5, progress=50, total=100), 2)
    tape.server(said(5, "done"), 3)
    return closed(tape.server(told("notifications/progress", progressToken=5, progress=100), 3.002), 3.1)


def a20_result_after_the_client_gave_up() -> Tape:
    tape = begun().client(call(5, "export"), 1)
    tape.client(told("notifications/cancelled", requestId=5, reason="timed out"), 61)
    return closed(tape.server(said(5, "done"), 62.4), 70)


def a21_cold_start() -> Tape:
    tape = Tape().start(argv=["npx", "-y", "notes-server"]).client(offer(), 0.1)
    tape.stderr("npm http fetch GET 200 https://registry.example/notes-server 812ms", 2)
    tape.event("eof", 30.1, stream="c2s").event("signal", 32.1, name="SIGTERM", forwarded=True)
    return tape.exit(32.2, "client-eof", None, "SIGTERM")


def a22_nobody_reads_stderr() -> Tape:
    tape = begun()
    for number in range(16):
        tape.stderr(f"{number:04d} " + "x" * 4090, 2 + number)
    tape.event("stall", 19, stream="stderr").client(call(1, "search"), 20)
    return tape.event("eof", 80, stream="c2s").event("signal", 82, name="SIGKILL", forwarded=False)


def a23_stdin_end_ignored() -> Tape:
    tape = begun().event("eof", 5, stream="c2s").event("signal", 7, name="SIGTERM", forwarded=True)
    return tape.exit(7.1, "client-eof", None, "SIGTERM")


def a25_pipe_closed_abruptly() -> Tape:
    tape = begun().client(call(1, "export"), 1).event("eof", 1.5, stream="c2s").server(said(1, "done"), 2)
    tape.event("broken_pipe", 2, stream="s2c").stderr("BrokenPipeError: [Errno 32] Broken pipe", 2.1)
    return tape.exit(2.2, "client-eof", 1)


def a26_not_spawned() -> Tape:
    tape = Tape().event(
        "start", format=1, tap="0.1.0", argv=["npx", "-y", "notes-server"], path=r"C:\Windows"
    )
    return tape.event("spawn_failed", 0.002, error="command not found: npx", code=127).exit(
        0.003, "spawn-failed", 127
    )


def a27_reduced_environment() -> Tape:
    tape = Tape().start(path="/usr/bin:/bin:/usr/sbin:/sbin").client(offer(), 0.01)
    tape.stderr("env: node: No such file or directory", 0.02)
    return tape.event("eof", 0.02, stream="s2c").exit(0.02, "server-exit", 127)


def a28_dies_at_start() -> Tape:
    tape = Tape().start().client(offer(), 0.1).stderr("Traceback (most recent call last):", 0.4)
    tape.stderr('  File "server.py", line 7, in <module>', 0.4).stderr("KeyError: 'DEMO_TOKEN'", 0.4)
    return tape.event("eof", 0.4, stream="s2c").exit(0.4, "server-exit", 1)


def a29_stdin_eaten() -> Tape:
    tape = begun().client(call(3, "git_status"), 1).client(request(4, "ping"), 30)
    return closed(tape, 90)


def a30_one_bad_schema() -> Tape:
    return closed(listed(begun(), tool("a", inputSchema={"anyOf": [SCHEMA]}), tool("b")), 1)


def a31_tool_names() -> Tape:
    return closed(listed(begun(), tool("files.read/all rows"), tool("n" * 70), tool("m" * 130)), 1)


def a32_no_structured_content() -> Tape:
    tape = listed(begun(), tool("price", outputSchema=SCHEMA)).client(call(5, "price"), 1)
    return closed(tape.server(said(5, "ok"), 1.1), 2)


def a33_failure_as_success() -> Tape:
    tape = begun().client(call(5, "health"), 1)
    return closed(tape.server(said(5, "Error executing Health: 401", isError=False), 1.1), 2)


def a34_secrets() -> Tape:
    tape = begun().client(call(5, "fetch", headers={"Authorization": "Bearer EXAMPLE"}), 1)
    return closed(tape.stderr('Using headers: {"X-API-KEY":"EXAMPLE"}', 1.1).server(said(5, "ok"), 1.2), 2)


def a36_two_instances() -> Tape:
    """Two whole sessions whose records alternate."""
    one, other = listed(begun(), tool("search")), Tape("01m8mn0000000001")
    other.start().client(offer(), 1.1).server(agreed(), 1.2).client(told("notifications/initialized"), 1.3)
    closed(one, 9)
    closed(other, 8)
    shuffled = Tape()
    for number in range(max(len(one.lines), len(other.lines))):
        shuffled.lines += one.lines[number : number + 1] + other.lines[number : number + 1]
    return shuffled


CASES: dict[str, Callable[[], Tape]] = {
    function.__name__[:3].upper(): function
    for name, function in sorted(globals().items())
    if name[0] == "a" and name[1:3].isdigit()
}
"""How each recording is made, by the number of its case."""


def written() -> dict[str, bytes]:
    """The content of each file."""
    return {f"{name}.jsonl": b"".join(make().lines) for name, make in CASES.items()}


if __name__ == "__main__":
    os.makedirs(FOLDER, exist_ok=True)
    for name, data in written().items():
        (FOLDER / name).write_bytes(data)
