"""MOD004: unknown resultType."""

from __future__ import annotations

from functools import partial

from mcp_tap.diagnosis.asked import is_masked
from mcp_tap.diagnosis.context import MODERN_ONLY, Answer, Request, SessionContext
from mcp_tap.diagnosis.era_proof import RESULT_TYPES
from mcp_tap.diagnosis.extensions import KNOWN_EXTENSIONS, declared
from mcp_tap.diagnosis.interest import sees
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.diagnosis.text import called
from mcp_tap.model.exchange import Exchange
from mcp_tap.rules.modern._base import FINAL, Declarations, result_of, shown

TASKS = "io.modelcontextprotocol/tasks"
"""The extension that adds ``"resultType": "task"`` (SEP-2663)."""


class UnknownResultType(Rule):
    """A resultType that there is not.

    What it means: `resultType` of a result is neither `complete` nor `input_required`, nor is it
    one of an extension that the client has declared (`task`).

    Why it matters: a client must take such a result for invalid: for the caller, the request has
    failed.

    Fails, 2026-07-28, listed []:
        → 5 prompts/get {"name":"book"}
        ← 5 result {"resultType":"done","messages":[]}

    Passes, 2026-07-28, listed []:
        → 5 prompts/get {"name":"book","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",
            "io.modelcontextprotocol/clientCapabilities":{"extensions":{"com.acme/done":{}}}}}
        ← 5 result {"resultType":"done","messages":[]}

    What to do: say `complete`. Send results of an extension only for requests that declare it.
    """

    id = "MOD004"
    title = "unknown resultType"
    severity = "error"
    culprit = "server"
    next = 'say "complete"; send a type of an extension only for a request that declares it'
    versions = MODERN_ONLY
    spec = "2026-07-28/basic#resulttype"

    def __init__(self, context: SessionContext) -> None:
        super().__init__(context)
        self.declarations = context.shared(Declarations)

    @sees(sides="c2s", era="modern")
    def request(self, request: Request) -> None:
        self.declarations.take(request)

    @sees(sides="s2c", outcomes=FINAL, era="modern")
    def answer(self, answer: Answer) -> None:
        exchange, result = answer.exchange, result_of(answer)
        kind = "complete" if result is None else result.get("resultType", "complete")
        if (isinstance(kind, str) and kind in RESULT_TYPES) or is_masked(kind):
            return
        if isinstance(kind, str) and self._may_be_of_extension(kind, exchange):
            return
        why = " although the request does not declare the tasks extension" if kind == "task" else ""
        message = f"server answered {called(exchange)} with resultType {shown(kind)}{why}"
        self.context.proof.when(partial(self.hit, (exchange.seq, answer.seq), message, key=shown(kind)))

    def _may_be_of_extension(self, kind: str, exchange: Exchange) -> bool:
        asked = self.declarations.of(exchange)
        if asked is None:
            return True  # MOD001
        if kind == "task":
            return TASKS in asked.extensions
        return not {*asked.extensions, *declared(self.context)}.issubset(KNOWN_EXTENSIONS)
