"""Whether a server speaks 2026-07-28: only one that has shown it is held to its rules.

A client that speaks it sends its envelope to any server, and a server of before may well answer:
it sees a request with some ``_meta`` that it does not know. So what looks wrong is kept until the
server has shown that it knows what it was asked.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from mcp_tap.diagnosis.asked import code_of, open_requests
from mcp_tap.diagnosis.context import MODERN_ONLY, Answer, Occurrence, SessionContext
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.diagnosis.text import article, short
from mcp_tap.model.exchange import Exchange
from mcp_tap.model.message import json_type
from mcp_tap.model.methods import CLIENT_CAPABILITIES_KEY, UNSUPPORTED_VERSION

KEPT = 1000
"""What is kept of a session at most, of each kind."""

RESULT_TYPES = frozenset({"complete", "input_required"})
"""The values of ``resultType`` that the specification itself has."""


@dataclass(slots=True, eq=False)
class Proof:
    """Whether the server of this session has shown that it speaks 2026-07-28."""

    shown: bool = False
    _kept: list[Callable[[], object]] = field(default_factory=list)

    def look(self, seen: Occurrence) -> None:
        """Take the server's answer to a request of the modern era."""
        if not self.shown and shows_era(seen):
            self.show()

    def show(self) -> None:
        """The server has shown it: what was kept is told now."""
        self.shown = True
        for tell in self._kept:
            tell()
        self._kept.clear()

    def when(self, tell: Callable[[], object]) -> None:
        """Call ``tell`` once it is shown, now or later; never, if it is not."""
        if self.shown:
            tell()
        elif len(self._kept) < KEPT:
            self._kept.append(tell)


def shows_era(seen: Occurrence) -> bool:
    """Whether only a server that speaks 2026-07-28 answers like this."""
    if code_of(seen.message) == UNSUPPORTED_VERSION:
        return True
    result, exchange = seen.result, seen.exchange
    kind = result.get("resultType")
    if isinstance(kind, str) and kind in RESULT_TYPES:
        return True
    discovers = exchange is not None and exchange.method == "server/discover"
    return discovers and isinstance(result.get("supportedVersions"), list)


class OfModernServer(Rule):
    """The base of rules about what a server of 2026-07-28 says."""

    versions = MODERN_ONLY

    def __init__(self, context: SessionContext) -> None:
        super().__init__(context)
        self.proof = context.shared(Proof)

    def answer(self, seen: Answer) -> None:
        exchange = seen.exchange
        if exchange is None or exchange.side != "c2s" or exchange.era != "modern":
            return
        if seen.version in MODERN_ONLY:
            self.proof.look(seen)
            self.examine(seen, exchange)

    def examine(self, seen: Occurrence, exchange: Exchange) -> None:
        """Look at the server's answer to a request of the modern era."""


class OfModernConnection(OfModernServer):
    """The base of rules about what may not be said on a connection without a handshake."""

    def tell(self, seq: int, message: str, *, key: str = "", explains: tuple[int, ...] = ()) -> None:
        """Note a finding, once it is sure of which era the connection is."""
        if has_no_handshake(self.context):
            self.proof.when(partial(self._tell, seq, message, key, explains))

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


def result_of(seen: Occurrence) -> dict[str, Any] | None:
    """The result of an answer, if it is an object as it should be."""
    found = seen.message.value.get("result") if seen.message.kind == "response" else None
    return found if isinstance(found, dict) else None


@dataclass(frozen=True, slots=True)
class Declared:
    """What a request says of its client: capabilities (``elicitation``, ``elicitation.url``), extensions."""

    capabilities: frozenset[str]
    extensions: frozenset[str]


class Declarations:
    """What the requests of a session declare, of the last ones; each counts for itself."""

    def __init__(self) -> None:
        self._of: OrderedDict[Exchange, Declared | None] = OrderedDict()

    def take(self, seen: Occurrence) -> None:
        """Note what a request declares."""
        exchange = seen.exchange
        if exchange is None or seen.side != "c2s" or exchange.era != "modern" or exchange in self._of:
            return
        self._of[exchange] = declared(seen.message.meta.get(CLIENT_CAPABILITIES_KEY))
        if len(self._of) > KEPT:
            self._of.popitem(last=False)

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
