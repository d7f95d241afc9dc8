"""What the tap itself has noted, in words, and the head of a session."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from mcp_tap.diagnosis.text import plural, seconds, size
from mcp_tap.model.filters import is_trouble
from mcp_tap.model.session import Party, Session
from mcp_tap.record.patterns import lazy
from mcp_tap.record.reader import Record
from mcp_tap.views.paint import Line, Piece, fit
from mcp_tap.views.payload import compact, truncate
from mcp_tap.views.terminal import columns

LABEL = 10
"""Columns of a label in a head."""

LONGEST_NAME = 60
"""Columns of a name in the line that begins a head."""

_STAMP = lazy(r"(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)\.\d+Z", re.ASCII)

_READERS = {"c2s": "server", "s2c": "client", "stderr": "stderr reader"}
_STALLS = {"c2s": "server is not reading stdin", "s2c": "client is not reading stdout",
           "stderr": "stderr is not being read"}  # fmt: skip
_NAMES = {"c2s": "stdin", "s2c": "stdout", "stderr": "stderr"}
_ENDS = {"c2s": "client closed stdin", "s2c": "server closed stdout", "stderr": "server closed stderr"}


def of_stream(words: Mapping[str, str], fields: Mapping[str, Any], otherwise: str) -> str:
    """The word for the stream that an event is about."""
    stream = fields.get("stream")
    return words.get(stream, otherwise) if isinstance(stream, str) else otherwise


def spawned(fields: Mapping[str, Any]) -> str:
    """The sentence for ``spawn``."""
    exe = f": {fields['exe']}" if isinstance(fields.get("exe"), str) else ""
    return f"server started (pid {fields.get('pid')}){exe}"


def amount(value: object, words: Callable[[Any], str]) -> str:
    """A number of an event in ``words``; as it is where it is none."""
    return words(value) if type(value) in (int, float) else str(value)


def undelivered(fields: Mapping[str, Any]) -> str:
    """The sentence for ``undelivered``."""
    lines = amount(fields.get("lines"), lambda number: plural(number, "line"))
    reader = of_stream(_READERS, fields, "reader")
    return f"{reader} was gone: the next {lines} ({amount(fields.get('bytes'), size)}) never reached it"


def signalled(fields: Mapping[str, Any]) -> str:
    """The sentence for ``signal``."""
    if fields.get("shared") is True:
        return f"{fields.get('name')} received, sent to the server as well"
    forwarded = "forwarded" if fields.get("forwarded") else "not forwarded"
    return f"{fields.get('name')} received, {forwarded} to the server"


def resumed(fields: Mapping[str, Any]) -> str:
    """The sentence for ``flow``."""
    waited = amount(fields.get("seconds"), seconds)
    return f"{of_stream(_NAMES, fields, 'stream')} is being read again after {waited}"


def lost(fields: Mapping[str, Any]) -> str:
    """The sentence for ``gap``."""
    records = amount(fields.get("records"), lambda number: plural(number, "record"))
    return f"{records} ({amount(fields.get('bytes'), size)}) could not be written: {fields.get('reason')}"


SENTENCES: dict[str, Callable[[Mapping[str, Any]], str]] = {
    "spawn": spawned,
    "spawn_failed": lambda fields: f"server not started: {fields.get('error')}",
    "eof": lambda fields: of_stream(_ENDS, fields, "stream ended"),
    "broken_pipe": lambda fields: f"{of_stream(_READERS, fields, 'reader')} stopped reading (broken pipe)",
    "undelivered": undelivered,
    "signal": signalled,
    "stall": lambda fields: f"{of_stream(_STALLS, fields, 'a stream is not being read')}: data is queued",
    "flow": resumed,
    "gap": lost,
    "limit": lambda fields: (
        f"size limit of {amount(fields.get('bytes'), size)} reached: later lines are not recorded"
    ),
}
"""Events in words; one that is not here is shown with its fields."""


def sentence(event: Record, session: Session) -> str:
    """What an event says; not yet made visible or shortened."""
    if event.event == "exit" and session.exit is event.fields:
        left = event.fields.get("left")
        return f"session ended: {session.ending.sentence}{remaining(left)}"
    made = SENTENCES.get(event.event or "")
    return made(event.fields) if made is not None else f"{event.event or '?'} {compact(event.fields)}"


def remaining(left: object) -> str:
    """How many processes still held the server's output, as the end of a sentence."""
    if type(left) is not int or left <= 0:
        return ""
    return f"; {plural(left, 'process', 'processes')} still held its output open"


def style_of(event: Record) -> str:
    """Trouble stands out."""
    return "trouble" if is_trouble(event) else "tap"


def head(session: Session, width: int, *, file: str | None = None) -> Iterator[Line]:
    """Who, what and when: what is known of a session by now, its start record at least."""
    name = truncate(session.name or "session", LONGEST_NAME)
    when = stamp(session.ts or "")
    title = fit((Piece("── "), Piece(name, "strong"), Piece(" ── "), Piece(when), Piece(" ")), width)
    used = sum(columns(piece.text) for piece in title)
    yield (*title, Piece("─" * (width - used), "quiet"))
    yield labelled("session", session.id, width)
    if file is not None:
        yield labelled("file", file, width)
    if not session.start:
        yield labelled("start", "not recorded", width)
        return
    yield labelled("command", command(session.start), width)
    for label, text in (("directory", session.start.get("cwd")), ("started by", starter(session.start))):
        if isinstance(text, str):
            yield labelled(label, text, width)


def labelled(label: str, text: str, width: int) -> Line:
    """``   label   text``"""
    start = f"   {label:<{LABEL}} "
    return (Piece(start, "quiet"), Piece(truncate(text, width - len(start))))


def command(start: Mapping[str, Any]) -> str:
    """The server's command line as one would type it."""
    argv = start.get("argv")
    if isinstance(argv, list) and all(isinstance(word, str) for word in argv):
        return shlex.join(argv)
    return compact(argv)


def starter(start: Mapping[str, Any]) -> str | None:
    """The program that has started the tap."""
    client, process = start.get("client"), start.get("ppid")
    if not isinstance(client, str):
        return None
    return f"{client} (pid {process})" if isinstance(process, int) else client


def stamp(ts: str) -> str:
    """A record's time for people; as it is where it is none."""
    found = _STAMP.fullmatch(ts)
    return f"{found[1]} {found[2]} UTC" if found else truncate(ts, 40)


def agreement(session: Session, width: int) -> Iterator[str]:
    """``protocol 2025-11-25 · server notes 0.1.0 (tools) · client claude 2.0 (roots)``

    In one line, or in three where that is wider than ``width``; not longer than that each.
    """
    agreed = f"protocol {session.protocol or 'not agreed'}"
    if session.offered is not None and session.offered != session.protocol:
        agreed += f" (client offered {session.offered})"
    server = f"server {party(session.server, session.capabilities.get('s2c'))}"
    client = f"client {party(session.client, session.capabilities.get('c2s'))}"
    parts = [truncate(part, width) for part in (agreed, server, client)]
    line = " · ".join(parts)
    yield from [line] if columns(line) <= width else parts


def party(who: Party, capabilities: Any) -> str:
    """``notes 0.1.0 (tools, prompts)``"""
    able = ", ".join(capabilities) if isinstance(capabilities, dict) else ""
    return f"{who} ({able})" if able else str(who)
