"""RPC025: result does not match the schema."""

from __future__ import annotations

from typing import Any

from mcp_tap.diagnosis.context import Answer
from mcp_tap.diagnosis.interest import sees
from mcp_tap.diagnosis.rule import Rule, sender_of
from mcp_tap.diagnosis.text import named
from mcp_tap.model.exchange import Exchange
from mcp_tap.model.methods import ALL, ERAS, LEGACY
from mcp_tap.rules.jsonrpc._faults import faults_of
from mcp_tap.rules.jsonrpc._shape_table import ASKS_BACK, RESULTS, check_of, has_shape
from mcp_tap.rules.jsonrpc._shapes import Shape


class WrongResult(Rule):
    """A result that does not match the schema.

    What it means: the result lacks a member that the schema requires for this method, or has one with
    another JSON type or a value that is not allowed. That holds for optional members too: null is not
    the same as leaving one out. Members that the schema does not know are no fault.

    Why it matters: the official SDKs validate every result as a whole and raise an exception: to the
    caller the request has failed, although it was answered. One member of one tool hides the whole
    list; in the result of `initialize` it ends the session. Only the Python SDK takes null for nothing.

    Fails:
        → 5 prompts/list
        ← 5 result {"items":[]}

    Fails:
        → 5 tools/list
        ← 5 result {"tools":[{"name":"find","inputSchema":{"type":"object","properties":[]}}],
            "nextCursor":null}

    Fails, client {"elicitation":{}}:
        ← 5 elicitation/create {"message":"Sure?","requestedSchema":{"type":"object","properties":{}}}
        → 5 result {"content":{}}

    Passes:
        → 5 prompts/list
        ← 5 result {"prompts":[],"items":[]}

    What to do: return what the schema of the session's version requires: an empty array rather than
    nothing, an empty object rather than an empty array (`new stdClass()` in PHP), and no member at all
    rather than null.
    """

    id = "RPC025"
    title = "result does not match the schema"
    severity = "error"
    culprit = "sender"
    next = "return what the schema of this version requires; leave out what would be null"
    spec = "2025-11-25/schema"
    methods = frozenset(RESULTS)

    @sees(outcomes=("result", "tool-error", "input-required"), shapes="other")
    def answer(self, answer: Answer) -> None:
        exchange, result = answer.exchange, answer.message.value["result"]
        version = self._version_of(exchange, answer.version)
        if version is None or not isinstance(result, dict):  # RPC012
            return
        if result.get("resultType") == "input_required":
            self._look(answer, ASKS_BACK, result, version)
        elif not is_something_else(result):
            self._look(answer, RESULTS[exchange.method], result, version)

    def _look(self, answer: Answer, shape: Shape, result: dict[str, Any], version: str) -> None:
        found = None if check_of(shape, version)(result) else faults_of(shape, result, version)
        if found is not None:
            exchange, method = answer.exchange, answer.exchange.method
            self.hit(
                (exchange.seq, answer.seq),
                f"{answer.sender} answered {named(method)} with an invalid result: {found.what}",
                key=f"{method}: {found.key}",
                culprit=sender_of(answer),
            )

    def _version_of(self, exchange: Exchange, version: str | None) -> str | None:
        """The version that gives the result its shape; None where it has none that is known."""
        if exchange.method == "initialize" and (exchange.version is None or exchange.version in ERAS):
            known = version in LEGACY
            version = version if known else ALL[0]  # what the server names may be of no handshake
        return version if has_shape(exchange.side, exchange.method, version) else None


def is_something_else(result: dict[str, Any]) -> bool:
    """Whether a result is not that of the method: a task that goes on, a kind that is not known."""
    return result.get("resultType", "complete") != "complete" or isinstance(result.get("task"), dict)
