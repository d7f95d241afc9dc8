"""Which request a progress notification belongs to (MCP basic/utilities/progress)."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from typing import Any

from mcp_tap.diagnosis.asked import is_masked, open_requests, other
from mcp_tap.diagnosis.context import Answer, Notification, Occurrence, SessionContext
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.model.exchange import Exchange
from mcp_tap.model.message import Side, id_key

PROGRESS = "2025-11-25/basic/utilities/progress"

TASKS_REMEMBERED = 1000
"""Tasks whose progress token lives on after the answer to the request."""


def is_token(value: Any) -> bool:
    """Whether ``value`` is a progress token: a string or an integer."""
    if isinstance(value, float):
        return value.is_integer()  # 1.0 is an integer in JSON Schema
    return isinstance(value, (int, str)) and not isinstance(value, bool)


class ProgressRule(Rule):
    """The base of rules about progress; it knows the tokens of tasks, which outlive their request."""

    def __init__(self, context: SessionContext) -> None:
        super().__init__(context)
        self._tasks: OrderedDict[tuple[Side, Hashable], None] = OrderedDict()

    def answer(self, seen: Answer) -> None:
        exchange = seen.exchange
        if exchange is None or exchange.progress_token is None or not begins_task(seen.result):
            return
        self._tasks[(exchange.side, exchange.progress_token)] = None
        if len(self._tasks) > TASKS_REMEMBERED:
            self._tasks.popitem(last=False)

    def notification(self, seen: Notification) -> None:
        if seen.message.method == "notifications/progress":
            token = seen.params.get("progressToken")
            if is_token(token) and not is_masked(token):  # else RPC024
                self.progress(seen, token)

    def progress(self, seen: Occurrence, token: Any) -> None:
        """Progress is reported; ``seen.exchange`` is the last request that gave the token."""
        raise NotImplementedError

    def is_of_task(self, seen: Occurrence) -> bool:
        """Whether the token reported on was given by a request that has become a task."""
        token = id_key(seen.params.get("progressToken"))
        return (other(seen.side), token) in self._tasks

    def is_certain(self, seen: Occurrence) -> bool:
        """Whether all requests that can have given a token are on file, and could be read."""
        return self.context.whole and not self.context.session.foreign[other(seen.side)]


def begins_task(result: dict[str, Any]) -> bool:
    """Whether a result says that the work goes on as a task (2025-11-25; an extension since then)."""
    return isinstance(result.get("task"), dict) or result.get("resultType") == "task"


def shares_token(context: SessionContext, exchange: Exchange) -> bool:
    """Whether another open request has given the same token: it is not known then which one is meant."""
    token, side = exchange.progress_token, exchange.side
    return any(
        each is not exchange and each.side == side and each.progress_token == token
        for each in open_requests(context)
    )
