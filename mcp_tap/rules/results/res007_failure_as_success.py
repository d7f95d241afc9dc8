"""RES007: result reads like an error but isError is not set."""

from __future__ import annotations

import re

from mcp_tap.diagnosis.context import Answer
from mcp_tap.diagnosis.interest import sees
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.diagnosis.text import key_of
from mcp_tap.record.patterns import lazy
from mcp_tap.rules.results._base import BEGINNING, first_text, name_of, result_of, said

SAID_SHOWN = 60
"""Characters of the text in the sentence; the evidence has more of it."""

VERBS = (
    r"calling|communicating|connecting|creating|deleting|during|executing|fetching|getting|invoking|loading"
    r"|opening|parsing|performing|processing|reading|running|sending|while|writing"
)
READS_LIKE_AN_ERROR = lazy(
    r"\s*(?:[❌✗✘🚫⛔]\ufe0f?\s*|\[)?(?:"
    r"Traceback \(most recent call last\):"
    r"|Exception in thread\b"
    # Possessive, and then a look back: a long first word must not be tried letter by letter.
    r"|[A-Za-z_][\w.]{0,90}+(?:(?<=Error)|(?<=Exception))(?: \(?-?\d{1,6}\)?)?\]?:"
    rf"|(?:Error|ERROR) (?:{VERBS})\b[^\n]{{0,100}}?:"
    r"|(?:ERROR|FATAL)(?:\]|:)"
    r"|MCP error -\d+"
    r"|HTTP(?:/\d(?:\.\d)?)?(?: (?:[Ss]tatus|[Ee]rror)(?: code)?)?:? [45]\d\d\b"
    r"|(?:[Rr]equest )?[Ff]ailed with status(?: code)?:? [45]\d\d\b"
    r"|[45]\d\d (?:Client Error|Server Error|Bad Request|Unauthorized|Forbidden|Not Found"
    r"|Too Many Requests|Internal Server Error|Bad Gateway|Service Unavailable)\b"
    r")"
)
"""How a text begins that reports a failure. A title like "Error handling in Go" is none."""

WITHOUT_A_COLON = frozenset("EMHRrFf45[❌✗✘🚫⛔")
"""What those of them begin with that need no colon."""


def reads_like_an_error(text: str) -> bool:
    """Whether a text begins so; most begin with nothing of the kind, which is cheap to tell."""
    if ":" not in text and text.lstrip()[:1] not in WITHOUT_A_COLON:
        return False
    return READS_LIKE_AN_ERROR.match(text) is not None


HANDS_ON = lazy(
    r"(?:^|[^a-z])(?:bash|cat|command|console|diff|download|echo|eval\w*|exec\w*|fetch\w*|file\w*|find|grep"
    r"|head|log\w*|output\w*|page\w*|read\w*|run|search\w*|shell|show|snapshot|stderr|stdout|tail|terminal"
    r"|test\w*|trace\w*)(?:$|[^a-z])",
    re.IGNORECASE,
)
"""A tool whose name has one of these words may well return what others wrote."""


class FailureAsSuccess(Rule):
    """A result that reads like an error, but isError is not set.

    What it means: the text of a tool result starts like an error message ("Error: …", "Traceback
    …", "HTTP 404"), but ``isError`` is not set. Only the beginning of the first 200 characters is
    checked. This is a heuristic; for tools whose name suggests that they return others' text
    (read_file, search, run …) it is reported as info.

    Why it matters: the model takes the text for the answer it asked for, and may believe it;
    clients count the call as a success.

    Fails:
        → 5 tools/call {"name":"health","arguments":{}}
        ← 5 result {"content":[{"type":"text","text":"Error executing Health: 401"}]}

    Passes:
        → 5 tools/call {"name":"health","arguments":{}}
        ← 5 result {"content":[{"type":"text","text":"No errors. Error rate: 0 %"}]}

    What to do: set isError: true on results that report a failure.
    """

    id = "RES007"
    title = "result reads like an error but isError is not set"
    severity = "warning"
    culprit = "server"
    next = "if the tool did fail, set isError: true in its result"
    certainty = "heuristic"
    methods = frozenset({"tools/call"})
    spec = "2025-11-25/server/tools#error-handling"

    @sees(sides="s2c", outcomes="result")
    def answer(self, answer: Answer) -> None:
        text = first_text(answer)
        if text is None or not reads_like_an_error(text[:BEGINNING]):
            return
        exchange, name = answer.exchange, name_of(answer.exchange)
        self.hit(
            answer,
            f"{result_of(exchange)} reads like an error but isError is not set: {said(text, SAID_SHOWN)}",
            key=key_of(name),
            severity="info" if HANDS_ON.search(name) else None,
            evidence=text if len(text) > SAID_SHOWN else None,
        )
