"""MOD006: input_required without a question."""

from __future__ import annotations

from mcp_tap.diagnosis.context import MODERN_ONLY, Answer
from mcp_tap.diagnosis.interest import sees
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.diagnosis.text import called, key_of_request
from mcp_tap.rules.modern._round_trips import ASKING_BACK, MAY_ASK_BACK, ROUND_TRIPS, question_of


class AsksForNothing(Rule):
    """input_required that requires nothing.

    What it means: a result says `input_required` and has neither `inputRequests`, which would say
    what is asked, nor a `requestState` to come back with. At least one of them must be there.

    Why it matters: the client has nothing to do, and nothing to send the second time.

    Fails, 2026-07-28:
        → 5 tools/call {"name":"book"}
        ← 5 result {"resultType":"input_required"}

    Passes, 2026-07-28:
        → 5 tools/call {"name":"book"}
        ← 5 result {"resultType":"input_required","requestState":"not yet"}
        → 6 tools/call {"name":"book","requestState":"not yet"}
        ← 6 result {"resultType":"complete","content":[]}

    What to do: add what is asked, or say `complete`.
    """

    id = "MOD006"
    title = "input_required without a question"
    severity = "error"
    culprit = "server"
    next = "add inputRequests or requestState to the result, or say complete"
    versions = MODERN_ONLY
    methods = MAY_ASK_BACK
    spec = ROUND_TRIPS

    @sees(sides="s2c", outcomes=ASKING_BACK, era="modern")
    def answer(self, answer: Answer) -> None:
        exchange, result = answer.exchange, question_of(answer)
        if result is None or isinstance(result.get("inputRequests"), dict):
            return
        if isinstance(result.get("requestState"), str):
            return
        message = (
            f"server answered {called(exchange)} with input_required, and gave neither inputRequests nor "
            "requestState"
        )
        self.hit((exchange.seq, answer.seq), message, key=key_of_request(exchange), explains=(answer.seq,))
