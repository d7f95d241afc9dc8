"""MOD018: server/discover is not implemented."""

from __future__ import annotations

from functools import partial

from mcp_tap.diagnosis.asked import code_of
from mcp_tap.diagnosis.context import MODERN_ONLY, Answer
from mcp_tap.diagnosis.interest import sees
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.model.methods import MODERN

METHOD_NOT_FOUND = -32601


class NoDiscovery(Rule):
    """A server of the modern era without server/discover.

    What it means: the server answered `server/discover`, asked as it should be, with "method not
    found", and answers other requests of 2026-07-28.

    Why it matters: clients that speak both eras find out by this request what a server speaks.
    They fall back to `initialize`, and never use what the server can do.

    Fails, 2026-07-28:
        → 1 server/discover
        ← 1 error -32601 "Method not found"
        → 2 prompts/list
        ← 2 result {"resultType":"complete","prompts":[],"ttlMs":0,"cacheScope":"private"}

    Passes, 2026-07-28:
        → 1 server/discover
        ← 1 error -32601 "Method not found"
        → 2 prompts/list
        ← 2 result {"prompts":[]}

    What to do: implement it: `supportedVersions`, `capabilities`, `ttlMs`, `cacheScope`.
    """

    id = "MOD018"
    title = "server/discover is not implemented"
    severity = "error"
    culprit = "server"
    next = "implement server/discover: every server of 2026-07-28 must have it"
    versions = MODERN_ONLY
    methods = frozenset({"server/discover"})
    spec = "2026-07-28/server/discover"

    @sees(sides="s2c", outcomes="error")
    def answer(self, answer: Answer) -> None:
        exchange = answer.exchange
        if exchange.version is None or code_of(answer.message) != METHOD_NOT_FOUND:
            return
        if self.context.session.pairing.version is not None:
            return  # on a connection of before, a server may not know it any more
        where = (exchange.seq, answer.seq)
        message = (
            f"server answered server/discover with {METHOD_NOT_FOUND}, method not found, although it "
            f"speaks {MODERN[-1]}"
        )
        self.context.proof.when(partial(self.hit, where, message, explains=where))
