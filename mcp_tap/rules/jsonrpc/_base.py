"""What rules about messages share: pages of the specification, and how a sentence names a message."""

from __future__ import annotations

from mcp_tap.diagnosis.context import Occurrence
from mcp_tap.diagnosis.finding import SEVERITIES, Hit, Severity
from mcp_tap.diagnosis.text import called, key_of_request, named
from mcp_tap.model.exchange import Exchange

MESSAGES = "2025-11-25/basic#messages"
REQUESTS = "2025-11-25/basic#requests"
RESPONSES = "2025-11-25/basic#responses"
NOTIFICATIONS = "2025-11-25/basic#notifications"


def what(message: Occurrence) -> str:
    """The message for a sentence: ``the answer to tools/call `x` ``."""
    exchange = own_exchange(message)
    if exchange is not None:
        return called(exchange) if message.item.role == "asks" else f"the answer to {called(exchange)}"
    method = message.message.method
    return named(method) if method is not None else "a response"


def where(message: Occurrence) -> str:
    """A key that is the same in another session: who, and which method."""
    exchange = own_exchange(message)
    method = message.message.method or (key_of_request(exchange) if exchange is not None else "")
    return f"{message.side} {method}".rstrip()


def own_exchange(message: Occurrence) -> Exchange | None:
    """The exchange that a request or a response is a part of."""
    return message.exchange if message.item.role in ("asks", "answers", "answers-again") else None


def worse(hit: Hit, severity: Severity) -> Hit:
    """``hit`` with the worse of its severity and ``severity``: one that failed is enough."""
    hit.severity = min(hit.severity, severity, key=SEVERITIES.index)
    return hit
