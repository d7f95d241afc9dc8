"""TAP001: recording has a gap."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

from mcp_tap.diagnosis.context import SessionContext
from mcp_tap.diagnosis.finding import Culprit, Hit
from mcp_tap.diagnosis.recognise.complaints import brief
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.diagnosis.text import plural
from mcp_tap.record.reader import Record
from mcp_tap.rules.recording._base import count_in


@dataclass(slots=True, eq=False)
class Lost:
    """What could not be written, in all."""

    records: int = 0
    bytes: int = 0


class LogFailed(Rule):
    """The recording has a gap: the log failed.

    What it means: for a time the tap could not write to the recording: a full disk, a file or folder
    that was removed or truncated, no free descriptor. It kept forwarding, as intended; the lines that passed
    meanwhile are not in the recording. The session itself was not disturbed.

    Why it matters: what is missing may be what you are looking for. Findings that rely on something
    being absent ("never answered") are not made for such a session.

    Fails:
        2 ·· gap records=3 bytes=600 reason="No space left on device"

    Passes:
        2 → 1 ping
        2.1 ← 1 result

    What to do: free some space, or record to another folder (`--log-dir`), and record again.
    """

    id = "TAP001"
    title = "recording has a gap"
    severity = "warning"
    culprit = "environment"
    next = (
        "free some space, or record to another folder (--log-dir), and record again; the session is not "
        "at fault"
    )

    def __init__(self, context: SessionContext) -> None:
        super().__init__(context)
        self._lost: dict[Hashable, Lost] = {}
        """By the key of a finding, which is the reason."""

    def event(self, record: Record) -> None:
        if record.event != "gap":
            return
        why = brief(str(record.fields.get("reason")))
        culprit: Culprit | None = "tap" if why in OWN_REASONS else None
        hit = self.hit(record, "", key=why, culprit=culprit)
        lost = self._lost.setdefault(hit.key, Lost())
        lost.records += count_in(record, "records")
        lost.bytes += count_in(record, "bytes")

    def sentence(self, hit: Hit) -> str:
        lost = self._lost[hit.key]
        times = "" if hit.count == 1 else f" in {hit.count:,} gaps"
        return (
            f"{plural(lost.records, 'record')} ({plural(lost.bytes, 'byte')}) could not be written{times} "
            f"and {'is' if lost.records == 1 else 'are'} missing: {hit.key}"
        )


OWN_REASONS = frozenset({"Cannot allocate memory", "Not enough space"})
"""Where the tap itself could not hold a line."""
