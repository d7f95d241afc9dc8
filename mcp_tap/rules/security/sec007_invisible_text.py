"""SEC007: invisible characters in metadata."""

from __future__ import annotations

from mcp_tap.diagnosis.context import Answer
from mcp_tap.diagnosis.finding import Severity
from mcp_tap.diagnosis.interest import sees
from mcp_tap.diagnosis.recognise.phrases import invisible_in
from mcp_tap.diagnosis.text import quoted
from mcp_tap.rules.security._base import Item, Metadata


def may_be_invisible(payload: bytes) -> bool:
    """Whether there is anything but ASCII in a line of JSON, escaped or not."""
    return not payload.isascii() or b"\\u" in payload


class InvisibleText(Metadata):
    """Invisible characters in what a server says of itself.

    What it means: a name, a description or a schema holds characters that no screen shows: tag
    characters, runs of variation selectors, marks that turn the direction of writing, zero-width
    characters. What belongs to emoji and to other scripts does not count.

    Why it matters: the model reads them, the user does not. Whole sentences can be hidden that way; what
    is hidden is quoted where it can be read. One or two zero-width characters may have been copied by
    accident: those are a warning.

    Fails:
        → 1 tools/list
        ← 1 result {"tools":[{"name":"add","inputSchema":{"type":"object"},
            "description":"Adds\\u202e two numbers.\\u202c"}]}

    Passes:
        → 1 tools/list
        ← 1 result {"tools":[{"name":"add","inputSchema":{"type":"object"},
            "description":"Adds \\u2795\\ufe0f numbers \\ud83d\\udc69\\u200d\\ud83d\\udcbb \\u05d0\\u200f"}]}

    What to do: look at the text with its escapes (`mcp-tap show` prints them) before you use this
    server.
    """

    id = "SEC007"
    title = "invisible characters in metadata"
    severity = "error"
    next = (
        "look at the text with its escapes before you use this server, and ask its author what they are for"
    )

    @sees(sides="s2c", cue=may_be_invisible)
    def answer(self, answer: Answer) -> None:
        super().answer(answer)

    def examine(self, answer: Answer, item: Item) -> None:
        for path, text in item.strings:
            found = invisible_in(text)
            if found is None:
                continue
            severity: Severity = "warning" if found.stray else "error"
            hidden = f", which spell {quoted(found.hidden)}" if found.hidden else ""
            self.hit(
                answer,
                f"{path} of {item.label} holds {found.count:,} {found.kind}{hidden}",
                key=f"{item.key}: {path}",
                evidence=ascii(text[:150]),
                severity=severity,
            )
