"""What may reach a terminal."""

from __future__ import annotations

import json
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_tap.views.payload import json_text
from mcp_tap.views.terminal import UNSEEN, columns, no_command, shorten, terminal_width, visible, wants_colour


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"),
        ("a\x1b[2Jb", "a\\u001b[2Jb"),
        ("\u202eevil\u2066", "\\u202eevil\\u2066"),
        ("zero\u200bwidth\ufeff", "zero\\u200bwidth\\ufeff"),
        ("two\nlines\r\n\t", "two\\nlines\\r\\n\\t"),
        ("\x9b31m", "\\u009b31m"),
        ("line\u2028separator", "line\\u2028separator"),
        ("half \ud83d", "half \\ud83d"),
        ("private \U000f0000", "private \\U000f0000"),
        ("中文 é", "中文 é"),
    ],
)
def test_what_could_move_the_cursor_turn_or_vanish_is_made_visible(text: str, shown: str) -> None:
    assert visible(text) == shown


@given(st.text())
def test_nothing_unseen_is_left(text: str) -> None:
    assert not [character for character in visible(text) if unicodedata.category(character) in UNSEEN]


@given(st.text(), st.integers(1, 30))
def test_what_was_shortened_fits_and_is_a_beginning(text: str, width: int) -> None:
    text = visible(text)
    short = shorten(text, width)
    assert columns(short) <= width
    assert short == text or (short.endswith("…") and text.startswith(short[:-1]))


def test_wide_letters_take_two_columns_and_marks_none() -> None:
    assert columns("中文ab") == 6
    assert columns("e\u0301") == 1
    assert shorten("中文中文", 5) == "中文…"
    assert shorten("中文中文", 4) == "中…"
    assert shorten("x", 0) == ""


def test_the_width_is_the_terminals_and_never_too_narrow(monkeypatch: pytest.MonkeyPatch) -> None:
    for given_columns, width in (("200", 200), ("12", 40)):
        monkeypatch.setenv("COLUMNS", given_columns)
        assert terminal_width() == width


def test_without_a_terminal_there_is_no_colour() -> None:
    assert not wants_colour()


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("##[error]x", "\\u0023#[error]x"),
        ("a ##vso[task]", "a \\u0023#vso[task]"),
        ("## title", "## title"),
        ("\udc80\x9b\u2028", "\\udc80\\u009b\\u2028"),
    ],
)
def test_what_a_ci_log_obeys_is_escaped(text: str, shown: str) -> None:
    assert visible(text) == shown


def test_json_of_any_text_is_the_same_value_and_safe() -> None:
    text = "\x1b\x7f\x9b\u202e\u2028\udc80##[error]"
    made = json_text({"a": text})
    assert json.loads(made) == {"a": text}
    assert (visible(made), "##[" in made) == (made, False)


def test_no_line_begins_as_a_command() -> None:
    assert [no_command(each) for each in ("  ::error::x", "a ::x")] == ["  \\u003a:error::x", "a ::x"]
