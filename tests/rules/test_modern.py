"""MOD001-004, MOD012, MOD018-019: the era without a handshake."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mcp_tap.model.methods import CLIENT_CAPABILITIES_KEY, LOG_LEVEL_KEY, SUBSCRIPTION_KEY, VERSION_KEY
from mcp_tap.record.secrets import MASK
from mcp_tap.rules.modern._proof import KEPT, declared
from mcp_tap.rules.registry import RULES
from tests.diagnosis.checking import begun, check, closed, findings_of
from tests.record_cases import RECORDINGS, Tape, error, modern, request, result, told
from tests.rules.modern_cases import (
    ENVELOPE,
    HINTS,
    MINE,
    asks_back,
    begun_offer,
    complete,
    findings,
    found,
    rules,
    says,
    spoken,
    unshown,
)

# MOD001


def test_a_request_without_an_envelope_is_the_clients_fault() -> None:
    tape = spoken().client(request(2, "tools/list"), 1).server(error(2, -32602), 1)
    assert found(tape) == [
        (
            *("MOD001", "error", "client", (4,)),
            "client sent `tools/list` without protocolVersion and clientCapabilities in params._meta",
        )
    ]


def test_what_is_missing_is_named_and_the_requests_are_told_together() -> None:
    tape = spoken()
    for id, method in enumerate(("tools/list", "prompts/list", "resources/list", "tools/call"), 2):
        tape.client(request(id, method, _meta={VERSION_KEY: "2026-07-28"}), 1).server(error(id, -32602), 1)
    assert found(tape) == [
        (
            *("MOD001", "error", "client", (4, 6, 8, 10)),
            "client sent 4 requests without clientCapabilities in params._meta: `tools/list`, "
            "`prompts/list`, `resources/list` …",
        )
    ]
    tape = spoken().client(request(2, "tools/list", _meta={CLIENT_CAPABILITIES_KEY: {}}), 1)
    assert "without protocolVersion in" in found(tape)[0][4]


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


# MOD003, MOD004


def test_a_result_without_result_type_is_the_servers_fault() -> None:
    tape = spoken().client(modern(2, "prompts/get", name="greet"), 1).server(result(2, messages=[]), 1)
    tape.client(modern(3, "prompts/get", name="greet"), 2).server(result(3, messages=[]), 2)
    assert found(tape) == [
        (
            *("MOD003", "error", "server", (4, 5, 6, 7)),
            "server answered prompts/get `greet` with a result that has no resultType (2 times)",
        )
    ]


def test_it_is_told_once_the_server_has_shown_its_era() -> None:
    early = unshown().client(modern(2, "tools/call", name="x"), 1).server(result(2, content=[]), 1)
    assert rules(early) == []
    late = unshown().client(modern(2, "tools/call", name="x"), 1).server(result(2, content=[]), 1)
    late.client(modern(3, "tools/call", name="y"), 2).server(complete(3, content=[]), 2)
    assert [each[:4] for each in found(late)] == [
        ("MOD018", "error", "server", (2, 3)),
        ("MOD003", "error", "server", (4, 5)),
    ]


def test_a_discovery_without_result_type_shows_the_era_and_lacks_it() -> None:
    tape = Tape().start().client(modern(1, "server/discover"), 0.1)
    tape.server(result(1, supportedVersions=["2026-07-28"], capabilities={}), 0.2)
    assert rules(tape) == ["MOD003"]


def test_only_so_much_is_kept_of_a_server_that_shows_nothing() -> None:
    tape = unshown()
    for id in range(2, KEPT + 12):
        tape.client(modern(id, "tools/call", name="x"), 1).server(result(id, content=[]), 1)
    tape.client(modern(0, "prompts/list"), 1).server(complete(0, prompts=[], **HINTS), 1)
    count = {each.rule: each.count for each in findings(tape)}
    assert count == {"MOD003": KEPT - 1, "MOD018": 1}


@pytest.mark.parametrize(
    "answer",
    [
        error(2, -32603),
        {"jsonrpc": "2.0", "id": 2, "result": None},  # RPC012
        complete(2, messages=[]),
        asks_back(2, requestState="s"),
        result(2, resultType=MASK, messages=[]),
    ],
)
def test_other_answers_lack_no_result_type(answer: dict[str, Any]) -> None:
    tape = spoken().client(modern(2, "prompts/get", name="greet"), 1).server(answer, 1)
    assert rules(closed(tape, 1.1)) == []


def test_the_answer_to_a_request_without_an_envelope_needs_none() -> None:
    tape = spoken().client(request(2, "prompts/get", name="greet"), 1).server(result(2, messages=[]), 1)
    assert rules(tape) == ["MOD001"]


def test_the_answer_to_a_request_of_an_unknown_version_needs_none() -> None:
    sent = request(2, "prompts/get", name="x", _meta={**ENVELOPE, VERSION_KEY: "2027-01-01"})
    assert rules(spoken().client(sent, 1).server(result(2, messages=[]), 1)) == []


@pytest.mark.parametrize(
    ("kind", "told_as"),
    [
        ("done", '"done"'),
        (None, "None"),
        (7, "7"),
        (["complete"], "an array"),
        ("task", '"task" although the request does not declare the tasks extension'),
    ],
)
def test_an_unknown_result_type_is_the_servers_fault(kind: Any, told_as: str) -> None:
    tape = spoken().client(modern(2, "tools/call", name="x"), 1).server(result(2, resultType=kind), 1)
    assert found(tape) == [
        (
            *("MOD004", "error", "server", (4, 5)),
            f"server answered tools/call `x` with resultType {told_as}",
        )
    ]


@pytest.mark.parametrize(
    ("kind", "capabilities"),
    [
        ("task", {"extensions": {"io.modelcontextprotocol/tasks": {}}}),
        ("done", {"extensions": {"com.acme/done": {}}}),
        ("done", {"experimental": {"done": {}}}),
    ],
)
def test_a_result_type_of_an_extension_is_let_pass(kind: str, capabilities: dict[str, Any]) -> None:
    tape = spoken().client(says(2, "tools/call", capabilities, name="x"), 1)
    assert rules(tape.server(result(2, resultType=kind), 1)) == []


def test_other_extensions_bring_no_task_and_a_server_of_before_may_say_what_it_likes() -> None:
    tape = spoken().client(says(2, "tools/call", {"extensions": {"io.modelcontextprotocol/ui": {}}}), 1)
    assert rules(tape.server(result(2, resultType="done"), 1)) == ["MOD004"]
    tape = unshown().client(modern(2, "tools/call", name="x"), 1).server(result(2, resultType="image"), 1)
    assert rules(tape) == []


def test_what_a_request_may_have_declared_is_not_guessed() -> None:
    sent = request(2, "tools/call", name="x", _meta={**ENVELOPE, CLIENT_CAPABILITIES_KEY: MASK})
    assert rules(spoken().client(sent, 1).server(result(2, resultType="task"), 1)) == []


def test_of_what_a_request_declares_the_names_are_kept() -> None:
    kept = declared({"sampling": {"tools": {}, "context": None}, "roots": None, "extensions": {"a/b.c": {}}})
    assert kept is not None
    assert kept.capabilities == {"sampling", "sampling.tools", "extensions", "extensions.a/b.c"}
    assert kept.extensions == {"a/b.c"}


# MOD012


@pytest.mark.parametrize(
    ("hints", "told_as"),
    [
        ({}, "no ttlMs and no cacheScope"),
        ({"ttlMs": 0}, "no cacheScope"),
        ({"ttlMs": -1, "cacheScope": "private"}, "ttlMs -1"),
        ({"ttlMs": "60", "cacheScope": "public"}, 'ttlMs "60"'),
        ({"ttlMs": True, "cacheScope": "public"}, "ttlMs True"),
        ({"ttlMs": 5, "cacheScope": "shared"}, 'cacheScope "shared"'),
        ({"ttlMs": {}, "cacheScope": []}, "ttlMs an object and cacheScope an array"),
    ],
)
def test_a_list_without_caching_hints_is_the_servers_fault(hints: dict[str, Any], told_as: str) -> None:
    tape = spoken().client(modern(2, "prompts/list"), 1).server(complete(2, prompts=[], **hints), 1)
    assert found(tape) == [
        ("MOD012", "error", "server", (4, 5), f"server answered prompts/list with {told_as}")
    ]


@pytest.mark.parametrize(
    ("method", "members"),
    [
        ("prompts/list", {"ttlMs": 60_000.0, "cacheScope": "public"}),
        ("prompts/list", {"ttlMs": 1, "cacheScope": MASK}),
        ("prompts/get", {"messages": []}),
        ("completion/complete", {"completion": {"values": []}}),
    ],
)
def test_hints_that_hold_and_results_that_need_none_are_let_pass(
    method: str, members: dict[str, Any]
) -> None:
    assert rules(spoken().client(modern(2, method), 1).server(complete(2, **members), 1)) == []


def test_a_question_needs_no_caching_hints() -> None:
    tape = (
        spoken().client(modern(2, "resources/read", uri="x:y"), 1).server(asks_back(2, requestState="s"), 1)
    )
    assert rules(closed(tape, 1.1)) == []


# MOD018, MOD019


def test_a_server_that_speaks_the_version_and_knows_no_discovery_is_at_fault() -> None:
    tape = unshown().client(modern(2, "prompts/list"), 1).server(complete(2, prompts=[], **HINTS), 1)
    found = check(closed(tape, 3), rules=RULES)
    assert [(each.rule, each.severity, each.culprit, each.records, each.message) for each in found] == [
        (
            *("MOD018", "error", "server", (2, 3)),
            "server answered server/discover with -32601, method not found, although it speaks 2026-07-28",
        )
    ]
    assert [each.rule for each in found[0].consequences] == ["RPC026"]


def test_a_server_of_before_need_not_know_it_nor_one_that_is_in_a_session_of_before() -> None:
    tape = unshown().client(modern(2, "prompts/list"), 1).server(result(2, prompts=[]), 1)
    assert rules(tape) == []
    tape = begun().client(modern(1, "server/discover"), 1).server(error(1, -32601), 1)
    assert rules(tape.client(modern(2, "prompts/list"), 1).server(complete(2, prompts=[], **HINTS), 1)) == []
    assert rules(spoken().client(modern(2, "server/discover"), 1).server(error(2, -32603), 1)) == []


@pytest.mark.parametrize(
    ("code", "data", "told_as"),
    [
        (-32022, {}, "data.supported and data.requested"),
        (-32022, {"data": {"supported": []}}, "data.supported and data.requested"),
        (-32022, {"data": {"supported": ["2027-01-01"]}}, "data.requested"),
        (-32022, {"data": "2027-01-01"}, "data.supported and data.requested"),
        (-32021, {}, "data.requiredCapabilities"),
        (-32021, {"data": {"requiredCapabilities": ["sampling"]}}, "data.requiredCapabilities"),
    ],
)
def test_an_error_without_its_data_is_the_servers_fault(
    code: int, data: dict[str, Any], told_as: str
) -> None:
    tape = spoken().client(modern(2, "tools/list"), 1).server(error(2, code, **data), 1)
    assert found(tape) == [
        (
            *("MOD019", "error", "server", (4, 5)),
            f"server answered tools/list with error {code} without {told_as}",
        )
    ]


@pytest.mark.parametrize(
    ("code", "data"),
    [
        (-32022, {"data": {"supported": ["2027-01-01"], "requested": "2026-07-28"}}),
        (-32022, {"data": MASK}),
        (-32021, {"data": {"requiredCapabilities": {"sampling": {}}}}),
        (-32020, {}),
        (-32602, {}),
    ],
)
def test_an_error_with_its_data_or_that_needs_none_is_let_pass(code: int, data: dict[str, Any]) -> None:
    tape = spoken().client(modern(2, "tools/list"), 1).server(error(2, code, **data), 1)
    assert rules(tape) == []


def test_a_code_of_its_own_of_a_server_of_before_is_let_pass() -> None:
    assert rules(unshown().client(modern(2, "tools/list"), 1).server(error(2, -32021), 1)) == []


# All of them


@pytest.mark.parametrize("path", sorted((RECORDINGS / "v1").glob("*.jsonl")), ids=lambda path: path.stem)
def test_real_sessions_are_in_order(path: Path) -> None:
    assert findings_of(path, MINE) == []


@pytest.mark.parametrize("path", sorted((RECORDINGS / "cases").glob("*.jsonl")), ids=lambda path: path.stem)
def test_the_failures_that_are_recorded_are_none_of_this_era(path: Path) -> None:
    assert findings_of(path, MINE) == []


LEAVES = st.one_of(
    *(st.none(), st.booleans(), st.integers(-3, 9), st.floats(allow_nan=False, allow_infinity=False)),
    st.sampled_from(("2026-07-28", "s", "complete", "input_required", "info", "5", "url", MASK)),
)
NAMES = st.sampled_from(
    (
        *("_meta", "name", "uri", "notifications", "resourceSubscriptions", "toolsListChanged", "level"),
        *("requestState", "inputResponses", "inputRequests", "resultType", "method", "params", "mode"),
        *("ttlMs", "cacheScope", "requestId", "data", "supported", "supportedVersions", "sampling"),
        *(VERSION_KEY, CLIENT_CAPABILITIES_KEY, LOG_LEVEL_KEY, SUBSCRIPTION_KEY),
    )
)
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(NAMES, inner, max_size=5)),
    max_leaves=12,
)
METHODS = st.sampled_from(
    (
        *("tools/call", "tools/list", "server/discover", "subscriptions/listen", "initialize", "roots/list"),
        *("notifications/message", "notifications/cancelled", "notifications/resources/updated"),
        *("notifications/subscriptions/acknowledged", "notifications/tools/list_changed"),
    )
)
META = st.sampled_from((ENVELOPE, {**ENVELOPE, LOG_LEVEL_KEY: "info"}, {SUBSCRIPTION_KEY: 5}, None))


@st.composite
def messages(draw: st.DrawFn) -> tuple[str, dict[str, Any]]:
    """Something that either side says."""
    side, message = draw(st.sampled_from(("c2s", "s2c"))), {"jsonrpc": "2.0"}
    kind = draw(st.sampled_from(("request", "notification", "result", "error")))
    if kind != "notification":
        message["id"] = draw(st.one_of(st.integers(1, 5), VALUES))
    if kind in ("request", "notification"):
        params, meta = draw(VALUES), draw(META)
        if isinstance(params, dict) and meta is not None:
            params["_meta"] = meta
        return side, {**message, "method": draw(METHODS), "params": params}
    if kind == "error":
        code = draw(st.sampled_from((-32601, -32022, -32021, "x")))
        return side, {**message, "error": {"code": code, "data": draw(VALUES)}}
    return side, {**message, "result": draw(VALUES)}


@given(st.lists(messages(), max_size=12))
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_no_sequence_of_messages_is_too_much(said: list[tuple[str, dict[str, Any]]]) -> None:
    tape = spoken()
    for number, (side, message) in enumerate(said):
        (tape.client if side == "c2s" else tape.server)(message, 1 + number)
    check(closed(tape, 40), rules=MINE)
