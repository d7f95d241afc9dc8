"""Every rule's help page: what must be in it, and its examples, run."""

from __future__ import annotations

import re

import pytest

from mcp_tap.diagnosis.rule import Rule
from mcp_tap.rules.registry import RULES
from tests.diagnosis.checking import check_together, names
from tests.rules.examples import Example, examples_of

EXAMPLES = [
    pytest.param(rule, example, id=f"{rule.id}-{example.kind}-{number}")
    for rule in RULES
    for number, example in enumerate(examples_of(rule.help()), 1)
]


@pytest.mark.parametrize(("rule", "example"), EXAMPLES)
def test_an_example_shows_what_it_is_to_show(rule: type[Rule], example: Example) -> None:
    found = check_together(example.tapes())
    told = [f"{finding.rule} {finding.severity} {finding.message}" for finding in found]
    if example.kind == "Fails":
        assert sorted(set(names(found))) == sorted({rule.id, *example.also}), told
    else:
        assert rule.id not in names(found), told
        loud = [finding.rule for finding in found if finding.severity != "info"]
        assert sorted(set(loud)) == sorted(example.also), told


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_a_help_page_says_what_it_means_why_it_matters_and_what_to_do(rule: type[Rule]) -> None:
    page = rule.help()
    for part in ("What it means: ", "Why it matters: ", "What to do: "):
        assert re.search(f"^{part}", page, re.MULTILINE), f"{rule.id} lacks {part}"
    assert {example.kind for example in examples_of(page)} == {"Fails", "Passes"}


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_a_rule_is_described(rule: type[Rule]) -> None:
    assert re.fullmatch(r"[A-Z]{3}\d{3}", rule.id)
    assert rule.title
    assert rule.title[-1] != "."
    assert rule.next
    assert rule.culprit in ("server", "client", "launcher", "environment", "tap", "undecided", "sender")
    assert rule.severity in ("error", "warning", "info")
    assert rule.certainty in ("proven", "heuristic")
    assert not rule.spec or re.match(r"\d{4}-\d\d-\d\d/", rule.spec), rule.spec


def test_ids_are_unique() -> None:
    ids = [rule.id for rule in RULES]
    assert sorted(set(ids)) == sorted(ids)
