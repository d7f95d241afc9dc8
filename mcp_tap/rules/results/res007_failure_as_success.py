"""RES007: result reads like an error, isError is not set."""

from __future__ import annotations

import re

from mcp_tap.diagnosis.context import Answer
from mcp_tap.diagnosis.interest import sees
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.diagnosis.text import excerpt, key_of, quoted
from mcp_tap.rules.results._base import BEGINNING, first_text, name_of, result_of

VERBS = (
    r"calling|communicating|connecting|creating|deleting|during|executing|fetching|getting|invoking|loading"
    r"|opening|parsing|performing|processing|reading|running|sending|while|writing"
)
READS_LIKE_AN_ERROR = re.compile(
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
"""How a text begins that tells of a failure. A title like "Error handling in Go" is none."""

HANDS_ON = re.compile(
    r"(?:^|[^a-z])(?:bash|cat|command|console|diff|download|echo|eval\w*|exec\w*|fetch\w*|file\w*|find|grep"
    r"|head|log\w*|output\w*|page\w*|read\w*|run|search\w*|shell|show|snapshot|stderr|stdout|tail|terminal"
    r"|test\w*|trace\w*)(?:$|[^a-z])",
    re.IGNORECASE,
)
"""A tool whose name has one of these words may well hand on what others wrote."""


class FailureAsSuccess(Rule):
    """A result that reads like an error, without isError.

    What it means: the text of a tool's result begins like a message of failure ("Error: …",
    "Traceback …", "HTTP 404"), and ``isError`` is not set. Only the first 200 characters are read,
    and only how they begin. It is a guess; for a tool that by its name hands on what others wrote
    (read_file, search, run …) it is told as information.

    Why it matters: the model takes the text for what it asked for, and may believe it; clients
    count the call as a success.

    Fails:
        → 5 tools/call {"name":"health","arguments":{}}
        ← 5 result {"content":[{"type":"text","text":"Error executing Health: 401"}]}

    Passes:
        → 5 tools/call {"name":"health","arguments":{}}
        ← 5 result {"content":[{"type":"text","text":"No errors. Error rate: 0 %"}]}

    What to do: set isError: true on results that tell of a failure.
    """

    id = "RES007"
    title = "result reads like an error, isError is not set"
    severity = "warning"
    culprit = "server"
    next = "if the tool did fail, set isError: true on its result"
    certainty = "heuristic"
    methods = frozenset({"tools/call"})
    spec = "2025-11-25/server/tools#error-handling"

    @sees(sides="s2c", outcomes="result")
    def answer(self, answer: Answer) -> None:
        text = first_text(answer)
        if text is None or not READS_LIKE_AN_ERROR.match(text[:BEGINNING]):
            return
        exchange, name = answer.exchange, name_of(answer.exchange)
        self.hit(
            answer,
            f"{result_of(exchange)} reads like an error but isError is not set: {quoted(excerpt(text))}",
            key=key_of(name),
            severity="info" if HANDS_ON.search(name) else None,
            evidence=text,
        )
