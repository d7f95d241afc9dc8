"""LIF016: server/discover not answered."""

from __future__ import annotations

import pytest

from tests.diagnosis.checking import check, closed, facts
from tests.record_cases import Tape, told
from tests.rules.lifecycle.cases import LIF, found
from tests.rules.lifecycle.negotiation_cases import begins, probed


def test_a_server_that_never_answers_the_probe_ignores_unknown_requests() -> None:
    (finding,) = check(closed(begins(probed(), 10.1), 20), rules=LIF)
    assert facts([finding]) == [("LIF016", "warning", "server", (2,), "")]
    assert [each.rule for each in finding.consequences] == ["LIF015"]


def test_a_probe_alone_that_is_not_answered_blames_nobody() -> None:
    assert found(closed(probed(), 60.1)) == [("LIF016", "warning", "undecided", (2,), "")]


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
