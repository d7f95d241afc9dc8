"""FRM004: two messages on one line."""

from __future__ import annotations

import orjson

from tests.diagnosis.checking import begun, closed
from tests.record_cases import request, result
from tests.rules.telling import brief, keys, only


class TestTwoOnALine:
    def test_both_answers_are_lost_and_both_requests_explained(self) -> None:
        tape = begun().client(request(1, "tools/list"), 0.5).client(request(2, "ping"), 0.5)
        tape.server(orjson.dumps(result(1, tools=[])) + b" " + orjson.dumps(result(2)), 0.6)
        finding = only(closed(tape, 9))
        assert (finding.rule, finding.severity, finding.culprit) == ("FRM004", "error", "server")
        assert finding.key == "s2c"

    def test_text_in_brackets_after_an_answer_is_text(self) -> None:
        tape = begun().client(request(1, "ping"), 0.5).server(orjson.dumps(result(1)) + b" [info] ok", 0.6)
        assert keys(closed(tape, 9)) == [("FRM001", "mixed")]

    def test_two_objects_that_are_no_messages_are_text(self) -> None:
        assert brief(closed(begun().server(b'{"a":1} {"b":2}', 0.5), 9)) == [("FRM001", "warning", "server")]
