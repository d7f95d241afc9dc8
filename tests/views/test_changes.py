"""What is said of changes."""

from __future__ import annotations

import json

from mcp_tap.views.changes import Change, changes_json, changes_table, folded, sentence

ONE = Change("a\x1b", "wrapped", "cursor", "Cursor", "user", "/h/\x07x", None, None, "/b")


def test_a_sentence_shows_what_could_not_be_seen() -> None:
    assert sentence(ONE) == "wrapped a\\u001b in /h/\\u0007x (Cursor, user)"
    assert sentence(ONE, dry_run=True) == "would wrap a\\u001b in /h/\\u0007x (Cursor, user)"
    refused = Change("b", "refused", reason="is \x1b odd")
    assert (refused.where, sentence(refused)) == ("", "skipped b in : it is \\u001b odd")


def test_a_dry_run_changes_the_verb_and_not_the_name() -> None:
    named = Change("wrapped", "unwrapped", "zed", "Zed", "user", "/unwrapped")
    assert sentence(named, dry_run=True) == "would unwrap wrapped in /unwrapped (Zed, user)"


def test_a_path_is_not_broken_where_lines_are() -> None:
    assert folded("wrapped files in /a/very-long/path/without-spaces (x)", 20) == (
        "wrapped files in\n  /a/very-long/path/without-spaces\n  (x)"
    )


def test_the_table_names_what_is_stale_below() -> None:
    stale = Change("b", "wrapped", "", "an unknown client", "user", "/x", "/p", "the tap is gone")
    assert changes_table([stale], 80, colour=False, home="/h") == (
        "NAME  CLIENT  SCOPE  STATE  FILE\nb     -       user   stale  /x [/p]\n\n"
        "b in /x (an unknown client, user for /p): the tap is gone\n"
    )
    assert "\x1b[1;31mstale" in changes_table([stale], 80, colour=True, home="")


def test_what_is_below_home_is_shown_below_a_tilde() -> None:
    for home, file in (("/home/me", "/home/me/x"), ("C:\\me", "C:\\me\\x")):
        table = changes_table(
            [Change("a", "wrapped", "zed", "Zed", "user", file)], 80, colour=False, home=home
        )
        assert table.splitlines()[1].split()[-1] in ("~/x", "~\\x")
    table = changes_table(
        [Change("a", "wrapped", "zed", "Zed", "user", "/home/me2/x")], 80, colour=False, home="/home/me"
    )
    assert table.splitlines()[1].split()[-1] == "/home/me2/x"


def test_the_document_is_ascii_whatever_a_name_holds() -> None:
    text = changes_json([Change("\ud800ü", "refused", "")], dry_run=True)
    assert text.isascii()
    assert json.loads(text) == {
        "changes": [
            {"client": None, "scope": None, "file": None, "name": "\ud800ü", "state": "refused",
             "reason": None, "backup": None, "project": None}
        ],
        "dry_run": True,
    }  # fmt: skip
