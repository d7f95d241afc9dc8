"""What results of tools say (MCP server/tools#tool-result)."""

from __future__ import annotations

from mcp_tap.diagnosis.content import blocks_in as blocks_in
from mcp_tap.diagnosis.content import name_of as name_of
from mcp_tap.diagnosis.content import resources_in as resources_in
from mcp_tap.diagnosis.content import result_of as result_of
from mcp_tap.diagnosis.context import Answer
from mcp_tap.diagnosis.text import excerpt, quoted

BEGINNING = 200
"""Characters of a result that are read to see whether it reports a failure."""


def first_text(answer: Answer) -> str | None:
    """The text of the first content block, if it is one of text."""
    content = answer.result.get("content")
    block = content[0] if isinstance(content, list) and content else None
    if isinstance(block, dict) and block.get("type") == "text" and isinstance(block.get("text"), str):
        return str(block["text"])
    return None


def said(text: str, limit: int) -> str:
    """The beginning of what a tool said, in double quotes: it often has single ones of its own."""
    return f'"{quoted(excerpt(text), limit)[1:-1]}"'
