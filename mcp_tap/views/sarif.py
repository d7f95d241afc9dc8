"""A diagnosis as SARIF 2.1.0 (OASIS), as code scanning services read it."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import PurePath
from typing import Any
from urllib.parse import quote

from mcp_tap import __version__
from mcp_tap.diagnosis.finding import Finding, Severity
from mcp_tap.diagnosis.report import SessionReport
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.views.findings import sentence
from mcp_tap.views.links import rule_url
from mcp_tap.views.terminal import visible

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

LEVELS: dict[Severity, str] = {"error": "error", "warning": "warning", "info": "note"}

Lines = Mapping[tuple[str, str, int], int]
"""The line in its file of a record: of (file, session, number)."""

PLACES = 10
"""Records of a finding that are named as places; the message tells how many there are."""


def sarif_log(
    reports: Sequence[SessionReport], rules: Mapping[str, type[Rule]], lines: Lines
) -> dict[str, Any]:
    """The log, with one run. ``rules`` are all there are, by id; those with findings are described."""
    used = sorted({finding.rule for report in reports for finding in report.findings})
    places = {rule: at for at, rule in enumerate(used)}
    driver = {
        "name": "mcp-tap",
        "semanticVersion": __version__,
        "rules": [descriptor(rules[rule]) for rule in used],
    }
    results = [
        result(finding, report, places[finding.rule], lines)
        for report in reports
        for finding in report.findings
    ]
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def descriptor(rule: type[Rule]) -> dict[str, Any]:
    """A rule. ``helpUri`` is its page; the specification, where it has a say, is a property."""
    page, specification = rule.help(), rule.link()
    described: dict[str, Any] = {
        "id": rule.id,
        "shortDescription": {"text": rule.title},
        "fullDescription": {"text": page.partition("\n")[0]},
        "help": {"text": page + (f"\n\nSpecification: {specification}" if specification else "")},
        "helpUri": rule_url(rule.id),
        "defaultConfiguration": {"level": LEVELS[rule.severity]},
    }
    return described | ({"properties": {"specification": specification}} if specification else {})


def result(finding: Finding, report: SessionReport, at: int, lines: Lines) -> dict[str, Any]:
    """A finding."""
    records = finding.records[:PLACES] or (None,)
    return {
        "ruleId": finding.rule,
        "ruleIndex": at,
        "level": LEVELS[finding.severity],
        "message": {"text": visible(f"{sentence(finding.message)} {sentence(finding.next)}")},
        "locations": [location(report, records[0], lines)],
        "relatedLocations": [location(report, record, lines) for record in records[1:]],
        "occurrenceCount": max(1, finding.count),
        "partialFingerprints": {"mcpTapFinding/v1": fingerprint(finding, report)},
        "properties": {
            "culprit": finding.culprit,
            "certainty": finding.certainty,
            "session": finding.session,
            "records": list(finding.records),
        },
    }


def location(report: SessionReport, record: int | None, lines: Lines) -> dict[str, Any]:
    """Where a record stands; the beginning of the file where it is not known."""
    line = lines.get((report.file, report.session, record), 1) if record is not None else 1
    return {
        "physicalLocation": {
            "artifactLocation": {"uri": uri_of(report.file)},
            "region": {"startLine": line},
        }
    }


def uri_of(file: str) -> str:
    """A file's name as a URI reference; a relative name stays relative."""
    path = PurePath(file)
    return path.as_uri() if path.is_absolute() else quote(path.as_posix(), errors="surrogateescape")


def fingerprint(finding: Finding, report: SessionReport) -> str:
    """The same for the same finding in another session of the server."""
    parts = (finding.rule, finding.key, finding.culprit, report.name or "")
    return hashlib.sha256("\0".join(parts).encode(errors="replace")).hexdigest()[:32]
