"""TOL006: call of an unlisted tool."""

from __future__ import annotations

import difflib
from collections.abc import Hashable
from functools import partial

from mcp_tap.diagnosis.context import Answer, Request, SessionContext
from mcp_tap.diagnosis.finding import Hit
from mcp_tap.diagnosis.interest import sees
from mcp_tap.diagnosis.misfit import is_masked
from mcp_tap.diagnosis.pending import explain
from mcp_tap.diagnosis.text import key_of, shown_id, ticked
from mcp_tap.rules.tools._base import NAMES_KEPT, SPECIFIED_LIMIT, KnownTools


class UnlistedTool(KnownTools):
    """A call of a tool that the server has not listed.

    What it means: the client called a name that is not in the last complete list of tools, and the
    server had not said since that its list changed. If the call succeeded all the same it is told
    as information.

    Why it matters: the server refuses it. The client's list is stale, or the client did not take
    its own prefix (``mcp__server__find``) off the name before it called, or the model invented it.

    Fails, listed [{"name":"find","inputSchema":{"type":"object"}}]:
        → 5 tools/call {"name":"mcp__notes__find","arguments":{}}
        ← 5 error -32602 "Unknown tool: mcp__notes__find"

    Passes, listed [{"name":"find","inputSchema":{"type":"object"}}]:
        ← notifications/tools/list_changed
        → 5 tools/call {"name":"find_all","arguments":{}}
        ← 5 result {"content":[]}

    What to do: list again after notifications/tools/list_changed; look for a prefix that was left on.
    """

    id = "TOL006"
    title = "call of an unlisted tool"
    severity = "error"
    culprit = "client"
    next = "list the tools again before calling; look for a client's prefix (mcp__server__) left on the name"
    spec = "2025-11-25/server/tools#error-handling"

    def __init__(self, context: SessionContext) -> None:
        super().__init__(context)
        self._refused: set[Hashable] = set()
        """Findings of which a call was refused."""

    @sees(sides="c2s", methods=("tools/list", "tools/call"))
    def request(self, request: Request) -> None:
        exchange, name = request.exchange, request.exchange.target
        if exchange.method == "tools/list":
            super().request(request)
            return
        listed = self.listing.items
        if name is None or name in listed or not self.is_complete:
            return
        if is_masked([name, *listed]):
            return
        hit = self.hit(
            request,
            f"client called {ticked(name)} (id {shown_id(exchange.id)}), which the server does not list"
            + self._instead(name),
            key=key_of(name),
        )
        self.await_answer(exchange, partial(self._answered, hit))

    def _answered(self, hit: Hit, answer: Answer) -> None:
        if answer.exchange.outcome in ("error", "tool-error"):
            explain(hit, [answer.seq])
            self._refused.add(hit.key)
            hit.severity = self.severity
        elif hit.key not in self._refused:
            hit.severity = "info"

    def sentence(self, hit: Hit) -> str:
        sentence = super().sentence(hit)
        return f"{sentence}; it was answered all the same" if hit.severity == "info" else sentence

    def _instead(self, name: str) -> str:
        """What was probably meant; empty where nothing on the list is like it."""
        listed = list(self.listing.items)
        for known in listed:
            if known and name.endswith(known) and not name[-len(known) - 1].isalnum():
                return f"; it lists {ticked(known)}: the client left a prefix on"
        near = difflib.get_close_matches(name[:SPECIFIED_LIMIT], listed[:NAMES_KEPT], 1, 0.8)
        return f"; it lists {ticked(near[0])}" if near else ""
