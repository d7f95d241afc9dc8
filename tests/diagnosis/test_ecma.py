"""Patterns of JSON Schema: which both languages read alike, and how long they may take."""

from __future__ import annotations

import pytest

from mcp_tap.diagnosis.ecma import CannotSay, Searches, means_the_same, reads_the_same


@pytest.mark.parametrize(
    "pattern",
    [
        "^[a-z]+$",
        r"^\d{4}-\d{2}$",
        "(?:a|b)*?c",
        r"^(?!x)[^/\\]+$",
        r"\.",
        "a{2,}",
        r"(?<=a)b",
        r"\x41\u00e9",
        "",
    ],
)
def test_a_pattern_that_both_languages_read_alike_is_known(pattern: str) -> None:
    assert means_the_same(pattern)


@pytest.mark.parametrize(
    "pattern",
    [r"\p{L}", r"\Aa", "(?i)a", "(?P<n>a)", "a++", "a{e<=1}", "[[:alpha:]]", "[]", "a**", "*a", "(a", "a)",
     "[a", r"\ud83d", "{", "a{1000}{1000}", "(a{200}){200}", "^*", r"\1", "[a[b]]"],
)  # fmt: skip
def test_a_pattern_that_may_mean_something_else_is_known_too(pattern: str) -> None:
    assert not means_the_same(pattern)


def test_a_string_is_asked_about_only_if_both_languages_see_the_same() -> None:
    assert reads_the_same("^.$", "é")
    assert not reads_the_same(r"^\w$", "é")
    assert not reads_the_same("^.$", "😀")
    assert not reads_the_same("a$", "a\n")
    searches = Searches()
    assert searches.found("^.$", "é")
    with pytest.raises(CannotSay):
        searches.found("a$", "a\n")
    with pytest.raises(CannotSay):
        searches.found("a" * 3_000, "a")
    with pytest.raises(CannotSay):
        searches.found(7, "a")
    with pytest.raises(CannotSay, match="different ways"):
        searches.found("[z-a]", "a")


def test_the_time_of_all_patterns_of_a_question_is_bounded_together() -> None:
    searches = Searches()
    searches.left = 0
    with pytest.raises(CannotSay, match="together"):
        searches.found("a", "a")
    searches.begin()
    assert searches.found("a", "a")


def test_patterns_are_remembered_in_bounded_number() -> None:
    searches = Searches()
    for number in range(300):
        assert searches.found(str(number), str(number))
    assert len(searches._compiled) < 300
