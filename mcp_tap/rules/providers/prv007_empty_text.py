"""PRV007: text block without text."""

from __future__ import annotations

from mcp_tap.diagnosis.content import blocks_in, name_of, result_of
from mcp_tap.diagnosis.context import Answer
from mcp_tap.diagnosis.interest import sees
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.diagnosis.text import key_of
from mcp_tap.record.patterns import lazy

EMPTY_TEXT = lazy(rb'"text"\s*:\s*"(?:\s|\\[nrt])*"')


def may_have_empty_text(line: bytes) -> bool:
    """Whether there is a text without words in a line."""
    return EMPTY_TEXT.search(line) is not None


class EmptyText(Rule):
    """A text block that is empty.

    What it means: a block of ``type`` text in the result of a tool or a prompt has ``""`` or white
    space as its ``text``. MCP allows that.

    Why it matters: Anthropic's API refuses a conversation with such a block (HTTP 400, "text content
    blocks must be non-empty"). The block stays in the conversation, so every further request fails,
    unless the client takes it out. And the model cannot tell "nothing found" from "failed".

    Fails:
        → 5 tools/call {"name":"grep","arguments":{"q":"zzz"}}
        ← 5 result {"content":[{"type":"text","text":""}]}

    Passes:
        → 5 tools/call {"name":"grep","arguments":{"q":"zzz"}}
        ← 5 result {"content":[{"type":"text","text":"no matches"}]}

    What to do: say in words what there is to say ("no matches", "done"), or return content: [].
    """

    id = "PRV007"
    title = "text block without text"
    severity = "warning"
    culprit = "server"
    next = 'say in words what there is to say ("no matches", "done"), or return content: []'
    methods = frozenset({"tools/call", "prompts/get"})

    @sees(sides="s2c", outcomes=("result", "tool-error"), cue=may_have_empty_text)
    def answer(self, answer: Answer) -> None:
        for block in blocks_in(answer):
            text = block.get("text")
            if block.get("type") == "text" and isinstance(text, str) and not text.strip():
                what = "an empty text block" if not text else "a text block with nothing but white space"
                self.hit(
                    answer,
                    f"{result_of(answer.exchange)} has {what}; Anthropic's API refuses that",
                    key=key_of(name_of(answer.exchange)),
                )
                return
