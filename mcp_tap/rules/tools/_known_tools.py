"""What is known of a server's tools while they are called: the list, as long as it is sure to hold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from mcp_tap.diagnosis.context import Answer, Notification, Occurrence, Request, SessionContext
from mcp_tap.diagnosis.json_schema import Schema, is_same, read_schema
from mcp_tap.diagnosis.listing import ITEMS_KEPT
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.model.exchange import Exchange

ASKED_KEPT = 64
"""Requests for the list that wait for their answer."""

SCHEMAS_KEPT = 1_000
"""Tools whose schemas are kept ready."""


@dataclass(frozen=True, slots=True)
class State:
    """What tells whether a list still holds: how often it was said to have changed, what is not on file."""

    changes: int
    missing: int
    cut: bool


@dataclass(frozen=True, slots=True)
class Page:
    """A page that was asked for, in which state of things."""

    cursor: Any
    state: State


class KnownTools(Rule):
    """The base of rules that hold calls against the list of tools.

    A list is known if it came while nothing was missing from the recording, and until the server
    says that it has changed, or the client asks for another. What is undecided is no finding.
    """

    methods = frozenset({"tools/list", "tools/call", "notifications/tools/list_changed"})

    def __init__(self, context: SessionContext) -> None:
        super().__init__(context)
        self._changes = 0
        self._asked: dict[Exchange, Page] = {}
        self._listed: State | None = None
        """The state of things when the first page of the list was asked for."""
        self._goes_on: Any = None
        """The cursor of the page that comes next."""

    @property
    def is_known(self) -> bool:
        """Whether what has been listed so far is what the server has, as far as the client was told."""
        return self._listed == self._state() and not self._asked and not self.context.unread

    @property
    def is_complete(self) -> bool:
        """Whether a tool that has not been listed is one that the client was not told of."""
        tools = self.context.listings.tools
        return tools.complete and self.is_known and len(tools.items) < ITEMS_KEPT

    def called(self, seen: Occurrence, exchange: Exchange) -> None:
        """The client calls a tool."""

    def returned(self, seen: Occurrence, exchange: Exchange) -> None:
        """The server answers a tool's call."""

    def notification(self, seen: Notification) -> None:
        self._changes += 1  # whoever says so: it decides what is not reported

    def request(self, seen: Request) -> None:
        exchange = seen.exchange
        if exchange is None or exchange.side != "c2s":
            return
        if exchange.method == "tools/call":
            self.called(seen, exchange)
        elif (
            exchange.method == "tools/list" and len(self._asked) < ASKED_KEPT
        ):  # with so many unanswered, the list stays unknown
            self._asked[exchange] = Page(seen.params.get("cursor"), self._state())

    def answer(self, seen: Answer) -> None:
        exchange = seen.exchange
        if exchange is None or exchange.side != "c2s":
            return
        if exchange.method == "tools/call":
            self.returned(seen, exchange)
        elif exchange.method == "tools/list":
            self._take(seen, exchange)

    def tool_of(self, exchange: Exchange) -> dict[str, Any] | None:
        """The tool that is called, as it is listed; None where it is not, or that is not sure."""
        if exchange.target is None or not self.is_known:
            return None
        return self.context.listings.tools.items.get(exchange.target)

    def _take(self, seen: Occurrence, exchange: Exchange) -> None:
        page = self._asked.pop(exchange, None)
        if exchange.outcome == "error":
            return
        if not exchange.pages_on:
            self._listed = None if page is None else page.state
        elif page is None or page.cursor is None or page.cursor != self._goes_on:
            self._listed = None  # a page on its own: the list that it belongs to is not known
        self._goes_on = seen.result.get("nextCursor")

    def _state(self) -> State:
        return State(self._changes, self.context.session.missing, self.context.cut)


class KnownSchemas(KnownTools):
    """The base of rules that hold calls against one schema of the tool: ``member``."""

    member: ClassVar[str]

    def __init__(self, context: SessionContext) -> None:
        super().__init__(context)
        self._schemas: dict[str, tuple[Any, Schema]] = {}

    def schema_of(self, name: str, tool: dict[str, Any]) -> Schema | None:
        """The schema of ``tool``, ready to be asked; None where it has none."""
        value = tool.get(self.member)
        if not isinstance(value, dict):
            return None
        ready = self._schemas.get(name)
        if ready is None or not is_same(ready[0], value):
            if len(self._schemas) >= SCHEMAS_KEPT:
                self._schemas.clear()
            ready = self._schemas[name] = (value, read_schema(value))
            self.renewed(name, ready[1])
        return ready[1]

    def renewed(self, name: str, schema: Schema) -> None:
        """The schema of a tool is another than before."""
