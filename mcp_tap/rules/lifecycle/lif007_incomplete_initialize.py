"""LIF007: incomplete initialize params."""

from __future__ import annotations

from typing import Any

from mcp_tap.diagnosis.asked import FaultyRequests
from mcp_tap.diagnosis.context import LEGACY_ONLY, Request
from mcp_tap.diagnosis.interest import sees
from mcp_tap.record.argv_masking import MASK
from mcp_tap.rules.lifecycle._base import INITIALIZATION, INITIALIZE


class IncompleteInitialize(FaultyRequests):
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

    @sees(sides="c2s")
    def request(self, request: Request) -> None:
        lacks = ", ".join(missing_from(request.message.value.get("params")))
        if lacks:
            self.hold(request, self.hit(request, f"initialize lacks {lacks}", key=lacks))


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
