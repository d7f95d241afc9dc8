"""A diagnosis as text."""

from __future__ import annotations

import pytest

from mcp_tap.diagnosis.report import SessionReport
from mcp_tap.views.findings import broken, report_lines, sentence, summary_line
from mcp_tap.views.terminal import columns
from tests.views.reports import CONSEQUENCE, finding, report

LOUD = report(
    finding(
        rule="FRM009",
        severity="error",
        message="stdout line 12 is not UTF-8",
        next="set PYTHONUTF8=1",
        records=(12, 14, 15, 18, 20),
        count=57,
        evidence=("\x1b[31mÖl\x07",),
        consequences=(CONSEQUENCE,),
    ),
    finding(certainty="heuristic"),
    finding(rule="RPC026", severity="info", culprit="undecided", records=(), message="ends with a stop."),
    verdict="Connected, with an error: stdout line 12 is not UTF-8.",
)


def text(shown: SessionReport, width: int = 100) -> str:
    return "\n".join("".join(piece.text for piece in line) for line in report_lines(shown, width))


def test_a_report_says_what_happened_what_to_do_and_what_shows_it() -> None:
    assert text(LOUD).splitlines() == [
        "notes  …00ab  2026-11-29 18:37:40  logs/a b.jsonl",
        "Connected, with an error: stdout line 12 is not UTF-8.",
        "✓ spawned 0 s  ✓ initialize answered 2025-11-25  ✗ initialized  · tools/list",
        "✓ ended: client closed stdin, exit 0",
        "",
        "1 error",
        "  FRM009  at fault: server  #12 #14 #15 #18 … ×57",
        "    Stdout line 12 is not UTF-8.",
        "    → set PYTHONUTF8=1",
        "    │ \\u001b[31mÖl\\u0007",
        "    ↳ no answer to tools/call (LIF017)",
        "",
        "1 warning",
        "  FRM001  at fault: server (likely)  #3",
        "    Server wrote 1 line of plain text to stdout: 'ready'.",
        "    → send logs to stderr",
        "",
        "1 note",
        "  RPC026  at fault: unknown",
        "    Ends with a stop.",
        "    → send logs to stderr",
    ]


@pytest.mark.parametrize("width", [40, 60, 80, 200])
def test_no_line_is_wider_than_the_terminal(width: int) -> None:
    assert max(map(columns, text(LOUD, width).splitlines())) <= width


def test_a_healthy_session_is_its_verdict_and_its_life() -> None:
    assert text(report(start=None, name=None)).splitlines()[:2] == [
        "session  …00ab  logs/a b.jsonl",
        "Healthy: 14 requests answered.",
    ]
    assert len(text(report()).splitlines()) == 4


def test_words_that_are_too_long_are_cut_and_wide_letters_take_two_columns() -> None:
    assert broken("日本語日本語 ab " + "x" * 12, 6) == ["日本語", "日本語", "ab", "xxxxxx", "xxxxxx"]
    assert broken("", 6) == [""]


@pytest.mark.parametrize(
    ("message", "told"),
    [
        ("server wrote 1 line", "Server wrote 1 line."),
        ("tools/list has no tools", "tools/list has no tools."),
        ("initialize lacks capabilities", "initialize lacks capabilities."),
        ("structuredContent is no object", "structuredContent is no object."),
        ("`x` was not found…", "`x` was not found…"),
        ("", "."),
    ],
)
def test_a_sentence_begins_with_a_capital_unless_that_would_change_a_name(message: str, told: str) -> None:
    assert sentence(message) == told


def test_the_summary_counts_by_severity() -> None:
    (piece,) = summary_line({"error": 1, "warning": 0, "info": 2}, 3)
    assert piece.text == "3 sessions: 1 error, 0 warnings, 2 notes"
