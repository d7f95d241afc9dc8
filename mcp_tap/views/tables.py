"""Lists of sessions and of numbers, as wide as the terminal and no wider.

Where the width does not suffice, columns are left out in an order of importance: the least
``rank`` goes first. What is left is cut with an ellipsis. Of sessions these go, in this order: the
protocol version, messages, client and server, duration, the end of the id, errors (at 40 columns);
start, name and ending stay. Of numbers: the bar, bytes of requests, p99,
bytes of results, p95, cancelled, max, isError, unanswered; what was asked, its count, errors and p50
stay. Of isError, cancelled and unanswered, a column in which every row says none is not shown.
"""

from __future__ import annotations

from collections.abc import Sequence

from mcp_tap.diagnosis.text import plural, size
from mcp_tap.model.numbers import CallStats, Numbers, latency_of, median
from mcp_tap.model.summary import Summary
from mcp_tap.views.figures import NOT_KNOWN, bar, time
from mcp_tap.views.grid import Cell, Column, render, render_lines
from mcp_tap.views.terminal import visible

ZERO = "·"
"""Shown for none, so that what there is catches the eye."""

ERROR = "bold red"
QUIET = "dim"
ROOMY = 100
"""Columns from which there is room for a method's family beside a tool's name."""

FAIR = 60
"""Columns from which there is room for the usual ending, ``client closed``."""

WIDE = 120
"""Columns from which there is room for the versions of client and server."""

WIDEST = 140
"""Columns from which there is room for whole dates."""


SHORT_ID = 4
"""Last characters of a session's id, the random ones: enough to name it to ``show``."""


def sessions_text(found: Sequence[Summary], width: int, *, colour: bool) -> str:
    """A line for each session, in the order given, under a line of titles."""
    wide = width >= WIDE
    troubles = [trouble_of(each) for each in found]
    table = [
        Column("START (UTC)", [Cell(moment(each.start, width >= WIDEST), QUIET) for each in found]),
        Column("ID", [Cell(visible(each.session)[-SHORT_ID:], QUIET) for each in found], 5),
        Column("NAME", [Cell(known(each.name)) for each in found], least=8),
        Column("CLIENT → SERVER", [Cell(parties(each, wide)) for each in found], 3, least=22),
        Column("PROTOCOL", [Cell(known(each.protocol), QUIET) for each in found], 1),
        Column("TIME", [Cell(time(each.duration)) for each in found], 4, right=True),
        Column("MESSAGES", [Cell(total_messages(each)) for each in found], 2, right=True),
        Column("ERR", troubles, 6, right=True),
        Column("ENDING", [ending_of(each) for each in found], least=least_ending(width)),
    ]
    return render(table, width, colour=colour)


def least_ending(width: int) -> int:
    """Columns of an ending that are shown where the terminal has ``width``."""
    return 26 if width >= WIDE else len("client closed") if width >= FAIR else 11


def moment(ts: str | None, wide: bool) -> str:
    """``2026-11-29 18:37:40``, or without the year and the seconds."""
    if ts is None:
        return NOT_KNOWN
    spaced = visible(ts[:19]).replace("T", " ")
    return spaced if wide else spaced[5:16]


def known(value: str | None) -> str:
    """A word from the wire."""
    return NOT_KNOWN if value is None else visible(value)


def parties(summary: Summary, wide: bool) -> str:
    """``client 1.0 → server 2.0``; without the versions where there is little room."""
    both = (summary.client, summary.server)
    return " → ".join(visible(str(each)) if wide else known(each.name) for each in both)


def total_messages(summary: Summary) -> str:
    """How many messages passed."""
    return NOT_KNOWN if summary.messages is None else f"{sum(summary.messages.values()):,}"


def trouble_of(summary: Summary) -> Cell:
    """What went wrong: errors and failed tools, and requests without an answer: ``3``, ``3+1?``, ``1?``."""
    if summary.errors is None:
        return Cell(NOT_KNOWN)
    errors, unanswered = summary.errors + (summary.tool_errors or 0) - summary.harmless, summary.unanswered
    words = [str(errors)] if errors else []
    if unanswered:
        words.append(f"+{unanswered}?" if errors else f"{unanswered}?")
    return Cell("".join(words), ERROR) if words else Cell(ZERO, QUIET)


def ending_of(summary: Summary) -> Cell:
    """The sentence; what was nobody's wish stands out."""
    if summary.ending is None:
        return Cell(NOT_KNOWN)
    sentence = visible(summary.ending.sentence)
    return Cell(sentence, ERROR if "died" in sentence or sentence.startswith("not started") else "")


def stats_text(
    numbers: Numbers, rows: Sequence[CallStats], width: int, *, colour: bool, windowed: bool = False
) -> str:
    """What all sessions have in common, and a line for each row.

    ``windowed``: the numbers are of a span of time, of which nobody knows how long the sessions took, or
    what is missing.
    """
    head = render_lines(overview(numbers, windowed), width, colour=colour)
    if not rows:
        return head
    return head + "\n" + render(stats_table(rows, width), width, colour=colour)


def overview(numbers: Numbers, windowed: bool) -> list[list[Cell]]:
    """The totals, line by line; each is a list of what must not be parted."""
    totals, start_up = numbers.totals, numbers.start_up
    there, back = totals.messages["c2s"], totals.messages["s2c"]
    lines = [
        [
            Cell(plural(totals.sessions, "session")),
            Cell(f"{plural(there + back, 'message')} (→ {there:,}, ← {back:,})"),
            Cell(f"→ {size(totals.bytes['c2s'])}, ← {size(totals.bytes['s2c'])}"),
            *([] if windowed else [Cell(time(totals.seconds))]),
        ]
    ]
    steps = (
        ("first byte", start_up.first_byte),
        ("initialize", start_up.initialize),
        ("tools/list", start_up.tools_list),
    )
    known_steps = [Cell(f"{name} {time(median(values))}") for name, values in steps if values]
    if known_steps:
        lines.append([Cell("startup" if totals.sessions == 1 else "startup (median)"), *known_steps])
    if totals.lines["stderr"]:
        lines.append(
            [Cell("stderr"), Cell(plural(totals.lines["stderr"], "line")), Cell(size(totals.bytes["stderr"]))]
        )
    foreign = sum(totals.foreign.values())
    if foreign:
        lines.append([Cell(plural(foreign, "non-protocol line"), ERROR)])
    if totals.missing and not windowed:
        lines.append([Cell(f"{plural(totals.missing, 'record')} missing", ERROR)])
    return lines


def stats_table(rows: Sequence[CallStats], width: int) -> list[Column]:
    """The columns of ``stats``."""
    latencies = [latency_of(row.latencies) for row in rows]
    longest = max((each.total for each in latencies if each), default=0.0)
    times = [
        [time(getattr(each, name) if each else None) for each in latencies]
        for name in ("p50", "p95", "p99", "max")
    ]
    bars = [Cell(bar(each.total / longest if each and longest else 0.0), "cyan") for each in latencies]
    table = [
        Column("METHOD", [Cell(asked(row, width >= ROOMY)) for row in rows], least=18),
        Column("COUNT", [Cell(f"{row.count:,}") for row in rows], right=True),
        Column("ERR", [counted(row.errors) for row in rows], right=True),
        Column("ISERR", [counted(row.tool_errors) for row in rows], 8, right=True),
        Column("CANC", [counted(row.cancelled, "yellow") for row in rows], 6, right=True),
        Column("OPEN", [counted(row.unanswered) for row in rows], 9, right=True),
        Column("P50", [Cell(text) for text in times[0]], right=True),
        Column("P95", [Cell(text) for text in times[1]], 5, right=True),
        Column("P99", [Cell(text) for text in times[2]], 3, right=True),
        Column("MAX", [Cell(text) for text in times[3]], 7, right=True),
        Column("REQUEST", [Cell(size(row.request_bytes), QUIET) for row in rows], 2, right=True),
        Column(
            "RESULT",
            [Cell(size(row.result_bytes) if row.result_bytes else NOT_KNOWN, QUIET) for row in rows],
            4,
            right=True,
        ),
        Column("TOTAL TIME", bars, 1),
    ]
    return [column for column in table if not says_nothing(column)]


def says_nothing(column: Column) -> bool:
    """Whether a column could as well be away."""
    optional = column.title in ("ISERR", "CANC", "OPEN")
    return optional and all(cell.text == ZERO for cell in column.cells)


def asked(row: CallStats, roomy: bool = True) -> str:
    """``→ tools/call search_notes``; the arrow says who asked: ← is the server.

    Where there is little room it is ``→ call search_notes``: the name tells more than the family.
    """
    arrow, method = "→" if row.side == "c2s" else "←", visible(row.method)
    if row.target is None:
        return f"{arrow} {method}"
    return f"{arrow} {method if roomy else method.rpartition('/')[2]} {visible(row.target)}"


def counted(number: int, style: str = ERROR) -> Cell:
    """A number that should be none."""
    return Cell(f"{number:,}", style) if number else Cell(ZERO, QUIET)
