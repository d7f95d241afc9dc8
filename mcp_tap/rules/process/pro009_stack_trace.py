"""PRO009: a stack trace on stderr."""

from __future__ import annotations

from collections.abc import Hashable

from mcp_tap.diagnosis.context import SessionContext
from mcp_tap.diagnosis.finding import Hit
from mcp_tap.diagnosis.recognise.complaints import LINE_EXAMINED, brief, masked
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.diagnosis.text import excerpt, plural
from mcp_tap.record.reader import Record
from mcp_tap.rules.process._base import text_of

TRACES = {
    b"Traceback (most recent call last)": "Python",
    b"    at ": "JavaScript",
    b"panic: ": "Go",
    b"thread '": "Rust",
    b"Exception in thread ": "Java",
    b"Unhandled exception. ": ".NET",
}
"""How stack traces begin, and of which language they are."""

TRACE_STARTS = tuple(TRACES)


class StackTrace(Rule):
    """A stack trace on stderr.

    What it means: the server, or a library in it, reported an error with its stack on stderr.

    Why it matters: it may be the reason for a failed call or for the server's end; many servers
    also log errors this way that they have handled.

    Fails:
        2> Traceback (most recent call last):
        2>   File "notes.py", line 7, in search
        2> ValueError: no such note
        → 1 ping
        ← 1 result

    Passes:
        2> ValueError: no such note
        → 1 ping
        ← 1 result

    What to do: hold the time of the trace against the calls around it: `mcp-tap show` prints both.
    """

    id = "PRO009"
    title = "a stack trace on stderr"
    severity = "info"
    culprit = "server"
    next = "look at what was called when it was printed"

    def __init__(self, context: SessionContext) -> None:
        super().__init__(context)
        self._errors: dict[Hashable, str] = {}
        """By the key of a finding, the line that says what its first trace is of."""
        self.inside: Hit | None = None
        """The finding of the trace that goes on."""
        self.before = b""
        """The line before, which in JavaScript says what the stack is of."""

    def stderr(self, record: Record) -> None:
        line = record.payload
        if self.inside is not None:
            if line[:1].isspace() or not line:
                return
            if self.inside.key not in self._errors:
                self._errors[self.inside.key] = text_of(line)
                self.inside.evidence.append(excerpt(masked(text_of(line))))
            self.inside = None
        if line.startswith(TRACE_STARTS):
            start = next(each for each in TRACE_STARTS if line.startswith(each))
            if start != b"thread '" or b"panicked" in line:
                self._begin(record, TRACES[start])
        self.before = line[:LINE_EXAMINED]

    def _begin(self, record: Record, language: str) -> None:
        self.inside = self.hit(record, "", key=language)
        if language == "JavaScript":
            self._errors.setdefault(language, text_of(self.before))
        elif language != "Python":
            self._errors.setdefault(language, text_of(record.payload))

    def sentence(self, hit: Hit) -> str:
        traces = plural(hit.count, f"{hit.key} stack trace")
        what = brief(self._errors.get(hit.key, ""))
        first = ", the first of" if hit.count > 1 else " of"
        return f"{traces} on stderr{f'{first}: {what}' if what else ''}"
