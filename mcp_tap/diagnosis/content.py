"""What lists of tools and results hold: tools, content blocks, contents of resources, and words for them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mcp_tap.diagnosis.context import Answer, Occurrence
from mcp_tap.diagnosis.text import shown_id, ticked
from mcp_tap.model.exchange import Exchange


def tools_in(answer: Occurrence) -> Iterator[dict[str, Any]]:
    """The tools of a page that are objects."""
    tools = answer.result.get("tools")
    for tool in tools if isinstance(tools, list) else ():
        if isinstance(tool, dict):
            yield tool


def blocks_in(answer: Answer) -> Iterator[dict[str, Any]]:
    """The content blocks of a tool's or a prompt's result that are objects."""
    content = answer.result.get("content")
    if isinstance(content, list):
        yield from (block for block in content if isinstance(block, dict))
    messages = answer.result.get("messages")
    for message in messages if isinstance(messages, list) else ():
        block = message.get("content") if isinstance(message, dict) else None
        if isinstance(block, dict):
            yield block


def resources_in(answer: Answer) -> Iterator[dict[str, Any]]:
    """The contents of resources: those that were read, and those within content blocks."""
    contents = answer.result.get("contents")
    if isinstance(contents, list):
        yield from (each for each in contents if isinstance(each, dict))
    for block in blocks_in(answer):
        if block.get("type") == "resource" and isinstance(block.get("resource"), dict):
            yield block["resource"]


def result_of(exchange: Exchange) -> str:
    """``result 5 of `find` ``, for sentences."""
    what = exchange.target if exchange.target is not None else exchange.method
    return f"result {shown_id(exchange.id)} of {ticked(what)}"


def name_of(exchange: Exchange) -> str:
    """What a result is of, the same in another session: the tool, the prompt; not the URI."""
    by_name = exchange.method in ("tools/call", "prompts/get")
    return exchange.target if by_name and exchange.target is not None else exchange.method
