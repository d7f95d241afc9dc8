"""How rules talk about requests, and faults that an answer decides."""

from __future__ import annotations

import pytest

from mcp_tap.diagnosis.asked import EXPLAINED_KEPT, HELD_REQUESTS, DecidedByAnswer, explain
from mcp_tap.diagnosis.case import Case
from mcp_tap.diagnosis.finding import Hit
from mcp_tap.diagnosis.text import called, key_of_request, short
from mcp_tap.model.exchange import Exchange
from tests.diagnosis.checking import begun, check, closed, rules_of
from tests.record_cases import Tape, error, request

RULES = rules_of("RPC021", "RPC022", "RPC023")


def exchange(method: str, target: str | None) -> Exchange:
    return Exchange("c2s", 1, method, target, 0, 0.0, 10)


def test_a_request_is_called_by_its_method_and_its_target_on_one_line() -> None:
    assert called(exchange("tools/list", None)) == "tools/list"
    assert called(exchange("tools/call", "a\n b")) == "tools/call `a b`"
    assert called(exchange("resources/read", "https://me:hunter2@x.org/")) == (
        "resources/read `https://[masked]@x.org/`"
    )
    assert len(called(exchange("x" * 500, "y" * 500))) < 130


def test_its_key_is_the_same_without_marks() -> None:
    assert key_of_request(exchange("tools/call", "export")) == "tools/call export"


def test_an_id_is_told_with_its_type_and_not_at_length() -> None:
    assert (short(5), short("5"), short(None)) == ("5", '"5"', "None")
    assert short("x" * 100) == '"' + "x" * 38 + "…"


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


def test_what_is_judged_is_for_the_rule_to_say() -> None:
    rule = DecidedByAnswer(Case(Tape().read()))
    with pytest.raises(NotImplementedError):
        rule.concerns(exchange("x", None))
    with pytest.raises(NotImplementedError):
        rule.judge(exchange("x", None), None)
