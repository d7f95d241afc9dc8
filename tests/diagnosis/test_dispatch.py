"""How rules see a session, and what becomes of what they find."""

from __future__ import annotations

from typing import ClassVar

from mcp_tap.diagnosis.context import (
    Answer,
    InvalidLine,
    Notification,
    Occurrence,
    Request,
    SessionContext,
    UnmatchedResponse,
    since,
)
from mcp_tap.diagnosis.dispatch import Checker
from mcp_tap.diagnosis.finding import EVIDENCE_KEPT, RECORDS_KEPT
from mcp_tap.diagnosis.interest import sees
from mcp_tap.diagnosis.recognise.irregular import is_irregular
from mcp_tap.diagnosis.rule import GROUPS_KEPT, Rule
from mcp_tap.diagnosis.settings import Settings, Thresholds
from mcp_tap.model.session import Session
from mcp_tap.record.reader import Record
from tests.diagnosis.checking import begun, check, closed, examined, names
from tests.record_cases import Tape, error, modern, request, result, told


class Log(Rule):
    """A rule that notes what it is shown."""

    id = "TST001"
    title = "test"
    severity = "info"
    culprit = "sender"
    next = "nothing"

    def __init__(self, context: SessionContext) -> None:
        super().__init__(context)
        self.seen: list[str] = []

    def note(self, hook: str, seen: Occurrence) -> None:
        message = seen.message
        self.seen.append(f"{hook} {message.method or message.kind} {seen.version}")

    def message(self, seen: Occurrence) -> None:
        self.note("message", seen)

    def request(self, seen: Request) -> None:
        self.note("request", seen)

    def answer(self, seen: Answer) -> None:
        self.note("answer", seen)

    def unmatched_response(self, seen: UnmatchedResponse) -> None:
        self.note("astray", seen)

    def notification(self, seen: Notification) -> None:
        self.note("notification", seen)

    def invalid_line(self, seen: InvalidLine) -> None:
        self.note("foreign", seen)

    def stderr(self, record: Record) -> None:
        self.seen.append(f"stderr {record.payload.decode()}")

    def line(self, record: Record) -> None:
        self.seen.append(f"line {record.dir}")

    def event(self, record: Record) -> None:
        self.seen.append(f"event {record.event}")

    def end(self) -> None:
        self.seen.append("end")


def watch(tape: Tape, rule: type[Log] = Log) -> list[str]:
    (checker,) = examined(tape.records(), [rule])
    checker.end()  # once is enough
    (made,) = checker.rules
    assert isinstance(made, Log)
    return made.seen


def test_every_hook_sees_what_it_is_for() -> None:
    tape = Tape().start().client(request(1, "ping"), 1).server(result(1), 1).server(result(1), 1)
    tape.server(b"hello", 1).stderr("log", 1).client(told("notifications/x"), 1)
    seen = watch(tape.exit(2, "client-eof"))
    assert [each for each in seen if not each.startswith("line")] == [
        "event start",
        "event spawn",
        "message ping 2025-11-25",
        "request ping 2025-11-25",
        "message response 2025-11-25",
        "answer response 2025-11-25",
        "message response 2025-11-25",
        "astray response 2025-11-25",
        "foreign not-json 2025-11-25",
        "stderr log",
        "message notifications/x 2025-11-25",
        "notification notifications/x 2025-11-25",
        "event exit",
        "end",
    ]
    assert [each for each in seen if each.startswith("line")] == ["line c2s"] + ["line s2c"] * 3 + [
        "line c2s"
    ]


class OnlyCalls(Log):
    """Only requests of one method, of one version."""

    versions: ClassVar = since("2025-06-18")
    methods: ClassVar = frozenset({"tools/call"})


def calls(version: str) -> list[str]:
    tape = (
        begun(version).client(request(1, "tools/call"), 1).server(result(1), 1).client(request(2, "ping"), 1)
    )
    return [
        each for each in watch(closed(tape, 2), OnlyCalls) if each.startswith(("request", "answer", "end"))
    ]


def test_a_rule_sees_the_methods_and_the_versions_that_it_is_for() -> None:
    assert calls("2025-06-18") == ["request tools/call 2025-06-18", "answer response 2025-06-18", "end"]
    assert calls("2025-03-26") == []
    assert calls("2099-01-01") == []  # nobody knows what holds there


def test_the_version_is_the_request_s_own() -> None:
    tape = begun("2025-03-26").client(modern(1, "tools/call", name="x"), 1)
    assert [each for each in watch(tape, OnlyCalls) if each.startswith("req")] == [
        "request tools/call 2026-07-28"
    ]


def is_asked_of_server(side: str, method: str | None, version: str | None) -> bool:
    return (side, method, version) == ("c2s", "ping", "2025-11-25")


class Choosy(Log):
    """Requests of one sort, and answers with a sign."""

    @sees(only=is_asked_of_server)
    def request(self, seen: Request) -> None:
        super().request(seen)

    @sees(sign=is_irregular)
    def answer(self, seen: Answer) -> None:
        super().answer(seen)


def test_a_hook_is_called_for_messages_of_its_sort_and_for_those_with_its_sign() -> None:
    tape = begun().client(request(1, "ping"), 1).server(result(1), 1)
    tape.server(request(1, "ping"), 1).client(result("1"), 1)
    asked = [each for each in watch(tape, Choosy) if each.startswith(("request", "answer"))]
    assert asked == ["request ping 2025-11-25", "answer response 2025-11-25"]


class Many(Rule):
    """Finds something in each notification."""

    id = "TST002"
    title = "test"
    severity = "warning"
    culprit = "sender"
    next = "nothing"

    def notification(self, seen: Notification) -> None:
        params = seen.params
        self.hit(
            seen, "a notification", key=params.get("key", ""), evidence=f"token=hunter2hunter2 {seen.seq}"
        )


def test_repeats_are_one_finding_with_bounded_records_and_evidence() -> None:
    tape = Tape().start()
    for _ in range(RECORDS_KEPT + 5):
        tape.client(told("x"), 1)
    (found,) = check(tape, rules=[Many])
    assert found.count == RECORDS_KEPT + 5
    assert found.message == "a notification (105 times)"
    assert len(found.records) == RECORDS_KEPT
    assert len(found.evidence) == EVIDENCE_KEPT
    assert found.culprit == "client"
    assert "hunter2" not in found.evidence[0]


def test_the_findings_of_one_rule_are_bounded() -> None:
    tape = Tape().start()
    for number in range(GROUPS_KEPT + 10):
        tape.server(told("x", key=str(number)), 1)
    found = check(tape, rules=[Many])
    assert len(found) == GROUPS_KEPT
    assert sum(each.count for each in found) == GROUPS_KEPT + 10


def test_findings_come_by_severity_and_then_by_record() -> None:
    tape = Tape().start().client(told("x", key="b"), 1).client(told("x", key="a"), 1)
    assert [each.key for each in check(tape, rules=[Many])] == ["b", "a"]


def test_a_session_is_whole_only_if_nothing_is_missing() -> None:
    def whole(tape: Tape) -> bool:
        session = Session(tape.session)
        context = Checker(session, [], Thresholds()).context
        for record in tape.records():
            context.take(session.add(record).record)
        return context.whole

    assert whole(Tape().start())
    assert not whole(Tape().client(request(1, "ping")))
    assert not whole(Tape().start().event("limit", 1, bytes=10))
    assert not whole(Tape().start().event("gap", 1, records=1, bytes=1, reason="full"))
    gone = Tape().start().client(request(1, "ping")).client(request(2, "ping"))
    del gone.lines[2]
    assert not whole(gone)


def test_who_has_begun_to_end_a_session_is_noted_once() -> None:
    session = Session("s")
    context = Checker(session, [], Thresholds()).context
    tape = Tape().start().event("eof", 1, stream="s2c").event("broken_pipe", 2, stream="s2c")
    for record in (
        tape.event("signal", 3, name="SIGINT", forwarded=True).event("eof", 4, stream="c2s").records()
    ):
        context.take(record)
    assert (context.client_closed_t, context.client_closed_by) == (2, "broken pipe")


def test_settings_say_which_rules_are_wanted() -> None:
    assert Settings().wants("A")
    assert not Settings(disabled=frozenset({"A"})).wants("A")
    assert not Settings(only=frozenset({"B"})).wants("A")
    assert Settings(only=frozenset({"A"})).wants("A")


def test_no_answer_is_needed_for_an_answer_to_be_counted() -> None:
    tape = begun().client(request(1, "tools/call", name="slow"), 1).server(result(1, content=[]), 4)
    tape.client(request(2, "tools/call", name="x"), 4).server(error(2, -1), 4.1)
    (checker,) = examined(tape.records(), [])
    context = checker.context
    assert (context.answered, context.slowest, context.slowest_what) == (3, 3.0, "tools/call slow")
    assert names(checker.findings()) == []
