"""Consequences are told under their causes."""

from __future__ import annotations

import pytest

from mcp_tap.diagnosis import causality
from mcp_tap.diagnosis.causality import fold
from mcp_tap.diagnosis.finding import Finding, Hit


@pytest.fixture(autouse=True)
def table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(causality, "EXPLAINED_BY", {"B": ("A",), "C": ("B", "A"), "D": ("E",), "E": ("D",)})


def found(rule: str, *records: int, explains: set[int] | None = frozenset()) -> tuple[Finding, Hit]:  # type: ignore[assignment]  # never changed
    finding = Finding(rule, "error", "server", "proven", rule.lower(), "", "s", records)
    hit = Hit(
        "", "", "", "error", "server", "proven", explains=explains if explains is None else set(explains)
    )
    return finding, hit


def told(*pairs: tuple[Finding, Hit]) -> list[tuple[str, list[str]]]:
    return [(each.rule, [one.rule for one in each.consequences]) for each in fold(pairs)]


def test_a_finding_is_a_consequence_where_its_cause_names_its_record() -> None:
    assert told(found("A", 1, explains={7}), found("B", 7), found("B", 8)) == [("A", ["B"]), ("B", [])]


def test_a_cause_may_explain_whatever_is_listed() -> None:
    assert told(found("A", explains=None), found("B", 7), found("X", 7)) == [("A", ["B"]), ("X", [])]


def test_all_that_follows_is_told_under_the_first_cause() -> None:
    chain = told(found("A", 1, explains={2}), found("B", 2, explains={3}), found("C", 3))
    assert chain == [("A", ["B", "C"])]


def test_a_cause_that_is_not_there_explains_nothing() -> None:
    assert told(found("B", 1), found("C", 2)) == [("B", []), ("C", [])]


def test_two_that_explain_each_other_are_both_told() -> None:
    assert told(found("D", 1, explains=None), found("E", 2, explains=None)) == [("D", []), ("E", [])]
