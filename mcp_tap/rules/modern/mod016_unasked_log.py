"""MOD016: log message that was not asked for."""

from __future__ import annotations

from mcp_tap.diagnosis.bounded import Latest
from mcp_tap.diagnosis.context import Notification, Request, SessionContext
from mcp_tap.diagnosis.interest import sees
from mcp_tap.diagnosis.levels import LEVELS, SETTLED_SECONDS
from mcp_tap.model.exchange import Exchange
from mcp_tap.model.methods import LOG_LEVEL_KEY
from mcp_tap.rules.modern._base import KEPT, OfModernConnection, has_no_handshake


def may_want_log(line: bytes) -> bool:
    """Whether a line may be a request that wants log messages."""
    return b"logLevel" in line or b"\\u" in line


class UnaskedLog(OfModernConnection):
    """A log message that nobody asked for.

    What it means: since 2026-07-28 a request says by `io.modelcontextprotocol/logLevel` in its
    `_meta` from which level on it wants log messages. The server sent one while no open request
    wanted any, or one of a lower level than all of them.

    Why it matters: a client need not expect it. Some log an error for each, and those that show it
    show what the user did not want to see.

    Fails, 2026-07-28:
        → 5 tools/call {"name":"book"}
        ← notifications/message {"level":"info","data":"booking"}
        ← 5 result {"resultType":"complete","content":[]}

    Passes, 2026-07-28:
        → 5 tools/call {"name":"book","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",
            "io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/logLevel":"info"}}
        ← notifications/message {"level":"warning","data":"nearly sold out"}
        ← 5 result {"resultType":"complete","content":[]}

    What to do: send log messages of a request only if it has a logLevel, and only from there on.
    All else belongs on stderr.
    """

    id = "MOD016"
    title = "log message that was not asked for"
    severity = "error"
    culprit = "server"
    next = "log for requests with a logLevel only, from that level on; write the rest to stderr"
    spec = "2026-07-28/server/utilities/logging"

    def __init__(self, context: SessionContext) -> None:
        super().__init__(context)
        self.wanted: Latest[Exchange, int] = Latest(KEPT)
        """Requests that want log messages, from which level on."""
        self.settled: tuple[float, int] | None = None
        """When the last of them was answered or cancelled: messages may have been on their way."""

    @sees(sides="c2s", cue=may_want_log)
    def request(self, request: Request) -> None:
        level = request.message.meta.get(LOG_LEVEL_KEY)
        if level is not None:
            if len(self.wanted) >= KEPT:
                self._settle()
            self.wanted[request.exchange] = LEVELS.index(level) if level in LEVELS else 0

    def _settle(self) -> None:
        """Let go of the requests that are answered or cancelled."""
        over = [(settled_t(each), level, each) for each, level in self.wanted.items() if is_settled(each)]
        for t, level, exchange in sorted(over, key=lambda each: each[0]):
            before = self._on_their_way(t)
            self.settled = (t, level if before is None else min(level, before))
            del self.wanted[exchange]

    def _on_their_way(self, t: float) -> int | None:
        if self.settled is None or t - self.settled[0] >= SETTLED_SECONDS:
            return None
        return self.settled[1]

    @sees(sides="s2c", methods="notifications/message")
    def notification(self, notification: Notification) -> None:
        if not self._is_certain():
            return
        self._settle()
        wanted, level = self._lowest(notification.t), notification.params.get("level")
        if wanted is None:
            what = f" of level {level}" if level in LEVELS else ""
            message = f"server sent a log message{what} although no open request had asked for any"
            self.tell(notification.seq, message, key="unasked")
        elif level in LEVELS and LEVELS.index(level) < wanted:
            message = (
                f"server sent a log message of level {level} although the open requests ask for "
                f"{LEVELS[wanted]} and above"
            )
            self.tell(notification.seq, message, key="below")

    def _is_certain(self) -> bool:
        """Whether all requests that can have asked for log messages are on file, and known."""
        return (
            has_no_handshake(self.context)
            and not self.wanted.forgot
            and not self.context.session.foreign["c2s"]
        )

    def _lowest(self, t: float) -> int | None:
        """From which level on somebody wants log messages; None if nobody does."""
        on_their_way = self._on_their_way(t)
        return min((*self.wanted.values(), *(() if on_their_way is None else (on_their_way,))), default=None)


def is_settled(exchange: Exchange) -> bool:
    """Whether a request is answered or cancelled."""
    return exchange.outcome != "open" or exchange.cancelled_t is not None


def settled_t(exchange: Exchange) -> float:
    """When it was, the first time."""
    return min(t for t in (exchange.answer_t, exchange.cancelled_t) if t is not None)
