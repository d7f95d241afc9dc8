"""Writes the sentences of the rules anew, where that is asked for."""

from __future__ import annotations

from tests.rules import sentences


def pytest_sessionfinish() -> None:
    if sentences.WRITING:
        sentences.write()
