"""``show --json``: a record as a line of JSON, a contract.

The record's own keys as they stand in the file, spliced in unchanged, and behind them, for a line
of ``c2s`` or ``s2c`` (where a line takes several records, for the last one):

=============  =====================================================================================
``kind``       request, notification, response, error, batch, not-json-rpc or not-json
``method``     of a request or notification; of the request that a response or error answers
``id``         as it was sent, where there is one
``target``     the tool, prompt or URI that the request is about, where it has one
``answers``    of a response or error: seq of the request; null if it answers none
``answered_by``  of a request: seq of its answer; null if none is known (see ``model.lookahead``)
``latency``    of a response or error: seconds since the request; null if it answers none
``waited``     of a response: seconds of these in which it waited for the client, if any
``why``        of ``not-json-rpc`` and ``not-json``: what is wrong with it
``parts``      of a batch: these keys for each of its messages
=============  =====================================================================================
"""

from __future__ import annotations

import re
from typing import Any

import orjson

from mcp_tap.model.exchange import Exchange, Paired
from mcp_tap.model.message import Message
from mcp_tap.model.step import NO_MESSAGE, Step
from mcp_tap.views.payload import json_safe

MICROSECONDS = 6
"""Digits of a latency: the clock's own."""

_SPACE_BETWEEN = re.compile(rb"[\t\r]")


def json_line(line: bytes, step: Step) -> bytes:
    """The record on ``line`` with what is known of it, and a newline."""
    record = line.rstrip().removesuffix(b"}")
    more = orjson.dumps(keys_of_line(step.message, step))[1:-1] if step.message is not NO_MESSAGE else b""
    return safe(record + (b"," + more if more else b"") + b"}") + b"\n"


def keys_of_line(message: Message, step: Step) -> dict[str, Any]:
    """The keys for a line of the protocol's streams."""
    if message.kind == "batch":
        return {"kind": "batch", "parts": [keys_of(item) for item in step.paired]}
    return keys_of(step.paired[0])


def keys_of(item: Paired) -> dict[str, Any]:
    """The keys for one message."""
    message, exchange = item.message, item.exchange
    keys: dict[str, Any] = {"kind": message.kind}
    if message.kind in ("not-json", "not-json-rpc"):
        return {**keys, "why": message.why}
    answered = exchange if message.method is None and item.role == "answers" else None
    keys["method"] = message.method if message.method is not None else answered and answered.method
    if message.key is not None:
        keys["id"] = writable(message.id)
    target = message.target or (answered.target if answered is not None else None)
    if target is not None:
        keys["target"] = target
    if message.kind == "request":
        keys["answered_by"] = exchange.answer_seq if exchange is not None else None
    elif message.kind in ("response", "error"):
        keys.update(keys_of_answer(answered))
    return keys


def keys_of_answer(answered: Exchange | None) -> dict[str, Any]:
    """What an answer answers, and how long that took."""
    if answered is None or answered.latency is None:
        return {"answers": None, "latency": None}
    keys: dict[str, Any] = {"answers": answered.seq, "latency": round(answered.latency, MICROSECONDS)}
    return {**keys, "waited": round(answered.waited, MICROSECONDS)} if answered.waited else keys


def writable(value: Any) -> Any:
    """An id; null for one that is nested too deeply to be written."""
    if type(value) is int and abs(value) >= 1 << 63:
        return orjson.Fragment(str(value))
    try:
        orjson.dumps([[[[value]]]])  # a part of a batch stands so deep
    except TypeError:
        return None
    return value


def safe(line: bytes) -> bytes:
    """The same JSON, with nothing in it that a terminal would obey or not show.

    Outside of strings JSON is ASCII: a letter beyond is inside of one, where it may be escaped,
    and a tab or carriage return is outside, where it is a blank.
    """
    line = _SPACE_BETWEEN.sub(b" ", line)
    if line.isascii() and b"\x7f" not in line and b"##" not in line:
        return line
    return json_safe(line.decode("utf-8", "replace")).encode()
