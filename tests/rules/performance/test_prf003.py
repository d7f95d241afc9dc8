"""PRF003: slow start."""

from __future__ import annotations

from tests.record_cases import Tape, request, result
from tests.rules.performance.cases import found


def started(took: float, *argv: str) -> Tape:
    """A server that answers initialize after so many seconds."""
    tape = Tape().start(argv=list(argv) or ["notes-server"])
    tape.client(request(0, "initialize", protocolVersion="2025-11-25", capabilities={}), 0.1)
    return tape.server(result(0, protocolVersion="2025-11-25", capabilities={}), 0.1 + took)


def test_a_slow_start_is_told_with_its_time() -> None:
    assert found(started(14)) == [("PRF003", "warning", "server", (2, 3), "")]
    assert [each[1] for each in found(started(31))] == ["error"]
    assert found(started(10)) == []


def test_behind_a_launcher_nobody_is_blamed() -> None:
    assert found(started(14, "npx", "-y", "notes-server")) == [("PRF003", "warning", "undecided", (2, 3), "")]


def test_a_client_that_was_late_itself_does_not_count() -> None:
    tape = Tape().start().client(request(0, "initialize"), 60).server(result(0), 61)
    assert found(tape) == []


def test_only_the_first_answer_tells_how_the_server_started() -> None:
    tape = started(1).client(request(1, "server/discover"), 20).server(result(1), 40)
    assert found(tape) == []


def test_a_start_that_is_not_on_file_or_was_given_up_is_not_told() -> None:
    tape = Tape().client(request(0, "initialize"), 0.1).server(result(0), 20)
    assert found(tape) == []
    tape = Tape().start().client(request(0, "initialize"), 0.1).event("eof", 15, stream="c2s")
    assert found(tape.server(result(0), 15.1)) == []
