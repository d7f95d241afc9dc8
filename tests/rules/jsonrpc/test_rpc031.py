"""RPC031: notification answered."""

from __future__ import annotations

from typing import Any

import pytest

from tests.diagnosis.checking import begun, check, closed, facts
from tests.record_cases import error, request, result
from tests.record_cases import told as notified
from tests.rules.telling import MINE, brief, only

NULL_ERROR = error(None, -32601, "Method not found")


class TestNotificationAnswered:
    def test_a_client_that_goes_on_makes_it_a_warning(self) -> None:
        tape = begun().server(NULL_ERROR, 0.3).client(request(1, "tools/list"), 0.4)
        assert facts(check(closed(tape.server(result(1, tools=[]), 0.5), 0.6), rules=MINE)) == [
            ("RPC031", "warning", "server", (5,), "s2c notifications/initialized")
        ]

    def test_a_client_that_used_the_server_before_was_content(self) -> None:
        tape = begun().client(request(1, "tools/list"), 0.3).server(result(1, tools=[]), 0.4)
        tape.client(notified("notifications/roots/list_changed"), 0.5).server(NULL_ERROR, 0.6)
        assert brief(closed(tape, 0.7)) == [("RPC031", "warning", "server")]

    @pytest.mark.parametrize(
        "answer",
        [
            {"jsonrpc": "2.0", "id": None, "result": {}},
            {"jsonrpc": "2.0", "error": {"code": -32600, "message": "x"}},
            {"jsonrpc": "2.0", "id": None, "error": "odd"},
        ],
    )
    def test_any_response_without_an_id_is_one(self, answer: Any) -> None:
        assert ("RPC031", "warning", "server") in brief(closed(begun().server(answer, 0.3), 9))

    def test_the_client_answers_none_either(self) -> None:
        tape = begun().server(notified("notifications/tools/list_changed"), 0.5).client(NULL_ERROR, 0.6)
        assert brief(closed(tape, 9)) == [("RPC031", "warning", "client")]

    @pytest.mark.parametrize("code", [-32700, -32601])
    def test_an_error_after_a_line_that_is_no_json_answers_that(self, code: int) -> None:
        tape = begun().client(b"hello", 0.3).server(error(None, code), 0.4)
        assert brief(closed(tape, 9)) == [("FRM002", "error", "client")]

    def test_a_parse_error_answers_something_that_was_not_read(self) -> None:
        assert brief(closed(begun().server(error(None, -32700), 0.3), 9)) == []

    def test_an_invalid_request_may_be_the_one_that_is_open(self) -> None:
        tape = begun().client(request(1, "tools/list"), 0.3).server(error(None, -32600), 0.4)
        assert brief(closed(tape.server(result(1, tools=[]), 0.5), 9)) == []

    @pytest.mark.parametrize(
        "answer", [NULL_ERROR, {"jsonrpc": "2.0", "error": {"code": -32601, "message": "x"}}]
    )
    def test_an_error_without_an_id_may_answer_a_request_that_has_none(self, answer: Any) -> None:
        tape = begun().client(request(None, "ping"), 0.3).server(answer, 0.4)
        assert [rule for rule, _, _ in brief(closed(tape, 9))] == ["RPC002"]

    def test_a_request_that_has_no_other_answer_may_be_what_is_answered(self) -> None:
        tape = begun().client(request(3, "ping"), 0.3).server(NULL_ERROR, 0.4)
        finding = only(closed(tape, 9))
        assert (finding.rule, finding.certainty) == ("RPC031", "heuristic")
        assert finding.key == "s2c notifications/initialized"

    def test_a_request_that_is_answered_later_was_not_meant(self) -> None:
        tape = begun().client(request(3, "ping"), 0.3).server(NULL_ERROR, 0.4).server(result(3), 0.5)
        finding = only(closed(tape, 9))
        assert (finding.rule, finding.certainty) == ("RPC031", "proven")

    def test_an_error_that_names_the_notification_leaves_no_doubt(self) -> None:
        tape = begun().client(request(3, "ping"), 0.3)
        tape.server(error(None, -32601, "Method not found: notifications/initialized"), 0.4)
        finding = only(closed(tape, 9))
        assert (finding.rule, finding.certainty) == ("RPC031", "proven")

    def test_nothing_is_said_where_records_are_missing(self) -> None:
        tape = begun()
        tape.seq += 1
        assert brief(closed(tape.server(NULL_ERROR, 0.3), 9)) == []
