"""Requests that were answered by an error, and the base of rules about its code."""

from __future__ import annotations

from dataclasses import dataclass

from mcp_tap.diagnosis.asked import code_of
from mcp_tap.diagnosis.context import Answer
from mcp_tap.diagnosis.finding import Culprit
from mcp_tap.diagnosis.interest import sees
from mcp_tap.diagnosis.rule import Rule, sender_of
from mcp_tap.diagnosis.text import called, key_of_request, said
from mcp_tap.model.exchange import Exchange


@dataclass(frozen=True, slots=True)
class Refusal:
    """An error that answers a request, for a sentence."""

    exchange: Exchange
    code: int
    words: str

    def __str__(self) -> str:
        """``tools/call `export` with -32602 'Unknown tool'``."""
        return f"{called(self.exchange)} with {self.code}" + (f" {self.words}" if self.words else "")


class Refusals(Rule):
    """The base of rules about the code of an error that answers a request."""

    def refused(self, answer: Answer, refusal: Refusal) -> None:
        """An error that has a code has answered a request."""
        raise NotImplementedError

    @sees(outcomes="error")
    def answer(self, answer: Answer) -> None:
        code = code_of(answer.message)
        if code is not None:
            self.refused(answer, Refusal(answer.exchange, code, said(answer.message)))

    def note(
        self,
        answer: Answer,
        refusal: Refusal,
        message: str,
        next: str | None = None,
        culprit: Culprit | None = None,
    ) -> None:
        """Note a finding, one for each method, target and code."""
        self.hit(
            (refusal.exchange.seq, answer.seq),
            message,
            key=f"{answer.sender} {key_of_request(refusal.exchange)} {refusal.code}",
            next=next,
            culprit=culprit or sender_of(answer),
            explains=(answer.seq,),
        )

    def is_of_modern_server(self) -> bool:
        """Whether codes are those of 2026-07-28.

        The answer to a probe does not make a server modern: it may not know what it was asked.
        """
        return self.context.session.era == "modern"


RETIRED = {
    -32002: "since 2026-07-28 a resource that is not there is -32602",
    -32042: "since 2026-07-28 a server asks by a result with resultType input_required",
}
"""Codes that had a meaning before, and what to use instead."""
