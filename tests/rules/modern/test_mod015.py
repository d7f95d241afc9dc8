"""MOD015: response sent by the client."""

from __future__ import annotations

from mcp_tap.rules.registry import RULES
from tests.diagnosis.checking import begun, check, closed, facts
from tests.record_cases import error, result
from tests.rules.modern.cases import rules, spoken


def test_a_response_of_the_client_is_its_fault() -> None:
    tape = spoken().client(result(7, roots=[]), 1).client(error("x", -32601), 2)
    found = check(closed(tape, 3), rules=RULES)
    assert facts(found) == [("MOD015", "error", "client", (4, 5), "")]


def test_what_reports_a_bad_line_and_what_may_answer_something_is_let_pass() -> None:
    assert rules(spoken().client(error(None, -32700), 1)) == []
    assert rules(spoken().server(b"{not json", 0.9).client(result(7), 1)) == []
    assert rules(spoken().event("gap", 0.9, reason="disk full").client(result(7), 1)) == []
    assert rules(begun().client(result(7), 1)) == []
