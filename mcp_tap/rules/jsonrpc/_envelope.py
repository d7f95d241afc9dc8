"""How a sentence names a message whose envelope is wrong."""

from __future__ import annotations

from mcp_tap.diagnosis.context import Occurrence
from mcp_tap.diagnosis.text import called, key_of_request, named


def what(seen: Occurrence) -> str:
    """The message for a sentence: ``the answer to tools/call `x` ``."""
    exchange = seen.exchange if seen.item.role in ("asks", "answers", "answers-again") else None
    if exchange is not None:
        return called(exchange) if seen.item.role == "asks" else f"the answer to {called(exchange)}"
    method = seen.message.method
    return named(method) if method is not None else "a response"


def where(seen: Occurrence) -> str:
    """A key that is the same in another session: who, and which method."""
    exchange = seen.exchange if seen.item.role in ("asks", "answers", "answers-again") else None
    method = seen.message.method or (key_of_request(exchange) if exchange is not None else "")
    return f"{seen.side} {method}".rstrip()


def a(kind: str) -> str:
    """A JSON type with its article."""
    return kind if kind == "null" else f"an {kind}" if kind[0] in "ao" else f"a {kind}"
