"""Which finding explains which: a consequence is reported under its cause, not as a fault of its own."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from mcp_tap.diagnosis.finding import Consequence, Finding, Hit

LOST = (
    *("FRM001", "FRM003", "FRM004", "FRM005", "FRM007", "FRM009", "FRM010", "FRM011", "FRM013", "FRM016"),
    *(
        "RPC001",
        "RPC002",
        "RPC003",
        "RPC005",
        "RPC006",
        "RPC007",
        "RPC009",
        "RPC011",
        "RPC014",
        "RPC015",
        "RPC018",
    ),
)
"""Rules about messages that the other side cannot read, or cannot match: what waits for them follows."""

EXPLAINED_BY: dict[str, tuple[str, ...]] = {
    # FRM: blank lines are part of the text that they stand in.
    "FRM006": ("FRM001", "FRM002", "FRM017"),
    # LIF: the handshake, and what was never answered.
    "LIF006": ("MOD014",),
    "LIF009": ("LIF007", "LIF008", "PRV010"),
    "LIF010": ("PRO001", "PRO002", "PRO014", *LOST),
    "LIF011": ("LIF012", "LIF013"),
    "LIF012": ("LIF013",),
    "LIF014": ("LIF010",),
    "LIF015": ("LIF016", "MOD018", "MOD001"),
    "LIF017": (
        *("PRO003", "PRO005", "LIF010", "LIF021", "LIF022", "LIF023", "LIF024"),
        *LOST,
        "RPC016",
        *("LIF001", "LIF002", "LIF003", "LIF004"),
        *("RPC021", "RPC022", "RPC023", "RPC024", "CAP003"),
        *("MOD001", "MOD008", "MOD009", "MOD014"),
    ),
    "LIF018": ("PRO003", "PRO005", "LIF010", "LIF022", "LIF023", "LIF024", *LOST),
    "LIF021": ("CAP003", "LIF006", "RPC021", "MOD014", *LOST),
    "LIF024": ("LIF023", "LIF021", *LOST),
    # RPC, CAP, CAN: the error that answers what should not have been sent, or not like that.
    "RPC026": (
        *("LIF009", "LIF001", "LIF002", "LIF003", "LIF004", "LIF006", "LIF008", "LIF015"),
        *("MOD001", "MOD008", "MOD009", "MOD014", "MOD018", "MOD019"),
        *("RPC002", "RPC001", "RPC003", "RPC014", "RPC015", "RPC021", "RPC022", "RPC023", "RPC024"),
        *("CAP001", "CAP002", "CAP003", "TOL006", "TOL007", "PRV010"),
        *("RPC030", "RPC027", "RPC028", "RPC029"),
    ),
    "RPC030": (
        *("FRM002", "FRM003", "FRM004", "FRM006", "FRM009", "FRM010", "FRM011", "FRM013", "FRM016"),
        *("RPC001", "RPC002", "RPC003", "RPC011", "RPC014", "RPC018", "RPC024"),
        *("LIF009", "LIF001", "LIF003", "LIF004", "LIF008"),
    ),
    "CAN002": (
        *("CAN003", "LIF014", "LIF021", "LIF022", "LIF023", "LIF024", "RPC008"),
        *LOST,
    ),
    "RPC021": ("MOD014",),
    "RPC023": ("LIF005", "MOD014"),
    "RPC024": ("LIF007", "TOL007"),
    "RPC027": ("LIF009",),
    "CAN003": ("LIF014",),
    # MOD: what a server should not have asked back for, nobody comes back to.
    "MOD011": ("MOD006", "MOD007"),
    # TOL, RES: pages that repeat themselves, and a tool's complaint about what it was given.
    "TOL002": ("TOL016",),
    "RES006": ("TOL006", "TOL007", "RPC024", "PRV010"),
    "PRF004": ("PRV009",),
    # PRO: how the server ended accounts for what it said last, and for how it left.
    "PRO001": ("PRV010",),
    "PRO002": ("FRM007", "PRV010"),
    "PRO003": ("PRO005", "PRV010"),
    "PRO004": ("PRO014", "PRO016", "PRV010"),
    "PRO006": ("PRO014",),
    "PRO007": ("PRO014",),
    "PRO008": ("PRO001", "PRO002", "PRO014", "PRO005", "PRO003", "PRO019", "PRO016", "PRO004"),
    "PRO009": ("PRO001", "PRO002", "PRO014", "PRO005", "PRO003", "PRO019", "PRO016", "PRO004"),
    "PRO011": ("PRO002", "PRO003"),
    "PRO012": ("PRO014",),
    "TAP004": ("PRO006", "PRO014"),
    "TAP006": ("LIF023",),
    "PRF001": ("LIF018", "LIF021", "LIF022"),
    "PRF002": ("LIF018", "LIF021", "LIF022"),
    "PRF003": ("LIF022",),
    "PRO016": ("LIF022",),
    "LIF003": ("RPC015", "RPC021"),
}
"""A rule, and those whose findings account for its own, the first that fits first.

A finding is a consequence if it is listed here and the cause's ``explains`` holds one of its
records; or, where that is None, in any case. Order matters: causes of causes come first."""


WHOLLY = frozenset({"RES006", "PRF004"})
"""Rules whose findings follow from another only if all their records do: one has many reasons."""


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
                consequence = Consequence(finding.rule, finding.message, finding.records, finding.count)
                consequences.setdefault(root, []).append(consequence)
    return [
        replace(finding, consequences=tuple(consequences[id(finding)]))
        if id(finding) in consequences
        else finding
        for finding, _ in pairs
        if first_cause(id(finding), cause_of) == id(finding)
    ]


def accounts_for(cause: Hit, finding: Finding) -> bool:
    """Whether ``cause`` explains ``finding``."""
    if cause.explains is not None and finding.rule in WHOLLY:
        return cause.explains.issuperset(finding.records)
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
