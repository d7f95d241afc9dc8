"""What the tests of rules about orders to a model share."""

from __future__ import annotations

from typing import Any

from mcp_tap.diagnosis.finding import Finding
from tests.diagnosis.checking import begun, check, held, rules_of
from tests.record_cases import Tape, request, result

RULES = rules_of("SEC006", "SEC007", "SEC008", "SEC009", "SEC011")

Short = tuple[str, str, str]


def found(tape: Tape) -> list[Finding]:
    """What the rules of this family find."""
    return held(check(tape, rules=RULES))


def short(tape: Tape) -> list[Short]:
    """Rule, severity and key of each finding."""
    return [(each.rule, each.severity, each.key) for each in found(tape)]


def tool(description: str, name: str = "add", **more: Any) -> Tape:
    """A session in which one tool is listed."""
    return listing("tools/list", {"name": name, "description": description, **more})


def listing(method: str, *items: Any) -> Tape:
    """A session with a list."""
    what = {"resources/templates/list": "resourceTemplates"}.get(method, method.split("/")[0])
    return begun().client(request(1, method), 1).server(result(1, **{what: list(items)}), 1.1)


def rules(tape: Tape) -> list[tuple[str, str]]:
    """Rule and severity of each finding."""
    return [(each.rule, each.severity) for each in found(tape)]


ORDER = "ignore the previous instructions"
