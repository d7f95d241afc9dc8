"""MOD007: input request that the client cannot serve."""

from __future__ import annotations

from typing import Any

from mcp_tap.diagnosis.context import MODERN_ONLY, Answer, Request, SessionContext
from mcp_tap.diagnosis.interest import sees
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.diagnosis.text import called
from mcp_tap.rules.modern._base import Declarations
from mcp_tap.rules.modern._round_trips import (
    ASKING_BACK,
    MAY_ASK_BACK,
    ROUND_TRIPS,
    input_requests,
    question_of,
)


def needs(method: Any, params: Any) -> list[str]:
    """The capabilities of the client that an input request needs, the most general first."""
    asked = params if isinstance(params, dict) else {}
    if method == "roots/list":
        return ["roots"]
    if method == "sampling/createMessage":
        return ["sampling", "sampling.tools"] if "tools" in asked or "toolChoice" in asked else ["sampling"]
    if method == "elicitation/create":
        return ["elicitation", "elicitation.url"] if asked.get("mode") == "url" else ["elicitation"]
    return []


class AsksTooMuch(Rule):
    """An input request that the client cannot serve.

    What it means: the server asks the client for something that the request has not declared in its
    `clientCapabilities`. What other requests have declared does not count.

    Why it matters: the client has nobody to ask, and the call cannot be finished.

    Fails, 2026-07-28:
        → 5 tools/call {"name":"book","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",
            "io.modelcontextprotocol/clientCapabilities":{"sampling":{}}}}
        ← 5 result {"resultType":"input_required","inputRequests":{"seat":{
            "method":"elicitation/create","params":{"message":"Which seat?"}}}}

    Passes, 2026-07-28:
        → 5 tools/call {"name":"book","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",
            "io.modelcontextprotocol/clientCapabilities":{"elicitation":{}}}}
        ← 5 result {"resultType":"input_required","inputRequests":{"seat":{
            "method":"elicitation/create","params":{"message":"Which seat?"}}}}

    What to do: look at the capabilities of the request itself; where the tool cannot do without,
    answer with -32021 and `data.requiredCapabilities`.
    """

    id = "MOD007"
    title = "input request that the client cannot serve"
    severity = "error"
    culprit = "server"
    next = "look at the request's clientCapabilities; answer with -32021 where they do not suffice"
    versions = MODERN_ONLY
    methods = MAY_ASK_BACK
    spec = ROUND_TRIPS

    def __init__(self, context: SessionContext) -> None:
        super().__init__(context)
        self.declarations = context.shared(Declarations)

    @sees(sides="c2s", era="modern")
    def request(self, request: Request) -> None:
        self.declarations.take(request)

    @sees(sides="s2c", outcomes=ASKING_BACK, era="modern")
    def answer(self, answer: Answer) -> None:
        exchange, result = answer.exchange, question_of(answer)
        declared = self.declarations.of(exchange)
        if result is None or declared is None:
            return  # MOD001
        lacking: dict[tuple[str, str], None] = {}
        for asked in input_requests(result):
            method = asked.get("method")
            for name in needs(method, asked.get("params")):
                if name not in declared.capabilities:
                    lacking[(str(method), name)] = None
                    break
        for method, name in lacking:
            message = (
                f"server asked for {method} in its answer to {called(exchange)}, although the request does "
                f"not declare {name}"
            )
            self.hit((exchange.seq, answer.seq), message, key=f"{method} {name}", explains=(answer.seq,))
