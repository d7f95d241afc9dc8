"""What a hook declares to look at, as far as it depends on results, time, size and a request's answer."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_tap.diagnosis.context import AWAITED_KEPT, Answer, Occurrence, Request, SessionContext
from mcp_tap.diagnosis.interest import sees, shape_of
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.diagnosis.settings import Thresholds
from mcp_tap.wire.lines import Segment
from tests.diagnosis.checking import begun, examined
from tests.record_cases import Tape, request, result

TEXT = {"type": "text", "text": "12"}


@pytest.mark.parametrize(
    ("value", "shape"),
    [
        ({"content": []}, "text"),
        ({"content": [TEXT, TEXT], "isError": True, "resultType": "complete"}, "text"),
        ({"content": [TEXT], "_meta": {}}, "other"),
        ({"content": [TEXT], "isError": "yes"}, "other"),
        ({"content": [{"type": "text", "text": None}]}, "other"),
        ({"content": [{"type": "text"}]}, "other"),
        ({"content": [TEXT | {"annotations": {}}]}, "other"),
        ({"content": [TEXT], "structuredContent": {"eur": 12}}, "structured"),
        ({"content": [TEXT], "structuredContent": [12]}, "other"),
        ({"content": [TEXT], "structuredContent": {}, "more": 1}, "other"),
        ({"content": [TEXT], "task": {}}, "other"),
        ({"content": [TEXT], "resultType": "input_required"}, "other"),
        ({"content": [TEXT, {"type": "image"}]}, "other"),
        ({"content": [TEXT, 7]}, "other"),
        ({"content": "12"}, "other"),
        ({}, "other"),
        ([TEXT], "other"),
        (None, "other"),
    ],
)
def test_the_shape_of_a_result_is_text_alone_or_with_structure_or_another(value: Any, shape: str) -> None:
    assert shape_of(value) == shape


class Watch(Rule):
    """A rule that notes where it was called."""

    id, title, severity, culprit, next = "TST002", "test", "info", "sender", "nothing"

    def __init__(self, context: SessionContext) -> None:
        super().__init__(context)
        self.seen: list[int] = []


def seen_by(rule: type[Watch], tape: Tape, thresholds: Thresholds | None = None) -> list[int]:
    """The records at which ``rule`` was called."""
    (checker,) = examined(tape.records(), [rule], thresholds=thresholds)
    (made,) = checker.rules
    assert isinstance(made, Watch)
    return made.seen


def called(*results: dict[str, Any], took: float = 0.1) -> Tape:
    """Calls (records 5, 7 …), each with its result (records 6, 8 …)."""
    tape = begun()
    for id, members in enumerate(results, 5):
        tape.client(request(id, "tools/call", name="price"), id).server(result(id, **members), id + took)
    return tape


class Unusual(Watch):
    @sees(methods="tools/call", shapes="other")
    def answer(self, answer: Answer) -> None:
        self.seen.append(answer.seq)


def test_a_hook_may_ask_for_results_of_one_shape() -> None:
    assert seen_by(Unusual, called({"content": [TEXT]}, {"content": [7]}, {"content": []})) == [8]


class Slow(Watch):
    @sees(sides="s2c", slow=True)
    def answer(self, answer: Answer) -> None:
        self.seen.append(answer.seq)


def test_what_is_slow_follows_a_threshold_that_is_lower() -> None:
    tape = called({"content": []}, took=0.2)
    assert seen_by(Slow, tape) == []
    assert seen_by(Slow, tape, Thresholds(slow_call_seconds=0.15)) == [6]


class Large(Watch):
    @sees(large=True)
    def message(self, seen: Occurrence) -> None:
        self.seen.append(seen.seq)


def test_what_is_large_follows_a_threshold_that_is_lower() -> None:
    tape = called({"content": [TEXT | {"text": "x" * 2_000}]})
    assert seen_by(Large, tape) == []
    assert seen_by(Large, tape, Thresholds(large_result_bytes=1_000)) == [6]


class Cued(Watch):
    @sees(cue=lambda payload: b"needle" in payload)
    def message(self, seen: Occurrence) -> None:
        self.seen.append(seen.seq)


def test_a_cue_is_taken_for_true_where_the_line_is_not_at_hand() -> None:
    assert seen_by(Cued, called({"content": [TEXT | {"text": "needle"}]}, {"content": []})) == [6]
    line = b'{"jsonrpc":"2.0","method":"notifications/x","params":{"a":"needle"}}'
    tape = begun().line("s2c", Segment((line[:-8],), more=True), 1).line("s2c", line[-8:], 2)
    assert seen_by(Cued, tape) == [6]


class Awaits(Watch):
    @sees(methods="tools/call")
    def request(self, request: Request) -> None:
        self.await_answer(request.exchange, self._answered)

    def _answered(self, answer: Answer) -> None:
        self.seen.append(answer.seq)


def test_the_answer_of_one_request_can_be_awaited() -> None:
    tape = begun().client(request(5, "tools/call", name="price"), 1).client(request(6, "ping"), 1)
    assert seen_by(Awaits, tape.server(result(6), 2).server(result(5), 2).server(result(5), 2)) == [8]


def test_so_many_answers_are_awaited_and_no_more() -> None:
    tape = begun()
    for id in range(AWAITED_KEPT + 1):
        tape.client(request(id + 5, "tools/call"), 1)
    before = tape.seq
    assert seen_by(Awaits, tape.server(result(5), 2).server(result(6), 2)) == [before + 1]
