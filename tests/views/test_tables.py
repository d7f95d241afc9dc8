"""Lists of sessions and of numbers, as wide as the terminal and no wider."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_tap.model.numbers import Numbers, in_order
from mcp_tap.model.session import Party
from mcp_tap.model.sessions import Sessions
from mcp_tap.model.summary import Summary, brief_summaries, summary_of
from mcp_tap.views.figures import bar
from mcp_tap.views.grid import Cell, Column, fit_columns, render
from mcp_tap.views.tables import sessions_text, stats_text
from mcp_tap.views.terminal import NARROWEST, columns
from tests.model.recordings import HANDSHAKE, event, message, session_lines, text
from tests.profiles import examples

GOLDEN = Path(__file__).with_name("golden_tables")
WIDTHS = (40, 60, 80, 120, 160)

Said = tuple[float, str, bytes]


def exit_(t: float, first: str, code: int = 0) -> Said:
    return (t, "tap", event("exit", code=code, signal=None, first=first))


BUSY: list[Said] = [
    *HANDSHAKE,
    *(
        (2.0 + id, "c2s", message(id=id, method="tools/call", params={"name": "search_the_notes"}))
        for id in range(2, 12)
    ),
    *((2.0 + id * 1.01, "s2c", message(id=id, result={"isError": id == 3})) for id in range(2, 11)),
    (20.0, "c2s", message(id=12, method="resources/read", params={"uri": "file:///\x1b[31mnotes\u202e"})),
    (20.5, "s2c", message(id=12, error={"code": -32002})),
    (20.5, "c2s", message(id=13, method="tools/call", params={"name": "\u641c\u7d22\u7b14\u8bb0"})),
    (21.0, "c2s", message(method="notifications/cancelled", params={"requestId": 13})),
    (21.0, "s2c", message(id=0, method="roots/list")),
    (21.0, "s2c", message(method="notifications/message", params={"data": "x" * 2000})),
    (21.0, "s2c", text("Loading...")),
    (21.5, "stderr", text("Traceback")),
    exit_(100.25, "client-eof"),
]
DEAD: list[Said] = [
    (0.0, "tap", event("start", format=1, name="a-server-with-a-long-name")),
    (0.25, "tap", event("spawn", pid=1)),
    exit_(0.5, "server-exit", 1),
]
REFUSED: list[Said] = [
    (0.0, "tap", event("start", format=1, name="\x1b]0;title\x07")),
    (0.0, "tap", event("spawn_failed", error="no such file: npx", code=127)),
]
RUNNING: list[Said] = list(HANDSHAKE)


def read(*sessions: list[Said]) -> tuple[list[Summary], Numbers]:
    numbers, found = Numbers(), []
    for at, said in enumerate(sessions):
        read = Sessions()
        for _, step in read.steps(session_lines(*said, session=f"01m8mgpwt5nbk9n{at}")):
            numbers.take(step)
        for session in read.by_id.values():
            numbers.finish(session)
            found.append(summary_of(session, "f.jsonl"))
    numbers.close()
    return found, numbers


def sessions_at(width: int, *, colour: bool = False) -> str:
    found, _ = read(BUSY, DEAD, REFUSED, RUNNING)
    brief = brief_summaries(session_lines(*HANDSHAKE), session_lines(exit_(3.0, "client-eof")), "f.jsonl")
    return sessions_text([*found, *brief], width, colour=colour)


def stats_at(width: int, *, colour: bool = False) -> str:
    _, numbers = read(BUSY, RUNNING)
    return stats_text(numbers, in_order(numbers.rows.values()), width, colour=colour)


@pytest.mark.parametrize("width", [40, 60, 120])
def test_sessions_look_as_agreed(width: int) -> None:
    assert sessions_at(width) == (GOLDEN / f"sessions_{width}.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("width", [40, 60, 120])
def test_numbers_look_as_agreed(width: int) -> None:
    assert stats_at(width) == (GOLDEN / f"stats_{width}.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("width", WIDTHS)
def test_no_line_is_wider_than_the_terminal(width: int) -> None:
    lines = (sessions_at(width) + stats_at(width)).splitlines()
    assert max(map(columns, lines)) <= width
    assert [line for line in lines if line != line.rstrip()] == []


@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_from_the_wire_reaches_the_terminal_raw(width: int) -> None:
    shown = sessions_at(width) + stats_at(width)
    assert [letter for letter in shown if letter in "\x1b\x07\u202e"] == []


def test_colours_are_added_to_the_same_text() -> None:
    for plain, coloured in (
        (sessions_at(120), sessions_at(120, colour=True)),
        (stats_at(120), stats_at(120, colour=True)),
    ):
        without = "".join(
            line.rstrip() + "\n" for line in re.sub(r"\x1b\[[\d;]*m", "", coloured).splitlines()
        )
        assert coloured != plain
        assert without == plain


def test_an_ending_that_nobody_wished_stands_out() -> None:
    assert "\x1b[1;31mserver died: exit 1 after 500 ms" in sessions_at(160, colour=True)


def left_out(shown: Callable[[int], str]) -> list[str]:
    """Titles of columns as they go while the terminal becomes narrower."""
    titles = [set(re.split(r"  +", shown(width).splitlines()[0])) for width in range(160, NARROWEST - 1, -1)]
    return [title for before, after in itertools.pairwise(titles) for title in before - after]


def test_columns_go_in_the_order_that_is_documented() -> None:
    assert left_out(sessions_at) == ["PROTOCOL", "MESSAGES", "CLIENT → SERVER", "TIME", "ID"]
    assert left_out(lambda width: stats_at(width).partition("\n\n")[2]) == [
        "TOTAL TIME", "REQUEST", "P99", "RESULT", "P95", "CANC", "MAX", "ISERR", "OPEN",
    ]  # fmt: skip


def test_without_sessions_there_are_no_rows() -> None:
    assert (
        stats_text(Numbers(), [], 80, colour=False)
        == "0 sessions · 0 messages (→ 0, ← 0) · → 0 B, ← 0 B · 0 s\n"
    )


def test_a_bar_shows_whatever_is_more_than_nothing() -> None:
    assert [bar(share) for share in (0.0, 1e-9, 0.5, 0.99, 1.0)] == ["", "▏", "████", "███████▉", "████████"]


def test_a_row_that_cannot_be_cut_further_is_left_as_it_is() -> None:
    assert fit_columns([Column("WHOLE", [Cell("x" * 50)])], 40)[0][1] == 50


@given(
    st.lists(st.tuples(st.text(max_size=60), st.text(max_size=60)), min_size=1, max_size=4),
    st.integers(NARROWEST, 130),
)
@examples(2)
def test_no_names_whatever_make_a_list_wider_or_raise(names: list[tuple[str, str]], width: int) -> None:
    (first, *_), _ = read(BUSY)
    found = [replaced(first, name, other) for name, other in names]
    assert max(columns(line) for line in sessions_text(found, width, colour=False).splitlines()) <= width


def replaced(summary: Summary, name: str, other: str) -> Summary:
    return replace(summary, name=name, client=Party(other, name), protocol=other)


def test_a_table_has_its_titles_and_its_cells_aligned() -> None:
    table = [Column("A", [Cell("one"), Cell("x")]), Column("B", [Cell("1"), Cell("234")], right=True)]
    assert render(table, 40, colour=False) == "A      B\none    1\nx    234\n"


def test_what_nobody_knows_of_a_span_of_time_is_not_shown() -> None:
    numbers = Numbers()
    numbers.totals.missing, numbers.totals.seconds = 3, 5.0
    assert stats_text(numbers, [], 80, colour=False).endswith(" · 5.00 s\n3 records missing\n")
    shown = stats_text(numbers, [], 80, colour=False, windowed=True)
    assert shown == "0 sessions · 0 messages (→ 0, ← 0) · → 0 B, ← 0 B\n"
