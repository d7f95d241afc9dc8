"""RPC010: both result and error."""

from __future__ import annotations

from mcp_tap.diagnosis.context import Answer, UnmatchedResponse
from mcp_tap.diagnosis.interest import sees
from mcp_tap.diagnosis.recognise.irregular import is_irregular
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.rules.jsonrpc._base import RESPONSES, what, where


class ResultAndError(Rule):
    """A response with both a result and an error.

    What it means: the answer has both a result and an error; it must have exactly one of them.

    Why it matters: the TypeScript SDK drops it; the Python SDK takes the error.

    Fails:
        → 1 tools/list
        ← {"jsonrpc":"2.0","id":1,"result":{"tools":[]},"error":null}

    Passes:
        → 1 tools/call {"name":"x"}
        ← 1 result {"content":[],"isError":true}

    What to do: leave out the one that does not apply; setting it to null is not enough.
    """

    id = "RPC010"
    title = "both result and error"
    severity = "error"
    culprit = "sender"
    next = "send either result or error, and leave the other out; setting it to null is not enough"
    spec = RESPONSES

    @sees(sign=is_irregular)
    def answer(self, answer: Answer) -> None:
        self._look(answer)

    @sees(sign=is_irregular)
    def unmatched_response(self, response: UnmatchedResponse) -> None:
        self._look(response)

    def _look(self, at: Answer | UnmatchedResponse) -> None:
        value = at.message.value
        if "error" in value and "result" in value:
            null = next((name for name in ("error", "result") if value[name] is None), None)
            tail = "" if null is None else f" ({null} is null)"
            self.hit(at, f"{what(at)} has both result and error{tail}", key=where(at))
