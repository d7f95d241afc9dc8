"""PRV009: base64 of a file in a text block."""

from __future__ import annotations

from collections.abc import Iterator

from mcp_tap.diagnosis.content import blocks_in, name_of, resources_in, result_of
from mcp_tap.diagnosis.context import Answer
from mcp_tap.diagnosis.interest import sees
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.diagnosis.text import key_of, size
from mcp_tap.rules.providers._embedded import embedded_in, may_hold_base64

NEXT_IMAGE = 'return an image block instead: {"type":"image","data":"<base64>","mimeType":"image/png"}'
NEXT_SOUND = 'return an audio block instead: {"type":"audio","data":"<base64>","mimeType":"audio/wav"}'


NEXT_BLOB = "return the base64 as blob instead of text, with the mimeType of the file"


class Base64InText(Rule):
    """Base64 of an image or another file in a text block.

    What it means: most of a text (of a block, or of a resource) is base64 that stands for a file:
    bare, as a ``data:`` URI, or as a member of JSON in the text. It is recognised by the first bytes
    (PNG, JPEG, PDF, ZIP …); where these do not tell, by its length and by what the members around it
    are called, which is a heuristic.

    Why it matters: the model gets tens of thousands of characters instead of a picture. It cannot see
    the image, and the characters fill its context, or the client cuts them off.

    Fails:
        → 5 tools/call {"name":"snap","arguments":{}}
        ← 5 result {"content":[{"type":"text","text":"iVBORw0KGgoAAAANSUhEUgA × 400"}]}

    Passes:
        → 5 tools/call {"name":"snap","arguments":{}}
        ← 5 result {"content":[{"type":"image","data":"iVBORw0KGgoAAAAN","mimeType":"image/png"}]}

    What to do: return an image or audio block with the base64 as its data; for other files an
    embedded resource with blob, or a resource_link.
    """

    id = "PRV009"
    title = "base64 of a file in a text block"
    severity = "warning"
    culprit = "server"
    next = "return the file as an embedded resource with blob, or as a resource_link"
    methods = frozenset({"tools/call", "prompts/get", "resources/read"})
    spec = "2025-11-25/server/tools#image-content"

    @sees(sides="s2c", outcomes=("result", "tool-error"), cue=may_hold_base64)
    def answer(self, answer: Answer) -> None:
        name = name_of(answer.exchange)
        for where, text in texts_in(answer):
            found = embedded_in(text, name)
            if found is not None:
                in_block = where == "a text block"
                self.hit(
                    answer,
                    f"{result_of(answer.exchange)} has the base64 of {found.name} in {where} "
                    f"({size(found.size)}): to the model it is text",
                    key=key_of(name),
                    next={"image": NEXT_IMAGE, "audio": NEXT_SOUND}.get(found.kind)
                    if in_block
                    else NEXT_BLOB,
                    certainty="proven" if found.is_sure else "heuristic",
                    explains=[answer.seq],
                )
                return


def texts_in(answer: Answer) -> Iterator[tuple[str, str]]:
    """The texts of a result, each with what it is in."""
    for block in blocks_in(answer):
        if block.get("type") == "text" and isinstance(block.get("text"), str):
            yield "a text block", block["text"]
    for resource in resources_in(answer):
        if isinstance(resource.get("text"), str):
            yield "the text of a resource", resource["text"]
