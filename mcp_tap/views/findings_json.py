"""A diagnosis as JSON: the object of ``check --json``. A contract: see JSON.md."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mcp_tap.diagnosis.finding import SEVERITIES, Finding
from mcp_tap.diagnosis.report import SessionReport, Stage

MICROSECONDS = 6
"""Digits of a time."""


def to_json(reports: Sequence[SessionReport]) -> dict[str, Any]:
    """The object: ``sessions`` and a ``summary`` of how many findings there are of each severity."""
    totals = {each: sum(report.counts()[each] for report in reports) for each in SEVERITIES}
    return {"sessions": [report_json(report) for report in reports], "summary": totals}


def report_json(report: SessionReport) -> dict[str, Any]:
    """One session."""
    return {
        "session": report.session,
        "file": report.file,
        "name": report.name,
        "start": report.start,
        "verdict": report.verdict,
        "lifecycle": [stage_json(stage) for stage in report.lifecycle],
        "findings": [finding_json(finding) for finding in report.findings],
    }


def stage_json(stage: Stage) -> dict[str, Any]:
    """One step of its life."""
    t = None if stage.t is None else round(stage.t, MICROSECONDS)
    return {"step": stage.step, "ok": stage.ok, "t": t, "detail": stage.detail}


def finding_json(finding: Finding) -> dict[str, Any]:
    """One finding."""
    return {
        "rule": finding.rule,
        "severity": finding.severity,
        "culprit": finding.culprit,
        "certainty": finding.certainty,
        "message": finding.message,
        "next": finding.next,
        "records": list(finding.records),
        "count": finding.count,
        "evidence": list(finding.evidence),
        "key": finding.key,
        "consequences": [
            {"rule": each.rule, "message": each.message, "records": list(each.records), "count": each.count}
            for each in finding.consequences
        ],
    }
