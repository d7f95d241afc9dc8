"""What people have reported, diagnosed: every case has its exact list of findings, and its verdict."""

from __future__ import annotations

import pytest

from mcp_tap.api import diagnose
from tests.record_cases import RECORDINGS
from tests.rules import sentences

CASES: dict[str, list[list[str]]] = {
    "A01": [
        ["FRM001 warning server"],
    ],
    "A02": [
        ["FRM017 warning server"],
    ],
    "A03": [
        ["FRM018 warning server"],
    ],
    "A04": [
        ["FRM016 error server <- LIF010"],
    ],
    "A05": [
        ["FRM007 error undecided <- PRO002", "LIF007 error client"],
    ],
    "A06": [
        ["FRM009 error server <- LIF017"],
    ],
    "A07": [
        ["FRM013 warning client"],
    ],
    "A08": [
        ["PRF010 info server"],
    ],
    "A09": [
        ["LIF022 warning server"],
    ],
    "A10": [
        ["FRM011 error server <- CAN002"],
    ],
    "A11": [
        ["RPC008 warning server", "RPC008 warning server"],
    ],
    "A12": [
        ["RPC002 error client <- LIF017 LIF017"],
    ],
    "A13": [
        ["RPC031 error server"],
    ],
    "A14": [
        ["LIF001 error client <- RPC026", "LIF003 error client <- RPC026"],
    ],
    "A15": [
        ["LIF009 error server <- RPC026"],
    ],
    "A16": [
        ["RPC018 error client <- LIF017 LIF017"],
    ],
    "A17": [
        ["LIF021 error client <- LIF017"],
    ],
    "A18": [
        ["CAP001 info client <- RPC026"],
    ],
    "A19": [
        ["PRG003 warning server"],
    ],
    "A20": [
        ["CAN003 warning undecided <- CAN002"],
    ],
    "A21": [
        ["PRO014 error launcher <- LIF010 PRO006"],
    ],
    "A22": [
        ["LIF023 warning client <- TAP006", "TAP004 info undecided"],
    ],
    "A23": [
        ["PRO006 warning server"],
    ],
    "A25": [
        ["PRO016 info client <- PRO004"],
    ],
    "A26": [
        ["PRO001 error environment"],
    ],
    "A27": [
        ["PRO002 error environment <- PRO008"],
    ],
    "A28": [
        ["PRO002 error environment <- PRO008 PRO009"],
    ],
    "A29": [
        ["LIF024 error undecided <- LIF017 LIF018"],
    ],
    "A30": [
        ["TOL003 error server", "PRV001 warning server"],
    ],
    "A31": [
        ["TOL001 error server", "TOL001 warning server", "TOL001 warning server"],
    ],
    "A32": [
        ["TOL008 error server"],
    ],
    "A33": [
        ["RES007 warning server"],
    ],
    "A34": [
        [],
    ],
    "A36": [
        [],
        ["PRO018 info undecided"],
    ],
}
"""Of each session its findings: rule, severity, culprit, and what follows from it."""


def test_there_is_a_recording_of_each() -> None:
    assert sorted(CASES) == sorted(path.stem for path in (RECORDINGS / "cases").glob("*.jsonl"))


@pytest.mark.parametrize("case", CASES)
def test_a_reported_failure_is_diagnosed(case: str) -> None:
    found = []
    for session in diagnose(RECORDINGS / "cases" / f"{case}.jsonl").sessions:
        findings = []
        for finding in session.findings:
            sentences.hold(finding)
            follows = " ".join(each.rule for each in finding.consequences)
            line = f"{finding.rule} {finding.severity} {finding.culprit}"
            findings.append(f"{line} <- {follows}" if follows else line)
        sentences.hold_verdict(case, session.verdict)
        found.append(findings)
    assert found == CASES[case]
