"""``mcp-tap check --explain RULE`` and ``--rules``: what the rules are."""

from __future__ import annotations

import difflib
import sys

import orjson

from mcp_tap.diagnosis.rule import Rule
from mcp_tap.errors import ExitStatus, TapError
from mcp_tap.model.methods import ALL
from mcp_tap.rules.registry import BY_ID, RULES


def explain(name: str) -> int:
    """Print a rule's help page. Raises :class:`TapError` for a name that no rule has."""
    rule = BY_ID.get(name.upper())
    if rule is None:
        near = difflib.get_close_matches(name.upper(), BY_ID, n=1)
        hint = f", did you mean {near[0]}" if near else ""
        raise TapError(f"no rule is called {name}{hint}: mcp-tap check --rules lists them")
    print("\n".join(page(rule)))
    return ExitStatus.OK


def page(rule: type[Rule]) -> list[str]:
    """The help page with what the rule's attributes say."""
    title, _, text = rule.help().partition("\n")
    sure = "" if rule.certainty == "proven" else "; a guess: it looks like it, and may be something else"
    lines = [
        f"{rule.id}: {title}",
        f"{rule.severity} by default, {blame(rule)}{sure}; {versions(rule)}",
        *text.splitlines(),
    ]
    link = rule.link()
    return [*lines, "", f"Specification: {link}"] if link else lines


def blame(rule: type[Rule]) -> str:
    """Whose fault it is."""
    if rule.culprit == "sender":
        return "the fault of whoever sent it"
    if rule.culprit == "undecided":
        return "nobody's proven fault"
    return f"the {rule.culprit}'s fault" if rule.culprit != "environment" else "the fault of the environment"


def versions(rule: type[Rule]) -> str:
    """In which versions of MCP it holds."""
    if not rule.versions:
        return "in every version of MCP"
    known = [version for version in ALL if version in rule.versions]
    return f"in MCP {known[0]}" if len(known) == 1 else f"in MCP {known[0]} to {known[-1]}"


def list_rules(*, as_json: bool) -> int:
    """Print all rules, family by family."""
    if as_json:
        rules = [rule_json(rule) for rule in RULES]
        sys.stdout.write(orjson.dumps(rules, option=orjson.OPT_INDENT_2).decode() + "\n")
        return ExitStatus.OK
    from mcp_tap.views.terminal import shorten, terminal_width

    width = terminal_width()
    for rule in sorted(RULES, key=lambda rule: rule.id):
        print(shorten(f"{rule.id}  {rule.severity:<7}  {rule.culprit:<11}  {rule.title}", width))
    return ExitStatus.OK


def rule_json(rule: type[Rule]) -> dict[str, object]:
    """One of ``--rules --json``."""
    return {
        "rule": rule.id,
        "title": rule.title,
        "severity": rule.severity,
        "culprit": rule.culprit,
        "certainty": rule.certainty,
        "versions": sorted(rule.versions) or None,
        "next": rule.next,
        "specification": rule.link(),
    }
