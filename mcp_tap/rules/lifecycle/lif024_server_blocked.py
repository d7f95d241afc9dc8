"""LIF024: server blocked."""

from __future__ import annotations

from mcp_tap.diagnosis.context import SessionContext
from mcp_tap.diagnosis.finding import Severity
from mcp_tap.diagnosis.pending import (
    IN_FLIGHT_SECONDS,
    ended_by_client,
    explain,
    how_it_ended,
    is_all_on_file,
    left_t,
    open_for,
)
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.diagnosis.text import NAME_SHOWN, named_with_id, seconds
from mcp_tap.model.exchange import Exchange
from mcp_tap.model.methods import STAYS_OPEN
from mcp_tap.rules.lifecycle._base import LATE_SECONDS, QUIET_SECONDS

LONG_SILENCE_SECONDS = 30.0
"""Silence beyond what a server that does one thing at a time is often busy."""

PROMPT_SECONDS = 5.0
"""Within which a server that reads its input answers what takes no work."""


class Blocked(Rule):
    """The server stopped answering.

    What it means: since one request the server has written nothing to stdout, and requests that
    came later were not answered either, although the process was running.

    Why it matters: the server is blocked as a whole: a handler that never returns in a server
    that does one thing at a time, a lock, or a child process that shares the server's stdin and
    eats the requests. Half a minute of it is an error, ten seconds a warning.

    Fails:
        1 → 3 tools/call {"name":"git_status","arguments":{}}
        30 → 4 ping
        90 ·· eof stream=c2s
        90.1 ·· exit code=0 first=client-eof

    Passes (and LIF017):
        1 → 3 tools/call {"name":"git_status","arguments":{}}
        30 → 4 ping
        30.1 ← 4 result {}
        90 ·· eof stream=c2s
        90.1 ·· exit code=0 first=client-eof

    What to do: start child processes with a stdin of their own (Python: `stdin=subprocess.DEVNULL`),
    do not block the read loop, and give everything a time-out.
    """

    id = "LIF024"
    title = "server blocked"
    severity = "error"
    culprit = "undecided"
    needs_whole = True
    next = "give child processes a stdin of their own (DEVNULL), keep handlers from blocking the read loop"

    def end(self) -> None:
        context, spoke = self.context, self.context.last_s2c_seq
        if spoke is None or context.session.initialized_t is None or not is_all_on_file(context):
            return
        if (
            not context.closed
            or (context.over and not ended_by_client(context))
            or self.waits_for_the_client()
        ):
            return
        waiting = [each for each in self.waiting() if each.seq > spoke]
        later = [each for each in waiting if each.t - waiting[0].t >= LATE_SECONDS and self.is_served(each)]
        if not later:
            return
        first = waiting[0]
        silent = left_t(context) - first.t
        if silent < QUIET_SECONDS:
            return
        severity: Severity = "error" if silent >= LONG_SILENCE_SECONDS else "warning"
        also = named_with_id(later[0]) + (f" and {len(later) - 1:,} more" if len(later) > 1 else "")
        hit = self.hit(
            [first.seq, *(each.seq for each in later)],
            f"nothing on stdout for {seconds(silent)} since {named_with_id(first)} "
            f"until {how_it_ended(context)}, {also} unanswered too: "
            f"server blocked; a child process sharing stdin is a common cause",
            key=first.method[:NAME_SHOWN],
            severity=severity,
        )
        explain(hit, (first.seq, *(each.seq for each in later)))

    def waiting(self) -> list[Exchange]:
        """Requests of the client without an answer, given up or not, that a server cannot overlook."""
        pairing = self.context.session.pairing
        left = [
            each
            for each in (*pairing.superseded, *pairing.open.values())
            if each.side == "c2s"
            and each.outcome == "open"
            and each.method not in STAYS_OPEN
            and type(each.id) in (int, str)
            and left_t(self.context) - each.t > IN_FLIGHT_SECONDS
        ]
        return sorted(left, key=lambda each: each.seq)

    def is_served(self, exchange: Exchange) -> bool:
        """Whether the server answers such requests, and had time to; some servers ignore unknown ones."""
        offers = self.context.session.capabilities.get("s2c")
        offered = isinstance(offers, dict) and exchange.method.partition("/")[0] in offers
        return open_for(exchange, self.context) >= PROMPT_SECONDS and (
            offered or exchange.method == "ping" or has_answered(self.context, exchange.method)
        )

    def waits_for_the_client(self) -> bool:
        """Whether it is the server's own question that is not answered."""
        return any(each.side == "s2c" and each.method != "ping" for each in self.context.session.unanswered())


def has_answered(context: SessionContext, method: str) -> bool:
    """Whether the server has answered a request with this method before."""
    name = method[:NAME_SHOWN]
    return any(kind == name or kind.startswith(f"{name} ") for kind in context.answers)
