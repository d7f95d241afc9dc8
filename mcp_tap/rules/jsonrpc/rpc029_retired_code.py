"""RPC029: retired error code."""

from __future__ import annotations

from mcp_tap.diagnosis.context import MODERN_ONLY, Answer
from mcp_tap.rules.jsonrpc._errors import RETIRED, Refusal, Refusals


class RetiredCode(Refusals):
    """A code that 2026-07-28 has retired.

    What it means: -32002 (resource not found) and -32042 (URL elicitation required) must not be used in
    answers to requests of 2026-07-28.

    Why it matters: clients of this version expect something else: -32602, and a result that requests
    input.

    Fails, 2026-07-28:
        → 4 tools/list
        ← 4 result {"tools":[],"resultType":"complete","ttlMs":0,"cacheScope":"private"}
        → 5 resources/read {"uri":"file:///gone.txt"}
        ← 5 error -32002 "Resource not found"

    Passes, 2026-07-28:
        → 4 tools/list
        ← 4 result {"tools":[],"resultType":"complete","ttlMs":0,"cacheScope":"private"}
        → 5 resources/read {"uri":"file:///gone.txt"}
        ← 5 error -32602 "Resource not found"

    What to do: answer -32602 if a resource does not exist; request input with the resultType
    `input_required` instead of -32042.
    """

    id = "RPC029"
    title = "retired error code"
    severity = "error"
    culprit = "server"
    next = "use -32602 for an unknown resource, and the resultType input_required instead of -32042"
    versions = MODERN_ONLY
    spec = "2026-07-28/basic#error-codes"

    def refused(self, answer: Answer, refusal: Refusal) -> None:
        if refusal.code in RETIRED and self.is_of_modern_server():
            self.note(answer, refusal, f"{answer.sender} answered {refusal}: {RETIRED[refusal.code]}")
