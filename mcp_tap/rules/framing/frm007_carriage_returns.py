"""FRM007: CRLF line ends."""

from __future__ import annotations

from mcp_tap.diagnosis.asked import explain, open_requests
from mcp_tap.diagnosis.context import SessionContext
from mcp_tap.diagnosis.finding import Hit
from mcp_tap.diagnosis.interest import sees
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.diagnosis.text import plural
from mcp_tap.record.reader import Record
from mcp_tap.rules.framing._base import STDIO

SAID_NOTHING_SECONDS = 2.0
"""Within which a server that takes a CR amiss leaves; it has read the line at once."""


class CarriageReturns(Rule):
    """Lines that end in CR LF.

    What it means: a message ends with a carriage return and a newline, as from a stream in text mode on
    Windows.

    Why it matters: the specification does not allow it, but it works with the official SDKs. Some
    readers reject it: if the server exits right after such a line without writing anything, it is an
    error.

    Fails:
        → 1 tools/list
        ←| {"jsonrpc":"2.0","id":1,"result":{"tools":[]}}\\r

    Passes:
        → 1 tools/call {"name":"read"}
        ← 1 result {"content":[{"type":"text","text":"a\\r\\nb"}]}

    What to do: open the stream in binary mode, or with newline="\\n".
    """

    id = "FRM007"
    title = "CRLF line ends"
    severity = "info"
    culprit = "sender"
    next = 'open the stream in binary mode, or with newline="\\n"'
    spec = STDIO

    def __init__(self, context: SessionContext) -> None:
        super().__init__(context)
        self._last_t: dict[str, float] = {}
        """When the last such line of each side was written."""

    @sees(odd_lines=True)
    def line(self, record: Record) -> None:
        if record.eol == b"\r\n" and record.is_message:
            self.hit(record, "", key=record.dir)
            self._last_t[record.dir] = record.t

    def sentence(self, hit: Hit) -> str:
        who = "server" if hit.key == "s2c" else "client"
        return hit.message or f"{who} ends its lines with CR LF ({plural(hit.count, 'line')})"

    def end(self) -> None:
        hit = self.hits.get("c2s")
        if hit is None or not self._left_without_a_word(self._last_t["c2s"]):
            return
        hit.severity, hit.certainty, hit.culprit = "error", "heuristic", "undecided"
        hit.message = (
            "server exited 0 without any output right after a line that ends in CR LF; "
            "it looks like its reader does not accept CR"
        )
        hit.next = "make the client end its lines with a bare newline, or make the server accept CR LF"
        explain(hit, *(request.seq for request in open_requests(self.context)))

    def _left_without_a_word(self, sent_t: float) -> bool:
        """Whether the server left right after what the client wrote at ``sent_t``."""
        context, session = self.context, self.context.session
        died_t, ending = context.life.died_t, session.ending
        return (
            context.whole
            and died_t is not None
            and 0 <= died_t - sent_t < SAID_NOTHING_SECONDS
            and context.last_c2s_t == sent_t
            and ending.code == 0
            and context.life.unasked(ending)
            and not context.closed
            and not session.lines["s2c"]
            and not session.lines["stderr"]
        )
