"""PRG002: progress does not increase."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

from mcp_tap.diagnosis.asked import HELD_REQUESTS
from mcp_tap.diagnosis.context import Occurrence, SessionContext
from mcp_tap.diagnosis.rule import sender_of
from mcp_tap.diagnosis.text import called, key_of_request
from mcp_tap.model.exchange import Exchange
from mcp_tap.rules.utilities._progress import PROGRESS, ProgressRule, shares_token


class NoProgress(ProgressRule):
    """Progress that does not increase.

    What it means: a progress notification has a value that is not greater than the one before for
    the same request.

    Why it matters: the specification demands that it increases, even where the total is not known;
    a progress bar stands still or jumps back, and a client that waits longer only for real progress
    gives up.

    Fails:
        → 5 tools/call {"name":"export","_meta":{"progressToken":5}}
        ← notifications/progress {"progressToken":5,"progress":50}
        ← notifications/progress {"progressToken":5,"progress":50}
        ← 5 result {"content":[]}

    Passes:
        → 5 tools/call {"name":"export","_meta":{"progressToken":5}}
        ← notifications/progress {"progressToken":5,"progress":0.5}
        ← notifications/progress {"progressToken":5,"progress":0.51}
        ← 5 result {"content":[]}

    What to do: count what is done, and send a notification only when there is more of it. Progress of
    several stages has to be added up.
    """

    id = "PRG002"
    title = "progress does not increase"
    severity = "error"
    culprit = "sender"
    next = "report a value that is greater than the one before; add up the stages"
    spec = PROGRESS + "#progress-flow"

    def __init__(self, context: SessionContext) -> None:
        super().__init__(context)
        self._last: OrderedDict[Exchange, tuple[float, int]] = OrderedDict()
        """The progress of a request reported last, and the record that did."""

    def progress(self, seen: Occurrence, token: Any) -> None:
        value, exchange = seen.params.get("progress"), seen.exchange
        if exchange is None or not isinstance(value, (int, float)) or isinstance(value, bool):
            return
        before = self._last.get(exchange)
        self._last[exchange] = (value, seen.seq)
        if len(self._last) > HELD_REQUESTS:
            self._last.popitem(last=False)
        if (
            before is None
            or value > before[0]
            or not self.context.whole
            or shares_token(self.context, exchange)
        ):
            return
        message = f"{seen.sender} reported progress {value} of {called(exchange)} after {before[0]}"
        self.hit((before[1], seen.seq), message, key=key_of_request(exchange), culprit=sender_of(seen))
