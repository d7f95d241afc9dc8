"""What is known of a server's tools: those on a page of the list, and the list while it is sure to hold."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from mcp_tap.diagnosis.content import tools_in as tools_in
from mcp_tap.diagnosis.context import Answer, Notification, Occurrence, Request, SessionContext
from mcp_tap.diagnosis.interest import sees
from mcp_tap.diagnosis.listing import ITEMS_KEPT
from mcp_tap.diagnosis.misfit import is_masked
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.model.exchange import Exchange, Paired

NAMES = "2025-11-25/server/tools#tool-names"

SPECIFIED_LIMIT = 128
"""Characters of a tool's name, by the specification."""

NAMES_KEPT = 1_000
"""Tools whose names are remembered as reported."""

ASKED_KEPT = 64
"""Requests for the list that wait for their answer; with more of them, the list stays unknown."""


def names_in(answer: Occurrence) -> Iterator[str]:
    """The names of the tools of a page, but for those that were masked."""
    for tool in tools_in(answer):
        if isinstance(tool.get("name"), str) and not is_masked(tool["name"]):
            yield tool["name"]


State = tuple[int, int, bool]
"""What tells whether a list still holds: how often it was said to have changed, how many records are
missing, whether more may be."""


class Page(NamedTuple):
    """A page that was asked for, in which state of things."""

    cursor: Any
    state: State


class ToolList:
    """Whether the list of tools is known; one for a session, fed by all rules that use it.

    A list is known if it came while nothing was missing from the recording, and until the server
    says that it has changed, or the client asks for another. What is undecided is no finding.
    """

    def __init__(self) -> None:
        self._changes = 0
        self._asked: dict[Exchange, Page] = {}
        self._listed: State | None = None
        """The state of things when the first page of the list was asked for."""
        self._goes_on: Any = None
        """The cursor of the page that comes next."""
        self._item: Paired | None = None

    def is_news(self, seen: Occurrence) -> bool:
        """Whether no other rule has passed on this message before."""
        before, self._item = self._item, seen.item
        return before is not seen.item

    def change(self) -> None:
        """The list has changed; whoever says so: it decides what is not reported."""
        self._changes += 1

    def ask(self, request: Request) -> None:
        """The client asks for a page."""
        if len(self._asked) < ASKED_KEPT:
            self._asked[request.exchange] = Page(request.params.get("cursor"), self._state(request.context))

    def take(self, answer: Answer) -> None:
        """The server answers with a page."""
        exchange = answer.exchange
        page = self._asked.pop(exchange, None)
        if exchange.outcome == "error":
            return
        if not exchange.pages_on:
            self._listed = None if page is None else page.state
        elif page is None or page.cursor is None or page.cursor != self._goes_on:
            self._listed = None  # a page on its own: the list that it belongs to is not known
        self._goes_on = answer.result.get("nextCursor")

    def is_known(self, context: SessionContext) -> bool:
        """Whether what has been listed so far is what the server has, as far as the client was told."""
        if self._asked or context.unread or self._listed is None:
            return False
        changes, missing, cut = self._listed
        return changes == self._changes and missing == context.session.missing and cut == context.cut

    def _state(self, context: SessionContext) -> State:
        return (self._changes, context.session.missing, context.cut)


class KnownTools(Rule):
    """The base of rules that hold calls against the list of tools."""

    def __init__(self, context: SessionContext) -> None:
        super().__init__(context)
        self._list = context.shared(ToolList)
        self.listing = context.listings.tools

    @property
    def is_complete(self) -> bool:
        """Whether a tool that has not been listed is one that the client was not told of."""
        return (
            self.listing.complete
            and len(self.listing.items) < ITEMS_KEPT
            and self._list.is_known(self.context)
        )

    @sees(methods="notifications/tools/list_changed")
    def notification(self, notification: Notification) -> None:
        if self._list.is_news(notification):
            self._list.change()

    @sees(sides="c2s", methods="tools/list")
    def request(self, request: Request) -> None:
        if self._list.is_news(request):
            self._list.ask(request)
            self.await_answer(request.exchange, self._list.take)

    def tool_of(self, exchange: Exchange, member: str) -> dict[str, Any] | None:
        """The tool that is called, listed with such a schema; None where it is not, or not surely."""
        tool = None if exchange.target is None else self.listing.items.get(exchange.target)
        if tool is None or not isinstance(tool.get(member), dict):
            return None
        return tool if self._list.is_known(self.context) else None
