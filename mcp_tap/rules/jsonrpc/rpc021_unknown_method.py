"""RPC021: unknown method."""

from __future__ import annotations

from functools import lru_cache

from mcp_tap.diagnosis.asked import explain, never_answered
from mcp_tap.diagnosis.context import Answer, Notification
from mcp_tap.diagnosis.extensions import is_extension
from mcp_tap.diagnosis.finding import Culprit, Hit, Severity
from mcp_tap.diagnosis.interest import sees
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.diagnosis.text import named
from mcp_tap.model.exchange import Exchange
from mcp_tap.model.message import Side
from mcp_tap.model.methods import METHODS
from mcp_tap.rules.jsonrpc._base import worse

MISNOMERS: dict[str, str] = {
    "notifications/tools/updated": "notifications/tools/list_changed",
    "notifications/tools/changed": "notifications/tools/list_changed",
    "notifications/prompts/updated": "notifications/prompts/list_changed",
    "notifications/prompts/changed": "notifications/prompts/list_changed",
    "notifications/resources/changed": "notifications/resources/list_changed",
    "tools/listChanged": "notifications/tools/list_changed",
    "prompts/listChanged": "notifications/prompts/list_changed",
    "resources/listChanged": "notifications/resources/list_changed",
    "initialized": "notifications/initialized",
    "cancelled": "notifications/cancelled",
    "progress": "notifications/progress",
    "logging/message": "notifications/message",
    "$/cancelRequest": "notifications/cancelled",
    "$/progress": "notifications/progress",
}
"""Names that do not exist and are seen all the same, and what is meant."""

OF_LSP: dict[str, str] = {
    "shutdown": "MCP has no shutdown message: the client closes the server's stdin",
    "exit": "MCP has no exit message: the client closes the server's stdin",
}
"""Names of the Language Server Protocol for which MCP has none."""

CLOSE_ENOUGH = 0.75
"""difflib's ratio above which a part of a name is taken for a slip of the pen: `lists`, `tool`."""

NAME_COMPARED = 100
"""Characters of a method that are looked at."""


@lru_cache(maxsize=256)
def meant(method: str) -> str | None:
    """The method that was probably meant."""
    if method in MISNOMERS:
        return MISNOMERS[method]
    if f"notifications/{method}" in METHODS:
        return f"notifications/{method}"
    wrong = method[:NAME_COMPARED].lower().replace(".", "/").replace(":", "/")
    found = [(likeness(wrong, name.lower()), name) for name in METHODS]
    best, name = max(found)
    return name if best >= CLOSE_ENOUGH else None


def likeness(one: str, two: str) -> float:
    """How much the two names are alike in the part in which they differ most; 0 to 1.

    Part by part: `notifications/acme/list_changed` is mostly `notifications/tools/list_changed`, and
    no slip of the pen.
    """
    parts, others = one.split("/"), two.split("/")
    if len(parts) != len(others):
        return 0.0
    import difflib  # few sessions need it

    return min(difflib.SequenceMatcher(None, *pair).ratio() for pair in zip(parts, others, strict=True))


def advice(method: str) -> str | None:
    """What to do about an unknown method, where more can be said than that it is unknown."""
    if method in OF_LSP:
        return OF_LSP[method]
    name = meant(method)
    return None if name is None else f"did you mean {name}? Peers ignore {named(method)}"


def has_namespace(method: str) -> bool:
    """Whether somebody may have made up a method of its own: `acme/search`, no slip of the pen."""
    bare = method.removeprefix("notifications/")
    return "/" in bare and not bare.startswith("$/") and meant(method) is None


def is_unknown(side: str, method: str | None, version: str | None) -> bool:
    """Whether no version of MCP has a method."""
    return method not in METHODS


class UnknownMethod(Rule):
    """A method that no version of MCP has.

    What it means: a request or notification has a method that no released version of the specification
    contains, and no declared extension or experimental capability could have added it.

    Why it matters: the peer answers a request with -32601 and silently ignores a notification, so what
    it was meant to say is lost. It is a warning for a vendor's method with a prefix (`acme/search`)
    that the peer has answered, and for a vendor's notification, which nobody answers.

    Fails:
        ← notifications/tools/updated {"tools":[]}

    Fails:
        → 5 tools/lists
        ← 5 error -32601 "Method not found"

    Passes, client {"extensions":{"com.acme/search":{}}}:
        → 5 acme/search/start {"q":"x"}
        ← 5 result {"ticket":7}

    What to do: use the suggested name. For methods of your own, declare an extension (or, up to
    2025-11-25, an experimental capability) whose name shows that they belong to it.
    """

    id = "RPC021"
    title = "unknown method"
    severity = "error"
    culprit = "sender"
    next = "use a method of the specification, or declare the extension that this method belongs to"
    spec = "2025-11-25/schema"

    @sees(only=is_unknown)
    def answer(self, answer: Answer) -> None:
        self._judge(answer.exchange)

    @sees(only=is_unknown)
    def notification(self, notification: Notification) -> None:
        method = notification.message.method or ""
        if self._is_foreign(method):
            severity: Severity = "warning" if has_namespace(method) else "error"
            self._note(notification.seq, notification.side, method, severity)

    def end(self) -> None:
        for exchange in never_answered(self.context):
            if exchange.method not in METHODS:
                self._judge(exchange)

    def _judge(self, exchange: Exchange) -> None:
        """How bad a request is, its answer tells."""
        method = exchange.method
        if self._is_foreign(method):
            mild = has_namespace(method) and exchange.outcome != "error"
            hit = self._note(exchange.seq, exchange.side, method, "warning" if mild else "error")
            explain(hit, exchange.seq, exchange.answer_seq if exchange.outcome == "error" else None)

    def _is_foreign(self, method: str) -> bool:
        """Whether an extension that brings ``method`` would be on file and is not, or there can be none."""
        certain = self.context.whole or method in OF_LSP or meant(method) is not None
        return certain and not is_extension(self.context, method)

    def _note(self, seq: int, side: Side, method: str, severity: Severity) -> Hit:
        who: Culprit = "client" if side == "c2s" else "server"
        hit = self.hit(
            seq,
            f"{who} sent {named(method)}, which is not a method of any MCP version",
            key=f"{who} {method[:100]}",
            next=advice(method),
            severity=severity,
            culprit=who,
        )
        return worse(hit, severity)
