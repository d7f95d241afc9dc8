"""What the tests of rules about the start of a server share."""

from __future__ import annotations

from mcp_tap.diagnosis.finding import Finding
from tests.diagnosis.checking import Told, check, facts, rules_of
from tests.record_cases import Tape
from tests.rules import sentences

RULES = rules_of("PRO001", "PRO002", "PRO008", "PRO009", "PRO014")

LAUNCHD = "/usr/bin:/bin:/usr/sbin:/sbin"


def found(tape: Tape) -> list[Told]:
    """What this family finds: rule, severity, culprit, records, key."""
    return facts(check(tape, rules=RULES))


def one(tape: Tape) -> Finding:
    """The one finding of this family; its words are held."""
    (finding,) = check(tape, rules=RULES)
    sentences.hold(finding)
    return finding
