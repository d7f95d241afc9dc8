"""From the reports of single sessions to one of all: held against each other, and as the user wants them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from mcp_tap.diagnosis.baseline import Baseline
from mcp_tap.diagnosis.finding import Finding, Severity
from mcp_tap.diagnosis.report import Report, SessionReport, with_findings
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.diagnosis.settings import Settings


def conclude(
    reports: Sequence[SessionReport],
    rules: Sequence[type[Rule]],
    settings: Settings,
    baseline: Baseline | None = None,
) -> Report:
    """One report of all sessions, by their start."""
    in_order = sorted(reports, key=lambda report: (report.start or "", report.session))
    return Report(tuple(adjusted(each, settings, baseline) for each in compared(in_order, rules)))


def compared(reports: Sequence[SessionReport], rules: Sequence[type[Rule]]) -> Iterator[SessionReport]:
    """``reports`` with what can be said of several sessions together."""
    # A session that lies in two files, as a copy or in parts, is one session all the same.
    digests = list({report.session: report.digest for report in reversed(reports)}.values())[::-1]
    by_session: dict[str, list[Finding]] = {}
    for rule in rules:
        for finding in rule.across(digests):
            by_session.setdefault(finding.session, []).append(finding)
    for report in reports:
        more = by_session.get(report.session)
        yield with_findings(report, [*report.findings, *more]) if more else report


def adjusted(report: SessionReport, settings: Settings, baseline: Baseline | None) -> SessionReport:
    """``report`` without what is switched off or accepted, and with the severities that the user has set."""
    found = [
        with_severity(finding, settings.severities.get(finding.rule))
        for finding in report.findings
        if settings.wants(finding.rule)
    ]
    if baseline is not None:
        found = [finding for finding in found if not baseline.accepts(report.server_key, finding)]
    return with_findings(report, found)


def with_severity(finding: Finding, severity: Severity | None) -> Finding:
    """``finding``, which counts for as much as the user says."""
    return finding if severity is None else replace(finding, severity=severity)
