"""The patterns of JSON Schema, asked of a library that can be stopped.

They are regular expressions of ECMA-262. What is asked of ``regex`` here are those that mean the
same in both, of strings in which both see the same characters; of all others nobody can say
whether they match. And a pattern comes from the server: one that would take for ever is given up.
"""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING, Any

from mcp_tap.record.patterns import lazy

if TYPE_CHECKING:
    import regex


class CannotSay(Exception):
    """Why a question has no answer."""


MATCH_SECONDS = 0.05
"""For one search. Patterns in use take microseconds."""

QUESTION_SECONDS = 0.25
"""For all searches of one question."""

PATTERN_LIMIT = 2_000
"""Characters of a pattern that is looked into."""

EXPANDED_LIMIT = 10_000
"""Items of a pattern with its repetitions written out: compilers do that, and nested ones multiply."""

COMPILED_KEPT = 256

_ESCAPE = r"\\(?:[dDwWsSbBnrtfv]|x[0-9a-fA-F]{2}|u(?![dD][89a-fA-F])[0-9a-fA-F]{4}|[!-/:-@\[-^`{-~ ])"
_TOKEN = lazy(
    r"(?P<open>\((?:\?(?:[:=!]|<[=!]))?)"
    r"|(?P<close>\))"
    rf"|(?P<atom>\[\^?(?:[^\\\[\]]|{_ESCAPE})+\]|{_ESCAPE}|[^\\\[\](){{}}*+?|^$])"
    r"|(?P<edge>[|^$])"
    r"|(?P<repeat>(?:[*+?]|\{(?P<low>\d{1,4})(?:,(?P<high>\d{0,4}))?\})\??)"
)
_UNICODE_MATTERS = lazy(r"\\[dDwWsSbB]")
"""In ECMA-262 these are about ASCII, in the library about all letters."""

_LINE_ENDS = lazy(r"[\n\r\u2028\u2029]")
"""About which ``.`` and ``$`` differ."""


def means_the_same(pattern: str) -> bool:
    """Whether ``pattern`` is made only of what both kinds of expression have, in bounded size."""
    sizes, last, at = [0], 0, 0
    while at < len(pattern):
        token = _TOKEN.match(pattern, at)
        if token is None:
            return False
        at, kind = token.end(), token.lastgroup
        if kind == "open":
            sizes.append(0)
            last = 0
        elif kind == "close":
            if len(sizes) == 1:
                return False
            last = max(1, sizes.pop())
            sizes[-1] += last
        elif kind == "repeat":
            if last == 0:
                return False
            sizes[-1] += last * (most(token) - 1)
            last = 0
        else:
            last = int(kind == "atom")
            sizes[-1] += 1
        if sizes[-1] > EXPANDED_LIMIT:
            return False
    return len(sizes) == 1


def most(repeat: re.Match[str]) -> int:
    """How often something is written out that is repeated."""
    return max(1, int(repeat["low"] or 1), int(repeat["high"] or 1))


def reads_the_same(pattern: str, text: str) -> bool:
    """Whether both see the same characters in ``text``, as far as ``pattern`` asks for them."""
    if _LINE_ENDS.search(text):
        return False
    return text.isascii() or (not _UNICODE_MATTERS.search(pattern) and max(text) <= "\uffff")


class Searches:
    """The searches of one question after another."""

    def __init__(self) -> None:
        self.left = QUESTION_SECONDS
        self._compiled: dict[str, regex.Pattern[str] | None] = {}

    def begin(self) -> None:
        """A new question."""
        self.left = QUESTION_SECONDS

    def found(self, pattern: Any, text: str) -> bool:
        """Whether ``pattern`` matches somewhere in ``text``. Raises CannotSay."""
        compiled = self._compile(pattern) if isinstance(pattern, str) else None
        if compiled is None or not reads_the_same(pattern, text):
            raise CannotSay("a pattern that is read in different ways")
        if self.left <= 0:
            raise CannotSay("patterns that take too long together")
        # The one clock of the rules: it can end a question, and never make a finding.
        began = time.perf_counter()
        try:
            return compiled.search(text, timeout=min(MATCH_SECONDS, self.left)) is not None
        except TimeoutError:
            raise CannotSay("a pattern that takes too long") from None
        finally:
            self.left -= time.perf_counter() - began

    def _compile(self, pattern: str) -> regex.Pattern[str] | None:
        if pattern not in self._compiled:
            if len(self._compiled) >= COMPILED_KEPT:
                self._compiled.clear()
            self._compiled[pattern] = compiled(pattern)
        return self._compiled[pattern]


def compiled(pattern: str) -> regex.Pattern[str] | None:
    """``pattern`` for the library; None where it may mean something else there."""
    import regex

    if len(pattern) > PATTERN_LIMIT or not means_the_same(pattern):
        return None
    try:
        return regex.compile(pattern)
    except regex.error:
        return None
