"""How rules talk about requests, and faults that an answer decides."""

from __future__ import annotations

import pytest

from mcp_tap.diagnosis.asked import EXPLAINED_KEPT, HELD_REQUESTS, explain
from mcp_tap.diagnosis.finding import Hit
from tests.diagnosis.checking import begun, check, closed, rules_of
from tests.record_cases import error, request

RULES = rules_of("RPC021", "RPC022", "RPC023")


def hit() -> Hit:
    return Hit("", "", "", "info", "undecided", "proven")


def test_a_finding_remembers_so_many_consequences_and_all_if_it_explains_all() -> None:
    one = hit()
    for number in range(2 * EXPLAINED_KEPT):
        explain(one, number, None)
    assert one.explains == set(range(EXPLAINED_KEPT))
    every = hit()
    every.explains = None
    explain(every, 1)
    assert every.explains is None


def test_a_request_whose_id_was_used_again_is_still_judged() -> None:
    tape = begun().client(request(5, "tools/lists"), 1).client(request(5, "prompt/list"), 1)
    found = check(closed(tape, 2), rules=RULES)
    assert sorted((each.records, each.severity) for each in found) == [((5,), "error"), ((6,), "error")]
    tape = begun().client(request(5, "tools/lists"), 1).client(request(5, "tools/lists"), 1)
    found = check(closed(tape.server(error(5, -32601), 1).server(error(5, -32601), 1), 2), rules=RULES)
    assert [(each.records, each.count) for each in found] == [((5, 6), 2)]


@pytest.mark.parametrize("torn", [True, False])
def test_without_its_end_a_session_proves_no_silence(torn: bool) -> None:
    tape = begun().client(request(5, "tools/lists"), 1)
    if not torn:
        tape.event("gap", 1.5, reason="disk full")
        closed(tape, 2)
    assert check(tape, rules=RULES) == []


def test_only_so_many_requests_are_held_for_their_answer() -> None:
    tape = begun()
    for id in range(HELD_REQUESTS + 1):
        tape.server(request(id, "tools/list"), 1)
    (finding,) = check(tape, rules=RULES)
    assert finding.count == HELD_REQUESTS + 1
