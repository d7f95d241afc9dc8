"""PRO009: a stack trace on stderr."""

from __future__ import annotations

from tests.recordings.cases import begun, closed
from tests.rules.process.start_cases import found


def test_a_python_traceback_is_told_with_its_last_line() -> None:
    tape = begun().stderr("Traceback (most recent call last):", 1).stderr('  File "x", line 1', 1)
    tape.stderr("ValueError: no such note", 1).stderr("ready", 1)
    assert found(closed(tape, 2)) == [("PRO009", "info", "server", (5,), "Python")]


def test_javascript_tells_what_the_stack_is_of_before_it() -> None:
    tape = begun()
    for number in range(2):
        tape.stderr(f"Error: no such note {number}", 1).stderr("    at find (notes.js:1:1)", 1)
        tape.stderr("    at main (notes.js:9:9)", 1).stderr("on we go", 1)
    assert found(closed(tape, 2)) == [("PRO009", "info", "server", (6, 10), "JavaScript")]


def test_other_languages_are_known_too_and_a_thread_is_no_panic() -> None:
    tape = begun().stderr("panic: index out of range", 1).stderr("thread 'main' started", 1)
    tape.stderr("thread 'main' panicked at src/main.rs:1", 1).stderr("Traceback (most recent call last):", 1)
    assert [each[4] for each in found(closed(tape, 2))] == [
        "Go",
        "Rust",
        "Python",
    ]
