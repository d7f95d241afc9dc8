"""The envelopes of messages: what is told of those that are wrong."""

from __future__ import annotations

from typing import Any

import orjson
import pytest

from tests.diagnosis.checking import begun, check, closed, told
from tests.record_cases import Tape, request, result
from tests.record_cases import told as notified
from tests.rules.telling import MINE, brief, messages


def asked(method: str = "tools/list", **params: Any) -> Tape:
    """A session with an open request, whose id is 1."""
    return begun().client(request(1, method, **params), 0.5)


class TestNoVersion:
    def test_each_side_has_one_finding_that_counts(self) -> None:
        tape = begun().client({"id": 1, "method": "tools/list"}, 0.5).server({"id": 1, "result": {}}, 0.6)
        tape.server({"method": "notifications/message", "jsonrpc": "1.0"}, 0.7)
        assert told(check(closed(tape, 9), rules=MINE)) == [
            ("RPC001", "error", "client", (5,), 'tools/list, from the client, has no "jsonrpc": "2.0"'),
            (
                "RPC001",
                "error",
                "server",
                (6, 7),
                'the answer to tools/list, from the server, has no "jsonrpc": "2.0"; so have 1 others',
            ),
        ]

    @pytest.mark.parametrize(("value", "shown"), [("1.0", '"1.0"'), (2, "2"), (None, "None")])
    def test_another_value_is_told(self, value: Any, shown: str) -> None:
        tape = asked().server({"jsonrpc": value, "id": 1, "result": {}}, 0.6)
        assert messages(closed(tape, 9)) == [
            f"the answer to tools/list, from the server, has jsonrpc {shown}"
        ]

    def test_a_log_record_is_no_message_that_lacks_it(self) -> None:
        assert brief(closed(begun().server({"level": "info"}, 1), 9)) == [("FRM018", "warning", "server")]


class TestResultAndError:
    @pytest.mark.parametrize(
        ("members", "tail"),
        [
            ({"result": {}, "error": {"code": 1, "message": "x"}}, ""),
            ({"result": {}, "error": None}, " (error is null)"),
            ({"result": None, "error": {"code": 1, "message": "x"}}, " (result is null)"),
        ],
    )
    def test_an_answer_with_both_is_an_error(self, members: dict[str, Any], tail: str) -> None:
        tape = asked().server({"jsonrpc": "2.0", "id": 1, **members}, 0.6)
        assert told(check(closed(tape, 9), rules=MINE)) == [
            ("RPC010", "error", "server", (6,), f"the answer to tools/list has both result and error{tail}")
        ]

    def test_one_that_answers_nothing_is_told_too(self) -> None:
        both = {"jsonrpc": "2.0", "id": 7, "result": {}, "error": None}
        assert brief(closed(asked().server(both, 0.6).server(result(1), 0.7), 9)) == [
            ("RPC007", "error", "server"),
            ("RPC010", "error", "server"),
        ]


class TestNoMessage:
    def test_an_answer_without_a_result_explains_why_the_client_waits(self) -> None:
        tape = asked().server({"jsonrpc": "2.0", "id": 1, "tools": []}, 0.6)
        assert told(check(closed(tape, 9), rules=MINE)) == [
            (
                "RPC011",
                "error",
                "server",
                (6,),
                "server sent JSON that is no message: 'no method, result or error (members: jsonrpc, id, "
                "tools)'",
            )
        ]

    @pytest.mark.parametrize("value", [[], 5, "x", None, {}, {"a": 1}, {"method": 5}])
    def test_whatever_else_a_client_sends_is_no_message(self, value: Any) -> None:
        assert brief(closed(begun().client(orjson.dumps(value), 1), 9)) == [("RPC011", "error", "client")]

    def test_a_part_of_a_batch_may_be_none(self) -> None:
        tape = begun("2025-03-26").client([request(1, "ping"), 5, {"a": 1}], 1).server([result(1)], 1.1)
        (finding,) = check(closed(tape, 9), rules=MINE)
        assert (finding.rule, finding.count) == ("RPC011", 2)


class TestResultNoObject:
    @pytest.mark.parametrize(
        ("value", "kind"),
        [(None, "null"), ([], "an array"), ("x", "a string"), (True, "a boolean"), (1, "a number")],
    )
    def test_a_result_must_be_an_object(self, value: Any, kind: str) -> None:
        tape = asked("tools/call", name="x", arguments={}).server(
            {"jsonrpc": "2.0", "id": 1, "result": value}, 0.6
        )
        assert told(check(closed(tape, 9), rules=MINE)) == [
            ("RPC012", "error", "server", (6,), f"the answer to tools/call `x` is {kind}, not an object")
        ]

    def test_the_clients_answers_are_held_to_it_too(self) -> None:
        tape = (
            begun().server(request(0, "roots/list"), 1).client({"jsonrpc": "2.0", "id": 0, "result": []}, 1.1)
        )
        assert brief(closed(tape, 9)) == [("RPC012", "error", "client")]


class TestMalformedError:
    @pytest.mark.parametrize(
        ("value", "why"),
        [
            ("no", "a string, not an object"),
            ({"message": "x"}, "code is missing, not an integer"),
            ({"code": "1", "message": "x"}, "code is a string, not an integer"),
            ({"code": True, "message": "x"}, "code is a boolean, not an integer"),
            ({"code": 1.5, "message": "x"}, "code is a number, not an integer"),
            ({"code": 1}, "message is missing, not a string"),
            ({"code": 1, "message": {}}, "message is an object, not a string"),
        ],
    )
    def test_an_error_must_have_a_code_and_a_message(self, value: Any, why: str) -> None:
        tape = asked().server({"jsonrpc": "2.0", "id": 1, "error": value}, 0.6)
        assert messages(closed(tape, 9)) == [f"the answer to tools/list is a malformed error: {why}"]

    def test_a_code_with_a_point_is_an_integer(self) -> None:
        line = b'{"jsonrpc":"2.0","id":1,"error":{"code":-32603.0,"message":""}}'
        assert brief(closed(asked().server(line, 0.6), 9)) == []


class TestParamsNoObject:
    @pytest.mark.parametrize(
        ("value", "kind", "severity"),
        [([1], "an array", "error"), ("x", "a string", "error"), (None, "null", "warning")],
    )
    def test_params_must_be_an_object(self, value: Any, kind: str, severity: str) -> None:
        tape = (
            begun()
            .client({**request(1, "tools/list"), "params": value}, 0.5)
            .server(result(1, tools=[]), 0.6)
        )
        assert told(check(closed(tape, 9), rules=MINE)) == [
            ("RPC014", severity, "client", (5,), f"the params of tools/list are {kind}, not an object")
        ]

    def test_those_of_a_notification_too(self) -> None:
        tape = begun().server({**notified("notifications/message"), "params": []}, 0.5)
        assert messages(closed(tape, 9)) == [
            "the params of `notifications/message` are an array, not an object"
        ]


BATCH = [request(1, "tools/list"), request(2, "ping")]


class TestBatch:
    def test_a_batch_whose_requests_were_answered_is_a_warning(self) -> None:
        tape = begun().client(BATCH, 1).server(result(1, tools=[]), 1.1).server(result(2), 1.2)
        assert told(check(closed(tape, 9), rules=MINE)) == [
            (
                "RPC018",
                "warning",
                "client",
                (5,),
                "client sent a batch under 2025-11-25; batches exist only in 2025-03-26",
            )
        ]

    def test_answers_in_a_batch_are_the_servers(self) -> None:
        tape = begun("2025-06-18").client(request(1, "ping"), 1).server([result(1)], 1.1)
        assert brief(closed(tape, 9)) == [("RPC018", "error", "server")]

    def test_one_that_comes_before_any_version_names_none(self) -> None:
        tape = Tape().start().client(BATCH, 0.1)
        assert messages(tape) == ["client sent a batch; batches exist only in 2025-03-26"]

    @pytest.mark.parametrize("version", ["2025-03-26", "2031-01-01"])
    def test_a_version_that_allows_it_or_is_not_known_has_no_such_rule(self, version: str) -> None:
        tape = begun(version).client(BATCH, 1).server([result(1, tools=[]), result(2)], 1.1)
        assert brief(closed(tape, 9)) == []

    def test_a_version_that_may_be_agreed_on_has_none_either(self) -> None:
        tape = Tape().start().client(list(begun("2025-03-26").records())[2].payload, 0.1)
        assert brief(tape.client(BATCH, 0.15)) == []

    def test_a_list_that_a_server_prints_is_no_batch(self) -> None:
        assert brief(closed(begun().server([1, 2, {"a": 1}], 1), 9)) == [("FRM018", "warning", "server")]
