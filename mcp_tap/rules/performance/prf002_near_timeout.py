"""PRF002: answer near or over the usual time-out."""

from __future__ import annotations

from mcp_tap.rules.performance._base import SlowAnswers


class NearTimeout(SlowAnswers):
    """Requests that take about as long as clients wait.

    What it means: the server took more than 50 seconds (``near_timeout_seconds``) for an answer,
    counted as for PRF001, which does not report the same call again.

    Why it matters: the TypeScript SDK, and with it many clients, gives up after 60 seconds unless
    there is progress (-32001, made by the client itself). The next call may just miss that.

    Fails:
        1 → 5 tools/call {"name":"export","arguments":{}}
        56 ← 5 result {"content":[]}

    Passes, client {"elicitation":{}}:
        1 → 5 tools/call {"name":"export","arguments":{}}
        2 ← 0 elicitation/create {"message":"Which?","requestedSchema":{"type":"object","properties":{}}}
        70 → 0 result {"action":"decline"}
        71 ← 5 result {"content":[]}

    What to do: send notifications/progress, or answer at once and let the client ask for the outcome.
    """

    id = "PRF002"
    title = "answer near or over the usual time-out"
    severity = "warning"
    culprit = "server"
    next = "report progress, or answer at once and let the client ask later: many clients give up after 60 s"

    def limits(self) -> tuple[float, float]:
        return self.context.thresholds.near_timeout_seconds, float("inf")
