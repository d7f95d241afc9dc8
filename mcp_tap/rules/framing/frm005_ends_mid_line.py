"""FRM005: stream ends in the middle of a line."""

from __future__ import annotations

from dataclasses import replace

from mcp_tap.diagnosis.departure import server_is_gone
from mcp_tap.diagnosis.finding import Finding, Hit
from mcp_tap.diagnosis.invalid_lines import Stray, StrayRule
from mcp_tap.diagnosis.life import how_ended
from mcp_tap.diagnosis.text import seconds
from mcp_tap.record.schema import is_strict_json
from mcp_tap.rules.framing._base import STDIO


class EndsInTheMiddle(StrayRule):
    """A stream that ends in the middle of a line.

    What it means: the last bytes of a stream have no newline. Either a message was cut off, or a
    complete message lacks its final newline.

    Why it matters: what was cut off is lost. A complete message without its newline is not read by most
    peers, which wait for the rest of the line. What a server leaves unfinished after its client has
    closed the connection is expected, and not reported.

    Fails (and PRO003):
        → 1 tools/list
        ←| {"jsonrpc":"2.0","id":1,"result":{"to\\c
        ·· eof stream=s2c
        ·· exit code=1 first=server-exit

    Passes:
        → 1 tools/list
        ← 1 result {"tools":[]}
        ·· eof stream=c2s
        ·· exit code=0 first=client-eof

    What to do: write the newline together with the message, and flush before the process exits. The
    exit code and stderr may show why it ended.
    """

    id = "FRM005"
    title = "stream ends in the middle of a line"
    severity = "error"
    culprit = "sender"
    next = "write the newline together with the message and flush it; check the exit code and stderr"
    spec = STDIO
    kinds = frozenset({"unended"})

    def stray(self, stray: Stray) -> None:
        context = self.context
        if not context.whole:
            return
        waited = self._waited(stray)
        if waited is None:
            return
        whole = is_strict_json(stray.line) and stray.size == len(stray.line)
        if whole:
            self._without_newline(stray)
        elif waited == 0.0:
            told = f"{stray.culprit} ended {self._stream(stray)} in the middle of a message: {stray.quote}"
            self.note(stray, told, key=f"{stray.side} cut")
        else:
            told = f"server stopped in the middle of a line, {seconds(waited)} before the client left"
            self.note(
                stray,
                f"{told}: {stray.quote}",
                key="s2c stuck",
                severity="warning",
                culprit="undecided",
                next="find out whether the server stopped writing, or was waiting for its output to be read",
            )

    def _waited(self, stray: Stray) -> float | None:
        """For how long the client waited for the rest before it left; None where the end is its doing."""
        context, closed_t = self.context, self.context.client_closed_t
        if stray.side == "c2s":
            return None if closed_t is not None or server_is_gone(context) else 0.0
        if closed_t is None:
            return 0.0
        parts = context.parts.get("s2c")
        waited = 0.0 if parts is None else closed_t - parts.last_t
        return waited if waited > 0 else None

    def _without_newline(self, stray: Stray) -> None:
        lost = stray.exchange is not None and stray.exchange.cancelled_t is None
        self.note(
            stray,
            f"{stray.culprit} wrote {stray.what} without a final newline; its peer waits for the rest",
            key=f"{stray.side} newline",
            severity="error" if lost else "warning",
            next="write a newline after every message, including the last",
        )

    @staticmethod
    def _stream(stray: Stray) -> str:
        return "its stdout" if stray.side == "s2c" else "the server's stdin"

    def finding(self, hit: Hit) -> Finding:
        found, ending = super().finding(hit), self.context.session.ending
        if hit.key != "s2c cut" or self.context.life.exit is None:
            return found
        found = replace(found, message=f"{found.message}; it {how_ended(ending)}")
        # Killed from outside, or by its own fault: the recording does not tell.
        return replace(found, culprit="undecided") if ending.signal is not None else found
