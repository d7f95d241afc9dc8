"""Requests that were answered by an error, and the base of rules about its code."""

from __future__ import annotations

from dataclasses import dataclass

from mcp_tap.diagnosis.asked import code_of
from mcp_tap.diagnosis.context import Answer, Occurrence
from mcp_tap.diagnosis.finding import Hit
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


def refusal_of(seen: Occurrence) -> Refusal | None:
    """The error that ``seen`` is, if it answers a request and has a code."""
    code = code_of(seen.message)
    if code is None or seen.exchange is None:
        return None
    return Refusal(seen.exchange, code, said(seen.message))


class Refusals(Rule):
    """The base of rules about the code of an error that answers a request."""

    def refused(self, seen: Occurrence, refusal: Refusal) -> None:
        """An error has answered a request."""
        raise NotImplementedError

    def answer(self, seen: Answer) -> None:
        if seen.message.kind != "error":
            return
        refusal = refusal_of(seen)
        if refusal is not None:
            self.refused(seen, refusal)

    def note(self, seen: Occurrence, refusal: Refusal, message: str, next: str | None = None) -> Hit:
        """Note a finding, one for each method, target and code."""
        return self.hit(
            (refusal.exchange.seq, seen.seq),
            message,
            key=f"{seen.sender} {key_of_request(refusal.exchange)} {refusal.code}",
            next=next,
            culprit=sender_of(seen),
            explains=(seen.seq,),
        )


class ModernRefusals(Refusals):
    """The base of rules about codes that 2026-07-28 has fixed; a server of before is not held to it."""

    def answer(self, seen: Answer) -> None:
        # The answer to a probe does not make a server modern: it may not know what it was asked.
        if self.context.session.era == "modern":
            super().answer(seen)


RETIRED = {
    -32002: "since 2026-07-28 a resource that is not there is -32602",
    -32042: "since 2026-07-28 a server asks by a result with resultType input_required",
}
"""Codes that had a meaning before, and what to use instead."""
