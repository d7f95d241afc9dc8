"""Lines as they are appended. The test is what happens while the follower waits."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

import mcp_tap.record.follow as follow_module
from mcp_tap.record.follow import NewLine, Restarted, follow


class Script:
    """A wait in which one step after the other is taken; the last one ends the iteration."""

    def __init__(self, *steps: Callable[[], object]) -> None:
        self.steps = list(steps)

    def __call__(self) -> bool:
        if not self.steps:
            return False
        self.steps.pop(0)()
        return True


def append(path: Path, text: str) -> Callable[[], object]:
    def step() -> None:
        with path.open("a") as file:
            file.write(text)

    return step


def lines(path: Path, *texts: str, start: int = 1) -> list[NewLine]:
    return [NewLine(str(path), number, f"{text}\n".encode()) for number, text in enumerate(texts, start)]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "a.jsonl"
    path.write_text("one\n")
    return path


def test_what_is_there_comes_first_and_then_what_is_appended(file: Path) -> None:
    news = follow([str(file)], Script(append(file, "two\n"), lambda: None, append(file, "three\nfour\n")))
    assert list(news) == lines(file, "one", "two", "three", "four")


def test_a_line_is_kept_until_its_newline_comes(file: Path) -> None:
    news = follow([str(file)], Script(append(file, "tw"), append(file, "o"), append(file, "\nth")))
    assert list(news) == lines(file, "one", "two")


def test_a_line_longer_than_what_is_read_at_once_is_one_line(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(follow_module, "CHUNK", 3)
    assert list(follow([str(file)], Script(append(file, "a long line\n")))) == lines(
        file, "one", "a long line"
    )


def test_a_file_that_is_replaced_is_read_to_its_end_and_then_the_new_one(file: Path) -> None:
    def replace() -> None:
        append(file, "two\ntorn")()
        file.rename(file.with_suffix(".old"))
        append(file, "new\n")()
        append(file.with_suffix(".old"), " for good")()

    assert list(follow([str(file)], Script(replace, append(file, "newer\n")))) == [
        *lines(file, "one", "two"),
        NewLine(str(file), 3, b"torn for good"),
        Restarted(str(file)),
        *lines(file, "new", "newer"),
    ]


@pytest.mark.parametrize("after", ["x\n", "another and longer\n"])
def test_a_file_that_is_cut_short_is_read_from_its_beginning(file: Path, after: str) -> None:
    news = follow([str(file)], Script(lambda: file.write_text(after)))
    assert list(news) == [*lines(file, "one"), Restarted(str(file)), *lines(file, after.strip())]


def test_a_file_that_is_gone_for_a_while_is_waited_for(file: Path) -> None:
    news = follow([str(file)], Script(file.unlink, lambda: None, append(file, "again\n")))
    assert list(news) == [*lines(file, "one"), Restarted(str(file)), *lines(file, "again")]


def test_a_file_that_is_not_there_yet_is_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "later.jsonl"
    assert list(follow([str(path)], Script(lambda: None, append(path, "x\n")))) == lines(path, "x")


def test_recordings_that_appear_in_the_directory_are_followed_too(file: Path) -> None:
    other, old, notes = (file.with_name(name) for name in ("b.jsonl", "old.jsonl", "notes.txt"))
    old.write_text("old\n")
    script = Script(append(notes, "no\n"), append(other, "b1\n"), append(file, "two\n"), append(old, "no\n"))
    news = follow([str(file)], script, str(file.parent), ignored=[str(file), str(old)])
    assert list(news) == [*lines(file, "one"), *lines(other, "b1"), *lines(file, "two", start=2)]


def test_an_ignored_recording_that_was_deleted_is_new_when_it_comes_again(file: Path) -> None:
    script = Script(file.unlink, append(file, "again\n"))
    assert list(follow([], script, str(file.parent), ignored=[str(file)])) == lines(file, "again")


def test_a_directory_that_comes_later_is_waited_for(tmp_path: Path) -> None:
    place = tmp_path / "later"
    path = place / "x.jsonl"
    script = Script(lambda: None, place.mkdir, append(path, "x\n"))
    assert list(follow([], script, str(place))) == lines(path, "x")


def test_of_many_files_only_some_are_kept_open_and_none_is_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(follow_module, "OPEN_FILES", 2)
    paths = [tmp_path / f"{number}.jsonl" for number in range(5)]
    for path in paths:
        path.write_text("first\n")
    opened: list[int] = []

    def count() -> None:
        names = {os.path.realpath(f"/proc/self/fd/{fd}") for fd in os.listdir("/proc/self/fd")}
        opened.append(len(names & {str(path) for path in paths}))

    def replace_the_first() -> None:
        paths[0].unlink()
        paths[0].write_text("other\n")

    script = Script(count, append(paths[1], "second\n"), count, replace_the_first, count)
    assert list(follow(map(str, paths), script)) == [
        *(line for path in paths for line in lines(path, "first")),
        NewLine(str(paths[1]), 2, b"second\n"),
        Restarted(str(paths[0])),
        *lines(paths[0], "other"),
    ]
    assert opened == [2, 2, 2]


def test_everything_is_closed_when_the_reader_leaves(file: Path) -> None:
    news = follow([str(file)], lambda: True)
    assert next(news) == NewLine(str(file), 1, b"one\n")
    news.close()  # type: ignore[attr-defined] # a generator
    assert not [
        fd for fd in os.listdir("/proc/self/fd") if os.path.realpath(f"/proc/self/fd/{fd}") == str(file)
    ]
