"""MOD007: input request that the client does not support."""

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
    """An input request that the client does not support.

    What it means: the server asks the client for something that the request did not declare in its
    `clientCapabilities`. What other requests declared does not count.

    Why it matters: the client cannot provide it, so the call cannot be completed.

    Fails, 2026-07-28:
        → 5 tools/call {"name":"book","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",
            "io.modelcontextprotocol/clientCapabilities":{"sampling":{}}}}
        ← 5 result {"resultType":"input_required","inputRequests":{"seat":{
            "method":"elicitation/create","params":{"mode":"form","message":"Which seat?",
            "requestedSchema":{"type":"object","properties":{}}}}}}

    Passes, 2026-07-28:
        → 5 tools/call {"name":"book","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",
            "io.modelcontextprotocol/clientCapabilities":{"elicitation":{}}}}
        ← 5 result {"resultType":"input_required","inputRequests":{"seat":{
            "method":"elicitation/create","params":{"mode":"form","message":"Which seat?",
            "requestedSchema":{"type":"object","properties":{}}}}}}

    What to do: check the capabilities of the request itself; if the tool cannot work without them,
    answer with -32021 and `data.requiredCapabilities`.
    """

    id = "MOD007"
    title = "input request that the client does not support"
    severity = "error"
    culprit = "server"
    next = "check the request's clientCapabilities; answer with -32021 if they are not sufficient"
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
