"""SEC007: invisible characters in metadata."""

from __future__ import annotations

from mcp_tap.diagnosis.context import Answer
from mcp_tap.diagnosis.finding import Severity
from mcp_tap.diagnosis.interest import sees
from mcp_tap.diagnosis.recognise.phrases import invisible_in
from mcp_tap.diagnosis.text import plural, quoted
from mcp_tap.rules.security._base import Item, Metadata, says


def may_be_invisible(payload: bytes) -> bool:
    """Whether there is anything but ASCII in a line of JSON, escaped or not."""
    return not payload.isascii() or b"\\u" in payload


class InvisibleText(Metadata):
    """Invisible characters in the server's metadata.

    What it means: a name, a description or a schema contains characters that are not displayed: tag
    characters, runs of variation selectors, characters that change the writing direction,
    zero-width characters. Their normal use in emoji and in other scripts does not count.

    Why it matters: the model reads them, but the user does not see them. They can hide whole
    sentences; where the hidden text can be decoded, it is quoted. One or two zero-width characters
    may have been copied by accident: they are a warning.

    Fails:
        → 1 tools/list
        ← 1 result {"tools":[{"name":"add","inputSchema":{"type":"object"},
            "description":"Adds\\u202e two numbers.\\u202c"}]}

    Passes:
        → 1 tools/list
        ← 1 result {"tools":[{"name":"add","inputSchema":{"type":"object"},
            "description":"Adds \\u2795\\ufe0f numbers \\ud83d\\udc69\\u200d\\ud83d\\udcbb \\u05d0\\u200f"}]}

    What to do: look at the text in escaped form (`mcp-tap show` prints it that way) before you use
    this server.
    """

    id = "SEC007"
    title = "invisible characters in metadata"
    severity = "error"
    next = "look at the text in escaped form before you use this server, and ask its author what they are for"

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
                f"{path} of {item.label} {says(item, 'contain')} {plural(found.count, found.kind)}{hidden}",
                key=f"{item.key}: {path}",
                evidence=ascii(text[:150]),
                severity=severity,
            )
