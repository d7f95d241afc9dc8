"""What the tap itself has noted, in words, and the head of a session."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterator
from typing import Any

from mcp_tap.model.filters import is_trouble
from mcp_tap.model.session import Party, Session
from mcp_tap.record.reader import Record
from mcp_tap.views.paint import Line, Piece, fitted
from mcp_tap.views.payload import compact, cut
from mcp_tap.views.terminal import columns

LABEL = 10
"""Columns of a label in a head."""

LONGEST_NAME = 60
"""Columns of a name in the line that begins a head."""

_STAMP = re.compile(r"(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)\.\d+Z", re.ASCII)

_READERS = {"c2s": "the server", "s2c": "the client", "stderr": "the reader of stderr"}
_WRITERS = {"c2s": "the client has closed its end (c2s)", "s2c": "the server has closed its output (s2c)",
            "stderr": "the server has closed its stderr"}  # fmt: skip


def reader_of(fields: dict[str, Any]) -> str:
    """Who reads the stream that an event is about."""
    stream = fields.get("stream")
    return _READERS.get(stream, "a reader") if isinstance(stream, str) else "a reader"


def spawned(fields: dict[str, Any]) -> str:
    """The sentence for ``spawn``."""
    exe = f": {fields['exe']}" if isinstance(fields.get("exe"), str) else ""
    return f"server started, process {fields.get('pid')}{exe}"


def ended_stream(fields: dict[str, Any]) -> str:
    """The sentence for ``eof``."""
    stream = fields.get("stream")
    return _WRITERS.get(stream, "a stream has ended") if isinstance(stream, str) else "a stream has ended"


def undelivered(fields: dict[str, Any]) -> str:
    """The sentence for ``undelivered``."""
    lines = fields.get("lines")
    what = "the next line" if lines == 1 else f"the next {lines} lines"
    return f"{reader_of(fields)} was gone: {what} ({fields.get('bytes')} bytes) never reached it"


def signalled(fields: dict[str, Any]) -> str:
    """The sentence for ``signal``."""
    if fields.get("shared") is True:
        return f"{fields.get('name')} came, to the server as well"
    return f"{fields.get('name')} came, {'' if fields.get('forwarded') else 'not '}passed on to the server"


SENTENCES: dict[str, Callable[[dict[str, Any]], str]] = {
    "spawn": spawned,
    "spawn_failed": lambda fields: f"the server could not be started: {fields.get('error')}",
    "eof": ended_stream,
    "broken_pipe": lambda fields: f"{reader_of(fields)} does not read any more: its pipe is broken",
    "undelivered": undelivered,
    "signal": signalled,
    "stall": lambda fields: f"{reader_of(fields)} takes nothing: what is sent to it waits",
    "flow": lambda fields: f"{reader_of(fields)} takes again, after {fields.get('seconds')} s",
    "gap": lambda fields: (
        f"not recorded: {fields.get('records')} records, {fields.get('bytes')} bytes ({fields.get('reason')})"
    ),
    "limit": lambda fields: (
        f"size limit of {fields.get('bytes')} bytes reached: lines are not recorded any more"
    ),
}
"""Events in words; one that is not here is shown with its fields."""


def sentence(event: Record, session: Session) -> str:
    """What an event says; not yet made visible or shortened."""
    if event.event == "exit" and session.exit is event.fields:
        left = event.fields.get("left")
        remain = f", {left} processes still held its output" if isinstance(left, int) and left > 0 else ""
        return f"the end: {session.ending.sentence}{remain}"
    made = SENTENCES.get(event.event or "")
    return made(event.fields) if made is not None else f"{event.event or '?'} {compact(event.fields)}"


def style_of(event: Record) -> str:
    """Trouble stands out."""
    return "trouble" if is_trouble(event) else "tap"


def head(session: Session, width: int, *, file: str | None = None) -> Iterator[Line]:
    """Who, what and when: what is known of a session by now, its start record at least."""
    name = cut(session.name or "session", LONGEST_NAME)
    when = stamp(session.ts or "")
    title = fitted((Piece("── "), Piece(name, "strong"), Piece(" ── "), Piece(when), Piece(" ")), width)
    used = sum(columns(piece.text) for piece in title)
    yield (*title, Piece("─" * (width - used), "quiet"))
    yield labelled("session", session.id, width)
    if file is not None:
        yield labelled("file", file, width)
    if not session.start:
        yield labelled("start", "not in this recording", width)
        return
    yield labelled("command", command(session.start), width)
    for label, text in (("in", session.start.get("cwd")), ("started by", starter(session.start))):
        if isinstance(text, str):
            yield labelled(label, text, width)


def labelled(label: str, text: str, width: int) -> Line:
    """``   label   text``"""
    start = f"   {label:<{LABEL}} "
    return (Piece(start, "quiet"), Piece(cut(text, width - len(start))))


def command(start: dict[str, Any]) -> str:
    """The server's command line as one would type it."""
    argv = start.get("argv")
    if isinstance(argv, list) and all(isinstance(word, str) for word in argv):
        return shlex.join(argv)
    return compact(argv)


def starter(start: dict[str, Any]) -> str | None:
    """The program that has started the tap."""
    client, process = start.get("client"), start.get("ppid")
    if not isinstance(client, str):
        return None
    return f"{client} (process {process})" if isinstance(process, int) else client


def stamp(ts: str) -> str:
    """A record's time for people; as it is where it is none."""
    found = _STAMP.fullmatch(ts)
    return f"{found[1]} {found[2]} UTC" if found else cut(ts, 40)


def agreement(session: Session, width: int) -> Iterator[str]:
    """``agreed 2025-11-25 · notes 0.1.0 (tools) · client claude 2.0 (roots)``

    In one line, or in three where that is wider than ``width``; not longer than that each.
    """
    agreed = f"agreed {session.protocol or 'on no version'}"
    if session.offered is not None and session.offered != session.protocol:
        agreed += f" (client offered {session.offered})"
    server = party(session.server, session.capabilities.get("s2c"))
    client = f"client {party(session.client, session.capabilities.get('c2s'))}"
    parts = [cut(part, width) for part in (agreed, server, client)]
    line = " · ".join(parts)
    yield from [line] if columns(line) <= width else parts


def party(who: Party, capabilities: Any) -> str:
    """``notes 0.1.0 (tools, prompts)``"""
    able = ", ".join(capabilities) if isinstance(capabilities, dict) else ""
    return f"{who} ({able})" if able else str(who)
