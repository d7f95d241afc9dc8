"""``mcp-tap check --follow``: findings as they become certain, while a session is recorded."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import TextIO

from mcp_tap.commands.check_options import Options
from mcp_tap.commands.reading import pause, what_to_follow
from mcp_tap.diagnosis.conclude import adjusted
from mcp_tap.diagnosis.config import is_as_bad
from mcp_tap.diagnosis.finding import Finding
from mcp_tap.diagnosis.recording import Diagnosis
from mcp_tap.diagnosis.report import SessionReport
from mcp_tap.errors import ExitStatus, TapError
from mcp_tap.model.sessions import Sessions
from mcp_tap.process.own_streams import warn_stderr
from mcp_tap.record.follow import NewLine
from mcp_tap.record.reader import Record, read_record, refuse_newer
from mcp_tap.rules.registry import RULES
from mcp_tap.views.findings import finding_lines, heading, report_lines
from mcp_tap.views.findings_json import finding_json, report_json
from mcp_tap.views.paint import Painter
from mcp_tap.views.payload import json_text
from mcp_tap.views.terminal import terminal_width, wants_colour

Reported = set[tuple[str, str]]
"""Findings that have been reported: rule and key."""


def check_following(
    what: str | None,
    options: Options,
    *,
    log_dir: str | None = None,
    out: TextIO | None = None,
    wait: Callable[[], bool] | None = None,
) -> int:
    """Print what is found in the recordings that ``what`` names, and goes on as they grow.

    A finding is reported once, at the first record that shows it; at the end of a session comes its
    verdict, with what could not be known before. Goes on until KeyboardInterrupt, or until
    ``wait``, which is called when there is nothing new, returns False. Returns as ``check`` does.
    Raises :class:`TapError` where there is nothing to follow.
    """
    stream = out or sys.stdout
    reporter: Reporter = (
        JsonReporter(stream)
        if options.form == "json"
        else TextReporter(stream, wants_colour() and out is None)
    )
    meant = what_to_follow(what, log_dir)
    files: dict[str, FollowedFile] = {}
    refused: set[str] = set()
    failed = False
    for news in meant.news(wait or (lambda: pause(stream))):
        if news.path in refused:
            continue
        if not isinstance(news, NewLine):
            files.pop(news.path, None)
            continue
        followed = files.setdefault(news.path, FollowedFile(news.path, meant.only, options, reporter))
        try:
            failed |= followed.take(news.data, news.number)
        except TapError as error:
            warn_stderr(str(error))
            refused.add(news.path)
    stream.flush()
    if refused:
        return ExitStatus.FAILED
    return ExitStatus.FINDINGS if failed else ExitStatus.OK


class FollowedFile:
    """One file that grows."""

    def __init__(self, path: str, only: str | None, options: Options, reporter: Reporter) -> None:
        self.path = path
        self.only = only
        self.options = options
        self.reporter = reporter
        self.sessions = Sessions()
        self.diagnosis = Diagnosis(RULES, options.settings.thresholds, options.baseline)
        self.reported: dict[str, Reported] = {}

    def take(self, line: bytes, number: int) -> bool:
        """The next line; whether it brought a finding as bad as ``fail_on``.

        Raises :class:`TapError` for a recording of a newer format.
        """
        record = read_record(line, number)
        if not isinstance(record, Record) or (self.only is not None and record.session != self.only):
            return False
        if record.event == "start":
            refuse_newer(record)
        session, step = self.sessions.add(record)
        self.diagnosis.take(session, step)
        over = session.is_over
        report = (self.diagnosis.close if over else self.diagnosis.so_far)(session, self.path)
        report = adjusted(report, self.options.settings, self.options.baseline)
        fresh = list(unreported(report, self.reported.setdefault(session.id, set())))
        if over:
            self.reporter.close(report, fresh)
            del self.reported[session.id]
        else:
            for finding in fresh:
                self.reporter.report(report, finding)
        return any(is_as_bad(finding, self.options.fail_on) for finding in fresh)


def unreported(report: SessionReport, reported: Reported) -> Iterator[Finding]:
    """The findings that are new; they are reported from then on."""
    for finding in report.findings:
        name = (finding.rule, finding.key)
        if name not in reported:
            reported.add(name)
            yield finding


class Reporter:
    """Where findings go."""

    def report(self, report: SessionReport, finding: Finding) -> None:
        """A finding of a session that goes on."""
        raise NotImplementedError

    def close(self, report: SessionReport, fresh: list[Finding]) -> None:
        """The session is over; ``fresh`` has not been reported yet."""
        raise NotImplementedError


class TextReporter(Reporter):
    """For people."""

    def __init__(self, stream: TextIO, colour: bool) -> None:
        self.painter = Painter(stream, colour)
        self.session = ""

    def report(self, report: SessionReport, finding: Finding) -> None:
        width = terminal_width()
        if report.session != self.session:
            self.session = report.session
            self.painter.print(heading(report, width))
        for line in finding_lines(finding, width):
            self.painter.print(line)

    def close(self, report: SessionReport, fresh: list[Finding]) -> None:
        for line in report_lines(report, terminal_width()):
            self.painter.print(line)
        self.painter.print(())
        self.session = ""


class JsonReporter(Reporter):
    """JSON Lines: findings with ``session`` and ``file``, and at its end the whole session."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream

    def report(self, report: SessionReport, finding: Finding) -> None:
        self._write({"session": report.session, "file": report.file, "finding": finding_json(finding)})

    def close(self, report: SessionReport, fresh: list[Finding]) -> None:
        self._write(report_json(report))

    def _write(self, value: object) -> None:
        self.stream.write(json_text(value) + "\n")
        self.stream.flush()
