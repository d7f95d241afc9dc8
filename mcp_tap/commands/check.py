"""``mcp-tap check``: what is wrong in recordings, who is at fault, how sure that is, what to do."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import orjson

from mcp_tap.commands.check_options import Form, Options, read_text
from mcp_tap.commands.check_options import write_text as write_file
from mcp_tap.commands.reading import BUFFER, Reading, places_of
from mcp_tap.diagnosis.baseline import Baseline, Examined, write_baseline
from mcp_tap.diagnosis.config import FailOn
from mcp_tap.diagnosis.finding import SEVERITIES, Finding, Severity
from mcp_tap.diagnosis.json_schema import not_checked
from mcp_tap.diagnosis.recording import Diagnosis
from mcp_tap.diagnosis.report import Report, with_findings
from mcp_tap.diagnosis.settings import Settings
from mcp_tap.diagnosis.text import plural
from mcp_tap.errors import ExitStatus, TapError, one_line
from mcp_tap.model.session import Sessions
from mcp_tap.process.own_streams import warn_stderr
from mcp_tap.record.find import RecordingLocation, find_recordings
from mcp_tap.rules.registry import BY_ID, RULES
from mcp_tap.views.findings_json import to_json


@dataclass(frozen=True, slots=True)
class Outcome:
    """All that was found, and what could not be read."""

    reports: list[Report]
    reading: Reading


def check(paths: list[str], options: Options | None = None, *, log_dir: str | None = None) -> int:
    """Diagnose the sessions in ``paths`` (default: the newest recording).

    Returns 1 if there is a finding of the severity ``fail_on`` or a worse one, 2 if a file could not be
    read, with a sentence for each on stderr. Where a baseline is written nothing is reported, and what is
    found is accepted. Raises :class:`TapError` where nothing is meant.
    """
    options = options or Options()
    places = places_of(paths, log_dir) if paths else find_recordings(None, log_dir)
    outcome = examine(places, options)
    if not outcome.reports and not outcome.reading.failed:
        names = ", ".join(one_line(place.path) for place in places[:3])
        raise TapError(f"{names} has no record in it: is it a recording?")
    if options.write_to is not None:
        accept(outcome.reports, options.write_to)
    else:
        write(outcome.reports, options.form, options.fail_on)
    outcome.reading.report()
    if why := not_checked():
        warn_stderr(f"the schemas of tools, and what was held against them, are not checked: {why}")
    if outcome.reading.failed:
        return ExitStatus.FAILED
    failed = options.write_to is None and fails(outcome.reports, options.fail_on)
    return ExitStatus.FINDINGS if failed else ExitStatus.OK


def accept(reports: list[Report], name: str) -> None:
    """Write a baseline that knows all of ``reports``; what it says of other servers stays."""
    before = Baseline.parse(read_text(name), one_line(name)) if os.path.exists(name) else None
    known = [Examined(report.server_key, report.findings, report.tools) for report in reports]
    write_file(name, write_baseline(known, before))
    servers = {report.server_key for report in reports}
    findings = sum(len(report.findings) for report in reports)
    warn_stderr(
        f"{name} accepts {plural(findings, 'finding')} in {plural(len(reports), 'session')} "
        f"of {plural(len(servers), 'server')}"
    )


def fails(reports: Iterable[Report], fail_on: FailOn) -> bool:
    """Whether there is a finding that is as bad as that."""
    return any(is_as_bad(finding, fail_on) for report in reports for finding in report.findings)


def is_as_bad(finding: Finding, fail_on: FailOn) -> bool:
    """Whether ``finding`` is of that severity, or a worse one."""
    return fail_on != "never" and SEVERITIES.index(finding.severity) <= SEVERITIES.index(fail_on)


def examine(places: Sequence[RecordingLocation], options: Options) -> Outcome:
    """Diagnose all sessions in ``places``, each by itself and against the others."""
    # What is accepted anew is told of as if nothing had been known.
    baseline = options.baseline if options.write_to is None else None
    reading = Reading()
    reports: list[Report] = []
    for place in places:
        with reading.guard(place.path):
            reports += read_place(place, options.settings, baseline, reading)
    reports.sort(key=lambda report: (report.start or "", report.session))
    return Outcome([wanted(each, options.settings, baseline) for each in compared(reports)], reading)


def read_place(
    place: RecordingLocation, settings: Settings, baseline: Baseline | None, reading: Reading
) -> list[Report]:
    """The sessions of a file, as far as it can be read."""
    sessions, diagnosis = Sessions(only=place.session), Diagnosis(RULES, settings.thresholds, baseline)
    for session, step in reading.steps(place.path, sessions):
        diagnosis.take(session, step)
    return list(diagnosis.reports(place.path))


def compared(reports: Sequence[Report]) -> Iterator[Report]:
    """``reports`` with what can be said of several sessions together."""
    # A session that lies in two files, as a copy or in parts, is one session all the same.
    digests = list({report.session: report.digest for report in reversed(reports)}.values())[::-1]
    by_session: dict[str, list[Finding]] = {}
    for rule in RULES:
        for finding in rule.across(digests):
            by_session.setdefault(finding.session, []).append(finding)
    for report in reports:
        more = by_session.get(report.session)
        yield with_findings(report, [*report.findings, *more]) if more else report


def wanted(report: Report, settings: Settings, baseline: Baseline | None) -> Report:
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


def write(reports: list[Report], form: Form, fail_on: FailOn) -> None:
    """Print what was found."""
    if form == "text":
        write_text(reports)
    elif form == "json":
        sys.stdout.write(orjson.dumps(to_json(reports), option=orjson.OPT_INDENT_2).decode() + "\n")
    else:
        write_for_machines(reports, form, fail_on)
    sys.stdout.flush()


def write_for_machines(reports: list[Report], form: Form, fail_on: FailOn) -> None:
    """The forms that other programs define."""
    if form == "junit":
        from mcp_tap.views.junit import junit_xml

        sys.stdout.write(junit_xml(reports, lambda finding: is_as_bad(finding, fail_on)))
        return
    lines = lines_of(reports)
    if form == "sarif":
        from mcp_tap.views.sarif import sarif_log

        log = sarif_log(reports, BY_ID, lines)
        sys.stdout.write(orjson.dumps(log, option=orjson.OPT_INDENT_2).decode() + "\n")
        return
    from mcp_tap.views.github import github_lines

    titles = {name: rule.title for name, rule in BY_ID.items()}
    for line in github_lines(reports, titles, lines):
        sys.stdout.write(line + "\n")


def lines_of(reports: Iterable[Report]) -> dict[tuple[str, str, int], int]:
    """The lines on which the records stand that findings name, by file, session and number."""
    named: dict[str, set[tuple[str, int]]] = {}
    for report in reports:
        wanted_there = named.setdefault(report.file, set())
        wanted_there.update((report.session, seq) for finding in report.findings for seq in finding.records)
    found: dict[tuple[str, str, int], int] = {}
    for path, places in named.items():
        if places:
            for number, head in enumerate(heads(path), 1):
                if head in places:
                    found.setdefault((path, *head), number)
    return found


def heads(path: str) -> Iterator[tuple[str, int] | None]:
    """Session and number of each line's record, None where it does not begin like one."""
    with open(path, "rb", buffering=BUFFER) as file:
        for line in file:
            head = HEAD.match(line)
            yield (head[1].decode(errors="replace"), int(head[2])) if head else None


HEAD = re.compile(rb'\{"ts":"[^"]*","t":[^,]*,"session":"([^"]*)","seq":(\d{1,18}),')
"""How every record begins: the order of its keys is part of the format."""


def write_text(reports: list[Report]) -> None:
    """The same for people."""
    from mcp_tap.diagnosis.report import counts_of
    from mcp_tap.views.findings import report_lines, summary_line
    from mcp_tap.views.paint import Painter
    from mcp_tap.views.terminal import terminal_width, wants_colour

    painter, width = Painter(sys.stdout, wants_colour()), terminal_width()
    for number, report in enumerate(reports):
        if number:
            painter.print(())
        for line in report_lines(report, width):
            painter.print(line)
    if len(reports) > 1:
        painter.print(())
        everything = [finding for report in reports for finding in report.findings]
        painter.print(summary_line(counts_of(everything), len(reports)))
