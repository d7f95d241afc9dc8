"""RPC022: method of another version."""

from __future__ import annotations

from mcp_tap.diagnosis.asked import DecidedByAnswer, asker_of, explain
from mcp_tap.diagnosis.context import Notification, Occurrence
from mcp_tap.diagnosis.extensions import is_extension
from mcp_tap.diagnosis.finding import Severity
from mcp_tap.diagnosis.text import named
from mcp_tap.model.exchange import Exchange
from mcp_tap.model.message import Side
from mcp_tap.model.methods import ALL, METHODS, MODERN
from mcp_tap.rules.jsonrpc._methods import worse


class MethodOfAnotherVersion(DecidedByAnswer):
    """A method that the session's version does not have.

    What it means: the method exists in MCP, but not in the version that client and server agreed on
    (or, since 2026-07-28, that the request itself names).

    Why it matters: the peer need not know it. It is a warning where the peer has answered it all
    the same. Probes (`server/discover`, `initialize`) are no fault: they find out what is spoken.

    Fails, 2025-06-18:
        → 5 tasks/list
        ← 5 error -32601 "Method not found"

    Passes:
        → 5 tasks/list
        ← 5 result {"tasks":[]}

    What to do: look at the version that was agreed on before using what is new, or gone.
    """

    id = "RPC022"
    title = "method of another version"
    severity = "error"
    culprit = "sender"
    next = "use only what the version agreed on has, or agree on another one"
    spec = "2025-11-25/basic/lifecycle#operation"

    def concerns(self, exchange: Exchange) -> bool:
        return self._absent_from(exchange.method, exchange.side, self._version_of(exchange)) is not None

    def judge(self, exchange: Exchange, seen: Occurrence | None) -> None:
        version = self._version_of(exchange)
        served = seen is not None and seen.message.kind == "response"
        severity: Severity = "warning" if served else "error"
        method = exchange.method
        hit = self.hit(
            exchange.seq,
            f"{asker_of(exchange)} sent {named(method)}, which is not part of {version}"
            + (f" (but of {span(method)})" if not served else "; it was answered all the same"),
            key=f"{asker_of(exchange)} {method}",
            severity=severity,
            culprit=asker_of(exchange),
        )
        explain(worse(hit, severity), exchange.seq, None if seen is None or served else seen.seq)

    def notification(self, seen: Notification) -> None:
        method, version = seen.message.method or "", self.context.session.protocol
        if self._absent_from(method, seen.side, version) is not None:
            self.hit(
                seen,
                f"{seen.sender} sent {named(method)}, which is not part of {version} (but of {span(method)})",
                key=f"{seen.sender} {method}",
            )

    def _version_of(self, exchange: Exchange) -> str | None:
        """The version that holds for a request; None while nothing is agreed on."""
        if exchange.version is None and self.context.session.era == "modern":
            return MODERN[-1]
        return exchange.version

    def _absent_from(self, method: str, side: Side, version: str | None) -> str | None:
        """``version``, if it is known and lacks ``method``."""
        known = METHODS.get(method)
        if known is None or version not in ALL or version in known.versions or method in PROBES:
            return None
        if version in MODERN and side == "s2c" and known.kind == "request":
            return None  # that a server asks at all is the fault then: MOD014
        return None if is_extension(self.context, method) else version


PROBES = frozenset({"server/discover", "initialize"})
"""What is sent before anything is agreed on."""


def span(method: str) -> str:
    """The versions that have ``method``: `2025-03-26 to 2025-11-25`."""
    versions = METHODS[method].versions
    if len(versions) == 1:
        return versions[0]
    return f"{versions[0]} and later" if versions[-1] == ALL[-1] else f"{versions[0]} to {versions[-1]}"
