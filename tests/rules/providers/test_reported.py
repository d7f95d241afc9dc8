"""Failures that people reported: what is found in each of them, and that its healthy twin is silent."""

from __future__ import annotations

import pytest

from tests.diagnosis.checking import Told, diagnosed, facts
from tests.record_cases import RECORDINGS
from tests.rules.sentences import hold_verdict

FOUND: dict[str, tuple[list[Told], list[str]]] = {
    "01-toplevel-anyof": ([("PRV001", "warning", "server", (6,), "")], []),
    "05-base64-in-text": ([("PRV009", "warning", "server", (8,), "snap")], []),
    "07-stringified-args": (
        [("TOL007", "warning", "client", (7,), "add_rows rows type encoded")],
        ["RPC026"],
    ),
    "13-root-anyof": ([("PRV001", "warning", "server", (6,), "")], []),
    "15-array-no-items": ([("PRV003", "warning", "server", (6,), "")], []),
    "22-image-mime-wrong": ([("PRV008", "warning", "server", (8,), "screenshot image")], []),
    "27-args-stringified": (
        [("TOL007", "warning", "client", (7,), "batch_execute commands type encoded")],
        ["RES006"],
    ),
    "28-unexpanded-placeholder": ([("PRV010", "warning", "client", (0, 8), "command line")], ["RES006"]),
    "29-prompt-placeholder": ([("PRV010", "warning", "client", (9,), "quick_wins site")], []),
    "33-empty-text": ([("PRV007", "warning", "server", (8,), "grep")], []),
    "53-placeholder-in-args": ([("PRV010", "error", "client", (0, 3), "command line")], ["PRO002"]),
    "58-image-data-uri": ([("RES003", "error", "server", (8,), "latest_image image")], []),
}
"""By recording, all that is found in it, and the rules of what follows from that."""


@pytest.mark.parametrize("name", FOUND)
def test_a_reported_failure_is_one_finding(name: str) -> None:
    (report,) = diagnosed((RECORDINGS / "reported" / f"{name}.jsonl").read_bytes().splitlines(keepends=True))
    expected, following = FOUND[name]
    assert facts(report.findings) == expected
    assert [each.rule for finding in report.findings for each in finding.consequences] == following
    hold_verdict(name, report.verdict)


@pytest.mark.parametrize("name", FOUND)
def test_its_healthy_twin_is_silent(name: str) -> None:
    lines = (RECORDINGS / "reported" / f"{name}.ok.jsonl").read_bytes().splitlines(keepends=True)
    (report,) = diagnosed(lines)
    assert list(report.findings) == []
    assert report.verdict.startswith("Healthy: ")
