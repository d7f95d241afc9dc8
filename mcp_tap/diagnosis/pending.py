"""What several families need to know of requests without an answer: for how long, and until what."""

from __future__ import annotations

from collections.abc import Iterable

from mcp_tap.diagnosis.context import SessionContext
from mcp_tap.diagnosis.finding import Hit
from mcp_tap.diagnosis.text import NAME_SHOWN
from mcp_tap.model.exchange import Exchange

EXPLAINED_KEPT = 1000
"""Records that a finding accounts for; of a consequence only the first hundred are looked at."""

IN_FLIGHT_SECONDS = 0.05
"""Before the client leaves, within which a request cannot be expected to be answered."""


def is_all_on_file(context: SessionContext) -> bool:
    """Whether nothing that was said up to now is missing, half a line neither.

    Only then is what is not there never said.
    """
    return context.whole and not context.session.pieces


def left_t(context: SessionContext) -> float:
    """When nothing more could be expected: the client closed or signalled, or the session ended."""
    return context.session.last_t if context.client_closed_t is None else context.client_closed_t


def open_for(exchange: Exchange, context: SessionContext) -> float:
    """For how many seconds an answer was waited for."""
    until = left_t(context) if exchange.cancelled_t is None else exchange.cancelled_t
    return until - exchange.t


def how_it_ended(context: SessionContext) -> str:
    """A clause: what the client did at :func:`left_t`."""
    how = context.client_closed_by
    if how is None:
        return "the session ended"
    if how == "eof":
        return "the client closed stdin"
    return "the client stopped reading" if how == "broken pipe" else f"the client sent {how[:NAME_SHOWN]}"


def ended_by_client(context: SessionContext) -> bool:
    """Whether it was the client that ended the session.

    What is open when a server exits of its own accord is reported with that exit.
    """
    return context.session.spawn_failed is None and context.session.ending.by == "client"


def explain(hit: Hit, numbers: Iterable[int | None]) -> None:
    """Let ``hit`` account for what is found at the records with these numbers, as far as there is room."""
    if hit.explains is None:
        return
    for number in numbers:
        if len(hit.explains) >= EXPLAINED_KEPT:
            return
        if number is not None:
            hit.explains.add(number)
