"""RES005: resource contents with neither text nor blob."""

from __future__ import annotations

from mcp_tap.diagnosis.context import Answer, since
from mcp_tap.diagnosis.interest import sees
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.diagnosis.text import key_of
from mcp_tap.rules.results._base import name_of, resources_in, result_of


class EmptyResource(Rule):
    """The contents of a resource with neither text nor blob.

    What it means: an item in ``contents`` of resources/read, or a resource within a tool's or
    prompt's content, has neither ``text`` nor ``blob``.

    Why it matters: clients check the result as a whole and raise an error.

    Fails:
        → 5 resources/read {"uri":"note://1"}
        ← 5 result {"contents":[{"uri":"note://1"}]}

    Passes:
        → 5 resources/read {"uri":"note://1"}
        ← 5 result {"contents":[{"uri":"note://1","text":""}]}

    What to do: return text, "" for an empty resource; or blob, in base64. For one that does not
    exist answer with an error.
    """

    id = "RES005"
    title = "resource contents with neither text nor blob"
    severity = "error"
    culprit = "server"
    next = 'return text ("" if it is empty) or blob; answer with an error for what does not exist'
    versions = since("2024-11-05")
    methods = frozenset({"tools/call", "prompts/get", "resources/read"})
    spec = "2025-11-25/server/resources#reading-resources"

    @sees(sides="s2c", shapes="other")
    def answer(self, answer: Answer) -> None:
        for resource in resources_in(answer):
            if "text" not in resource and "blob" not in resource:
                self.hit(
                    answer,
                    f"{result_of(answer.exchange)} has contents with neither text nor blob",
                    key=key_of(name_of(answer.exchange)),
                )
