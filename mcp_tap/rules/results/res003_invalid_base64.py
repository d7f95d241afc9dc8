"""RES003: image, audio or blob data is not base64."""

from __future__ import annotations

from typing import Any

from mcp_tap.diagnosis.context import Answer, since
from mcp_tap.diagnosis.interest import sees
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.diagnosis.text import key_of, plural, shown
from mcp_tap.record.argv_masking import MASK
from mcp_tap.record.patterns import lazy
from mcp_tap.rules.results._base import BEGINNING, blocks_in, name_of, resources_in, result_of

BASE64_LOOKED_AT = 1024 * 1024
"""Characters at either end of what should be base64."""


class InvalidBase64(Rule):
    """Image, audio or blob data that is not base64, or lacks its mimeType.

    What it means: ``data`` of an image or audio block, or ``blob`` of a resource, is not base64 as
    defined in RFC 4648: the standard alphabet, no line breaks, padded to a multiple of four
    characters. Or an image or audio block has no ``mimeType``. For long data, only the first and
    last million characters are checked.

    Why it matters: clients reject the result or show a broken image; model APIs reject it.

    Fails:
        → 5 tools/call {"name":"draw","arguments":{}}
        ← 5 result {"content":[{"type":"image","mimeType":"image/png",
            "data":"data:image/png;base64,iVBORw0KGgo="}]}

    Passes:
        → 5 tools/call {"name":"draw","arguments":{}}
        ← 5 result {"content":[{"type":"image","mimeType":"image/png","data":"iVBORw0KGgo="}]}

    What to do: encode the bytes with standard base64, without a data: prefix and without line
    breaks.
    """

    id = "RES003"
    title = "image, audio or blob data is not base64"
    severity = "error"
    culprit = "server"
    next = "use standard base64 with padding, without line breaks or a data: prefix, and set mimeType"
    versions = since("2024-11-05")
    methods = frozenset({"tools/call", "prompts/get", "resources/read"})
    spec = "2025-11-25/server/tools#image-content"

    @sees(sides="s2c", shapes="other")
    def answer(self, answer: Answer) -> None:
        for block in blocks_in(answer):
            kind = block.get("type")
            if kind == "image" or kind == "audio":
                problem = problem_of_data(block.get("data"))
                if not problem and not isinstance(block.get("mimeType"), str):
                    problem = "without a mimeType"
                self._report(answer, kind, problem)
        for resource in resources_in(answer):
            if "blob" in resource:
                self._report(answer, "blob", problem_of_data(resource["blob"]))

    def _report(self, answer: Answer, kind: str, problem: str) -> None:
        if problem:
            what = "a blob" if kind == "blob" else f"an {kind} block"
            self.hit(
                answer,
                f"{result_of(answer.exchange)} has {what} {problem}",
                key=key_of(name_of(answer.exchange), kind),
            )


ALPHABET = lazy(r"[A-Za-z0-9+/]*={0,2}")
NOT_IN_ALPHABET = lazy(r"[^A-Za-z0-9+/=]")
FOREIGN = {"\n": "line breaks", "\r": "line breaks", "-": "URL-safe characters", "_": "URL-safe characters"}


def problem_of_data(data: Any) -> str:
    """What is wrong with what should be base64; empty if nothing, or if it is not what was sent."""
    if data is None:
        return "without data"
    if not isinstance(data, str):
        return f"whose data is {shown(data)}, not a string"
    if MASK in data[:BEGINNING]:
        return ""
    if data.startswith("data:"):
        return "whose data starts with data:, which makes it a URL, not base64"
    head, tail = data[:BASE64_LOOKED_AT], data[BASE64_LOOKED_AT:][-BASE64_LOOKED_AT:]
    foreign = NOT_IN_ALPHABET.search(head) or NOT_IN_ALPHABET.search(tail)
    if foreign is not None:
        what = {
            "\n": "line breaks",
            "\r": "line breaks",
            "-": "URL-safe characters",
            "_": "URL-safe characters",
        }
        return f"whose data is not base64: it contains {what.get(foreign[0], shown(foreign[0]))}"
    if len(data) % 4:
        length = plural(len(data), "character")
        return f"whose data is not base64: {length}, not a multiple of four (missing padding?)"
    if not ALPHABET.fullmatch(tail or head) or (tail and "=" in head):
        return "whose data is not base64: it continues after its padding"
    return ""
