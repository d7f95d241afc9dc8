"""Which finding explains which: a consequence is told under its cause, not as a fault of its own."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from mcp_tap.rules.finding import Consequence, Finding, Hit

EXPLAINED_BY: dict[str, tuple[str, ...]] = {}
"""A rule, and those whose findings account for its own, the first that fits first.

A finding is a consequence if it is listed here and the cause's ``explains`` holds one of its
records; or, where that is None, in any case. Order matters: causes of causes come first."""


def fold(found: Iterable[tuple[Finding, Hit]]) -> list[Finding]:
    """The findings that are faults of their own, each with what follows from it."""
    pairs = list(found)
    by_rule: dict[str, list[tuple[Finding, Hit]]] = {}
    for pair in pairs:
        by_rule.setdefault(pair[0].rule, []).append(pair)
    cause_of: dict[int, int] = {}
    for finding, _ in pairs:
        cause = next(
            (
                other
                for rule in EXPLAINED_BY.get(finding.rule, ())
                for other, hit in by_rule.get(rule, ())
                if other is not finding and accounts_for(hit, finding)
            ),
            None,
        )
        if cause is not None:
            cause_of[id(finding)] = id(cause)
    consequences: dict[int, list[Consequence]] = {}
    for finding, _ in pairs:
        if id(finding) in cause_of:
            root = first_cause(id(finding), cause_of)
            if root != id(finding):
                told = Consequence(finding.rule, finding.message, finding.records, finding.count)
                consequences.setdefault(root, []).append(told)
    return [
        replace(finding, consequences=tuple(consequences[id(finding)]))
        if id(finding) in consequences
        else finding
        for finding, _ in pairs
        if first_cause(id(finding), cause_of) == id(finding)
    ]


def accounts_for(cause: Hit, finding: Finding) -> bool:
    """Whether ``cause`` explains ``finding``."""
    return cause.explains is None or not cause.explains.isdisjoint(finding.records)


def first_cause(finding: int, cause_of: dict[int, int]) -> int:
    """Where a chain of causes begins; itself where there is none, or where causes go in a circle."""
    seen = {finding}
    at = finding
    while at in cause_of:
        at = cause_of[at]
        if at in seen:
            return finding
        seen.add(at)
    return at
