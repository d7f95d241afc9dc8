"""LIF012: client gave up after version negotiation."""

from __future__ import annotations

import pytest

from tests.diagnosis.checking import check, closed, facts
from tests.record_cases import Tape, request, result
from tests.rules.lifecycle.cases import INITIALIZED, LIF, found
from tests.rules.lifecycle.negotiation_cases import answered


def test_a_client_that_leaves_after_another_version_looks_like_it_does_not_speak_it() -> None:
    (finding,) = check(closed(answered("2024-11-05"), 0.7), rules=LIF)
    assert facts([finding]) == [("LIF012", "error", "undecided", (2, 3), "2025-11-25, 2024-11-05")]
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
