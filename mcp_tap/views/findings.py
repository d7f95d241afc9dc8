"""A diagnosis as text: the verdict, how far the session got, what was found."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mcp_tap.diagnosis.finding import SEVERITIES, Consequence, Finding, Severity
from mcp_tap.diagnosis.report import Report, SessionReport, Stage
from mcp_tap.diagnosis.text import plural, seconds
from mcp_tap.model.methods import METHODS
from mcp_tap.views.links import rule_url
from mcp_tap.views.paint import Line, Painter, Piece, fit
from mcp_tap.views.terminal import columns, shorten, visible

STYLE_OF: dict[Severity, str] = {"error": "trouble", "warning": "foreign", "info": "note"}

MARKS = {True: ("✓", "s2c"), False: ("✗", "trouble"), None: ("·", "quiet")}

REFUSED = {"spawned": "", "initialize answered": "initialize", "server/discover answered": "server/discover"}
"""Steps before a word that says how they failed."""

RECORDS_SHOWN = 4

WIDEST = 120
"""Columns of a sentence: longer lines are hard to read."""


CALLED: dict[Severity, str] = {"error": "error", "warning": "warning", "info": "note"}
"""What a finding of each severity is called."""


def print_report(report: Report, painter: Painter, width: int) -> None:
    """Print all sessions, and a summary below several."""
    for number, session in enumerate(report.sessions):
        if number:
            painter.print(())
        for line in report_lines(session, width):
            painter.print(line)
    if len(report.sessions) > 1:
        painter.print(())
        painter.print(summary_line(report.summary, len(report.sessions)))


def report_lines(report: SessionReport, width: int) -> Iterator[Line]:
    """All that is said of a session, in lines of at most ``width`` columns."""
    yield heading(report, width)
    worst = report.findings[0].severity if report.findings else None
    style = STYLE_OF.get(worst, "strong") if worst in ("error", "warning") else "strong"
    yield from wrapped(report.verdict, width, style=style)
    yield from lifecycle_lines(report.lifecycle, width)
    for severity in SEVERITIES:
        of_it = [finding for finding in report.findings if finding.severity == severity]
        if of_it:
            yield ()
            yield (Piece(plural(len(of_it), CALLED[severity]), STYLE_OF[severity]),)
            for finding in of_it:
                yield from finding_lines(finding, width)


def heading(report: SessionReport, width: int) -> Line:
    """Which session it is."""
    when = visible((report.start or "")[:19]).replace("T", " ")
    parts = [Piece(visible(report.name or "session"), "strong"), Piece(f"  …{report.session[-4:]}", "quiet")]
    if when:
        parts.append(Piece(f"  {when}", "quiet"))
    used = sum(columns(part.text) for part in parts)
    if used + 4 < width:
        parts.append(Piece("  " + shorten(visible(report.file), width - used - 2), "quiet"))
    return tuple(parts)


def lifecycle_lines(stages: Sequence[Stage], width: int) -> Iterator[Line]:
    """How far it got, on as few lines as hold it."""
    line: list[Piece] = []
    used = 0
    for stage in stages:
        mark, style = MARKS[stage.ok]
        text = stage_text(stage)
        taken = columns(text) + 4
        if line and used + taken > width:
            yield tuple(line)
            line, used = [], 0
        line += [
            Piece("  " if line else "", ""),
            Piece(f"{mark} ", style),
            Piece(text, "quiet" if stage.ok is None else ""),
        ]
        used += taken
    if line:
        yield tuple(line)


def stage_text(stage: Stage) -> str:
    """``first byte 410 ms``, ``tools/list 14 tools``, ``initialize refused``."""
    if stage.step == "ended":
        return f"ended: {visible(stage.detail)}"
    time = "" if stage.t is None or stage.detail else seconds(stage.t)
    step = REFUSED.get(stage.step, stage.step) if stage.ok is False and stage.detail else stage.step
    return " ".join(part for part in (step, visible(stage.detail), time) if part)


def finding_lines(finding: Finding, width: int) -> Iterator[Line]:
    """One finding: where, what, what to do, and what shows it."""
    likely = "" if finding.certainty == "proven" else " (likely)"
    who = "unknown" if finding.culprit == "undecided" else finding.culprit
    style, blame = STYLE_OF[finding.severity], f"  at fault: {who}{likely}"
    title = (Piece("  "), Piece(finding.rule, style, rule_url(finding.rule)), Piece(blame, style))
    where = Piece(f"  {places(finding)}", "quiet")
    if not where.text.strip():
        yield fit(title, width)
    elif columns(finding.rule + blame + where.text) + 2 <= width:
        yield (*title, where)
    else:
        yield fit(title, width)
        yield fit((Piece("  "), where), width)
    yield from wrapped(sentence(finding.message), width, indent="    ")
    yield from wrapped(finding.next, width, indent="    ", mark="→ ")
    for each in new_evidence(finding):
        yield (Piece(shorten(f"    │ {visible(each)}", min(width, WIDEST)), "quiet"),)
    for consequence in finding.consequences:
        yield from wrapped(therefore(consequence), width, indent="    ", mark="↳ ", style="quiet")


def new_evidence(finding: Finding) -> Iterator[str]:
    """The excerpts that say more than the message, which often quotes them."""
    for each in finding.evidence:
        begins = " ".join(each.split())[:QUOTED]
        if begins not in " ".join(finding.message.split()):
            yield each


QUOTED = 40
"""Characters of an excerpt by which it is found in a message."""


def sentence(message: str) -> str:
    """A message with a capital letter and a full stop, where that changes no name."""
    first = message.partition(" ")[0]
    if first.isalpha() and first.islower() and first not in METHODS:
        message = message[:1].upper() + message[1:]
    return message + ("" if message.endswith((".", "!", "?", "…")) else ".")


def therefore(consequence: Consequence) -> str:
    """What follows from a finding."""
    return f"{consequence.message} ({consequence.rule})"


def places(finding: Finding) -> str:
    """``#12 #14 … ×57``: the first records, and how many times."""
    shown = " ".join(f"#{number}" for number in finding.records[:RECORDS_SHOWN])
    more = " …" if len(finding.records) > RECORDS_SHOWN else ""
    return shown + more + (f" ×{finding.count:,}" if finding.count > 1 else "")


def wrapped(text: str, width: int, *, indent: str = "", mark: str = "", style: str = "") -> Iterator[Line]:
    """``text`` broken at spaces; ``mark`` before its first line, blanks below it."""
    room = max(20, min(width, WIDEST) - len(indent) - len(mark))
    for number, line in enumerate(broken(visible(text), room)):
        yield (Piece(indent + (mark if number == 0 else " " * len(mark)) + line, style),)


def broken(text: str, room: int) -> list[str]:
    """``text`` in lines of at most ``room`` columns; a word that is longer is cut in pieces."""
    lines: list[str] = []
    line, used = "", 0
    for word in text.split(" "):
        taken = columns(word)
        if line and used + 1 + taken > room:
            lines.append(line)
            line, used = "", 0
        while columns(word) > room:
            piece = shorten(word, room + 1).removesuffix("…")
            lines.append(piece)
            word = word[len(piece) :]
        line, used = (f"{line} {word}", used + 1 + columns(word)) if line else (word, columns(word))
    return [*lines, line]


def summary_line(counts: dict[Severity, int], sessions: int) -> Line:
    """The last line: what there is in all."""
    found = ", ".join(plural(counts[each], CALLED[each]) for each in SEVERITIES)
    return (Piece(f"{plural(sessions, 'session')}: {found}", "strong"),)
