"""TAP002: size limit reached."""

from __future__ import annotations

from mcp_tap.diagnosis.rule import Rule
from mcp_tap.diagnosis.text import plural, seconds
from mcp_tap.record.reader import Record
from mcp_tap.rules.recording._base import count_in


class LimitReached(Rule):
    """The size limit of the recording was reached.

    What it means: the session reached the number of bytes that `--max-log-size` allows. From then on,
    lines were forwarded but not recorded.

    Why it matters: the recording ends in the middle of the session. Findings that rely on something
    being absent are not made.

    Fails:
        2 ·· limit bytes=1000000

    Passes:
        2 → 1 ping
        2.1 ← 1 result

    What to do: record with a larger `--max-log-size`; 0 means no limit.
    """

    id = "TAP002"
    title = "size limit reached"
    severity = "info"
    culprit = "tap"
    next = "record with a larger --max-log-size (0 means no limit)"

    def event(self, record: Record) -> None:
        if record.event == "limit":
            size = count_in(record, "bytes")
            self.hit(
                record,
                f"the limit of {plural(size, 'byte')} was reached after {seconds(record.t)}: later lines "
                "were not recorded",
            )
