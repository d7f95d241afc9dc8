"""Sessions of 2026-07-28 for the tests of its rules, and what these rules find in them."""

from __future__ import annotations

from typing import Any

from mcp_tap.diagnosis.finding import Finding
from mcp_tap.model.methods import CLIENT_CAPABILITIES_KEY, LOG_LEVEL_KEY, SUBSCRIPTION_KEY, VERSION_KEY
from tests.diagnosis.checking import Told, check, closed, facts, rules_of
from tests.record_cases import Tape, request, result
from tests.record_cases import modern as enveloped
from tests.record_cases import told as notified

MINE = rules_of("MOD")

ENVELOPE: dict[str, Any] = {VERSION_KEY: "2026-07-28", CLIENT_CAPABILITIES_KEY: {}}
HINTS: dict[str, Any] = {"ttlMs": 0, "cacheScope": "private"}


def spoken(tape: Tape | None = None) -> Tape:
    """A session whose server has shown that it speaks 2026-07-28; four records, the last at 0.2 s."""
    tape = Tape().start() if tape is None else tape
    tape.client(enveloped(1, "server/discover"), 0.1)
    offer = {"supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}, "prompts": {}}}
    return tape.server(complete(1, **offer, **HINTS), 0.2)


def unshown() -> Tape:
    """A session whose server does not know ``server/discover``; four records, the last at 0.2 s."""
    refusal = {"jsonrpc": "2.0", "id": 1, "error": {"code": -32601, "message": "Method not found"}}
    return Tape().start().client(enveloped(1, "server/discover"), 0.1).server(refusal, 0.2)


def complete(id: Any, **members: Any) -> dict[str, Any]:
    """A result that says so."""
    return result(id, resultType="complete", **members)


def asks_back(id: Any, **members: Any) -> dict[str, Any]:
    """A result that is a question."""
    return result(id, resultType="input_required", **members)


def says(id: Any, method: str, capabilities: Any = None, level: Any = None, **params: Any) -> dict[str, Any]:
    """A request with an envelope of its own."""
    meta = {VERSION_KEY: "2026-07-28", CLIENT_CAPABILITIES_KEY: {} if capabilities is None else capabilities}
    return request(id, method, **params, _meta=meta | ({} if level is None else {LOG_LEVEL_KEY: level}))


def on_stream(method: str, id: Any, **params: Any) -> dict[str, Any]:
    """A notification of the server on a subscription."""
    return notified(method, **params, _meta={SUBSCRIPTION_KEY: id})


def begun_offer(id: int) -> dict[str, Any]:
    """A request for the handshake of before."""
    return request(
        id,
        "initialize",
        protocolVersion="2025-11-25",
        capabilities={},
        clientInfo={"name": "editor", "version": "2"},
    )


def findings(tape: Tape) -> list[Finding]:
    """What the rules of 2026-07-28 find, after the client has closed ten seconds later."""
    if not any(record.event == "exit" for record in tape.records()):
        closed(tape, max(record.t for record in tape.records()) + 10)
    return check(tape, rules=MINE)


def found(tape: Tape) -> list[Told]:
    """Rule, severity, culprit, records and key of each."""
    return facts(findings(tape))


def rules(tape: Tape) -> list[str]:
    """The rules that find something."""
    return [each.rule for each in findings(tape)]
