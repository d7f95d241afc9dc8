"""PRF001: slow request."""

from __future__ import annotations

from mcp_tap.rules.performance._base import SlowAnswers


class SlowRequest(SlowAnswers):
    """A request that took long.

    What it means: the server took more than five seconds (``slow_call_seconds``) to answer. Time
    spent waiting for the client (its model, its user, its roots) does not count, and neither does
    the server's startup. If a 2026-07-28 server asks back, all round trips of a call count as one.
    Requests that stay open by design and requests that the client cancelled are ignored. Reported
    once per tool or method.

    Why it matters: users have to wait; clients and their models eventually give up, often after 60
    seconds.

    Fails:
        1 → 5 tools/call {"name":"export","arguments":{}}
        9 ← 5 result {"content":[]}

    Passes, client {"elicitation":{}}:
        1 → 5 tools/call {"name":"export","arguments":{}}
        2 ← 0 elicitation/create {"message":"Which?","requestedSchema":{"type":"object","properties":{}}}
        9 → 0 result {"action":"decline"}
        10 ← 5 result {"content":[]}

    What to do: send notifications/progress if the client supplied a token, do the work in the
    background, or return less.
    """

    id = "PRF001"
    title = "slow request"
    severity = "warning"
    culprit = "server"
    next = "report progress, do the work in the background, or return less at a time"

    def limits(self) -> tuple[float, float]:
        thresholds = self.context.thresholds
        return thresholds.slow_call_seconds, thresholds.near_timeout_seconds
