"""``mcp-tap check``: diagnose recordings."""

from __future__ import annotations

import os
import sys

from mcp_tap import api
from mcp_tap.commands.check_options import Form, Options, read_text
from mcp_tap.commands.check_options import write_text as write_file
from mcp_tap.commands.reading import Reading, places_of
from mcp_tap.diagnosis.baseline import Baseline, Examined, write_baseline
from mcp_tap.diagnosis.config import FailOn, is_as_bad
from mcp_tap.diagnosis.json_schema import not_checked
from mcp_tap.diagnosis.report import Report, SessionReport
from mcp_tap.diagnosis.text import plural
from mcp_tap.errors import ExitStatus, TapError, one_line
from mcp_tap.model.sessions import Sessions
from mcp_tap.process.own_streams import warn_stderr
from mcp_tap.record.find import RecordingLocation, find_recordings
from mcp_tap.record.locate import locate_records


def check(paths: list[str], options: Options | None = None, *, log_dir: str | None = None) -> int:
    """Diagnose the sessions in ``paths`` (default: the newest recording).

    Returns 1 if there is a finding of the severity ``fail_on`` or a worse one, 2 if a file could not be
    read, with a sentence for each on stderr. Where a baseline is written nothing is reported, and what is
    found is accepted. Raises :class:`TapError` where nothing is meant.
    """
    options = options or Options()
    places = places_of(paths, log_dir) if paths else find_recordings(None, log_dir)
    reading = Reading()
    report = diagnose(places, options, reading)
    if not report.sessions and not reading.failed:
        names = ", ".join(one_line(place.path) for place in places[:3])
        raise TapError(f"{names} contains no records: is it a recording?")
    if options.write_to is not None:
        accept(report, options.write_to)
    else:
        write(report, options.form, options.fail_on)
    reading.report()
    if why := not_checked():
        warn_stderr(f"tool schemas and the values for them were not checked: {why}")
    if reading.failed:
        return ExitStatus.FAILED
    failed = options.write_to is None and any(is_as_bad(each, options.fail_on) for each in report.findings)
    return ExitStatus.FINDINGS if failed else ExitStatus.OK


def diagnose(places: list[RecordingLocation], options: Options, reading: Reading) -> Report:
    """What is wrong in all sessions in ``places``; ``reading`` notes what could not be read."""
    # What is accepted anew is reported as if nothing had been known.
    baseline = options.baseline if options.write_to is None else None
    found: list[SessionReport] = []
    for place in places:
        with reading.guard(place.path):
            steps = reading.steps(place.path, Sessions(only=place.session))
            found += api.diagnosed(steps, place.path, options.settings, baseline)
    return api.concluded(found, options.settings, baseline)


def accept(report: Report, name: str) -> None:
    """Write a baseline that accepts all of ``report``; what it says of other servers stays."""
    before = Baseline.parse(read_text(name), one_line(name)) if os.path.exists(name) else None
    known = [Examined(each.server_key, each.findings, each.tools) for each in report.sessions]
    write_file(name, write_baseline(known, before))
    servers = {each.server_key for each in report.sessions}
    warn_stderr(
        f"{name} now accepts {plural(len(report.findings), 'finding')} in "
        f"{plural(len(report.sessions), 'session')} of {plural(len(servers), 'server')}"
    )


def write(report: Report, form: Form, fail_on: FailOn) -> None:
    """Print ``report``."""
    if form == "text":
        from mcp_tap.views.findings import print_report
        from mcp_tap.views.paint import Painter
        from mcp_tap.views.terminal import terminal_width, wants_colour

        print_report(report, Painter(sys.stdout, wants_colour()), terminal_width())
    else:
        sys.stdout.write(machine_readable(report, form, fail_on))
    sys.stdout.flush()


def machine_readable(report: Report, form: Form, fail_on: FailOn) -> str:
    """``report`` in a form that other programs define, and JSON."""
    if form == "json":
        from mcp_tap.views.findings_json import to_json

        return indented(to_json(report.sessions))
    if form == "junit":
        from mcp_tap.views.junit import junit_xml

        return junit_xml(report.sessions, lambda finding: is_as_bad(finding, fail_on))
    from mcp_tap.rules.registry import BY_ID

    lines = lines_of(report)
    if form == "sarif":
        from mcp_tap.views.sarif import sarif_log

        return indented(sarif_log(report.sessions, BY_ID, lines))
    from mcp_tap.views.github import github_lines

    titles = {name: rule.title for name, rule in BY_ID.items()}
    return "".join(line + "\n" for line in github_lines(report.sessions, titles, lines))


def indented(value: object) -> str:
    """A JSON document for people, too."""
    from mcp_tap.views.payload import json_text

    return json_text(value, indent=2) + "\n"


def lines_of(report: Report) -> dict[tuple[str, str, int], int]:
    """The lines of the records that findings name, by file, session and number of the record."""
    named: dict[str, set[tuple[str, int]]] = {}
    for each in report.sessions:
        wanted = named.setdefault(each.file, set())
        wanted.update((each.session, seq) for finding in each.findings for seq in finding.records)
    return {
        (path, *key): line for path, keys in named.items() for key, line in locate_records(path, keys).items()
    }
