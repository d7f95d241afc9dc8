"""RPC028: undefined code in the range reserved for MCP."""

from __future__ import annotations

from mcp_tap.diagnosis.context import MODERN_ONLY, Answer
from mcp_tap.rules.jsonrpc._errors import RETIRED, Refusal, Refusals

DEFINED = frozenset({-32020, -32021, -32022})
"""Codes that 2026-07-28 defines itself."""


class UndefinedCode(Refusals):
    """An undefined code in MCP's reserved range.

    What it means: since 2026-07-28 the codes from -32099 to -32020 are reserved for the specification,
    which has so far defined -32020, -32021 and -32022. The server used another one.

    Why it matters: a later version may give this code a meaning, and clients will act on it.

    Fails, 2026-07-28:
        → 4 tools/list
        ← 4 result {"tools":[],"resultType":"complete","ttlMs":0,"cacheScope":"private"}
        → 5 prompts/get {"name":"x"}
        ← 5 error -32050 "quota exceeded"

    Passes, 2026-07-28:
        → 4 tools/list
        ← 4 result {"tools":[],"resultType":"complete","ttlMs":0,"cacheScope":"private"}
        → 5 prompts/get {"name":"x"}
        ← 5 error -31050 "quota exceeded"

    What to do: use a code of your own outside -32768 to -32000.
    """

    id = "RPC028"
    title = "undefined code in the range reserved for MCP"
    severity = "error"
    culprit = "server"
    next = "use a code of your own outside -32768 to -32000"
    versions = MODERN_ONLY
    spec = "2026-07-28/basic#error-codes"

    def refused(self, answer: Answer, refusal: Refusal) -> None:
        code = refusal.code
        known = code in DEFINED or code in RETIRED
        if -32099 <= code <= -32020 and not known and self.is_of_modern_server():
            why = "2026-07-28 reserves this code and has not defined it"
            self.note(answer, refusal, f"{answer.sender} answered {refusal}: {why}")
