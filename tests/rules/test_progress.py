"""PRG001-003, PRG005: progress of what is not going on, or goes backwards."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_tap.diagnosis.finding import Finding
from mcp_tap.rules.utilities.prg003_progress_after_result import span
from tests.diagnosis.checking import begun, check, findings_of, rules_of
from tests.record_cases import RECORDINGS, Tape, modern, request, result, told
from tests.rules.telling import BETWEEN

RULES = rules_of("PRG")


def found(tape: Tape) -> list[tuple[str, str, str, tuple[int, ...], str]]:
    """What the rules of this family find."""
    return [
        (each.rule, each.severity, each.culprit, each.records, each.message)
        for each in check(tape, rules=RULES)
    ]


def only(tape: Tape) -> Finding:
    """The one finding."""
    (finding,) = check(tape, rules=RULES)
    return finding


def progress(token: Any, value: Any = 1, **more: Any) -> dict[str, Any]:
    return told("notifications/progress", progressToken=token, progress=value, **more)


def call(id: Any, token: Any, **more: Any) -> dict[str, Any]:
    return request(id, "tools/call", name="export", _meta={"progressToken": token}, **more)


def called(token: Any = 7, tape: Tape | None = None) -> Tape:
    """The client calls a tool with a token (record 5)."""
    return (tape or begun()).client(call(5, token), 1)


def test_progress_for_a_token_that_nobody_gave_is_an_error() -> None:
    message = "server reported progress for token 5, which no open request has given"
    tape = called(7).server(progress(5), 2)
    assert found(tape) == [("PRG001", "error", "server", (6,), message)]
    assert only(tape.server(progress(5), 3)).message == message + " (2 times)"


def test_a_token_of_another_json_type_is_a_warning() -> None:
    message = (
        'server reported progress for token "7", which no open request has given: '
        "one has given it as another JSON type"
    )
    assert found(called(7).server(progress("7"), 2)) == [("PRG001", "warning", "server", (6,), message)]


def test_a_client_reports_progress_too() -> None:
    asks = request(1, "sampling/createMessage", _meta={"progressToken": "s"})
    tape = begun(client={"sampling": {}}).server(asks, 1).client(progress("s"), 2)
    assert found(tape) == []
    assert [each[:4] for each in found(tape.client(progress("t"), 3))] == [
        ("PRG001", "error", "client", (7,))
    ]


@pytest.mark.parametrize("token", [None, True, 1.5, [], "[masked]"])
def test_what_is_no_token_is_told_elsewhere(token: Any) -> None:
    assert found(begun().server(progress(token), 1)) == []
    assert found(begun().server(told("notifications/progress"), 1)) == []


@pytest.mark.parametrize(
    "tape",
    [
        Tape(),
        begun().event("gap", 0.5, reason="disk full"),
        begun().event("limit", 0.5, bytes=1000),
        begun().client(b'{"id":5,"method":"tools/call","params":{"_meta":{"progressToken":5},"x":NaN}}', 0.5),
    ],
)
def test_a_token_is_not_unknown_whose_request_may_be_missing_or_could_not_be_read(tape: Tape) -> None:
    assert found(tape.server(progress(5), 1)) == []


def test_text_on_stdout_does_not_make_tokens_uncertain() -> None:
    assert [each[0] for each in found(begun().server(b"ready", 0.5).server(progress(5), 1))] == ["PRG001"]


def test_progress_of_a_cancelled_request_is_no_fault() -> None:
    tape = called().client(told("notifications/cancelled", requestId=5), 2)
    assert found(tape.server(progress(7), 3).server(progress(7, 2), 4)) == []


@pytest.mark.parametrize("values", [(50, 50), (50, 49.5), (0, -1), (0, 0)])
def test_progress_that_does_not_increase_is_an_error(values: tuple[float, float]) -> None:
    tape = called().server(progress(7, values[0]), 2).server(progress(7, values[1]), 3)
    message = f"server reported progress {values[1]} of tools/call `export` after {values[0]}"
    assert found(tape) == [("PRG002", "error", "server", (6, 7), message)]


def test_progress_that_increases_is_no_fault_for_each_request_by_itself() -> None:
    tape = called().client(call(6, 8), 1).server(progress(7, 50), 2).server(progress(8, 1), 2)
    tape.server(progress(7, 50.5), 2).server(progress(8, 2), 3).server(result(5, content=[]), 4)
    assert found(tape.client(call(9, 7), 5).server(progress(7, 1), 6)) == []


@pytest.mark.parametrize("value", [None, "50", True])
def test_progress_that_is_no_number_is_told_elsewhere(value: Any) -> None:
    assert found(called().server(progress(7, 50), 2).server(progress(7, value), 3)) == []


def test_progress_may_have_begun_anew_where_records_are_missing() -> None:
    tape = called().server(progress(7, 50), 2).event("gap", 2.5, reason="disk full")
    assert found(tape.server(progress(7, 1), 3)) == []
    tape = called().server(result(5, content=[]), 2).event("gap", 2.5, reason="disk full")
    assert found(tape.server(progress(7, 1), 3)) == []


A19 = (
    "progress for token 5 (tools/call `export`) sent 2 ms after its result; some clients close the connection"
)


def test_case_a19_is_progress_after_the_result() -> None:
    (finding,) = findings_of(RECORDINGS / "cases" / "A19.jsonl", BETWEEN)
    assert (finding.rule, finding.severity, finding.culprit) == ("PRG003", "warning", "server")
    assert (finding.records, finding.message, finding.consequences) == ((7, 8), A19, ())


def test_progress_after_an_error_is_told_as_such() -> None:
    failed = {"jsonrpc": "2.0", "id": 5, "error": {"code": -32603, "message": "no"}}
    tape = called("p").server(failed, 2).server(progress("p"), 4)
    message = (
        'progress for token "p" (tools/call `export`) sent 2.00 s after its error; '
        "some clients close the connection"
    )
    assert found(tape) == [("PRG003", "warning", "server", (6, 7), message)]


def test_short_times_are_told_in_milliseconds() -> None:
    assert (span(0.0004), span(0.25), span(1.5)) == ("0 ms", "250 ms", "1.50 s")


@pytest.mark.parametrize(
    "answer",
    [
        result(5, task={"taskId": "t1", "status": "working"}),
        result(5, resultType="task", taskId="t1", status="working"),
    ],
)
def test_the_token_of_a_task_outlives_its_request(answer: dict[str, Any]) -> None:
    tape = called().server(answer, 2).server(progress(7), 3)
    assert found(tape) == []
    for id in range(10, 4200):
        tape.client(request(id, "ping"), 4).server(result(id), 4)
    assert found(tape.server(progress(7, 2), 5)) == []


def test_only_so_many_tasks_are_remembered() -> None:
    tape = begun()
    for id in range(1, 1003):
        tape.client(call(id, id), 1).server(result(id, task={"taskId": str(id)}), 1)
    assert found(tape.server(progress(1002), 2)) == []
    assert [each[0] for each in found(tape.server(progress(1), 3))] == ["PRG003"]


def test_a_token_that_two_open_requests_share_is_an_error() -> None:
    tape = called("p").client(request(6, "prompts/list", _meta={"progressToken": "p"}), 2)
    message = 'client gave prompts/list the progressToken "p" of tools/call `export`, which is still open'
    assert found(tape) == [("PRG005", "error", "client", (5, 6), message)]


def test_progress_for_a_token_that_is_shared_is_not_judged() -> None:
    tape = called().client(call(6, 7), 1).server(progress(7, 50), 2).server(progress(7, 1), 2)
    tape.server(result(6, content=[]), 3).server(progress(7, 2), 4)
    assert [each[0] for each in found(tape)] == ["PRG005"]


@pytest.mark.parametrize(
    ("token", "kind"), [(None, "null"), (True, "boolean"), ([], "array"), (1.5, "number")]
)
def test_a_token_of_a_wrong_type_is_an_error(token: Any, kind: str) -> None:
    message = f"client gave tools/call `export` a progressToken that is a JSON {kind}"
    assert found(called(token)) == [("PRG005", "error", "client", (5,), message)]


@pytest.mark.parametrize(
    "tape",
    [
        called(7.0),
        called("[masked]").client(call(6, "[masked]"), 2),
        called().server(result(5, content=[]), 2).client(call(6, 7), 3),
        called().client(told("notifications/cancelled", requestId=5), 2).client(call(6, 7), 3),
        called().client(call(5, 7), 2),  # the same request, sent again
        called().server(request(1, "roots/list", _meta={"progressToken": 7}), 2),  # the other side's
        called("7").client(call(6, 7), 2),
        called().event("gap", 1.5, reason="disk full").client(call(6, 7), 2),
        called().server(b'{"jsonrpc":"2.0","id":5,"result":NaN}', 1.5).client(call(6, 7), 2),
    ],
)
def test_a_token_may_be_used_again_where_the_request_is_over_or_another(tape: Tape) -> None:
    assert found(tape) == []


def test_only_so_many_tokens_are_compared() -> None:
    tape = begun()
    for id in range(1, 1003):
        tape.client(call(id, id), 1).server(progress(id), 1)
    assert found(tape.client(call(2000, 1), 2)) == []
    assert [each[0] for each in found(tape.client(call(2001, 1002), 3))] == ["PRG005"]


def test_a_session_of_the_new_era_is_held_to_the_same() -> None:
    asked = modern(1, "tools/call", name="export")
    asked["params"]["_meta"] = asked["params"]["_meta"] | {"progressToken": "p"}
    tape = Tape().start().client(asked, 0.1).server(progress("p"), 0.2)
    tape.server(result(1, content=[], resultType="complete"), 0.3).server(progress("p", 2), 0.4)
    assert [each[0] for each in found(tape)] == ["PRG003"]
