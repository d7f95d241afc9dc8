"""``mcp-tap check --explain RULE`` and ``--rules``: what the rules are."""

from __future__ import annotations

import difflib
import sys

import orjson

from mcp_tap.diagnosis.rule import Rule
from mcp_tap.errors import ExitStatus, TapError, one_line
from mcp_tap.model.methods import ALL
from mcp_tap.rules.registry import BY_ID, RULES

FAMILIES = {
    "CAN": "cancellation",
    "CAP": "capabilities",
    "FRM": "framing and encoding of lines",
    "LIF": "lifecycle: handshake and answers",
    "MOD": "MCP 2026-07-28, without a handshake",
    "PRF": "performance",
    "PRG": "progress",
    "PRO": "the server process",
    "PRV": "what model providers refuse",
    "RES": "results",
    "RPC": "JSON-RPC messages",
    "SEC": "security",
    "TAP": "the recording itself",
    "TOL": "tools",
}
"""What the families of rules are about, by what their ids begin with."""


def explain(name: str) -> int:
    """Print a rule's help page. Raises :class:`TapError` for a name that no rule has."""
    rule = BY_ID.get(name.upper())
    if rule is None:
        near = difflib.get_close_matches(name.upper(), BY_ID, n=1)
        hint = f" (did you mean {near[0]}?)" if near else ""
        raise TapError(f"unknown rule {one_line(name)}{hint}: mcp-tap check --rules lists all rules")
    print("\n".join(page(rule)))
    return ExitStatus.OK


def page(rule: type[Rule]) -> list[str]:
    """The help page with what the rule's attributes say."""
    title, _, text = rule.help().partition("\n")
    blamed = "whoever sent it" if rule.culprit == "sender" else blame(rule)
    sure = "" if rule.certainty == "proven" else " (likely; not proven)"
    lines = [
        f"{rule.id}: {title}",
        f"{rule.severity} by default; at fault: {blamed}{sure}; {versions(rule)}",
        *text.splitlines(),
    ]
    link = rule.link()
    return [*lines, "", f"Specification: {link}"] if link else lines


def blame(rule: type[Rule]) -> str:
    """Whose fault it is."""
    return "unknown" if rule.culprit == "undecided" else rule.culprit


def versions(rule: type[Rule]) -> str:
    """The versions of MCP that it applies to."""
    if not rule.versions:
        return "all versions of MCP"
    known = [version for version in ALL if version in rule.versions]
    return f"MCP {known[0]}" if len(known) == 1 else f"MCP {known[0]} to {known[-1]}"


def list_rules(*, as_json: bool) -> int:
    """Print all rules, family by family."""
    if as_json:
        rules = [rule_json(rule) for rule in RULES]
        sys.stdout.write(orjson.dumps(rules, option=orjson.OPT_INDENT_2).decode() + "\n")
        return ExitStatus.OK
    from mcp_tap.views.terminal import shorten, table_width

    width, family = table_width(), ""
    for rule in sorted(RULES, key=lambda rule: rule.id):
        if rule.id[:3] != family:
            print(("\n" if family else "") + f"{rule.id[:3]}: {FAMILIES[rule.id[:3]]}")
            family = rule.id[:3]
        print(shorten(f"  {rule.id}  {rule.severity:<7}  {blame(rule):<11}  {rule.title}", width))
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
