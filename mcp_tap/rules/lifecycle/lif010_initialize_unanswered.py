"""LIF010: initialize never answered."""

from __future__ import annotations

from mcp_tap.diagnosis.context import Notification, Request, SessionContext
from mcp_tap.diagnosis.interest import sees
from mcp_tap.diagnosis.pending import (
    IN_FLIGHT_SECONDS,
    ended_by_client,
    explain,
    how_it_ended,
    is_all_on_file,
    open_for,
)
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.diagnosis.text import plural, seconds
from mcp_tap.model.exchange import Exchange
from mcp_tap.rules.lifecycle._base import GAVE_UP_SECONDS


class InitializeUnanswered(Rule):
    """initialize got no answer.

    What it means: the server was running, `initialize` was sent, and no answer had come when the
    client gave up. The server may be stuck at start, or still starting; its output may be held
    back in a buffer; or it may wait for something else, such as Content-Length headers.

    Why it matters: the session never began. Clients show "failed to connect" or a time-out, mostly
    after 30 or 60 seconds. Where the client left within two seconds this is information only.

    Fails, from the start:
        → 0 initialize …
        30 ·· eof stream=c2s
        30.1 ·· exit code=0 first=client-eof

    Passes, from the start:
        → 0 initialize …
        9 ← 0 result …
        9 → notifications/initialized
        ·· eof stream=c2s
        ·· exit code=0 first=client-eof

    What to do: start the command by hand in the same directory with the same environment, and look
    at stderr. Python: `-u` or `PYTHONUNBUFFERED=1` shows whether output was held back.
    """

    id = "LIF010"
    title = "initialize never answered"
    severity = "error"
    culprit = "undecided"
    next = (
        "start the server by hand and look at stderr: it is stuck or still starting, its output is buffered, "
        "or it waits for other framing (Content-Length)"
    )
    needs_whole = True
    methods = frozenset({"initialize", "notifications/cancelled"})
    spec = "2025-11-25/basic/lifecycle"

    def __init__(self, context: SessionContext) -> None:
        super().__init__(context)
        self.asked: Exchange | None = None
        self.cancel_seq: int | None = None

    @sees(sides="c2s", methods="initialize")
    def request(self, request: Request) -> None:
        self.asked = self.asked or request.exchange

    @sees(sides="c2s", methods="notifications/cancelled")
    def notification(self, notification: Notification) -> None:
        if notification.item.role == "cancels" and notification.exchange is self.asked:
            self.cancel_seq = notification.seq

    def end(self) -> None:
        context, asked = self.context, self.asked
        if asked is None or asked.outcome != "open" or not context.over or not is_all_on_file(context):
            return
        waited = open_for(asked, context)
        if (
            not ended_by_client(context)
            or waited < IN_FLIGHT_SECONDS
            or context.session.initialized_t is not None
        ):
            return
        lines = context.session.lines["s2c"]
        said = f"{plural(lines, 'line')} on stdout, but no answer," if lines else "nothing on stdout"
        gave_up = "the client cancelled it" if asked.cancelled_t is not None else how_it_ended(context)
        hit = self.hit(
            asked.seq,
            f"initialize was not answered: {said} for {seconds(waited)}, then {gave_up}",
            severity="error" if waited >= GAVE_UP_SECONDS else "info",
        )
        explain(hit, (asked.seq, self.cancel_seq, *(each.seq for each in context.session.unanswered())))
