"""A server that asks by its result, and a client that tries again (MCP 2026-07-28, basic/patterns/mrtr)."""

from __future__ import annotations

from typing import Any

from mcp_tap.diagnosis.asked import FaultyRequests
from mcp_tap.diagnosis.context import MODERN_ONLY, Answer, Occurrence, Request, SessionContext
from mcp_tap.model.exchange import Exchange
from mcp_tap.rules.modern._proof import OfModernServer, result_of
from mcp_tap.rules.modern._questions import Questions, Retry

ROUND_TRIPS = "2026-07-28/basic/patterns/mrtr"

MAY_ASK_BACK = frozenset({"tools/call", "prompts/get", "resources/read"})
"""Requests that may be answered by ``input_required``."""


class AskingBack(OfModernServer):
    """The base of rules about results with ``"resultType": "input_required"``."""

    def examine(self, seen: Occurrence, exchange: Exchange) -> None:
        result = result_of(seen)
        if result is not None and result.get("resultType") == "input_required":
            self.asks_back(seen, exchange, result)

    def asks_back(self, seen: Occurrence, exchange: Exchange, result: dict[str, Any]) -> None:
        """Look at such a result."""
        raise NotImplementedError


class ComesBack(FaultyRequests):
    """The base of rules about requests by which a client answers a question."""

    versions = MODERN_ONLY
    methods = MAY_ASK_BACK
    spec = ROUND_TRIPS

    def __init__(self, context: SessionContext) -> None:
        super().__init__(context)
        self.questions = context.shared(Questions)

    def request(self, seen: Request) -> None:
        retry = self.questions.answered_by(seen)
        session = self.context.session
        if retry is not None and self.context.whole and not session.foreign["s2c"]:
            self.comes_back(seen, retry)

    def answer(self, seen: Answer) -> None:
        super().answer(seen)
        self.questions.take(seen)

    def comes_back(self, seen: Occurrence, retry: Retry) -> None:
        """The client has come back to a question; everything up to here is on file."""
        raise NotImplementedError
