"""How the client ended the session."""

from __future__ import annotations

from mcp_tap.diagnosis.context import SessionContext
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.model.exchange import Exchange
from mcp_tap.model.methods import STAYS_OPEN
from mcp_tap.record.reader import Record


class AtClose(Rule):
    """Base of rules that need to know what was open when the client began to end the session."""

    def __init__(self, context: SessionContext) -> None:
        super().__init__(context)
        self.open: list[Exchange] | None = None
        """The client's requests that were open then; those that it had cancelled too."""
        self.unread: set[str] = set()
        """Streams of which nobody takes anything: a server that writes is blocked, one that does not read
        has not seen the end."""

    def event(self, record: Record) -> None:
        context, stream = self.context, record.fields.get("stream")
        if record.event in ("stall", "flow") and stream in ("c2s", "s2c", "stderr"):
            # One that flows again while the client leaves has held the server up until then.
            if record.event == "stall":
                self.unread.add(str(stream))
            elif not context.closed:
                self.unread.discard(str(stream))
        if self.open is None and context.closed:
            requests = [*context.session.pairing.superseded, *context.session.pairing.open.values()]
            self.open = [
                each
                for each in requests
                if each.side == "c2s" and each.outcome == "open" and each.method not in STAYS_OPEN
            ]

    def server_was_first(self) -> bool:
        """Whether it was the server that ended the session."""
        context = self.context
        if context.over:
            return context.session.ending.by != "client"
        closed = context.life.ends.get("s2c")
        return closed is not None and closed.t <= (context.client_closed_t or 0.0)


AT_ONCE_SECONDS = 0.05
"""Within which the end of stdin and a signal are one act of the client."""
