"""What rules about the era without a handshake share."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

from mcp_tap.diagnosis.asked import open_requests
from mcp_tap.diagnosis.bounded import Latest
from mcp_tap.diagnosis.context import MODERN_ONLY, Answer, Request, SessionContext
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.diagnosis.text import article, short
from mcp_tap.model.exchange import Exchange, Outcome
from mcp_tap.model.message import json_type
from mcp_tap.model.methods import CLIENT_CAPABILITIES_KEY

KEPT = 1000
"""What is kept of a session at most, of each kind."""

FINAL: tuple[Outcome, ...] = ("result", "tool-error")
"""Outcomes that are results by which a call is over."""


class OfModernConnection(Rule):
    """The base of rules about what may not be said on a connection without a handshake."""

    needs_whole = True
    versions = MODERN_ONLY

    def tell(self, seq: int, message: str, *, key: str = "", explains: tuple[int, ...] = ()) -> None:
        """Note a finding, once it is sure of which era the connection is."""
        if has_no_handshake(self.context):
            self.context.proof.when(partial(self._tell, seq, message, key, explains))

    def _tell(self, seq: int, message: str, key: str, explains: tuple[int, ...]) -> None:
        if has_no_handshake(self.context):
            self.hit(seq, message, key=key, explains=explains)


def has_no_handshake(context: SessionContext) -> bool:
    """Whether no ``initialize`` has made the session, or a part of it, one of before; or is about to."""
    session = context.session
    if not context.whole or session.pairing.version is not None or session.era == "legacy":
        return False
    tried = "initialize" in session.methods
    return not tried or all(exchange.method != "initialize" for exchange in open_requests(context))


def result_of(answer: Answer) -> dict[str, Any] | None:
    """The result of an answer, if it is an object as it should be."""
    found = answer.message.value.get("result") if answer.message.kind == "response" else None
    return found if isinstance(found, dict) else None


@dataclass(frozen=True, slots=True)
class Declared:
    """What a request says of its client: capabilities (``elicitation``, ``elicitation.url``), extensions."""

    capabilities: frozenset[str]
    extensions: frozenset[str]


class Declarations:
    """What the requests of a session declare, of the last ones; each counts for itself."""

    def __init__(self) -> None:
        self._of: Latest[Exchange, Declared | None] = Latest(KEPT)
        self._said: Any = None
        """What the last request said: nearly all of a session say the same."""
        self._meant: Declared | None = None

    def take(self, request: Request) -> None:
        """Note what a request of the modern era declares."""
        exchange = request.exchange
        if exchange in self._of:
            return
        said = request.message.meta.get(CLIENT_CAPABILITIES_KEY)
        if said != self._said:
            self._said, self._meant = said, declared(said)
        self._of[exchange] = self._meant

    def of(self, exchange: Exchange) -> Declared | None:
        """What ``exchange`` declares; None where that is not known."""
        return self._of.get(exchange)


NAMES_KEPT = 100
"""Capabilities and extensions of one request; MCP has a handful."""


def declared(found: Any) -> Declared | None:
    """What the value of ``clientCapabilities`` says; None if it says nothing."""
    if not isinstance(found, dict):
        return None
    names: set[str] = set()
    for name, value in list(found.items())[:NAMES_KEPT]:
        if value is not None:
            names.add(name)
            inner = list(value.items())[:NAMES_KEPT] if isinstance(value, dict) else []
            names.update(f"{name}.{part}" for part, what in inner if what is not None and what is not False)
    extensions = {
        name.partition(".")[2] for name in names if name.startswith(("extensions.", "experimental."))
    }
    return Declared(frozenset(names), frozenset(extensions))


def shown(value: Any) -> str:
    """A value as part of a sentence."""
    return article(json_type(value)) if isinstance(value, (dict, list)) else short(value)
