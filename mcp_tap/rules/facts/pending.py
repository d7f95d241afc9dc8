"""What several families need to know of requests without an answer: for how long, and until what."""

from __future__ import annotations

import json
from collections.abc import Iterable

from mcp_tap.model.exchange import Exchange
from mcp_tap.rules.case import NAME_KEPT, Case
from mcp_tap.rules.finding import Hit

EXPLAINED_KEPT = 1000
"""Records that a finding accounts for; of a consequence only the first hundred are looked at."""

IN_FLIGHT_SECONDS = 0.05
"""Before the client leaves, within which a request cannot be expected to be answered."""


def is_all_on_file(case: Case) -> bool:
    """Whether nothing that was said up to now is missing, half a line neither.

    Only then is what is not there never said.
    """
    return case.whole and not case.session.pieces


def left_t(case: Case) -> float:
    """When nothing more could be expected: the client closed or signalled, or the session ended."""
    return case.session.last_t if case.client_closed_t is None else case.client_closed_t


def open_for(exchange: Exchange, case: Case) -> float:
    """For how many seconds an answer was waited for."""
    until = left_t(case) if exchange.cancelled_t is None else exchange.cancelled_t
    return until - exchange.t


def how_it_ended(case: Case) -> str:
    """A clause: what the client did at :func:`left_t`."""
    how = case.client_closed_by
    if how is None:
        return "the session ended"
    if how == "eof":
        return "the client closed stdin"
    return "the client stopped reading" if how == "broken pipe" else f"the client sent {how[:NAME_KEPT]}"


def ended_by_client(case: Case) -> bool:
    """Whether it was the client that ended the session.

    What is open when a server leaves of its own accord is told with its exit.
    """
    return case.session.spawn_failed is None and case.session.ending.by == "client"


def named(exchange: Exchange) -> str:
    """A request for sentences: ``tools/call export (id 5)``."""
    return f"{subject(exchange)} (id {shown_id(exchange.id)})"


def subject(exchange: Exchange) -> str:
    """What a request is about, the same in another session: ``tools/call export``."""
    parts = (exchange.method, exchange.target)
    return " ".join(" ".join(part.split())[:NAME_KEPT] for part in parts if part)


def shown_id(value: object) -> str:
    """An id with its JSON type: 5 or "5"."""
    try:
        return json.dumps(value, ensure_ascii=False)[:NAME_KEPT]
    except (ValueError, RecursionError):  # pragma: no cover - nested deeper than can be written
        return "?"


def explain(hit: Hit, numbers: Iterable[int | None]) -> None:
    """Let ``hit`` account for what is found at the records with these numbers, as far as there is room."""
    if hit.explains is None:
        return
    for number in numbers:
        if len(hit.explains) >= EXPLAINED_KEPT:
            return
        if number is not None:
            hit.explains.add(number)
