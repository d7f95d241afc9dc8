"""A diagnosis as JUnit XML, in the dialect that CI servers read: a suite a session, a case a finding."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from xml.etree import ElementTree as ET

from mcp_tap.diagnosis.finding import Finding
from mcp_tap.diagnosis.report import SessionReport
from mcp_tap.views.terminal import no_command, visible


def junit_xml(reports: Sequence[SessionReport], fails: Callable[[Finding], bool]) -> str:
    """The document. ``fails`` says which findings are failures; the others are cases that passed."""
    root = ET.Element("testsuites", name="mcp-tap check")
    for report in reports:
        root.append(suite(report, fails))
    for count in ("tests", "failures"):
        root.set(count, str(sum(int(each.get(count, "0")) for each in root)))
    ET.indent(root)
    return ET.tostring(root, encoding="unicode", xml_declaration=False).join(
        ('<?xml version="1.0" encoding="UTF-8"?>\n', "\n")
    )


def suite(report: SessionReport, fails: Callable[[Finding], bool]) -> ET.Element:
    """A session: at least one case, so that a healthy one is seen to have been checked."""
    cases = [case_of(finding, fails(finding)) for finding in report.findings]
    if not any(each.find("failure") is not None for each in cases):
        cases.insert(0, healthy(report))
    name = visible(f"{report.name or 'session'} {report.session}")
    made = ET.Element(
        "testsuite",
        name=name,
        tests=str(len(cases)),
        failures=str(sum(each.find("failure") is not None for each in cases)),
        errors="0",
        skipped="0",
        time=f"{report.duration:.3f}",
    )
    if report.start:
        made.set("timestamp", visible(report.start).removesuffix("Z"))
    made.extend(cases)
    return made


def case_of(finding: Finding, failed: bool) -> ET.Element:
    """A finding."""
    made = ET.Element("testcase", classname=finding.rule, name=visible(finding.message), time="0")
    text = "\n".join(
        [
            f"{finding.severity}, {finding.culprit}, {finding.certainty}",
            f"fix: {visible(finding.next)}",
            "records: " + ", ".join(map(str, finding.records)),
            *(no_command(visible(each)) for each in finding.evidence),
        ]
    )
    inner = ET.SubElement(made, "failure" if failed else "system-out")
    if failed:
        inner.set("type", finding.rule)
        inner.set("message", visible(finding.message))
    inner.text = text
    return made


def healthy(report: SessionReport) -> ET.Element:
    """What stands for a session without a failure."""
    made = ET.Element("testcase", classname="session", name="no problems", time="0")
    ET.SubElement(made, "system-out").text = visible(report.verdict)
    return made
