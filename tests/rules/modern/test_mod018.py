"""MOD018: server/discover is not implemented."""

from __future__ import annotations

from mcp_tap.rules.registry import RULES
from tests.diagnosis.checking import begun, check, closed, facts
from tests.record_cases import error, modern, result
from tests.rules.modern.cases import HINTS, complete, rules, spoken, unshown


def test_a_server_that_speaks_the_version_and_knows_no_discovery_is_at_fault() -> None:
    tape = unshown().client(modern(2, "prompts/list"), 1).server(complete(2, prompts=[], **HINTS), 1)
    found = check(closed(tape, 3), rules=RULES)
    assert facts(found) == [("MOD018", "error", "server", (2, 3), "")]
    assert [each.rule for each in found[0].consequences] == ["RPC026"]


def test_a_server_of_before_need_not_know_it_nor_one_that_is_in_a_session_of_before() -> None:
    tape = unshown().client(modern(2, "prompts/list"), 1).server(result(2, prompts=[]), 1)
    assert rules(tape) == []
    tape = begun().client(modern(1, "server/discover"), 1).server(error(1, -32601), 1)
    assert rules(tape.client(modern(2, "prompts/list"), 1).server(complete(2, prompts=[], **HINTS), 1)) == []
    assert rules(spoken().client(modern(2, "server/discover"), 1).server(error(2, -32603), 1)) == []
