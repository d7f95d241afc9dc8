"""What the tests of the LIF rules share."""

from __future__ import annotations

from typing import Any

from tests.diagnosis.checking import Told, check, facts, rules_of
from tests.record_cases import Tape, request, result
from tests.record_cases import told as notified

LIF = rules_of("LIF")


def found(tape: Tape) -> list[Told]:
    """All that the rules of these families say: rule, severity, culprit, records, key."""
    return facts(check(tape, rules=LIF))


def loud(tape: Tape) -> list[Told]:
    """The same without what is information only."""
    return [each for each in found(tape) if each[1] != "info"]


def offer(id: Any = 0, version: Any = "2025-11-25", **capabilities: Any) -> dict[str, Any]:
    """A client's initialize."""
    me = {"name": "editor", "version": "2"}
    return request(id, "initialize", protocolVersion=version, capabilities=capabilities, clientInfo=me)


def agreed(id: Any = 0, version: Any = "2025-11-25") -> dict[str, Any]:
    """A server's answer to it."""
    me = {"name": "notes", "version": "1.2"}
    return result(id, protocolVersion=version, capabilities={"tools": {}}, serverInfo=me)


INITIALIZED = notified("notifications/initialized")


def call(id: Any, name: str = "export", **more: Any) -> dict[str, Any]:
    """A tool's call."""
    return request(id, "tools/call", name=name, arguments={}, **more)


def said(id: Any) -> dict[str, Any]:
    """What a tool answers."""
    return result(id, content=[])
