"""MOD014-016: what is said without a request that asks for it (MCP 2026-07-28, basic/transports/stdio,
server/utilities/logging)."""

from __future__ import annotations

from collections import OrderedDict
from functools import partial

from mcp_tap.model.exchange import Exchange
from mcp_tap.model.methods import LOG_LEVEL_KEY, MODERN
from mcp_tap.rules.capabilities import LEVELS, SETTLED_SECONDS
from mcp_tap.rules.case import EVERY, Case, Seen
from mcp_tap.rules.facts.asked import explain, named
from mcp_tap.rules.facts.proof import KEPT, OfModernConnection, has_no_handshake, shown
from mcp_tap.rules.rule import Rule


class ServerAsks(OfModernConnection):
    """A request of the server, which there is not any more.

    What it means: since 2026-07-28 only the client sends requests. The server sent one, on a
    connection without a handshake.

    Why it matters: a client does not look at it, and the server waits for an answer that never
    comes.

    Fails, 2026-07-28:
        → 5 tools/call {"name":"book"}
        ← 1 roots/list
        → 1 error -32601 "Method not found"
        ← 5 result {"resultType":"complete","content":[]}

    Passes, client {"roots":{}}:
        → 5 tools/call {"name":"book"}
        ← 1 roots/list
        → 1 result {"roots":[]}
        ← 5 result {"content":[]}

    What to do: answer `tools/call`, `prompts/get` or `resources/read` with `"resultType":
    "input_required"` and put what is asked into `inputRequests`. There is no ping any more.
    """

    id = "MOD014"
    title = "request sent by the server"
    severity = "error"
    culprit = "server"
    next = "ask by a result with resultType input_required instead; leave pings out"
    versions = EVERY  # of which era the connection is, may show only later
    spec = "2026-07-28/basic/transports/stdio#receiving-messages"

    def request(self, seen: Seen) -> None:
        method = seen.message.method
        if seen.side == "s2c" and method is not None and seen.version is not None:
            message = f"server sent the request {named(method)}; since {MODERN[-1]} a server sends none"
            self.tell(seen.seq, message, key=method[:100], explains=(seen.seq,))

    def answer(self, seen: Seen) -> None:
        super().answer(seen)
        exchange = seen.exchange
        if exchange is not None and exchange.side == "s2c" and has_no_handshake(self.case):
            self.proof.when(partial(self._explain, exchange.method, seen.seq))

    def _explain(self, method: str, seq: int) -> None:
        hit = self.hits.get(method[:100])
        if hit is not None:
            explain(hit, seq)


class ClientAnswers(OfModernConnection):
    """An answer of the client, which there is not any more.

    What it means: since 2026-07-28 the server sends no requests, so that a client has nothing to
    answer. It sent a response all the same, and no request of the server was there for it.

    Why it matters: what it was to say is lost; a server may take it for garbage.

    Fails, 2026-07-28, listed []:
        → 7 result {"roots":[]}

    Passes, client {"roots":{}}:
        ← 7 roots/list
        → 7 result {"roots":[]}

    What to do: what a server asks for by `input_required` is answered by sending the request again,
    with `inputResponses` and a new id.
    """

    id = "MOD015"
    title = "response sent by the client"
    severity = "error"
    culprit = "client"
    next = "answer input_required by sending the request again, with inputResponses and a new id"
    spec = "2026-07-28/basic/transports/stdio#sending-messages"

    def astray(self, seen: Seen) -> None:
        if seen.side != "c2s" or seen.exchange is not None or seen.message.id is None:
            return  # an error without an id says that a line could not be read
        if not self.case.session.foreign["s2c"]:
            what = "an error response" if seen.message.kind == "error" else "a response"
            message = (
                f"client sent {what} (id {shown(seen.message.id)}) although the server has asked nothing"
            )
            self.tell(seen.seq, message, explains=(seen.seq,))


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

    def __init__(self, case: Case) -> None:
        super().__init__(case)
        self.wanted: OrderedDict[Exchange, int] = OrderedDict()
        """Open requests that want log messages, from which level on."""
        self.forgot = False
        self.settled: tuple[float, int] | None = None
        """When the last of them was answered or cancelled: messages may have been on their way."""

    def request(self, seen: Seen) -> None:
        level = seen.message.meta.get(LOG_LEVEL_KEY)
        if seen.side != "c2s" or level is None or seen.exchange is None:
            return
        self.wanted[seen.exchange] = LEVELS.index(level) if level in LEVELS else 0
        if len(self.wanted) > KEPT:
            self.wanted.popitem(last=False)
            self.forgot = True

    def examine(self, seen: Seen, exchange: Exchange) -> None:
        self._settle(exchange, seen.t)

    def _settle(self, exchange: Exchange, t: float) -> None:
        level = self.wanted.pop(exchange, None)
        if level is not None:
            before = self._on_their_way(t)
            self.settled = (t, level if before is None else min(level, before))

    def _on_their_way(self, t: float) -> int | None:
        if self.settled is None or t - self.settled[0] >= SETTLED_SECONDS:
            return None
        return self.settled[1]

    def notification(self, seen: Seen) -> None:
        method = seen.message.method
        if method == "notifications/cancelled" and seen.exchange is not None:
            self._settle(seen.exchange, seen.t)
        if method != "notifications/message" or seen.side != "s2c" or not self._is_certain():
            return
        wanted, level = self._lowest(seen.t), seen.params.get("level")
        if wanted is None:
            what = f" of level {level}" if level in LEVELS else ""
            message = f"server sent a log message{what} although no open request had asked for any"
            self.tell(seen.seq, message, key="unasked")
        elif level in LEVELS and LEVELS.index(level) < wanted:
            message = (
                f"server sent a log message of level {level} although the open requests ask for "
                f"{LEVELS[wanted]} and above"
            )
            self.tell(seen.seq, message, key="below")

    def _is_certain(self) -> bool:
        """Whether all requests that can have asked for log messages are on file, and known."""
        return has_no_handshake(self.case) and not self.forgot and not self.case.session.foreign["c2s"]

    def _lowest(self, t: float) -> int | None:
        """From which level on somebody wants log messages; None if nobody does."""
        on_their_way = self._on_their_way(t)
        return min((*self.wanted.values(), *(() if on_their_way is None else (on_their_way,))), default=None)


RULES: tuple[type[Rule], ...] = (ServerAsks, ClientAnswers, UnaskedLog)
