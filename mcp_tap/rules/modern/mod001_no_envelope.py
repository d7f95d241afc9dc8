"""MOD001: request without protocolVersion or clientCapabilities in _meta."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from mcp_tap.diagnosis.asked import FaultyRequests, is_masked
from mcp_tap.diagnosis.bounded import First
from mcp_tap.diagnosis.context import MODERN_ONLY, Request, SessionContext
from mcp_tap.diagnosis.extensions import is_extension
from mcp_tap.diagnosis.finding import Hit
from mcp_tap.diagnosis.interest import sees
from mcp_tap.diagnosis.text import named, plural
from mcp_tap.model.methods import CLIENT_CAPABILITIES_KEY, METHODS, MODERN, VERSION_KEY
from mcp_tap.rules.modern._base import has_no_handshake

METHODS_NAMED = 3
"""Methods that a sentence names."""


class NoEnvelope(FaultyRequests):
    """A request that does not say what it speaks.

    What it means: since 2026-07-28 each request says in `params._meta` which version it is of
    (`io.modelcontextprotocol/protocolVersion`) and what the client can do
    (`io.modelcontextprotocol/clientCapabilities`). This one lacks one of them, or both.

    Why it matters: there is no handshake that a server could remember, and it must not guess from
    earlier requests: it answers with -32602, and a `server/discover` without them with -32601.

    Fails, 2026-07-28, listed []:
        → 5 tools/list {"_meta":{}}
        ← 5 error -32602 "Missing _meta"

    Passes, 2026-07-28:
        → 5 tools/list {"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",
            "io.modelcontextprotocol/clientCapabilities":{}}}
        ← 5 result {"resultType":"complete","tools":[],"ttlMs":0,"cacheScope":"private"}

    What to do: put both keys into `_meta` of every request, also where the client can do nothing of
    its own (`{}`).
    """

    id = "MOD001"
    title = "request without protocolVersion or clientCapabilities in _meta"
    severity = "error"
    culprit = "client"
    next = "put protocolVersion and clientCapabilities into params._meta of every request"
    versions = MODERN_ONLY
    spec = "2026-07-28/basic#meta"

    def __init__(self, context: SessionContext) -> None:
        super().__init__(context)
        self._methods: dict[Hashable, First[str, None]] = {}
        """What was asked without, by the key of the finding."""

    @sees(sides="c2s")
    def request(self, request: Request) -> None:
        missing = lacking(request.message.meta)
        if missing and self._concerns(request):
            hit = self.hit(request, "", key=" ".join(missing))
            self._methods.setdefault(hit.key, First(METHODS_NAMED + 1))[request.exchange.method] = None
            self.hold(request, hit)

    def _concerns(self, request: Request) -> bool:
        method = request.exchange.method
        known = METHODS.get(method)
        if method == "initialize" or not isinstance(request.message.value.get("params", {}), dict):
            return False  # RPC014
        if not (known is not None and MODERN[-1] in known.versions) and not is_extension(
            self.context, method
        ):
            return False  # RPC021, RPC022
        if isinstance(request.message.meta.get(VERSION_KEY), str):
            return True  # it says itself of which era it is
        return has_no_handshake(self.context)

    def sentence(self, hit: Hit) -> str:
        names, missing = list(self._methods[hit.key]), " and ".join(str(hit.key).split())
        if hit.count == 1:
            return f"client sent {named(names[0])} without {missing} in params._meta"
        some = ", ".join(map(named, names[:METHODS_NAMED])) + (" …" if len(names) > METHODS_NAMED else "")
        return f"client sent {plural(hit.count, 'request')} without {missing} in params._meta: {some}"


def lacking(meta: dict[str, Any]) -> list[str]:
    """What ``_meta`` of a request lacks of what it must have."""
    missing = [] if isinstance(meta.get(VERSION_KEY), str) else ["protocolVersion"]
    offered = meta.get(CLIENT_CAPABILITIES_KEY)
    return missing if isinstance(offered, dict) or is_masked(offered) else [*missing, "clientCapabilities"]
