"""RPC022: method not in this version."""

from __future__ import annotations

from mcp_tap.diagnosis.asked import asker_of, explain, never_answered
from mcp_tap.diagnosis.context import Answer, Notification
from mcp_tap.diagnosis.extensions import is_extension
from mcp_tap.diagnosis.finding import Severity
from mcp_tap.diagnosis.interest import sees
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.diagnosis.text import named
from mcp_tap.model.exchange import Exchange
from mcp_tap.model.message import Side
from mcp_tap.model.methods import ALL, METHODS, MODERN
from mcp_tap.rules.jsonrpc._base import worse

PROBES = frozenset({"server/discover", "initialize"})
"""What is sent before anything is agreed on."""


def is_of_another(side: str, method: str | None, version: str | None) -> bool:
    """Whether other versions have a method, and this one has not."""
    known = METHODS.get(method or "")
    return known is not None and version not in known.versions and method not in PROBES


class MethodOfAnotherVersion(Rule):
    """A method that is not in the session's version.

    What it means: the method exists in MCP, but not in the version that client and server agreed on
    (or, since 2026-07-28, the version that the request itself names).

    Why it matters: the peer need not know it. It is a warning if the peer answered it anyway. Probes
    (`server/discover`, `initialize`) are not a fault: they find out which version the peer speaks.

    Fails, 2025-06-18:
        → 5 tasks/list
        ← 5 error -32601 "Method not found"

    Passes:
        → 5 tasks/list
        ← 5 result {"tasks":[]}

    What to do: check the agreed version before using methods that are new, or were removed.
    """

    id = "RPC022"
    title = "method not in this version"
    severity = "error"
    culprit = "sender"
    next = "use only methods of the agreed version, or agree on another version"
    spec = "2025-11-25/basic/lifecycle#operation"

    @sees(only=is_of_another)
    def answer(self, answer: Answer) -> None:
        self._judge(answer.exchange)

    @sees(only=is_of_another)
    def notification(self, notification: Notification) -> None:
        method, version = notification.message.method or "", self.context.session.protocol
        if self._is_absent(method, notification.side, version):
            who = notification.sender
            self.hit(notification, f"{absent(who, method, version)} ({but(method)})", key=f"{who} {method}")

    def end(self) -> None:
        for exchange in never_answered(self.context):
            self._judge(exchange)

    def _judge(self, exchange: Exchange) -> None:
        """How bad a request is, its answer tells."""
        method, version = exchange.method, self._version_of(exchange)
        if not self._is_absent(method, exchange.side, version):
            return
        served = exchange.outcome not in ("open", "error")
        severity: Severity = "warning" if served else "error"
        who = asker_of(exchange)
        hit = self.hit(
            exchange.seq,
            absent(who, method, version) + (ANYWAY if served else f" ({but(method)})"),
            key=f"{who} {method}",
            severity=severity,
            culprit=who,
        )
        explain(worse(hit, severity), exchange.seq, None if served else exchange.answer_seq)

    def _version_of(self, exchange: Exchange) -> str | None:
        """The version that holds for a request; None while nothing is agreed on."""
        if exchange.version is None and self.context.session.era == "modern":
            return MODERN[-1]
        return exchange.version

    def _is_absent(self, method: str, side: Side, version: str | None) -> bool:
        """Whether ``version`` is known, and lacks ``method``."""
        if version not in ALL or not is_of_another(side, method, version):
            return False
        if version in MODERN and side == "s2c" and METHODS[method].kind == "request":
            return False  # that a server asks at all is the fault then: MOD014
        return not is_extension(self.context, method)


ANYWAY = "; it was answered anyway"


def absent(who: str, method: str, version: str | None) -> str:
    """The fault, as the beginning of a sentence."""
    return f"{who} sent {named(method)}, which is not in version {version}"


def but(method: str) -> str:
    """Which versions have ``method``."""
    return f"it is in {span(method)}"


def span(method: str) -> str:
    """The versions that have ``method``: `2025-03-26 to 2025-11-25`."""
    versions = METHODS[method].versions
    if len(versions) == 1:
        return versions[0]
    return f"{versions[0]} and later" if versions[-1] == ALL[-1] else f"{versions[0]} to {versions[-1]}"
