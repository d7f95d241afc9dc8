"""What is said of changes."""

from __future__ import annotations

import json

from mcp_tap.views.changes import Change, ChangeState, changes_json, changes_table, folded, sentences

ONE = Change("a\x1b", "wrapped", "cursor", "Cursor", "user", "/h/\x07x", None, None, "/b")


def test_a_sentence_shows_what_could_not_be_seen() -> None:
    assert sentences([ONE]) == ["wrapped a\\u001b in /h/\\u0007x (Cursor, user)"]
    assert sentences([ONE], dry_run=True) == ["would wrap a\\u001b in /h/\\u0007x (Cursor, user)"]
    refused = Change("b", "refused", reason="is \x1b odd")
    assert (refused.where, sentences([refused])) == ("", ["skipped b in : it is \\u001b odd"])


def test_a_dry_run_changes_the_verb_and_not_the_name() -> None:
    named = Change("wrapped", "unwrapped", "zed", "Zed", "user", "/unwrapped")
    assert sentences([named], dry_run=True) == ["would unwrap wrapped in /unwrapped (Zed, user)"]


def test_what_is_alike_is_one_line() -> None:
    def at(file: str, state: ChangeState, *names: str, reason: str | None = None) -> list[Change]:
        return [Change(name, state, "zed", "Zed", "user", file, reason=reason) for name in names]

    refused = [*at("/x", "refused", "a", "b", reason="is odd"), *at("/y", "refused", "c", reason="is odd")]
    assert sentences([*refused, *at("/x", "refused", "d", reason="is remote")]) == [
        "skipped a and b in /x (Zed, user); c in /y (Zed, user): each is odd",
        "skipped d in /x (Zed, user): it is remote",
    ]
    assert sentences([*at("/x", "wrapped", "a", "b", "c"), *at("/y", "wrapped", "a")]) == [
        "wrapped a, b and c in /x (Zed, user)",
        "wrapped a in /y (Zed, user)",
    ]
    assert sentences(at("/x", "already", "a") + at("/y", "already", "a", "b", reason="it is gone")) == [
        "a is already wrapped in /x (Zed, user)",
        "a and b are already wrapped in /y (Zed, user): it is gone",
    ]
    assert sentences(at("/x", "wrapped", *map(str, range(20_000)))) == [
        "wrapped 0, 1, 2, 3, 4, 5, 6, 7, 8, 9 and 19,990 more in /x (Zed, user)"
    ]


def test_a_path_is_not_broken_where_lines_are() -> None:
    assert folded("wrapped files in /a/very-long/path/without-spaces (x)", 20) == (
        "wrapped files in\n  /a/very-long/path/without-spaces\n  (x)"
    )
    assert folded("wrapped files " * 20, None) == "wrapped files " * 20


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
