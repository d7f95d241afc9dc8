"""The ids of requests and answers: what is told of those that do not fit; and garbage of any kind."""

from __future__ import annotations

from typing import Any

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcp_tap.wire.lines import Segment
from tests.diagnosis.checking import begun, check, closed, told
from tests.record_cases import Tape, error, modern, request, result
from tests.record_cases import told as notified
from tests.rules.telling import MINE, brief, messages


def call(id: Any, name: str) -> dict[str, Any]:
    """A tool's call."""
    return request(id, "tools/call", name=name, arguments={})


class TestIdNull:
    def test_one_that_is_answered_is_a_warning(self) -> None:
        tape = begun().client(request(None, "tools/list"), 0.5).server(result(None, tools=[]), 0.6)
        assert told(check(closed(tape, 9), rules=MINE)) == [
            ("RPC002", "warning", "client", (5,), "client sent a request with the id null, tools/list")
        ]

    def test_two_of_them_are_no_reuse_of_an_id(self) -> None:
        tape = begun().client(request(None, "tools/list"), 0.5).client(request(None, "tools/list"), 0.6)
        assert brief(closed(tape, 9)) == [("RPC002", "error", "client")]

    def test_a_server_must_not_do_so_either(self) -> None:
        assert brief(closed(begun().server(request(None, "roots/list"), 0.5), 9)) == [
            ("RPC002", "error", "server")
        ]


class TestIllegalId:
    @pytest.mark.parametrize(
        ("id", "kind"),
        [(True, "a boolean"), (1.5, "a number with a fraction"), ([1], "an array"), ({}, "an object")],
    )
    def test_an_id_is_a_string_or_an_integer(self, id: Any, kind: str) -> None:
        assert told(check(closed(begun().client(request(id, "tools/list"), 0.5), 9), rules=MINE)) == [
            ("RPC003", "error", "client", (5,), f"client sent tools/list with {kind} for an id ({id})")
        ]

    @pytest.mark.parametrize("id", [b"1.0", b"-1", b'""', b"123456789012345678901234567890"])
    def test_these_are_legal(self, id: bytes) -> None:
        tape = begun().client(b'{"jsonrpc":"2.0","id":%b,"method":"ping"}' % id, 0.5)
        assert brief(closed(tape.server(b'{"jsonrpc":"2.0","id":%b,"result":{}}' % id, 0.6), 9)) == []


class TestIdUsedAgain:
    def test_an_open_requests_id_must_not_be_used(self) -> None:
        assert told(
            check(closed(begun().client(call(1, "a"), 0.5).client(call(1, "b"), 0.6), 9), rules=MINE)
        ) == [
            (
                "RPC005",
                "error",
                "client",
                (5, 6),
                "client used the id 1 again while tools/call `a` was unanswered",
            )
        ]

    def test_after_the_answer_it_is_information(self) -> None:
        tape = begun().client(call(1, "a"), 0.5).server(result(1), 0.6).client(call(1, "b"), 0.7)
        assert told(check(closed(tape.server(result(1), 0.8), 9), rules=MINE)) == [
            (
                "RPC005",
                "info",
                "client",
                (7,),
                "client used the id 1 again for tools/call `b`, after its first request was settled",
            )
        ]

    def test_after_a_cancellation_it_is_information(self) -> None:
        tape = begun().client(call(1, "a"), 0.5).client(notified("notifications/cancelled", requestId=1), 0.6)
        assert brief(closed(tape.client(call(1, "b"), 0.7), 9)) == [("RPC005", "info", "client")]

    def test_after_an_answer_that_is_no_json_it_is_information(self) -> None:
        tape = begun().client(call(1, "a"), 0.5).server(b'{"jsonrpc":"2.0","id":1,"result":{"x":NaN}}', 0.6)
        assert brief(closed(tape.client(call(1, "b"), 0.7), 9)) == [
            ("FRM011", "error", "server"),
            ("RPC005", "info", "client"),
        ]

    def test_the_sides_count_for_themselves(self) -> None:
        tape = begun().client(call(1, "a"), 0.5).server(request(1, "roots/list"), 0.6)
        assert brief(closed(tape.client(result(1, roots=[]), 0.7).server(result(1), 0.8), 9)) == []

    def test_nothing_is_said_where_the_answer_may_be_missing(self) -> None:
        tape = begun().client(call(1, "a"), 0.5)
        tape.seq += 1
        assert brief(closed(tape.client(call(1, "b"), 0.7), 9)) == []

    def test_a_version_that_was_never_released_has_no_such_rule(self) -> None:
        assert brief(closed(begun("2031-01-01").client(call(1, "a"), 0.5).client(call(1, "b"), 0.6), 9)) == []


class TestIdInFlight:
    def test_the_modern_era_forbids_it_for_open_requests_alone(self) -> None:
        tape = Tape().start().client(modern(1, "tools/list"), 0.5).client(modern(1, "prompts/list"), 0.6)
        tape.server(result(1, tools=[]), 0.7).server(result(1, prompts=[]), 0.8).client(
            modern(1, "tools/list"), 0.9
        )
        assert told(check(closed(tape, 9), rules=MINE)) == [
            (
                "RPC006",
                "error",
                "client",
                (2, 3),
                "client used the id 1 again while tools/list was unanswered",
            )
        ]

    def test_a_cancelled_request_is_not_in_flight(self) -> None:
        tape = Tape().start().client(modern(1, "tools/list"), 0.5)
        tape.client(notified("notifications/cancelled", requestId=1), 0.6).client(
            modern(1, "tools/list"), 0.9
        )
        assert brief(closed(tape, 9)) == []


class TestAnswersNothing:
    def test_the_one_request_that_waits_is_named(self) -> None:
        tape = begun().client(request("a1", "tools/list"), 0.5).server(result(99, tools=[]), 0.6)
        assert told(check(closed(tape, 9), rules=MINE)) == [
            (
                "RPC007",
                "error",
                "server",
                (6,),
                'server answered the id 99, which no request has, while tools/list (id "a1") waited',
            )
        ]

    def test_none_is_named_where_none_or_several_wait(self) -> None:
        assert messages(closed(begun().server(error(99, -32601), 0.6), 9)) == [
            "server answered the id 99, which no request has"
        ]

    def test_what_was_cancelled_is_late_and_not_unknown(self) -> None:
        tape = begun().client(call(1, "a"), 0.5).client(notified("notifications/cancelled", requestId=1), 0.6)
        assert brief(closed(tape.server(result(1), 0.7), 9)) == []

    @pytest.mark.parametrize("line", [b'{"jsonrpc":"2.0","id":7,"method":"ping","params":{"x":NaN}}', b"{"])
    def test_a_request_that_is_no_json_may_have_had_it(self, line: bytes) -> None:
        tape = begun().client(line, 0.5).server(result(7), 0.6)
        assert "RPC007" not in [rule for rule, _, _ in brief(closed(tape, 9))]

    def test_a_response_of_a_client_of_the_modern_era_is_told_as_such(self) -> None:
        tape = Tape().start().client(modern(1, "tools/list"), 0.5).server(result(1, tools=[]), 0.6)
        assert brief(closed(tape.client(result(7), 0.7), 9)) == []

    @pytest.mark.parametrize("what", ["missing", "no start", "gap", "unread"])
    def test_nothing_is_said_where_the_request_may_not_be_on_file(self, what: str) -> None:
        tape = Tape() if what == "no start" else begun()
        tape.seq += what in ("missing", "no start")
        if what == "gap":
            tape.event("gap", 0.4, records=1, bytes=9, reason="disk full")
        if what == "unread":
            tape.client(b'{"jsonrpc":"2.0","id":7,"method":"ping","params":{"x":1e999}}', 0.5)
        assert brief(closed(tape.server(result(7), 0.6), 9)) == []


class TestOtherType:
    def test_a_client_that_cancels_afterwards_has_waited_in_vain(self) -> None:
        tape = begun().client(request("7", "tools/list"), 0.5).server(result(7, tools=[]), 0.6)
        tape.client(notified("notifications/cancelled", requestId="7"), 60)
        assert told(check(closed(tape, 61), rules=MINE)) == [
            (
                "RPC008",
                "error",
                "server",
                (5, 6),
                'server answered tools/list, id "7", with the id 7: same value, other JSON type; the '
                "client then "
                "cancelled it",
            )
        ]

    def test_other_cancellations_change_nothing(self) -> None:
        tape = begun().client(request("7", "tools/list"), 0.5).server(result(7, tools=[]), 0.6)
        tape.client(call(8, "x"), 1).client(notified("notifications/cancelled", requestId=8), 2)
        assert brief(closed(tape, 61)) == [("RPC008", "warning", "server")]

    def test_a_change_has_the_same_key_in_another_session(self) -> None:
        tape = begun().client(request(7, "tools/list"), 0.5).server(result("7", tools=[]), 0.6)
        (finding,) = check(closed(tape, 9), rules=MINE)
        assert finding.key == "s2c integer as string"


class TestAnsweredTwice:
    def test_the_second_answer_is_told_with_the_first(self) -> None:
        tape = begun().client(call(1, "a"), 0.5).server(result(1), 0.6).server(error(1, -32603), 0.7)
        assert told(check(closed(tape, 9), rules=MINE)) == [
            ("RPC009", "error", "server", (6, 7), "server answered tools/call `a` (id 1) a second time")
        ]

    def test_two_requests_with_one_id_have_an_answer_each(self) -> None:
        tape = begun().client(call(1, "a"), 0.5).client(call(1, "b"), 0.6)
        assert brief(closed(tape.server(result(1), 0.7).server(result(1), 0.8), 9)) == [
            ("RPC005", "error", "client")
        ]

    def test_nothing_is_said_where_a_request_may_be_missing(self) -> None:
        tape = begun().client(call(1, "a"), 0.5).server(result(1), 0.6)
        tape.seq += 1
        assert brief(closed(tape.server(result(1), 0.7), 9)) == []


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=4),
    max_leaves=6,
)
MEMBERS = st.dictionaries(
    st.sampled_from(["jsonrpc", "id", "method", "params", "result", "error", "x"]),
    JSON
    | st.sampled_from(
        ["2.0", 1, "1", "tools/list", "notifications/cancelled", {"requestId": 1}, {"code": -32700}]
    ),
)
PIECES = st.sampled_from(
    [
        b"{",
        b"}",
        b'"a":1',
        b"Content-Length: 3",
        b"",
        b"\r",
        b"\xef\xbb\xbf{}",
        b"\xff",
        b"{} {}",
        b"\x1b[2m",
        b"{\0",
        b'{"jsonrpc":"2.0","id":1,',
        b'"result":{}}',
        b'x {"jsonrpc":"2.0"}',
        b'{"x":NaN}',
        b'"\\ud83d"',
        b"\xed\xa0\xbd",
    ]
)
LINES = PIECES | st.binary(max_size=20) | (MEMBERS | st.lists(MEMBERS, max_size=3)).map(orjson.dumps)
TOLD = frozenset({"stream", "name", "code", "first", "signal"})
EVENTS = st.sampled_from(["eof", "signal", "broken_pipe", "gap", "limit", "exit", "spawn", "start"])


@settings(max_examples=300, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(["c2s", "s2c"]), LINES.filter(lambda line: b"\n" not in line), st.integers(0, 3)
        )
        | st.tuples(EVENTS, JSON, st.integers(0, 1)),
        max_size=30,
    )
)
def test_no_sequence_of_records_makes_these_rules_fail(steps: list[tuple[str, Any, int]]) -> None:
    tape = Tape()
    for number, (what, value, how) in enumerate(steps):
        if what not in ("c2s", "s2c"):
            fields = value if isinstance(value, dict) else {"stream": value, "name": value, "code": value}
            tape.event(what, number, **{f"_{key}" if key not in TOLD else key: fields[key] for key in fields})
        elif how == 3:
            tape.line(what, Segment((value,), more=True), number)
        elif how == 2:
            tape.line(what, Segment((value,), newline=True), number)
        else:
            tape.seq += how
            tape.line(what, value or b" ", number)
    for finding in check(tape, rules=MINE):
        assert finding.message
        assert finding.next
        assert not finding.message.endswith(".")
