"""PRF001: slow request."""

from __future__ import annotations

from mcp_tap.rules.performance._base import SlowAnswers


class SlowRequest(SlowAnswers):
    """Requests that take long.

    What it means: the server took more than five seconds (``slow_call_seconds``) for an answer.
    What it waited for the client meanwhile (its model, its user, its roots) does not count, nor
    does its start; where a 2026-07-28 server asks back, the legs of a call are one. Requests that
    stay open by design, and those that the client gave up, are not meant. Told once for each tool
    or method.

    Why it matters: users wait; clients and their models give up at some point, often at 60 seconds.

    Fails:
        1 → 5 tools/call {"name":"export","arguments":{}}
        9 ← 5 result {"content":[]}

    Passes, client {"elicitation":{}}:
        1 → 5 tools/call {"name":"export","arguments":{}}
        2 ← 0 elicitation/create {"message":"Which?","requestedSchema":{"type":"object","properties":{}}}
        9 → 0 result {"action":"decline"}
        10 ← 5 result {"content":[]}

    What to do: send notifications/progress if the client gave a token, do the work beside the
    answer, or return less.
    """

    id = "PRF001"
    title = "slow request"
    severity = "warning"
    culprit = "server"
    next = "report progress, do the work asynchronously, or return less at a time"

    def limits(self) -> tuple[float, float]:
        thresholds = self.context.thresholds
        return thresholds.slow_call_seconds, thresholds.near_timeout_seconds
