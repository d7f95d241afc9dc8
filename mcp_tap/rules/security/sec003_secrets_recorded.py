"""SEC003: recording holds what looks like credentials."""

from __future__ import annotations

from mcp_tap.diagnosis.bounded import First
from mcp_tap.diagnosis.context import Occurrence, SessionContext
from mcp_tap.diagnosis.finding import Hit
from mcp_tap.diagnosis.interest import sees
from mcp_tap.diagnosis.recognise.credentials import (
    Credential,
    credentials_in,
    in_line,
    looks_secret,
    shapes_in,
)
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.diagnosis.text import plural
from mcp_tap.record.reader import Record

VALUES_KEPT = 1000
"""Different credentials of a session that are told apart."""

PLACES_KEPT = 20
"""Kinds of messages that are remembered; three of them are named."""


class SecretsRecorded(Rule):
    """Values in the recording that look like credentials.

    What it means: messages, stderr or the command line in this recording hold values that look like
    credentials. The number is that of different values, wherever they are. What the tap has masked on
    the command line does not count, and neither do placeholders.

    Why it matters: a recording holds what passed, by design. It is readable by its owner alone, but a
    recording is made to be sent to somebody.

    Fails:
        2> Using headers: {"X-API-KEY":"5f2d1c9ab34e"}

    Passes:
        2> Using headers: {"X-API-KEY":"EXAMPLE"} and token [masked], max_tokens=1024

    What to do: look through the recording, and redact it, before you share it.
    """

    id = "SEC003"
    title = "recording holds what looks like credentials"
    severity = "info"
    culprit = "undecided"
    certainty = "heuristic"
    next = "look through the recording, and redact it, before sharing it"

    def __init__(self, context: SessionContext) -> None:
        super().__init__(context)
        self._values: set[int] = set()
        """Hashes: the values themselves are not to lie about in memory, let alone in a report."""
        self._places: First[str, None] = First(PLACES_KEPT)

    @sees(cue=looks_secret)
    def message(self, seen: Occurrence) -> None:
        value = seen.message.value
        found = credentials_in(value if isinstance(value, dict) else {})
        self._note(seen.record, self._place(seen), found)

    @staticmethod
    def _place(seen: Occurrence) -> str:
        if seen.message.method == "tools/call":
            return "tool arguments"
        if seen.message.method is not None:
            return seen.message.method
        method = None if seen.exchange is None else seen.exchange.method
        return "answers" if method is None else f"answers to {method}"

    def stderr(self, record: Record) -> None:
        self._note(record, "stderr", in_line(record.payload.decode(errors="replace")))

    def event(self, record: Record) -> None:
        argv = record.fields.get("argv") if record.event == "start" else None
        for word in argv if isinstance(argv, list) else ():
            if isinstance(word, str):
                shapes = [Credential(kind, value, "", True) for kind, value in shapes_in(word)]
                self._note(record, "the command line", shapes)

    def _note(self, record: Record, place: str, found: list[Credential]) -> None:
        if not found:
            return
        self.hit(record, "", evidence=f"{place} {found[0].masked}")
        room = max(0, VALUES_KEPT - len(self._values))
        self._values.update(hash(each.value) for each in found[:room])
        self._places[place] = None

    def sentence(self, hit: Hit) -> str:
        places = list(self._places)
        more = f" and {plural(len(places) - 3, 'more place')}" if len(places) > 3 else ""
        where = ", ".join(places[:3]) + more
        return f"recording holds values that look like credentials ({len(self._values):,}): in {where}"
