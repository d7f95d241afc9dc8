"""FRM005, 007, 015: how lines end, and how long they are (MCP basic/transports#stdio)."""

from __future__ import annotations

from dataclasses import replace

from mcp_tap.model.message import Side
from mcp_tap.record.reader import Record
from mcp_tap.record.schema import is_strict_json
from mcp_tap.rules.case import Seen, plural, seconds
from mcp_tap.rules.facts.asked import called, explain, key_of, named, open_requests, other
from mcp_tap.rules.facts.departure import server_is_gone
from mcp_tap.rules.facts.life import how_ended
from mcp_tap.rules.facts.strays import Stray, StrayRule
from mcp_tap.rules.finding import Finding, Hit
from mcp_tap.rules.rule import Rule

STDIO = "2025-11-25/basic/transports#stdio"

SAID_NOTHING_SECONDS = 2.0
"""Within which a server that takes a CR amiss leaves; it has read the line at once."""

TS_LIMIT = 10 * 1024 * 1024
"""Bytes of a line at which the TypeScript SDK closes the connection (measured, 1.32 and 2.4)."""


class EndsInTheMiddle(StrayRule):
    """A stream that ends before its last line does.

    What it means: the last bytes of a stream have no newline. Either a message was cut off, or a whole
    one lacks the newline that ends it.

    Why it matters: what was cut off is lost. A whole message without its newline is not read by most
    peers, which wait for the rest of the line. What a server leaves unfinished after its client
    has closed the connection is expected, and not reported.

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

    What to do: write the newline together with the message, and flush before the process exits.
    Look at the exit code and at stderr for the reason of the end.
    """

    id = "FRM005"
    title = "stream ends in the middle of a line"
    severity = "error"
    culprit = "sender"
    next = "write the newline together with the message and flush it; look at the exit code and at stderr"
    spec = STDIO
    kinds = frozenset({"unended"})

    def stray(self, stray: Stray) -> None:
        case = self.case
        if not case.whole:
            return
        waited = self._waited(stray)
        if waited is None:
            return
        whole = is_strict_json(stray.line) and stray.size == len(stray.line)
        if whole:
            self._without_newline(stray)
        elif waited == 0.0:
            told = f"{stray.culprit} ended {self._stream(stray)} in the middle of a message: {stray.quote}"
            hit = self.note(stray, told, key=f"{stray.side} cut")
            hit.facts["cut"] = True
        else:
            told = f"server stopped in the middle of a line, {seconds(waited)} before the client left"
            self.note(
                stray,
                f"{told}: {stray.quote}",
                key="s2c stuck",
                severity="warning",
                culprit="undecided",
                next="look what the server was doing: it wrote no more, or waited to be read",
            )

    def _waited(self, stray: Stray) -> float | None:
        """For how long the client waited for the rest before it left; None where the end is its doing."""
        case, closed_t = self.case, self.case.client_closed_t
        if stray.side == "c2s":
            return None if closed_t is not None or server_is_gone(case) else 0.0
        if closed_t is None:
            return 0.0
        parts = case.parts.get("s2c")
        waited = 0.0 if parts is None else closed_t - parts.last_t
        return waited if waited > 0 else None

    def _without_newline(self, stray: Stray) -> None:
        lost = stray.exchange is not None and stray.exchange.cancelled_t is None
        self.note(
            stray,
            f"{stray.culprit} wrote {stray.what} without a newline at the end: a peer waits for the rest",
            key=f"{stray.side} newline",
            severity="error" if lost else "warning",
            next="write a newline after each message, the last one too",
        )

    @staticmethod
    def _stream(stray: Stray) -> str:
        return "its stdout" if stray.side == "s2c" else "the server's stdin"

    def finding(self, hit: Hit) -> Finding:
        found, ending = super().finding(hit), self.case.session.ending
        if not hit.facts.get("cut") or hit.culprit != "server" or self.case.life.exit is None:
            return found
        found = replace(found, message=f"{found.message}; it {how_ended(ending)}")
        # Killed from outside, or by its own fault: the recording does not tell.
        return replace(found, culprit="undecided") if ending.signal is not None else found


class CarriageReturns(Rule):
    """Lines that end in CR LF.

    What it means: a message ends in a carriage return and a newline: a stream in text mode on Windows.

    Why it matters: it is not what the specification says, and works with the official SDKs. Some
    readers do not accept it: if the server leaves right after such a line without a word, it is an error.

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

    def line(self, record: Record) -> None:
        if record.eol == b"\r\n" and record.is_message:
            hit = self.hit(record, "", key=record.dir)
            hit.facts["t"] = record.t

    def sentence(self, hit: Hit) -> str:
        who = "server" if hit.key == "s2c" else "client"
        return hit.message or f"{who} ends its lines with CR LF ({plural(hit.count, 'line')})"

    def end(self) -> None:
        hit, case = self.hits.get("c2s"), self.case
        if hit is None or not self._left_without_a_word(hit):
            return
        hit.severity, hit.certainty, hit.culprit = "error", "heuristic", "undecided"
        hit.message = (
            "server exited 0 without a word right after a line that ends in CR LF; "
            "it looks like its reader does not accept CR"
        )
        hit.next = "let the client end its lines with a bare newline, or the server accept CR LF"
        explain(hit, *(request.seq for request in open_requests(case)))

    def _left_without_a_word(self, hit: Hit) -> bool:
        case, session, sent_t = self.case, self.case.session, hit.facts.get("t")
        died_t, ending = case.life.died_t, session.ending
        return (
            case.whole
            and isinstance(sent_t, float)
            and died_t is not None
            and 0 <= died_t - sent_t < SAID_NOTHING_SECONDS
            and case.last_c2s_t == sent_t
            and ending.code == 0
            and case.life.unasked(ending)
            and not case.closed
            and not session.lines["s2c"]
            and not session.lines["stderr"]
        )


class HugeLine(Rule):
    """A line of more than 10 MiB.

    What it means: one message is longer than what the TypeScript SDK holds of a line.

    Why it matters: that SDK closes the connection at 10 MiB (-32000, "Connection closed"), and most
    clients are made with it. The Python SDK reads such lines. It is a warning where the other side
    went on after it.

    Fails (and PRF004, PRF010):
        → 1 tools/call {"name":"dump"}
        ← 1 result {"content":[{"type":"text","text":"<11,000,000 characters>"}]}

    Passes:
        → 1 tools/call {"name":"dump"}
        ← 1 result {"content":[{"type":"text","text":"page 1 of 300"}]}

    What to do: return pages, or a resource_link to what is too large.
    """

    id = "FRM015"
    title = "line of more than 10 MiB"
    severity = "error"
    culprit = "sender"
    next = "return pages, or a resource_link to what is too large"

    def message(self, seen: Seen) -> None:
        size = self._size(seen)
        if size <= TS_LIMIT:
            return
        exchange = seen.exchange if seen.item.role in ("asks", "answers", "answers-again") else None
        what = "a message"
        if exchange is not None:
            what = ("" if seen.item.role == "asks" else "the answer to ") + called(exchange)
        elif seen.message.method is not None:
            what = named(seen.message.method)
        method = key_of(exchange) if exchange is not None else seen.message.method or ""
        self._note(seen, size, what, f"{seen.side} {method}".rstrip())

    def foreign(self, seen: Seen) -> None:
        size = self._size(seen)
        if size > TS_LIMIT:
            self._note(seen, size, "a line", seen.side)

    def _size(self, seen: Seen) -> int:
        """Bytes of the line, over all its parts; of a batch's line only once."""
        record, parts = seen.record, self.case.parts
        size = len(record.payload) + (parts[record.dir].size if record.dir in parts else 0)
        if size > TS_LIMIT:
            if record is self._record:
                return 0
            self._record = record
        return size

    _record: Record | None = None

    def _note(self, seen: Seen, size: int, what: str, key: str) -> None:
        told = f"{seen.sender} wrote {what} as a line of {size / TS_LIMIT * 10:.1f} MiB"
        hit = self.hit(seen, f"{told}; the TypeScript SDK closes the connection at 10 MiB", key=key)
        hit.facts["said"] = self.case.session.messages[other(seen.side)]

    def finding(self, hit: Hit) -> Finding:
        # What the other side had said at the last such line, and has said since.
        found, said = super().finding(hit), hit.facts.get("said")
        side: Side = "s2c" if hit.culprit == "client" else "c2s"
        return found if said == self.case.session.messages[side] else replace(found, severity="warning")


RULES: tuple[type[Rule], ...] = (EndsInTheMiddle, CarriageReturns, HugeLine)
