"""Which code page bytes may be in that are not UTF-8, and which text is UTF-8 that was encoded twice."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from mcp_tap.record.patterns import lazy

SAMPLE = 64 * 1024
"""Bytes that are looked at."""

SHOWN = 20
"""Characters of what the bytes decode to that are shown."""

PLAUSIBLE = 0.8
"""Share of the characters that have to be usual ones of a code page."""

HIGH = lazy(rb"[\x80-\xff]+")
FOREIGN = lazy(r"[^\x00-\x7f]+(?: ?[^\x00-\x7f]+)*")
"""What is not ASCII, over single spaces."""

PUNCTUATION = frozenset("“”‘’–—…•€™©®°·«»¡¿§\u00a0")
"""What is usual beyond letters in a text in a code page of the West."""


CYRILLIC_BEYOND = frozenset("ЁёЄєІіЇїЎўҐґ")
"""Letters of Russian, Ukrainian and Belarusian that are not in one row with the others."""


def in_rows(encoding: str, first: int, last: int) -> Callable[[str], bool]:
    """Whether a character is in the rows of a table where the usual ones are."""

    def usual(char: str) -> bool:
        code = char.encode(encoding, "replace")
        return len(code) == 2 and first <= code[0] <= last

    return usual


def is_kana_or_usual_kanji(char: str) -> bool:
    return "\u3000" <= char <= "\u30ff" or in_rows("shift_jis", 0x88, 0x97)(char)


def is_hangul(char: str) -> bool:
    return "\uac00" <= char <= "\ud7a3" or "\u3000" <= char <= "\u303f"


def is_western(char: str) -> bool:
    return char in PUNCTUATION or ("\u00c0" <= char <= "\u00ff" and char not in "×÷")


def is_cyrillic(char: str) -> bool:
    return "\u0410" <= char <= "\u044f" or char in CYRILLIC_BEYOND or char in PUNCTUATION


@dataclass(frozen=True, slots=True)
class CodePage:
    """``wide`` where a character takes two bytes; ``usual`` tells the characters of an ordinary text."""

    name: str
    encoding: str
    wide: bool
    usual: Callable[[str], bool]


CODE_PAGES = (
    CodePage("GBK", "gbk", True, in_rows("gb2312", 0xA1, 0xD7)),
    CodePage("cp932", "cp932", True, is_kana_or_usual_kanji),
    CodePage("Big5", "big5", True, in_rows("big5", 0xA1, 0xC6)),
    CodePage("cp949", "cp949", True, is_hangul),
    CodePage("cp1251", "cp1251", False, is_cyrillic),
    CodePage("cp1252", "cp1252", False, is_western),
    CodePage("cp850", "cp850", False, is_western),
)
"""In the order in which they are believed."""

CONSOLE_PAGES = (*CODE_PAGES, CodePage("cp866", "cp866", False, is_cyrillic))
"""Those of a console: what cmd says in Russian is in none of the others."""


def guess(line: bytes) -> tuple[str, str] | None:
    """The code page that ``line`` may be in, and some of its text; None where none fits.

    Several names (``GBK or cp949``) where the bytes are usual text in each of them.
    """
    line = line[:SAMPLE]
    fitting = [(page, found) for page in CODE_PAGES if (found := text_in(page, line)) is not None]
    if not fitting:
        return None
    wide = [(page, found) for page, found in fitting if page.wide]
    best = max(share for _, (share, _) in wide or fitting)
    names = [page.name for page, (share, _) in wide or fitting if share == best]
    text = next(text for _, (share, text) in wide or fitting if share == best)
    sample = FOREIGN.search(text)
    return " or ".join(names if wide else names[:1]), sample[0][:SHOWN] if sample else ""


def text_in(page: CodePage, line: bytes) -> tuple[float, str] | None:
    """``line`` as text, if it is usual text in ``page``, and the share of it that is."""
    try:
        text = line.decode(page.encoding)
    except UnicodeDecodeError:
        return None
    foreign = [char for char in text if char > "\x7f"]
    share = sum(map(page.usual, foreign)) / len(foreign) if foreign else 0.0
    if share < PLAUSIBLE or not looks_like(page, line, len(foreign)):
        return None
    return share, text


def looks_like(page: CodePage, line: bytes, characters: int) -> bool:
    """Whether the bytes stand together as they do in such a text."""
    runs = [len(run[0]) for run in HIGH.finditer(line)]
    if page.encoding == "big5" and characters > 7 and sum(runs) == 2 * characters:
        return False  # a third of the characters have a second byte that is ASCII
    if page.wide:
        # One accented letter and the letter after it are a character of most wide code pages.
        return characters > 1 and sum(runs) >= 1.5 * characters
    # Whole words in high bytes are no language of the West, single letters none with an alphabet of its own.
    return (sum(runs) / len(runs) >= 3) == (page.encoding in ("cp1251", "cp866"))


def decoded(lines: list[bytes]) -> list[str]:
    """Lines of one program as text: UTF-8, or the code page that those of them are in that are not."""
    lines = [line.replace(b"\0", b"") if line.count(0) * 3 >= len(line) else line for line in lines]
    other = b"\n".join(line for line in lines if not is_utf_8(line))
    fitting = [(found[0], page) for page in CONSOLE_PAGES if (found := text_in(page, other)) is not None]
    wide = [each for each in fitting if each[1].wide]
    best = max(wide or fitting, key=lambda each: each[0], default=None)
    other_encoding = "utf-8" if best is None else best[1].encoding
    return [line.decode("utf-8" if is_utf_8(line) else other_encoding, "replace") for line in lines]


def is_utf_8(line: bytes) -> bool:
    try:
        line.decode()
    except UnicodeDecodeError as error:
        return error.end == len(line) and error.reason == "unexpected end of data"
    return True


def is_cut_utf_8(line: bytes) -> bool:
    """Whether ``line`` is UTF-8 but for characters that were cut: a string was sliced by its bytes."""
    text = line[:SAMPLE].decode(errors="replace")
    broken = text.count("\ufffd")
    return sum(char > "\x7f" for char in text) > 2 * broken


NEXT = "[\u0080-\u00bf€‚ƒ„…†‡ˆ‰Š‹Œ‘’“”•–—˜™š›œŽžŸ]"
"""What a byte of UTF-8 after the first becomes in cp1252, or in Latin-1."""

TWICE = lazy(f"[ÂÃ]{NEXT}|â[€\u0080]{NEXT}|ð[Ÿ\u009f]{NEXT}{{2}}|(?:[ÐÑ]{NEXT}){{2,}}")
"""The UTF-8 of an accented letter, a quotation mark, an emoji, of Cyrillic letters, read as cp1252."""

ESCAPES = lazy(r"(?:\\u00[c-f][0-9a-f])(?:\\u[0-9a-f]{4})+", re.IGNORECASE)


SUSPECT = lazy(rb"\xc3[\x82\x83\x90\x91\xa2\xb0]|\\u00(?:[cC][23]|[dD][01]|[eE]2|[fF]0)")
"""How each of them begins, in UTF-8 or as an escape."""


def may_be_encoded_twice(line: bytes) -> bool:
    """Whether ``line`` has anything for :func:`encoded_twice`; nearly always not, and cheap to tell."""
    return (0xC3 in line or 0x5C in line) and SUSPECT.search(line) is not None


def encoded_twice(text: str) -> list[str]:
    """The parts of a JSON text that look as if UTF-8 had been read as cp1252 and encoded again."""
    unescaped = ESCAPES.sub(lambda run: "".join(chr(int(code, 16)) for code in run[0][2:].split("\\u")), text)
    found = [each[0] for each in TWICE.finditer(unescaped)]
    # Where most of what is not ASCII is in order, somebody quotes such text.
    foreign = sum(char > "\x7f" for char in unescaped)
    return found if sum(map(len, found)) * 2 > foreign else []
