"""PRG002: progress does not increase."""

from __future__ import annotations

from mcp_tap.diagnosis.asked import HELD_REQUESTS
from mcp_tap.diagnosis.bounded import Latest
from mcp_tap.diagnosis.context import Notification, SessionContext
from mcp_tap.diagnosis.interest import sees
from mcp_tap.diagnosis.rule import Rule, sender_of
from mcp_tap.diagnosis.text import called, key_of_request
from mcp_tap.model.exchange import Exchange
from mcp_tap.rules.utilities._progress import PROGRESS, shares_token, token_of


class NoProgress(Rule):
    """Progress that does not increase.

    What it means: a progress notification has a value that is not greater than the previous one for the
    same request.

    Why it matters: the specification requires it to increase, even if the total is unknown; otherwise a
    progress bar stalls or jumps back, and a client that extends its timeout only for real progress
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

    What to do: count what is done, and send a notification only when there is more of it. The progress
    of several stages must be added up.
    """

    id = "PRG002"
    title = "progress does not increase"
    severity = "error"
    culprit = "sender"
    next = "report a value greater than the previous one; add up the stages"
    spec = PROGRESS + "#progress-flow"

    def __init__(self, context: SessionContext) -> None:
        super().__init__(context)
        self._last: Latest[Exchange, tuple[float, int]] = Latest(HELD_REQUESTS)
        """The progress of a request reported last, and the record that did."""

    @sees(methods="notifications/progress")
    def notification(self, progress: Notification) -> None:
        value, exchange = progress.params.get("progress"), progress.exchange
        if exchange is None or not isinstance(value, (int, float)) or isinstance(value, bool):
            return
        if token_of(progress) is None:
            return
        before = self._last.get(exchange)
        self._last[exchange] = (value, progress.seq)
        if before is None or value > before[0] or not self.context.whole:
            return
        if shares_token(self.context, exchange):
            return
        message = f"{progress.sender} reported progress {value} of {called(exchange)} after {before[0]}"
        seqs = (before[1], progress.seq)
        self.hit(seqs, message, key=key_of_request(exchange), culprit=sender_of(progress))
