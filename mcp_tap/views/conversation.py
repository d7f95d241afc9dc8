"""A session as one reads a conversation: a record a line, as far as the terminal is wide.

    0.017 →  1 initialize  {"protocolVersion":"2025-11-25",…
    0.187 ←  1 result of initialize 170 ms  {"protocolVersion":…
    0.188 2> [notes] ready
    0.200 ←  not JSON  Server starting on stdio...

The time is in seconds since the session's start; → is the client, ← the server, 2> the server's
stderr, ·· the tap itself. Everything from the wire goes through ``terminal.visible``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from mcp_tap.diagnosis.text import seconds
from mcp_tap.model.exchange import Exchange, Paired
from mcp_tap.model.message import Message
from mcp_tap.model.session import Session
from mcp_tap.model.step import NO_MESSAGE, Step
from mcp_tap.record.reader import Record
from mcp_tap.views.events import agreement, sentence, style_of
from mcp_tap.views.paint import Line, Piece, fit
from mcp_tap.views.payload import compact, plain, summary, truncate, whole
from mcp_tap.views.terminal import columns, visible

Form = Literal["short", "full", "raw"]
"""A line a record; all of its payload below it; the line itself."""

ARROWS = {"c2s": "→", "s2c": "←", "stderr": "2>", "tap": "··"}

TIME = 8
"""Columns of a time: milliseconds for the first three hours, then as fine as there is room for."""

ROOMY = 72
"""Columns from which an answer repeats what was asked for, and words are not abbreviated."""

TAG = 4
"""Letters of a session's id that tell it from others: the last ones, since the first are the time."""

LONGEST_ID = 12
"""Columns of a message's id; some clients use UUIDs."""

LEAST_SUMMARY = 6
"""Columns that are worth being filled with the beginning of a payload."""

UNCUT = 1 << 40
"""Columns of what is not to be shortened."""


@dataclass(frozen=True, slots=True)
class Look:
    """How to show records. ``tagged``: with the session, of which there are several."""

    width: int
    form: Form = "short"
    tagged: bool = False


def show_step(step: Step, session: Session, look: Look) -> Iterator[Line]:
    """The lines for one record; the first one begins with its time and direction."""
    record = step.record
    start = prefix(record, session, look)
    room = look.width - sum(columns(piece.text) for piece in start)
    if look.form == "raw" and record.dir != "tap":
        yield (*start, Piece(visible(plain(record.payload + record.eol.removesuffix(b"\n")))))
        return
    first, *rest = lines_of(step, session, room, look.form)
    yield (*start, *first)
    blank = Piece(" " * (look.width - room))
    for line in rest:
        yield (blank, *line)
    if look.form == "full" and (record.is_message or record.dir == "tap"):
        for text in whole(record):
            yield (Piece("    "), Piece(text))
    if agrees(step):
        for text in agreement(session, room):
            yield (blank, Piece(text, "note"))


def prefix(record: Record, session: Session, look: Look) -> Line:
    """Whose, when, and which way."""
    tag = (Piece(f"{tag_of(session.id):<{TAG}} ", "quiet"),) if look.tagged else ()
    time = f"{record.t:{TIME}.3f}"[:TIME]
    return (*tag, Piece(f"{time} ", "quiet"), Piece(f"{ARROWS[record.dir]:<2} ", record.dir))


def tag_of(session: str) -> str:
    """A session's short id."""
    return truncate(session[-TAG:], TAG)


def lines_of(step: Step, session: Session, room: int, form: Form) -> list[Line]:
    """What a record says, in ``room`` columns; a batch takes a line for each of its messages."""
    record = step.record
    text_room = room if form == "short" else UNCUT
    if record.dir == "tap":
        return [(Piece(truncate(sentence(record, session), text_room), style_of(record)),)]
    message = step.message
    if message is NO_MESSAGE:
        part = (
            (Piece("partial line", "foreign"), Piece("  ")) if record.more and record.dir != "stderr" else ()
        )
        return [foreign(part, record, text_room)]
    if message.kind == "not-json":
        return [foreign(not_json(message, room), record, text_room)]
    brief = form == "full"
    if message.kind == "batch":
        count = Piece(f"batch of {len(step.paired)}", "strong")
        return [(count,), *(show_message(each, room, brief) for each in step.paired)]
    return [show_message(step.paired[0], room, brief)]


def not_json(message: Message, room: int) -> Line:
    """That a line is none of the protocol's, and why, if it looks as if it were meant to be one."""
    obvious = message.flaw in ("text", "empty") or room < ROOMY - TIME
    why = "" if obvious else f": {truncate(message.why or '', room)}"
    return fit((Piece("not JSON", "foreign"), Piece(f"{why}  ")), room)


def foreign(title: Line, record: Record, room: int) -> Line:
    """A line that is no message: its text, and whether it goes on."""
    text = visible(plain(record.payload, room)) or "(empty line)"
    more = (Piece(" (continues)", "quiet"),) if record.more and record.dir == "stderr" else ()
    used = sum(columns(piece.text) for piece in (*title, *more))
    return (*title, *fit((Piece(text),), max(0, room - used)), *more)


def show_message(item: Paired, room: int, brief: bool = False) -> Line:
    """One message in one line: what it is, how long it took, and the beginning of what it brings
    (not if ``brief``: all of it follows)."""
    message, exchange = item.message, item.exchange
    if message.kind == "not-json-rpc":
        why = f": {truncate(message.why or '', room)}" if room >= ROOMY - TIME else ""
        title: Line = (Piece("not JSON-RPC", "foreign"), Piece(why))
        taken: Line = ()
    elif message.method is not None:
        title, taken = asked(message, item, room), ()
    else:
        title, taken = answered(item, room), timing(item, room)
    title = fit(title, room - sum(columns(piece.text) for piece in taken))
    left = room - sum(columns(piece.text) for piece in (*title, *taken)) - 2
    text = truncate(summary(message, exchange), left) if left >= LEAST_SUMMARY and not brief else ""
    style = "trouble" if is_failure(message) else ""
    return (*title, *taken, *((Piece("  "), Piece(text, style)) if text else ()))


def asked(message: Message, item: Paired, room: int) -> Line:
    """``7 tools/call search_notes``; a notification says which request it is about."""
    pieces = [Piece(f"{spelled_id(message.id)} ")] if message.kind == "request" else []
    pieces.append(Piece(truncate(message.method or "", room), "strong"))
    if item.role in ("cancels", "reports") and item.exchange is not None:
        pieces += [Piece(f" {spelled_id(item.exchange.id)} "), Piece(subject(item.exchange, room), "target")]
    elif message.target is not None:
        pieces += [Piece(" "), Piece(truncate(message.target, room), "target")]
    return tuple(pieces)


def answered(item: Paired, room: int) -> Line:
    """``7 result of search_notes``, and what is odd about it."""
    word, joint, style = "result", "of", "strong"
    if item.message.kind == "error":
        word, joint, style = "error", "for", "trouble"
    elif item.message.is_tool_error:
        word, joint, style = "isError", "from", "trouble"
    elif item.role == "answers" and item.exchange is not None and item.exchange.outcome == "input-required":
        word, joint = "input required", "for"
    pieces = [Piece(f"{spelled_id(item.message.id)} "), Piece(word, style)]
    if item.exchange is not None and room >= ROOMY - TIME:
        pieces += [Piece(f" {joint} "), Piece(subject(item.exchange, room), "target")]
    pieces += [Piece(f" ({text})", "trouble") for text in oddities(item)]
    return tuple(pieces)


def oddities(item: Paired) -> Iterator[str]:
    """What is unusual about an answer."""
    if item.role == "answers-nothing":
        yield "no such request"
    elif item.role == "answers-again":
        yield "already answered"
    elif item.exchange is not None:
        if item.exchange.other_type:
            yield "id type differs"
        if item.exchange.is_late:
            yield "already cancelled"


def timing(item: Paired, room: int) -> Line:
    """`` 3.2 s (3.0 s waiting for client)``"""
    if item.role != "answers" or item.exchange is None or item.exchange.latency is None:
        return ()
    text = f" {seconds(item.exchange.latency)}"
    if item.exchange.waited > 0:
        words = "waiting for client" if room >= ROOMY - TIME else "client"
        text += f" ({seconds(item.exchange.waited)} {words})"
    return (Piece(text, "latency"),)


def is_failure(message: Message) -> bool:
    """Whether an answer says that something went wrong."""
    return message.kind == "error" or message.is_tool_error


def subject(exchange: Exchange, room: int) -> str:
    """What a request is about: its target, else its method."""
    return truncate(exchange.target or exchange.method, room)


def spelled_id(value: object) -> str:
    """An id as JSON spells it: 7 is not "7"."""
    return truncate(str(value) if type(value) is int else compact(value), LONGEST_ID)


def agrees(step: Step) -> bool:
    """Whether a record concludes the handshake."""
    return any(
        item.role == "answers"
        and item.exchange is not None
        and item.exchange.method in ("initialize", "server/discover")
        and item.exchange.outcome == "result"
        for item in step.paired
    )
