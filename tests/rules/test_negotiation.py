"""LIF011 to LIF013, LIF015, LIF016: the version that is agreed on, and the probe for the era."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.diagnosis.checking import check, closed, examined, records_of
from tests.diagnosis.checking import told as told_of
from tests.record_cases import RECORDINGS, Tape, error, modern, request, result, told
from tests.rules.lif import INITIALIZED, LIF, agreed, call, found, offer, said


def answered(version: Any, offered: Any = "2025-11-25") -> Tape:
    """initialize, answered with another version."""
    return Tape().start().client(offer(version=offered), 0.1).server(agreed(version=version), 0.2)


def test_another_version_than_offered_is_information() -> None:
    assert found(closed(answered("2024-11-05").client(INITIALIZED, 0.3), 1)) == [
        (
            "LIF011",
            "info",
            "server",
            (3,),
            "client offered protocol version 2025-11-25, server chose 2024-11-05",
        )
    ]


@pytest.mark.parametrize(
    ("version", "offered"),
    [("2025-11-25", "2025-11-25"), (7, "2025-11-25"), ("[masked]", "2025-11-25"), ("2025-11-25", "[masked]")],
)
def test_versions_that_are_equal_or_not_known_are_no_difference(version: Any, offered: Any) -> None:
    assert found(closed(answered(version, offered).client(INITIALIZED, 0.3), 1)) == []


def test_a_client_that_leaves_after_another_version_looks_like_it_does_not_speak_it() -> None:
    (finding,) = check(closed(answered("2024-11-05"), 0.7), rules=LIF)
    assert told_of([finding]) == [
        (
            "LIF012",
            "error",
            "undecided",
            (2, 3),
            "client offered protocol version 2025-11-25, server chose 2024-11-05, and 0.50 s later "
            "the client closed stdin: it looks like it does not speak 2024-11-05",
        )
    ]
    assert finding.certainty == "heuristic"
    assert [each.rule for each in finding.consequences] == ["LIF011"]


@pytest.mark.parametrize(
    "tape",
    [
        closed(answered("2024-11-05"), 2.3),
        closed(answered("2024-11-05").client(INITIALIZED, 0.3), 0.7),
        closed(answered("2024-11-05").client(request(1, "ping"), 0.3).server(result(1), 0.4), 0.7),
        closed(answered("2024-11-05").client(b"what", 0.3), 0.7),
        closed(answered("2024-11-05").event("gap", 0.4, records=1, bytes=9, reason="full"), 0.7),
        answered("2024-11-05"),
        answered("2024-11-05").event("eof", 0.6, stream="s2c").exit(0.7, "server-exit", 1),
        closed(answered("2025-11-25"), 0.7),
    ],
    ids=["later", "initialized", "a ping", "a line", "a gap", "no end", "the server left", "agreed"],
)
def test_a_client_that_goes_on_or_leaves_for_another_reason_has_not_given_up(tape: Tape) -> None:
    assert "LIF012" not in [each[0] for each in found(tape)]


def test_a_version_that_was_never_released_is_the_servers_error() -> None:
    (finding,) = check(closed(answered("1.0"), 0.7), rules=LIF)
    assert told_of([finding]) == [
        (
            "LIF013",
            "error",
            "server",
            (3,),
            "server answered initialize with protocol version '1.0', which was never released; "
            "the client had offered '2025-11-25'",
        )
    ]
    assert [each.rule for each in finding.consequences] == ["LIF012"]


def test_it_is_a_warning_where_the_client_goes_on() -> None:
    tape = answered("1.0").client(INITIALIZED, 0.3).client(call(1), 0.4).server(said(1), 0.5)
    assert [each[:2] for each in found(closed(tape, 1))] == [("LIF013", "warning")]


@pytest.mark.parametrize(("version", "offered"), [("2999-01-01", "2025-11-25"), ("DRAFT-1", "DRAFT-1")])
def test_versions_of_the_future_are_left_alone(version: str, offered: str) -> None:
    assert found(closed(answered(version, offered).client(INITIALIZED, 0.3), 1)) == []


def test_a_server_cannot_negotiate_by_asking_the_client() -> None:
    tape = answered("2025-11-25").client(INITIALIZED, 0.3)
    tape.server(offer(0, "2025-06-18"), 0.4).client(agreed(0, "1.0"), 0.5)
    assert found(closed(tape, 1)) == []


def probed() -> Tape:
    return Tape().start().client(modern(1, "server/discover"), 0.1)


def begins(tape: Tape, t: float) -> Tape:
    """The handshake, at last."""
    return tape.client(offer(), t).server(agreed(), t + 0.1).client(INITIALIZED, t + 0.1)


def test_a_client_that_falls_back_after_an_error_is_normal() -> None:
    assert found(closed(begins(probed().server(error(1, -32601), 0.2), 0.3), 1)) == [
        (
            "LIF015",
            "info",
            "undecided",
            (2, 3, 4),
            "client asked for server/discover, got error -32601, and fell back to initialize",
        )
    ]


def test_an_error_without_a_code_is_one_too() -> None:
    tape = begins(probed().server({"jsonrpc": "2.0", "id": 1, "error": 3}, 0.2), 0.3)
    assert found(closed(tape, 1))[0][4] == (
        "client asked for server/discover, got an error, and fell back to initialize"
    )


def test_a_server_that_never_answers_the_probe_ignores_unknown_requests() -> None:
    (finding,) = check(closed(begins(probed(), 10.1), 20), rules=LIF)
    assert told_of([finding]) == [
        (
            "LIF016",
            "warning",
            "server",
            (2,),
            "server never answered server/discover, and answered other requests; after 10.0 s "
            "the client sent initialize instead",
        )
    ]
    assert [each.rule for each in finding.consequences] == ["LIF015"]


def test_a_late_answer_to_the_probe_is_an_answer() -> None:
    tape = begins(probed(), 3).server(error(1, -32601), 3.2)
    assert [each[:2] for each in found(closed(tape, 20))] == [("LIF015", "info")]


def test_a_probe_alone_that_is_not_answered_blames_nobody() -> None:
    assert found(closed(probed(), 60.1)) == [
        (
            "LIF016",
            "warning",
            "undecided",
            (2,),
            "server never answered server/discover; after 60.0 s the client closed stdin",
        )
    ]


def test_a_probe_that_is_ended_at_once_is_no_finding() -> None:
    tape = probed().event("signal", 0.9, name="SIGTERM", forwarded=True)
    assert found(tape.exit(1, "client-signal", None, "SIGTERM")) == []


@pytest.mark.parametrize(
    "tape",
    [
        probed(),
        closed(probed().client(told("notifications/cancelled", requestId=1), 10), 20),
        closed(probed().event("gap", 5, records=1, bytes=9, reason="full"), 20),
        probed().event("eof", 9, stream="s2c").exit(9, "server-exit", 1),
    ],
    ids=["no end", "cancelled", "a gap", "the server left"],
)
def test_a_probe_without_an_answer_proves_nothing(tape: Tape) -> None:
    assert "LIF016" not in [each[0] for each in found(tape)]


def test_a_server_that_answers_nothing_at_all_has_another_trouble() -> None:
    tape = probed().client(offer(), 10.1)
    findings = found(closed(tape, 40))
    assert [each[:2] for each in findings] == [("LIF010", "error"), ("LIF015", "info")]


def test_a_second_look_at_what_is_spoken_is_no_fallback() -> None:
    answer = result(1, supportedVersions=["2026-07-28"], capabilities={}, resultType="complete")
    tape = probed().server(answer, 0.2).client(modern(2, "server/discover"), 0.3)
    tape.server({**answer, "id": 2}, 0.4).server(request(0, "server/discover"), 0.5)
    assert "LIF015" not in [each[0] for each in found(closed(tape, 1))]


@pytest.mark.parametrize("path", sorted((RECORDINGS / "v1").glob("*.jsonl")), ids=lambda path: path.stem)
def test_real_sessions_have_no_errors_or_warnings_of_these_families(path: Path) -> None:
    for examination in examined(records_of(path), LIF):
        told = [each.rule for each in examination.findings()]
        assert told == (["LIF015"] if path.stem == "everything-py2-fallback" else [])
