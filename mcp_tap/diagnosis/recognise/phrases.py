"""Words that give orders to a model, and characters that nobody sees.

The patterns were run over the metadata of 143 tools of 13 real servers. Those of ``TELLING`` hit none of
them; those of ``COMMON`` hit some (a tool that "must be called first"), so they prove nothing alone.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from mcp_tap.record.patterns import lazy

TEXT_SCANNED = 100_000
"""Characters of one string that are looked at."""

LOOSE = re.IGNORECASE | re.ASCII

# Every gap is bounded and stays within a sentence, so that no text takes more than linear time.
OVERRIDE = lazy(
    r"\b(?:ignore|disregard|forget|override)\b[^.!?]{0,60}?\b(?:previous|prior|above|system|earlier|preceding)\b"
    r"[^.!?]{0,40}?\b(?:instructions?|prompts?|rules?)\b",
    LOOSE,
)
EXFILTRATION = lazy(
    r"\b(?:send|pass|include|append)\b[^.!?]{0,40}?\b(?:contents?|files?|keys?|(?<!page )(?<!next )tokens?)\b"
    r"[^.!?]{0,40}?\b(?:as|to|in)\b[^.!?]{0,40}?\b(?:parameter|argument|sidenote|URL)\b",
    LOOSE,
)
ROLE = lazy(r"\byou\s+are\s+(?:now\s+)?an?\s[^.!?]{0,40}?\b(?:assistant|admin|administrator)\b", LOOSE)
CONCEALMENT = lazy(
    r"\b(?:do\s{1,9}not|don['’]t|never)[\s,]{1,9}"
    # Only words that change nothing may stand between: "do not use it before you tell the user" is no order.
    r"(?:(?:ever|even|also|explicitly|directly|under\s{1,9}any\s{1,9}circumstances?|in\s{1,9}any\s{1,9}case|at\s{1,9}any\s{1,9}point"
    r"|show|say|tell|mention|reveal|inform|or|and)[\s,]{1,9}){0,4}?"
    r"(?:(?:tell|inform)\s+(?:(?:the|your|any|this|these)\s+)?(?:users?|humans?|them|anyone)\b(?!\s+(?:to|how)\b)"
    r"|(?:mention|reveal)\b[^.!?]{0,60}?\bto\s+(?:(?:the|your|any|this|these)\s+)?"
    r"(?:users?|humans?|them|anyone)\b)",
    LOOSE,
)
IMPERATIVE = lazy(
    r"\b(?:must|always)\s+(?:call|use)\b[^.!?]{0,40}?\b(?:this|first|before)\b|\bbefore\s+using\s+this\s+tool\b",
    LOOSE,
)
MARKUP = lazy(r"<!--|<(?:system|important|secret)\b", LOOSE)
SENSITIVE_FILE = lazy(
    r"~/\.ssh\b|\bid_(?:rsa|dsa|ecdsa|ed25519)\b|/etc/(?:passwd|shadow)\b|\bmcp\.json\b|\.aws/credentials\b"
    r"|\bcredentials(?:\.json\b|\s+files?\b)|(?<![\w.])\.env\b(?![.\w])",
    LOOSE,
)

Class = Literal["override", "exfiltration", "role", "imperative", "markup"]

TELLING: tuple[tuple[Class, re.Pattern[str]], ...] = (
    ("override", OVERRIDE),
    ("exfiltration", EXFILTRATION),
    ("role", ROLE),
)
COMMON: tuple[tuple[Class, re.Pattern[str]], ...] = (("imperative", IMPERATIVE), ("markup", MARKUP))

# What OVERRIDE and CONCEALMENT begin with, in the bytes of a line in lower case, and what must follow. The
# first three begin with a literal (see credentials.py); the others look at a few hundred bytes.
_G = lazy(rb"g(?:nore(?<=ignore)|ard(?<=disregard)|et(?<=forget))")
_V = lazy(rb"v(?:er(?<=never)|erride(?<=override))")
_DO = lazy(rb"do(?:n(?:'|\xe2\x80\x99|\\u2019)t|(?:\s|\\[nrtf]|\\u00)[^a-z]{0,60}not)")
_ORDER = lazy(
    rb"(?:previous|prior|above|system|earlier|preceding).{0,600}?(?:instruction|prompt|rule)", re.DOTALL
)
_TELLS = lazy(rb"(?:tell|inform|mention|reveal)[\\\s]")

OBJECTS = (b"instruction", b"prompt", b"rule")
VERBS = (b"tell", b"inform", b"mention", b"reveal")

ORDER_BYTES, TELLS_BYTES = 1400, 700
"""Bytes within which the rest must come, each letter of a gap being escaped."""


BEGINNINGS_TRIED = 50
"""Beginnings in one line that are followed up; one with more is worth reading."""


def looks_instructed(payload: bytes) -> bool:
    """Whether a line of JSON may hold what :func:`instruction_in` finds. True is no proof.

    A microsecond for a result, and 3 ns a byte beyond.
    """
    low = payload.lower()
    if _G.search(low) is None and _V.search(low) is None and _DO.search(low) is None:
        return False  # nearly always
    for number, each in enumerate(beginnings(low)):
        if number >= BEGINNINGS_TRIED or followed(low, each):
            return True
    return False


def beginnings(low: bytes) -> Iterator[tuple[int, bool]]:
    """Where such an order may begin, and whether it is one to hide something."""
    for match in _G.finditer(low):
        yield match.end(), False
    for match in _V.finditer(low):
        yield match.end(), match[0] == b"ver"
    for match in _DO.finditer(low):
        yield match.end(), True


def followed(low: bytes, beginning: tuple[int, bool]) -> bool:
    """Whether a beginning is followed by what makes it an order."""
    at, hides = beginning
    near = low[at : at + (TELLS_BYTES if hides else ORDER_BYTES)]
    if not any(word in near for word in (VERBS if hides else OBJECTS)):
        return False  # cheaper by far than the patterns
    return (_TELLS.search(near) if hides else _ORDER.search(near)) is not None


def instruction_in(text: str) -> str | None:
    """The words in a tool's output that tell a model to drop its instructions, or to hide something."""
    text = text[:TEXT_SCANNED]
    found = OVERRIDE.search(text) or CONCEALMENT.search(text)
    return found[0] if found else None


def readable(text: str) -> str:
    """``text`` as a model may read it: compatibility forms made plain, invisible characters left out."""
    text = text[:TEXT_SCANNED]
    if text.isascii():
        return text
    plain = unicodedata.normalize("NFKC", text)
    return "".join(letter for letter in plain if unicodedata.category(letter) != "Cf")


@dataclass(frozen=True, slots=True)
class Invisible:
    """Characters that are not seen: of what kind, how many; ``hidden`` is what they spell, if anything.

    ``stray`` is true where they may well have been copied by accident.
    """

    kind: str
    count: int
    hidden: str = ""
    stray: bool = False


_TAG_RUN = lazy("(\U0001f3f4?)([\U000e0000-\U000e007f]+)")
_SELECTOR_RUN = lazy("[\ufe00-\ufe0f\U000e0100-\U000e01ef]{2,}")
_BIDI = lazy("[\u202a-\u202e\u2066-\u2069]")
_ZERO_WIDTH = lazy("[\u200b\u2060-\u2064\ufeff]|(?<=[\x00-\x7f])[\u200c\u200d](?=[\x00-\x7f])")
_RIGHT_TO_LEFT = lazy("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
_BREAKS_WORDS = lazy("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u4e00-\u9fff]")
"""Scripts without spaces, in which a zero-width space says where a line may break."""

STRAY = 2
"""Zero-width characters in one string up to which they are taken for an accident."""


def invisible_in(text: str) -> Invisible | None:
    """The invisible characters in ``text`` that have no business there.

    None for what belongs to emoji (flags, joiners, one selector), to scripts written from right to left,
    and to scripts without spaces.
    """
    if text.isascii():
        return None
    tags = [run for flag, run in _TAG_RUN.findall(text) if not (flag and len(run) <= 8)]
    if tags:
        letters = "".join(tags)
        hidden = "".join(chr(ord(each) - 0xE0000) for each in letters if 0x20 <= ord(each) - 0xE0000 < 0x7F)
        return Invisible("tag character", len(letters), hidden)
    selectors = "".join(_SELECTOR_RUN.findall(text))
    if selectors:
        return Invisible("variation selector", len(selectors), spelled(selectors))
    bidi = _BIDI.findall(text)
    if bidi and not _RIGHT_TO_LEFT.search(text):
        return Invisible("bidirectional control character", len(bidi))
    zero = _ZERO_WIDTH.findall(text.removeprefix("\ufeff"))
    if zero and not _BREAKS_WORDS.search(text):
        return Invisible("zero-width character", len(zero), stray=len(zero) <= STRAY)
    return None


def spelled(selectors: str) -> str:
    """What variation selectors spell, one byte each, if it is text."""
    numbers = (ord(each) for each in selectors)
    data = bytes(
        number - 0xFE00 if number < 0xE0100 else (number - 0xE0100 + 16) & 0xFF for number in numbers
    )
    text = data.decode("latin-1")
    return text if text.isascii() and text.isprintable() else ""
