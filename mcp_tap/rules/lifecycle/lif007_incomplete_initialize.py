"""LIF007: incomplete initialize params."""

from __future__ import annotations

from typing import Any

from mcp_tap.diagnosis.context import LEGACY_ONLY, Answer, Request, SessionContext
from mcp_tap.diagnosis.finding import Hit
from mcp_tap.diagnosis.pending import explain
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.record.argv_masking import MASK
from mcp_tap.rules.lifecycle._early import INITIALIZATION
from mcp_tap.rules.lifecycle._negotiation import INITIALIZE

FOLLOWED = 100
"""Incomplete requests whose answers are waited for."""


class IncompleteInitialize(Rule):
    """initialize lacks a parameter.

    What it means: `initialize` must name a `protocolVersion`, `capabilities` (an empty object will
    do) and `clientInfo` with a name and a version. One of them is missing or of the wrong type.

    Why it matters: servers refuse it: the Python SDK's with -32602, the TypeScript SDK's with
    -32603 and a list of what is wrong.

    Fails, from the start:
        → 0 initialize {"protocolVersion":"2025-11-25","clientInfo":{"name":"editor","version":"2"}}
        ← 0 error -32602 "Invalid request parameters"

    Passes, from the start:
        → 0 initialize {"protocolVersion":"2025-11-25","capabilities":{},
            "clientInfo":{"name":"editor","version":""}}
        ← 0 result …
        → notifications/initialized

    What to do: send all three. In tests by hand `"capabilities":{}` is what is forgotten.
    """

    id = "LIF007"
    title = "incomplete initialize params"
    severity = "error"
    culprit = "client"
    next = "send protocolVersion, capabilities (may be {}) and clientInfo with name and version"
    versions = LEGACY_ONLY
    methods = INITIALIZE
    spec = INITIALIZATION

    def __init__(self, context: SessionContext) -> None:
        super().__init__(context)
        self.found: dict[int, Hit] = {}

    def request(self, seen: Request) -> None:
        lacks = list(missing_from(seen.message.value.get("params")))
        if seen.side == "c2s" and lacks and len(self.found) < FOLLOWED:
            what = ", ".join(lacks)
            message = f"initialize lacks {what}"
            self.found[seen.seq] = self.hit(seen, message, key=what, explains=[seen.seq])

    def answer(self, seen: Answer) -> None:
        exchange = seen.exchange
        if exchange is not None and exchange.outcome == "error" and exchange.seq in self.found:
            explain(self.found[exchange.seq], [seen.seq])


def missing_from(params: Any) -> list[str]:
    """What the parameters of initialize lack; by-position parameters are another rule's business."""
    if not isinstance(params, dict):
        return [] if params is not None else ["protocolVersion", "capabilities", "clientInfo"]
    info = params.get("clientInfo")
    found = {
        "protocolVersion": isinstance(params.get("protocolVersion"), str),
        "capabilities": is_object(params.get("capabilities")),
        "clientInfo": is_object(info),
    }
    lacks = [name if name not in params else f"a valid {name}" for name, there in found.items() if not there]
    if isinstance(info, dict):
        lacks += [f"clientInfo.{key}" for key in ("name", "version") if not isinstance(info.get(key), str)]
    return lacks


def is_object(value: Any) -> bool:
    """Whether ``value`` is an object, or has been one before it was masked."""
    return isinstance(value, dict) or (isinstance(value, str) and MASK in value)
