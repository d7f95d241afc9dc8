"""``mcp-tap check --follow``: findings as they become certain, while a session is recorded."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import TextIO

import orjson

from mcp_tap.commands.check import is_as_bad, wanted
from mcp_tap.commands.check_options import Options
from mcp_tap.commands.reading import pause, what_to_follow
from mcp_tap.diagnosis.dispatch import Checker
from mcp_tap.diagnosis.finding import Finding
from mcp_tap.diagnosis.report import Report, report_of
from mcp_tap.errors import ExitStatus, TapError
from mcp_tap.model.session import Sessions
from mcp_tap.process.own_streams import warn_stderr
from mcp_tap.record.follow import NewLine
from mcp_tap.record.reader import Record, read_record, refuse_newer
from mcp_tap.rules.registry import RULES
from mcp_tap.views.findings import finding_lines, heading, report_lines
from mcp_tap.views.findings_json import finding_json, report_json
from mcp_tap.views.paint import Painter
from mcp_tap.views.terminal import terminal_width, wants_colour

Told = set[tuple[str, str]]
"""Findings that have been told: rule and key."""


def check_following(
    what: str | None,
    options: Options,
    *,
    log_dir: str | None = None,
    out: TextIO | None = None,
    wait: Callable[[], bool] | None = None,
) -> int:
    """Print what is found in the recordings that ``what`` names, and goes on as they grow.

    A finding is told once, at the first record that shows it; at the end of a session comes its
    verdict, with what could not be known before. Goes on until KeyboardInterrupt, or until
    ``wait``, which is called when there is nothing new, returns False. Returns as ``check`` does.
    Raises :class:`TapError` where there is nothing to follow.
    """
    stream = out or sys.stdout
    teller: Teller = (
        JsonTeller(stream) if options.form == "json" else TextTeller(stream, wants_colour() and out is None)
    )
    meant = what_to_follow(what, log_dir)
    files: dict[str, Followed] = {}
    refused: set[str] = set()
    failed = False
    for news in meant.news(wait or (lambda: pause(stream))):
        if news.path in refused:
            continue
        if not isinstance(news, NewLine):
            files.pop(news.path, None)
            continue
        followed = files.setdefault(news.path, Followed(news.path, meant.only, options, teller))
        try:
            failed |= followed.take(news.data, news.number)
        except TapError as error:
            warn_stderr(str(error))
            refused.add(news.path)
    stream.flush()
    if refused:
        return ExitStatus.FAILED
    return ExitStatus.FINDINGS if failed else ExitStatus.OK


class Followed:
    """One file that grows."""

    def __init__(self, path: str, only: str | None, options: Options, teller: Teller) -> None:
        self.path = path
        self.only = only
        self.options = options
        self.teller = teller
        self.sessions = Sessions()
        self.examined: dict[str, tuple[Checker, Told]] = {}

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
        options = self.options
        if session.id not in self.examined:
            made = Checker(session, RULES, options.settings.thresholds, options.baseline)
            self.examined[session.id] = (made, set())
        checker, told = self.examined[session.id]
        checker.take(step)
        over = checker.context.over
        if over:
            checker.end()
        report = report_of(checker.context, checker.findings(), self.path)
        report = wanted(report, options.settings, options.baseline)
        fresh = list(untold(report, told))
        if over:
            self.teller.close(report, fresh)
            del self.examined[session.id]
        else:
            for finding in fresh:
                self.teller.tell(report, finding)
        return any(is_as_bad(finding, options.fail_on) for finding in fresh)


def untold(report: Report, told: Told) -> Iterator[Finding]:
    """The findings that are new; they are told from then on."""
    for finding in report.findings:
        name = (finding.rule, finding.key)
        if name not in told:
            told.add(name)
            yield finding


class Teller:
    """Where findings go."""

    def tell(self, report: Report, finding: Finding) -> None:
        """A finding of a session that goes on."""
        raise NotImplementedError

    def close(self, report: Report, fresh: list[Finding]) -> None:
        """The session is over; ``fresh`` has not been told yet."""
        raise NotImplementedError


class TextTeller(Teller):
    """For people."""

    def __init__(self, stream: TextIO, colour: bool) -> None:
        self.painter = Painter(stream, colour)
        self.session = ""

    def tell(self, report: Report, finding: Finding) -> None:
        width = terminal_width()
        if report.session != self.session:
            self.session = report.session
            self.painter.print(heading(report, width))
        for line in finding_lines(finding, width):
            self.painter.print(line)

    def close(self, report: Report, fresh: list[Finding]) -> None:
        for line in report_lines(report, terminal_width()):
            self.painter.print(line)
        self.painter.print(())
        self.session = ""


class JsonTeller(Teller):
    """JSON Lines: findings with ``session`` and ``file``, and at its end the whole session."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream

    def tell(self, report: Report, finding: Finding) -> None:
        self._write({"session": report.session, "file": report.file, "finding": finding_json(finding)})

    def close(self, report: Report, fresh: list[Finding]) -> None:
        self._write(report_json(report))

    def _write(self, value: object) -> None:
        self.stream.write(orjson.dumps(value).decode() + "\n")
        self.stream.flush()
