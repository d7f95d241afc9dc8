"""MOD005: input_required where it is not allowed."""

from __future__ import annotations

from mcp_tap.diagnosis.context import MODERN_ONLY, Answer
from mcp_tap.diagnosis.interest import sees
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.diagnosis.text import called
from mcp_tap.model.methods import METHODS
from mcp_tap.rules.modern._round_trips import ASKING_BACK, MAY_ASK_BACK, ROUND_TRIPS, question_of


class MayNotAskBack(Rule):
    """input_required where it is not allowed.

    What it means: only `tools/call`, `prompts/get` and `resources/read` may be answered by a
    question to the client. The server did so with another request.

    Why it matters: clients do not expect it there: the request fails.

    Fails, 2026-07-28:
        → 5 prompts/list
        ← 5 result {"resultType":"input_required","requestState":"s1"}

    Passes, 2026-07-28:
        → 5 prompts/get {"name":"greet"}
        ← 5 result {"resultType":"input_required","requestState":"s1"}
        → 6 prompts/get {"name":"greet","requestState":"s1"}
        ← 6 result {"resultType":"complete","messages":[]}

    What to do: do without what the client could tell, or answer with an error.
    """

    id = "MOD005"
    title = "input_required where it is not allowed"
    severity = "error"
    culprit = "server"
    next = "ask back in answer to tools/call, prompts/get and resources/read only"
    versions = MODERN_ONLY
    methods = frozenset(METHODS) - MAY_ASK_BACK
    spec = ROUND_TRIPS + "#supported-requests"

    @sees(sides="s2c", outcomes=ASKING_BACK, era="modern")
    def answer(self, answer: Answer) -> None:
        if question_of(answer) is not None:
            exchange = answer.exchange
            message = f"server answered {called(exchange)} with input_required, which is not allowed there"
            self.hit((exchange.seq, answer.seq), message, key=exchange.method)
