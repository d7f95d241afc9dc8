"""What the tests of rules about credentials share."""

from __future__ import annotations

from typing import Any

from mcp_tap.diagnosis.finding import Finding
from tests.diagnosis.checking import begun, check, closed, held, rules_of
from tests.record_cases import Tape, request, result

RULES = rules_of("SEC001", "SEC002", "SEC003", "SEC012")


def found(tape: Tape, rule: str | None = None) -> list[Finding]:
    """What the rules of this family find."""
    return [each for each in held(check(tape, rules=RULES)) if rule in (None, each.rule)]


def lines(tape: Tape, rule: str | None = None) -> list[tuple[str, str, str, str]]:
    """Rule, severity, culprit and key of each finding."""
    return [(each.rule, each.severity, each.culprit, each.key) for each in found(tape, rule)]


def call(arguments: Any, name: str = "fetch") -> Tape:
    """A session with one call of a tool."""
    tape = begun().client(request(5, "tools/call", name=name, arguments=arguments), 1)
    return closed(tape.server(result(5, content=[]), 1.1), 2)
