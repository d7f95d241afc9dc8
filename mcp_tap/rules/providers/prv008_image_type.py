"""PRV008: image or sound that is not what its mimeType says."""

from __future__ import annotations

from typing import Any

from mcp_tap.diagnosis.content import blocks_in, name_of, resources_in, result_of
from mcp_tap.diagnosis.context import Answer
from mcp_tap.diagnosis.interest import sees
from mcp_tap.diagnosis.misfit import is_masked
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.diagnosis.text import NAME_SHOWN, key_of
from mcp_tap.rules.providers._bytes import HEAD, Format, format_of

ACCEPTED = frozenset({"image/png", "image/jpeg", "image/gif", "image/webp"})
"""What the APIs of Anthropic and OpenAI take as an image."""


class ImageType(Rule):
    """An image or sound that is not what its mimeType says.

    What it means: the first bytes of the ``data`` of an image or audio block (or of the ``blob`` of
    such a resource) are of another format than its ``mimeType`` names; or an image has no bytes, or is
    of a type other than PNG, JPEG, GIF and WebP (``image/jpg`` is not one: it is ``image/jpeg``).
    Bytes of an unknown format produce no finding.

    Why it matters: Anthropic's API compares the two and answers HTTP 400. The image stays in the
    conversation, so every further request fails as well. Anthropic and OpenAI refuse images of
    other types.

    Fails:
        → 5 tools/call {"name":"screenshot","arguments":{}}
        ← 5 result {"content":[{"type":"image","mimeType":"image/jpeg","data":"iVBORw0KGgoAAAAN"}]}

    Passes:
        → 5 tools/call {"name":"screenshot","arguments":{}}
        ← 5 result {"content":[{"type":"image","mimeType":"image/png","data":"iVBORw0KGgoAAAAN"}]}

    What to do: set mimeType by the bytes that are sent, not by the file's name or by what was asked
    for; convert images of other types to PNG.
    """

    id = "PRV008"
    title = "image or sound that is not what its mimeType says"
    severity = "warning"
    culprit = "server"
    next = "set mimeType by the bytes that are sent; convert other images to image/png"
    methods = frozenset({"tools/call", "prompts/get", "resources/read"})
    spec = "2025-11-25/server/tools#image-content"

    @sees(sides="s2c", shapes="other")
    def answer(self, answer: Answer) -> None:
        for block in blocks_in(answer):
            kind = block.get("type")
            if kind == "image" or kind == "audio":
                self._look(answer, str(kind), block.get("mimeType"), block.get("data"))
        for resource in resources_in(answer):
            said = resource.get("mimeType")
            if isinstance(said, str) and said.startswith(("image/", "audio/")):
                self._look(answer, "blob", said, resource.get("blob"))

    def _look(self, answer: Answer, kind: str, said: Any, data: Any) -> None:
        if not isinstance(said, str) or not isinstance(data, str) or is_masked([said, data[: 2 * HEAD]]):
            return  # its own finding, or nothing to compare
        problem = problem_of(kind, said.partition(";")[0].strip().lower(), data)
        if problem:
            what = "a blob" if kind == "blob" else f"an {kind} block"
            self.hit(
                answer,
                f"{result_of(answer.exchange)} has {what} {problem}",
                key=key_of(name_of(answer.exchange), kind),
            )


def problem_of(kind: str, said: str, data: str) -> str:
    """What is wrong with it, as the end of a sentence; empty if nothing."""
    shown = said[:NAME_SHOWN]
    if not data:
        return f"of {shown} without any bytes; model APIs refuse that" if kind != "blob" else ""
    found = format_of(data)
    if found is not None and said not in found.types:
        return f"that says {shown} but is {found.name} ({usual(found)}); Anthropic's API refuses that"
    if kind == "image" and said not in ACCEPTED:
        return f"of type {shown}; Anthropic and OpenAI accept image/png, image/jpeg, image/gif and image/webp"
    return ""


def usual(found: Format) -> str:
    """The type that is usually given for a format."""
    return found.types[0]
