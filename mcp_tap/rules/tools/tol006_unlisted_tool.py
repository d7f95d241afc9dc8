"""TOL006: call to an unlisted tool."""

from __future__ import annotations

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
    """A call to a tool that the server has not listed.

    What it means: the client called a tool whose name is not in the last complete tool list, and
    the server had not announced a change of the list since. If the call succeeded anyway, it is
    reported as info.

    Why it matters: the server rejects the call. The client's list is out of date, or the client did
    not strip its own prefix (``mcp__server__find``) from the name before calling, or the model made
    the name up.

    Fails, listed [{"name":"find","inputSchema":{"type":"object"}}]:
        → 5 tools/call {"name":"mcp__notes__find","arguments":{}}
        ← 5 error -32602 "Unknown tool: mcp__notes__find"

    Passes, listed [{"name":"find","inputSchema":{"type":"object"}}]:
        ← notifications/tools/list_changed
        → 5 tools/call {"name":"find_all","arguments":{}}
        ← 5 result {"content":[]}

    What to do: list the tools again after notifications/tools/list_changed, and check for a prefix
    that was not removed.
    """

    id = "TOL006"
    title = "call to an unlisted tool"
    severity = "error"
    culprit = "client"
    next = "list the tools again before calling; check for a client prefix (mcp__server__) left on the name"
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
        return f"{sentence}; the call succeeded anyway" if hit.severity == "info" else sentence

    def _instead(self, name: str) -> str:
        """What was probably meant; empty where nothing on the list is like it."""
        import difflib  # few sessions need it

        listed = list(self.listing.items)
        for known in listed:
            if known and name.endswith(known) and not name[-len(known) - 1].isalnum():
                return f"; it lists {ticked(known)}: the client did not remove its prefix"
        near = difflib.get_close_matches(name[:SPECIFIED_LIMIT], listed[:NAMES_KEPT], 1, 0.8)
        return f"; it lists {ticked(near[0])}" if near else ""
