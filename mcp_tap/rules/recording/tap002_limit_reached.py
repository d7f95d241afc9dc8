"""TAP002: the size limit was reached."""

from __future__ import annotations

from mcp_tap.diagnosis.rule import Rule
from mcp_tap.diagnosis.text import plural, seconds
from mcp_tap.record.reader import Record
from mcp_tap.rules.recording._base import count_in


class LimitReached(Rule):
    """The size limit of the recording was reached.

    What it means: the session had as many bytes of records as `--max-log-size` allows. From there on
    lines are forwarded and not recorded.

    Why it matters: the recording ends in the middle of the session. Findings that rest on something
    not being there are not made.

    Fails:
        2 ·· limit bytes=1000000

    Passes:
        2 → 1 ping
        2.1 ← 1 result

    What to do: record with a larger `--max-log-size`; 0 is no limit.
    """

    id = "TAP002"
    title = "the size limit was reached"
    severity = "info"
    culprit = "tap"
    next = "record with a larger --max-log-size (0 is no limit)"

    def event(self, record: Record) -> None:
        if record.event == "limit":
            size = count_in(record, "bytes")
            self.hit(
                record,
                f"the limit of {plural(size, 'byte')} was reached after {seconds(record.t)}: later lines are "
                "not recorded",
            )
