"""Which code page bytes are in, and which text was encoded twice: what is guessed, and what is not."""

from __future__ import annotations

import pytest

from mcp_tap.diagnosis.recognise.codepages import encoded_twice, guess


@pytest.mark.parametrize(
    ("text", "encoding", "name"),
    [
        ("中文", "gbk", "GBK"),
        ("文件不存在：找不到", "gbk", "GBK"),
        ("日本語のファイル", "cp932", "cp932"),
        ("中文檔案", "big5", "Big5"),
        ("파일을 찾을 수 없습니다", "cp949", "GBK or cp949"),
        ("Привет, мир", "cp1251", "cp1251"),
        ("café – naïve", "cp1252", "cp1252"),
        ("one — two", "cp1252", "cp1252"),
        ("Datei für Müller", "cp1252", "cp1252"),
        ("Datei für Müller", "cp850", "cp850"),
    ],
)
def test_the_code_page_of_a_text_is_told(text: str, encoding: str, name: str) -> None:
    found = guess(b'{"text":"' + text.encode(encoding) + b'"}')
    assert found is not None
    assert name in (found[0], *found[0].split(" or "))


@pytest.mark.parametrize("line", [b"\xff\xfe\xfd\x80\x81", b"\x81\x8d\x8f\x90\x9d", b"x"])
def test_no_code_page_is_told_where_none_fits(line: bytes) -> None:
    assert guess(line) is None


@pytest.mark.parametrize("text", ["café", "“quoted” – dash", "déjà", "Привет", "😀", "naïve façade"])
def test_what_was_encoded_twice_is_found(text: str) -> None:
    twice = text.encode().decode("cp1252", "ignore") if "à" not in text else "dÃ©jÃ\u00a0"
    if any(char > "\u0450" for char in text):
        twice = text.encode().decode("latin-1")
    assert encoded_twice(twice)
    assert not encoded_twice(text)


def test_escapes_are_read() -> None:
    assert encoded_twice('{"a":"caf\\u00c3\\u00a9"}') == ["Ã©"]


def test_a_quotation_in_a_text_that_is_in_order_is_none() -> None:
    assert encoded_twice("le caractère é, mal décodé, devient Ã©: à éviter") == []
