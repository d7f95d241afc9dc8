"""MOD001-004, MOD012, MOD018-019: the era without a handshake."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_tap.model.methods import CLIENT_CAPABILITIES_KEY, LOG_LEVEL_KEY, SUBSCRIPTION_KEY, VERSION_KEY
from mcp_tap.record.argv_masking import MASK
from mcp_tap.rules.modern._base import KEPT, declared
from tests.diagnosis.checking import check, closed, findings_of
from tests.profiles import examples
from tests.record_cases import RECORDINGS, modern, result
from tests.rules.modern.cases import ENVELOPE, HINTS, MINE, complete, findings, found, rules, spoken, unshown


def test_it_is_told_once_the_server_has_shown_its_era() -> None:
    early = unshown().client(modern(2, "tools/call", name="x"), 1).server(result(2, content=[]), 1)
    assert rules(early) == []
    late = unshown().client(modern(2, "tools/call", name="x"), 1).server(result(2, content=[]), 1)
    late.client(modern(3, "tools/call", name="y"), 2).server(complete(3, content=[]), 2)
    assert [each[:4] for each in found(late)] == [
        ("MOD018", "error", "server", (2, 3)),
        ("MOD003", "error", "server", (4, 5)),
    ]


def test_only_so_much_is_kept_of_a_server_that_shows_nothing() -> None:
    tape = unshown()
    for id in range(2, KEPT + 12):
        tape.client(modern(id, "tools/call", name="x"), 1).server(result(id, content=[]), 1)
    tape.client(modern(0, "prompts/list"), 1).server(complete(0, prompts=[], **HINTS), 1)
    count = {each.rule: each.count for each in findings(tape)}
    assert count == {"MOD003": KEPT - 1, "MOD018": 1}


def test_of_what_a_request_declares_the_names_are_kept() -> None:
    kept = declared({"sampling": {"tools": {}, "context": None}, "roots": None, "extensions": {"a/b.c": {}}})
    assert kept is not None
    assert kept.capabilities == {"sampling", "sampling.tools", "extensions", "extensions.a/b.c"}
    assert kept.extensions == {"a/b.c"}


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
@examples(1.5)
def test_no_sequence_of_messages_is_too_much(said: list[tuple[str, dict[str, Any]]]) -> None:
    tape = spoken()
    for number, (side, message) in enumerate(said):
        (tape.client if side == "c2s" else tape.server)(message, 1 + number)
    check(closed(tape, 40), rules=MINE)
