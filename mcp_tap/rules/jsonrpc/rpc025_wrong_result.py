"""RPC025: result does not match the schema."""

from __future__ import annotations

from typing import Any

from mcp_tap.diagnosis.context import Answer
from mcp_tap.diagnosis.interest import sees
from mcp_tap.diagnosis.rule import Rule, sender_of
from mcp_tap.diagnosis.text import named
from mcp_tap.model.exchange import Exchange
from mcp_tap.model.methods import ALL, ERAS
from mcp_tap.rules.jsonrpc._shape_table import RESULTS
from mcp_tap.rules.jsonrpc._shapes import faults, has_shape


class WrongResult(Rule):
    """A result that does not match the schema.

    What it means: the result lacks a member that the schema requires for this method, or has it with
    another JSON type.

    Why it matters: the official SDKs validate every result and raise an exception: to the caller the
    request has failed, although it was answered.

    Fails:
        → 5 prompts/list
        ← 5 result {"items":[]}

    Fails, client {"elicitation":{}}:
        ← 5 elicitation/create {"message":"Sure?","requestedSchema":{"type":"object","properties":{}}}
        → 5 result {"content":{}}

    Passes:
        → 5 prompts/list
        ← 5 result {"prompts":[],"items":[]}

    What to do: return what the schema of the session's version requires; an empty array rather than
    nothing.
    """

    id = "RPC025"
    title = "result does not match the schema"
    severity = "error"
    culprit = "sender"
    next = "return the members that the schema of this version requires"
    spec = "2025-11-25/schema"
    methods = frozenset(RESULTS)

    @sees(outcomes=("result", "tool-error"))
    def answer(self, answer: Answer) -> None:
        exchange, method, result = answer.exchange, answer.exchange.method, answer.message.value["result"]
        if not isinstance(result, dict) or is_something_else(result):  # RPC012
            return
        found = faults(result, RESULTS[method]) if self._is_known(exchange, answer.version) else []
        if found:
            what = ", ".join(found)
            self.hit(
                (exchange.seq, answer.seq),
                f"{answer.sender} answered {named(method)} with an invalid result: {what}",
                key=f"{method}: {what}",
                culprit=sender_of(answer),
            )

    def _is_known(self, exchange: Exchange, version: str | None) -> bool:
        if exchange.method == "initialize" and (exchange.version is None or exchange.version in ERAS):
            version = ALL[0]  # what the server names may be a version that has no handshake any more
        return has_shape(exchange.side, exchange.method, version)


def is_something_else(result: dict[str, Any]) -> bool:
    """Whether a result is not that of the method: a question to the client, a task that goes on."""
    return result.get("resultType", "complete") != "complete" or isinstance(result.get("task"), dict)
