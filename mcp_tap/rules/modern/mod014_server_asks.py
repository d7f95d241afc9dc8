"""MOD014: request sent by the server."""

from __future__ import annotations

from functools import partial

from mcp_tap.diagnosis.asked import explain
from mcp_tap.diagnosis.context import EVERY, Answer, Request
from mcp_tap.diagnosis.interest import sees
from mcp_tap.diagnosis.text import named
from mcp_tap.model.methods import MODERN
from mcp_tap.rules.modern._base import OfModernConnection, has_no_handshake


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

    @sees(sides="s2c")
    def request(self, request: Request) -> None:
        method = request.exchange.method
        if request.version is not None:
            message = f"server sent the request {named(method)}; since {MODERN[-1]} a server sends none"
            self.tell(request.seq, message, key=method[:100], explains=(request.seq,))

    @sees(sides="c2s")
    def answer(self, answer: Answer) -> None:
        if has_no_handshake(self.context):
            self.context.proof.when(partial(self._explain, answer.exchange.method, answer.seq))

    def _explain(self, method: str, seq: int) -> None:
        hit = self.hits.get(method[:100])
        if hit is not None:
            explain(hit, seq)
