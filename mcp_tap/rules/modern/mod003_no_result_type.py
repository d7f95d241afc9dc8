"""MOD003: result without resultType."""

from __future__ import annotations

from functools import partial

from mcp_tap.diagnosis.context import MODERN_ONLY, Answer
from mcp_tap.diagnosis.interest import sees
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.diagnosis.text import called
from mcp_tap.model.methods import METHODS
from mcp_tap.rules.modern._base import FINAL, result_of


class NoResultType(Rule):
    """A result without resultType.

    What it means: since 2026-07-28 each result says in `resultType` what it is: `complete`, or
    `input_required` where the server asks back. This one does not say. Servers that have not shown
    that they speak this version are not looked at.

    Why it matters: strict clients refuse the result; others take it for a complete one, which is
    meant for servers of earlier versions.

    Fails, 2026-07-28, listed []:
        → 5 prompts/get {"name":"book"}
        ← 5 result {"messages":[]}

    Passes, 2026-07-28:
        → 1 server/discover
        ← 1 error -32601 "Method not found"
        → 5 tools/call {"name":"book"}
        ← 5 result {"content":[]}

    What to do: add `"resultType": "complete"`. A result that a server passes on from an older one
    needs it too.
    """

    id = "MOD003"
    title = "result without resultType"
    severity = "error"
    culprit = "server"
    next = 'add "resultType": "complete" to the result'
    versions = MODERN_ONLY
    spec = "2026-07-28/basic#resulttype"

    @sees(sides="s2c", outcomes=FINAL, era="modern")
    def answer(self, answer: Answer) -> None:
        exchange, result = answer.exchange, result_of(answer)
        if result is not None and "resultType" not in result and exchange.method in METHODS:
            message = f"server answered {called(exchange)} with a result that has no resultType"
            where = (exchange.seq, answer.seq)
            self.context.proof.when(partial(self.hit, where, message, key=exchange.method))
