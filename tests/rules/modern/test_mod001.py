"""MOD001: request without protocolVersion or clientCapabilities in _meta."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_tap.model.methods import CLIENT_CAPABILITIES_KEY, VERSION_KEY
from mcp_tap.record.argv_masking import MASK
from mcp_tap.rules.registry import RULES
from tests.diagnosis.checking import begun, check, closed
from tests.record_cases import Tape, error, modern, request, result, told
from tests.rules.modern.cases import (
    ENVELOPE,
    HINTS,
    begun_offer,
    complete,
    found,
    rules,
    says,
    spoken,
    unshown,
)


def test_a_request_without_an_envelope_is_the_clients_fault() -> None:
    tape = spoken().client(request(2, "tools/list"), 1).server(error(2, -32602), 1)
    assert found(tape) == [("MOD001", "error", "client", (4,), "protocolVersion clientCapabilities")]


def test_what_is_missing_is_named_and_the_requests_are_told_together() -> None:
    tape = spoken()
    for id, method in enumerate(("tools/list", "prompts/list", "resources/list", "tools/call"), 2):
        tape.client(request(id, method, _meta={VERSION_KEY: "2026-07-28"}), 1).server(error(id, -32602), 1)
    assert found(tape) == [("MOD001", "error", "client", (4, 6, 8, 10), "clientCapabilities")]
    tape = spoken().client(request(2, "tools/list", _meta={CLIENT_CAPABILITIES_KEY: {}}), 1)
    assert found(tape)[0][4] == "protocolVersion"


def test_the_error_that_answers_it_and_the_silence_are_told_under_it() -> None:
    tape = spoken().client(request(2, "prompts/list"), 1).server(error(2, -32602), 1)
    tape.client(request(3, "prompts/list"), 2)
    found = check(closed(tape, 20), rules=RULES)
    assert [each.rule for each in found] == ["MOD001"]
    assert sorted(each.rule for each in found[0].consequences) == ["LIF017", "RPC026"]


def test_discovery_without_an_envelope_is_told_and_so_is_that_it_was_refused() -> None:
    tape = Tape().start().client(request(1, "server/discover"), 0.1).server(error(1, -32601), 0.2)
    found = check(closed(tape, 1), rules=RULES)
    assert [each.rule for each in found] == ["MOD001"]
    assert [each.rule for each in found[0].consequences] == ["RPC026"]
    # What does not know server/discover at all is no server of the modern era.
    assert rules(unshown()) == []


def test_capabilities_are_missing_in_what_is_sent_to_any_server() -> None:
    tape = Tape().start().client(request(1, "server/discover", _meta={VERSION_KEY: "2026-07-28"}), 0.1)
    assert rules(tape.server(error(1, -32601), 0.2)) == ["MOD001"]


@pytest.mark.parametrize(
    "sent",
    [
        request(2, "ping"),  # RPC022
        request(2, "acme/search"),  # RPC021
        {"jsonrpc": "2.0", "id": 2, "method": "tools/list", "params": []},  # RPC014
        told("notifications/cancelled", requestId=9),
        request(2, "tools/list", _meta={**ENVELOPE, VERSION_KEY: "2027-01-01"}),
        request(2, "tools/list", _meta={VERSION_KEY: "2027-01-01"}),
        request(2, "tools/list", _meta={**ENVELOPE, CLIENT_CAPABILITIES_KEY: MASK}),
    ],
)
def test_what_needs_no_envelope_or_is_told_otherwise_is_let_pass(sent: dict[str, Any]) -> None:
    assert rules(spoken().client(sent, 1)) == []


def test_a_request_of_a_declared_extension_needs_one_too() -> None:
    tape = Tape().start()
    tape.client(says(1, "server/discover", {"extensions": {"com.acme/search": {}}}), 0.1)
    tape.server(complete(1, supportedVersions=["2026-07-28"], capabilities={}, **HINTS), 0.2)
    assert rules(tape.client(request(2, "acme/search/start"), 1)) == ["MOD001"]


def test_a_session_with_a_handshake_needs_none() -> None:
    tape = begun().client(request(1, "tools/list"), 1).server(result(1, tools=[]), 1)
    assert rules(tape) == []


def test_a_session_that_serves_both_eras_is_held_to_each() -> None:
    tape = begun().client(modern(1, "tools/list"), 1).server(complete(1, tools=[], **HINTS), 1)
    tape.client(request(2, "tools/list"), 2).server(result(2, tools=[]), 2)
    tape.server(request(7, "roots/list"), 3).client(result(7, roots=[]), 3)
    tape.server(told("notifications/message", level="info", data="x"), 4)
    tape.server(told("notifications/tools/list_changed"), 4)
    assert rules(tape) == []


def test_a_client_that_goes_on_to_the_handshake_is_left_alone_until_that_is_settled() -> None:
    tape = spoken().client(begun_offer(2), 1).client(request(3, "tools/list"), 1)
    assert rules(tape.server(error(2, -32022, data={"supported": ["2026-07-28"], "requested": "x"}), 1)) == []
    # The late answer to a probe, while the handshake is open, says nothing of what comes next.
    tape = Tape().start().client(modern(1, "server/discover"), 0.1).client(begun_offer(2), 3)
    tape.server(complete(1, supportedVersions=["2026-07-28"], capabilities={}, **HINTS), 3.1)
    assert rules(tape.client(request(3, "tools/list"), 3.2)) == []


def test_a_handshake_that_may_be_lost_makes_no_envelope_necessary() -> None:
    tape = spoken().event("gap", 0.5, reason="disk full").client(request(2, "tools/list"), 1)
    assert rules(tape) == []
    assert rules(headless(spoken().client(request(2, "tools/list"), 1))) == []


def headless(tape: Tape) -> Tape:
    """``tape`` without its start."""
    closed(tape, 20)
    del tape.lines[:2]
    return tape
