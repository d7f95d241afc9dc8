"""PRO007: the client ended the session with a signal."""

from __future__ import annotations

from mcp_tap.diagnosis.life import has_reached_server, name_of
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.diagnosis.text import seconds
from mcp_tap.rules.process._base import AT_ONCE_SECONDS


class EndedBySignal(Rule):
    """The client ended the session with a signal.

    What it means: the client sent the server a signal without closing its stdin first. Claude Code
    sends SIGINT, SIGTERM a tenth of a second later, and SIGKILL after half a second; Gemini CLI sends
    SIGTERM.

    Why it matters: most servers are not affected. A server that has something to save must do so on
    SIGINT and SIGTERM too, within a few tenths of a second.

    Fails:
        3 ·· signal name=SIGINT forwarded=true
        3.01 ·· exit code=0 first=client-signal

    Passes:
        3 ·· eof stream=c2s
        3.1 ·· exit code=0 first=client-eof

    What to do: in a client, close stdin first and give the server two seconds. In a server, exit on
    SIGINT and SIGTERM as on the end of stdin.
    """

    id = "PRO007"
    title = "the client ended the session with a signal"
    severity = "info"
    culprit = "client"
    needs_whole = True
    next = "nothing; a server should exit on SIGINT and SIGTERM as on the end of stdin"
    spec = "2025-11-25/basic/lifecycle#shutdown"

    def end(self) -> None:
        context = self.context
        if not context.life.signals or context.session.kind == "probe":
            return
        signal = context.life.signals[0]
        eof = context.life.ends.get("c2s")
        # ^C at a terminal is no client's doing: it reaches the server by itself.
        if context.client_closed_by != name_of(signal) or not has_reached_server(signal):
            return
        if context.session.ending.by == "server" or (eof is not None and eof.t - signal.t < AT_ONCE_SECONDS):
            return
        name = name_of(signal)
        self.hit(
            signal,
            f"client ended the session with {name} after {seconds(signal.t)}, without closing stdin first",
            key=name,
        )
