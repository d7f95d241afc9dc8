"""Which request a progress notification belongs to (MCP basic/utilities/progress)."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from mcp_tap.diagnosis.asked import is_masked, open_requests, other
from mcp_tap.diagnosis.bounded import Latest
from mcp_tap.diagnosis.context import Answer, Notification, SessionContext
from mcp_tap.diagnosis.recognise.irregular import begins_task
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


def token_of(progress: Notification) -> Any:
    """The token that is reported on; None for what is no token (RPC024), or was taken out."""
    token = progress.params.get("progressToken")
    return token if is_token(token) and not is_masked(token) else None


class Tasks:
    """The tokens of requests that have become tasks: they outlive their request."""

    def __init__(self) -> None:
        self._tokens: Latest[tuple[Side, Hashable], None] = Latest(TASKS_REMEMBERED)

    def take(self, answer: Answer) -> None:
        """Note the token, if the answer begins a task."""
        exchange = answer.exchange
        if exchange.progress_token is not None and begins_task(answer.result):
            self._tokens[(exchange.side, exchange.progress_token)] = None

    def __contains__(self, progress: Notification) -> bool:
        """Whether progress is that of a task."""
        token = id_key(progress.params.get("progressToken"))
        return (other(progress.side), token) in self._tokens


def shares_token(context: SessionContext, exchange: Exchange) -> bool:
    """Whether another open request has given the same token: it is not known then which one is meant."""
    token, side = exchange.progress_token, exchange.side
    return any(
        each is not exchange and each.side == side and each.progress_token == token
        for each in open_requests(context)
    )
