"""FRM019: text that looks double-encoded."""

from __future__ import annotations

from mcp_tap.diagnosis.context import SessionContext
from mcp_tap.diagnosis.interest import sees
from mcp_tap.diagnosis.recognise.codepages import SAMPLE, encoded_twice, may_be_encoded_twice
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.diagnosis.text import quoted
from mcp_tap.record.reader import Record
from mcp_tap.rules.framing._base import AWAITED

TWICE_HITS = 3
"""Places that look encoded twice from which on it is reported; fewer may be chance."""


class EncodedTwice(Rule):
    """Text that looks double-encoded.

    What it means: text has `Ã©` where `é` is meant: somewhere, UTF-8 was read as cp1252 and encoded
    again. The file or web page itself may look like that, so this is a heuristic, and reported only if
    it occurs several times.

    Why it matters: the session works, but the model and the user read garbled text.

    Fails:
        → 1 tools/call {"name":"read"}
        ← 1 result {"content":[{"type":"text","text":"cafÃ© crÃ¨me, dÃ©jÃ\xa0 vu"}]}

    Passes:
        → 1 tools/call {"name":"read"}
        ← 1 result {"content":[{"type":"text","text":"Ã É À: café crème, déjà vu"}]}

    What to do: find what reads UTF-8 in the system code page: use open(…, encoding="utf-8"), or set
    PYTHONUTF8=1.
    """

    id = "FRM019"
    title = "text that looks double-encoded"
    severity = "warning"
    culprit = "undecided"
    next = 'find what reads UTF-8 in the system code page; use open(…, encoding="utf-8"), or set PYTHONUTF8=1'
    certainty = "heuristic"

    def __init__(self, context: SessionContext) -> None:
        super().__init__(context)
        self._found: dict[str, tuple[set[str], list[int]]] = {"c2s": (set(), []), "s2c": (set(), [])}

    @sees(cue=may_be_encoded_twice)
    def line(self, record: Record) -> None:
        if record.is_message:
            found = encoded_twice(record.payload[:SAMPLE].decode(errors="ignore"))
            if found:
                self._gather(record, found)

    def _gather(self, record: Record, found: list[str]) -> None:
        """Count what this side was the first to say; the other may repeat it."""
        said, records = self._found[record.dir]
        theirs = self._found["c2s" if record.dir == "s2c" else "s2c"][0]
        own = [each for each in found if each not in theirs]
        if not own:
            return
        said.update(own[: AWAITED - len(said)])
        records.append(record.seq)
        if len(said) < TWICE_HITS:
            del records[TWICE_HITS:]
            return
        who = "server" if record.dir == "s2c" else "client"
        sample = ", ".join(quoted(each) for each in sorted(said)[:TWICE_HITS])
        self.hit(records[:], f"text from the {who} looks double-encoded ({sample})", key=record.dir)
        records.clear()
