"""RES002: unknown type of content block."""

from __future__ import annotations

from typing import Any

from mcp_tap.diagnosis.context import Answer, since
from mcp_tap.diagnosis.interest import sees
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.diagnosis.text import key_of, shown
from mcp_tap.model.methods import ALL
from mcp_tap.record.argv_masking import MASK
from mcp_tap.rules.results._base import blocks_in, name_of, result_of

KNOWN_SINCE = {
    "text": "2024-11-05",
    "image": "2024-11-05",
    "resource": "2024-11-05",
    "audio": "2025-03-26",
    "resource_link": "2025-06-18",
}
"""The types of content blocks, and the version that brought each (schema, ContentBlock)."""


class UnknownContentType(Rule):
    """A content block of a type that the version does not know.

    What it means: a block in the content of a tool's result, or of a prompt's message, has a
    ``type`` that the version of the session does not have, or none. ``audio`` came with
    2025-03-26, ``resource_link`` with 2025-06-18; ``text``, ``image`` and ``resource`` were always
    there.

    Why it matters: clients check the result as a whole; one unknown block makes all of it invalid.

    Fails, 2025-03-26:
        → 5 tools/call {"name":"find","arguments":{}}
        ← 5 result {"content":[{"type":"resource_link","uri":"note://1","name":"1"}]}

    Passes, 2025-06-18:
        → 5 tools/call {"name":"find","arguments":{}}
        ← 5 result {"content":[{"type":"resource_link","uri":"note://1","name":"1"}]}

    What to do: use a type that the version knows. JSON is a text block, or structuredContent.
    """

    id = "RES002"
    title = "unknown type of content block"
    severity = "error"
    culprit = "server"
    next = "use a type that the version knows: text, image, resource, later audio and resource_link"
    versions = since("2024-11-05")
    methods = frozenset({"tools/call", "prompts/get"})
    spec = "2025-11-25/server/tools#tool-result"

    @sees(sides="s2c", shapes="other")
    def answer(self, answer: Answer) -> None:
        exchange, version = answer.exchange, answer.version
        assert version is not None  # it is one of ``versions``
        known = KNOWN_IN[version]
        for block in blocks_in(answer):
            kind = block.get("type")
            if isinstance(kind, str) and (kind in known or MASK in kind):
                continue
            self.hit(
                answer,
                f"{result_of(exchange)} has a content block {problem_with(kind, version)}",
                key=key_of(name_of(exchange), kind if isinstance(kind, str) else ""),
            )


KNOWN_IN = {version: {kind for kind, began in KNOWN_SINCE.items() if began <= version} for version in ALL}
"""The types of content blocks in each version."""


def problem_with(kind: Any, version: str) -> str:
    """What is wrong with the type of a block."""
    if not isinstance(kind, str):
        return "without a type" if kind is None else f"whose type is {shown(kind)}, not a string"
    if kind in KNOWN_SINCE:
        return f"of type {shown(kind)}, which came with {KNOWN_SINCE[kind]}; the session is {version}"
    return f"of type {shown(kind)}, which {version} does not know"
