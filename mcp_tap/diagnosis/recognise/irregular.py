"""What few messages have: an envelope, or a place among the others, that is not the usual one."""

from __future__ import annotations

from typing import Any

from mcp_tap.model.exchange import Exchange, Paired


def is_irregular(item: Paired) -> bool:
    """Whether there is anything about a message that is not so with nearly all of them.

    In its envelope: another ``jsonrpc``, an id or params of another type, a result that is no object,
    result and error together. In its place: an id that was used before, or comes back as another type;
    an answer to what was cancelled. Or its result begins a task. Of invalid lines it is not asked.
    """
    message, exchange = item.message, item.exchange
    value = message.value
    if "jsonrpc" not in value or value["jsonrpc"] != "2.0":
        return True
    if message.method is not None:
        if "params" in value and type(value["params"]) is not dict:
            return True
        return item.role == "asks" and is_odd_request(message.id, exchange)
    if exchange is not None and (exchange.other_type or exchange.cancelled_t is not None):
        return True
    if "error" in value:
        return "result" in value
    result = value.get("result")
    return type(result) is not dict or begins_task(result)


def is_odd_request(id: object, exchange: Exchange | None) -> bool:
    """Whether an id is neither a string nor an integer, or was used before."""
    return (type(id) is not int and type(id) is not str) or (
        exchange is not None and exchange.reuses is not None
    )


def begins_task(result: dict[str, Any]) -> bool:
    """Whether a result says that the work goes on as a task (2025-11-25; an extension since then)."""
    return isinstance(result.get("task"), dict) or result.get("resultType") == "task"
