"""The README's picture shows what the demo gives."""

from __future__ import annotations

from tests.picture import PICTURE, picture, text_of


def test_the_picture_shows_what_the_demo_gives() -> None:
    committed = text_of(PICTURE.read_text(encoding="utf-8"))
    assert committed == text_of(picture()), "the output has changed: run python -m tests.documents"


def test_the_picture_fetches_nothing_from_elsewhere() -> None:
    text = PICTURE.read_text(encoding="utf-8")
    assert 'url("' not in text
    assert "font-face" not in text
