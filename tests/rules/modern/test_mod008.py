"""MOD008: second attempt with the same id."""

from __future__ import annotations

from tests.diagnosis.checking import check, closed, facts, rules_of
from tests.record_cases import error, modern
from tests.rules.modern.cases import rules
from tests.rules.modern.round_trips_cases import ROUND_TRIPS, again, asked


def test_coming_back_with_the_same_id_is_the_clients_fault() -> None:
    tape = asked().client(modern(5, "tools/call", name="book", arguments={"n": 1}, requestState="s1"), 2)
    tape.server(error(5, -32600), 2)
    (finding,) = check(closed(tape, 3), rules=[*ROUND_TRIPS, *rules_of("RPC026")])
    assert facts([finding]) == [("MOD008", "error", "client", (4, 6), "tools/call book")]
    assert [each.rule for each in finding.consequences] == ["RPC026"]


def test_the_same_digits_as_another_json_type_are_another_id() -> None:
    assert rules(again(asked(), id="5", requestState="s1")) == []
