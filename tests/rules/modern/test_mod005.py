"""MOD005: input_required where it is not allowed."""

from __future__ import annotations

from tests.record_cases import modern
from tests.rules.modern.cases import asks_back, found, rules, spoken


def test_asking_back_where_it_is_not_allowed_is_the_servers_fault() -> None:
    tape = spoken().client(modern(2, "tools/list"), 1).server(asks_back(2), 1)
    assert found(tape) == [("MOD005", "error", "server", (4, 5), "tools/list")]


def test_of_methods_that_are_not_known_nothing_is_said() -> None:
    assert rules(spoken().client(modern(2, "tasks/update"), 1).server(asks_back(2), 1)) == []
