"""A diagnosis as workflow commands of GitHub Actions: an annotation a finding."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mcp_tap.diagnosis.finding import Finding, Severity
from mcp_tap.diagnosis.report import SessionReport
from mcp_tap.views.findings import sentence
from mcp_tap.views.sarif import Lines
from mcp_tap.views.terminal import visible

COMMANDS: dict[Severity, str] = {"error": "error", "warning": "warning", "info": "notice"}


def github_lines(reports: Sequence[SessionReport], titles: dict[str, str], lines: Lines) -> Iterator[str]:
    """The commands. ``titles`` are those of the rules, by id."""
    for report in reports:
        for finding in report.findings:
            yield command(finding, report, titles[finding.rule], lines)


def command(finding: Finding, report: SessionReport, title: str, lines: Lines) -> str:
    """One finding: ``::error file=F,line=N,title=T::text``."""
    first = finding.records[0] if finding.records else None
    line = 1 if first is None else lines.get((report.file, report.session, first), 1)
    name = f"{finding.rule}: {title}"
    where = f"file={inside(report.file)},line={line},title={inside(name)}"
    text = f"{visible(sentence(finding.message))}\n{visible(sentence(finding.next))}"
    return f"::{COMMANDS[finding.severity]} {where}::{data(text)}"


def data(text: str) -> str:
    """Text of a command, in which a line would end."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def inside(value: str) -> str:
    """A property of a command, which would end at a colon or a comma."""
    return data(visible(value)).replace(":", "%3A").replace(",", "%2C")
