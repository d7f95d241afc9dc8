"""RES: what tools, prompts and resources answer (MCP server/tools#tool-result, server/resources)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from mcp_tap.model.exchange import Exchange
from mcp_tap.model.methods import ALL
from mcp_tap.record.argv_masking import MASK
from mcp_tap.rules.case import Case, Seen, plural, quoted, since
from mcp_tap.rules.facts.misfit import as_json, shown
from mcp_tap.rules.facts.pending import shown_id
from mcp_tap.rules.facts.wording import key_of, ticked
from mcp_tap.rules.finding import Hit
from mcp_tap.rules.rule import Rule, excerpt

OPEN_KEPT = 256
"""Calls whose arguments are kept until they are answered."""

ARGUMENTS_LIMIT = 64 * 1024
"""Bytes of a request whose arguments are kept."""

ARGUMENTS_SHOWN = 80

BASE64_LOOKED_AT = 1024 * 1024
"""Characters at either end of what should be base64."""

BEGINNING = 200
"""Characters of a result that are read to see whether it tells of a failure."""

KNOWN_SINCE = {
    "text": "2024-11-05",
    "image": "2024-11-05",
    "resource": "2024-11-05",
    "audio": "2025-03-26",
    "resource_link": "2025-06-18",
}
"""The types of content blocks, and the version that brought each (schema, ContentBlock)."""


def is_tool_result(seen: Seen, exchange: Exchange) -> bool:
    """Whether this is what a tool returned: no error, no task in its place, no question back."""
    result = seen.result
    if exchange.side != "c2s" or exchange.outcome not in ("result", "tool-error"):
        return False
    if not isinstance(seen.message.value.get("result"), dict):
        return False
    return "task" not in result and result.get("resultType", "complete") == "complete"


def blocks_in(seen: Seen) -> Iterator[dict[str, Any]]:
    """The content blocks of a tool's or a prompt's result that are objects."""
    content = seen.result.get("content")
    if isinstance(content, list):
        yield from (block for block in content if isinstance(block, dict))
    messages = seen.result.get("messages")
    for message in messages if isinstance(messages, list) else ():
        block = message.get("content") if isinstance(message, dict) else None
        if isinstance(block, dict):
            yield block


def resources_in(seen: Seen) -> Iterator[dict[str, Any]]:
    """The contents of resources: those that were read, and those within content blocks."""
    contents = seen.result.get("contents")
    if isinstance(contents, list):
        yield from (each for each in contents if isinstance(each, dict))
    for block in blocks_in(seen):
        if block.get("type") == "resource" and isinstance(block.get("resource"), dict):
            yield block["resource"]


def first_text(seen: Seen) -> str | None:
    """The text of the first content block, if it is one of text."""
    content = seen.result.get("content")
    block = content[0] if isinstance(content, list) and content else None
    if isinstance(block, dict) and block.get("type") == "text" and isinstance(block.get("text"), str):
        return str(block["text"])
    return None


def result_of(exchange: Exchange) -> str:
    """``result 5 of `find` ``, for sentences."""
    what = exchange.target if exchange.target is not None else exchange.method
    return f"result {shown_id(exchange.id)} of {ticked(what)}"


def name_of(exchange: Exchange) -> str:
    """What a result is of, the same in another session: the tool, the prompt; not the URI."""
    by_name = exchange.method in ("tools/call", "prompts/get")
    return exchange.target if by_name and exchange.target is not None else exchange.method


class NoContent(Rule):
    """A tool's result without content.

    What it means: ``content`` is missing from a tool's result, or is no array. It is required,
    even beside ``structuredContent``, and for a failure (``isError``) too; an empty array will do.

    Why it matters: clients check the result as a whole and raise an error; the call has failed.

    Fails:
        → 5 tools/call {"name":"find","arguments":{}}
        ← 5 result {"structuredContent":{"found":[]}}

    Passes:
        → 5 tools/call {"name":"find","arguments":{}}
        ← 5 result {"content":[],"structuredContent":{"found":[]}}

    What to do: return content, an array of blocks; for plain text [{"type": "text", "text": …}].
    """

    id = "RES001"
    title = "tool result without content"
    severity = "error"
    culprit = "server"
    next = "return content, an array of blocks; it is required beside structuredContent too"
    versions = since("2024-11-05")
    methods = frozenset({"tools/call"})
    spec = "2025-11-25/server/tools#tool-result"

    def answer(self, seen: Seen) -> None:
        exchange = seen.exchange
        if exchange is None or not is_tool_result(seen, exchange):
            return
        content = seen.result.get("content")
        if not isinstance(content, list):
            what = "has no content"
            if "content" in seen.result:
                what = f"has {shown(content)} for its content, not an array"
            self.hit(seen, f"{result_of(exchange)} {what}", key=key_of(name_of(exchange)))


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

    def answer(self, seen: Seen) -> None:
        exchange, version = seen.exchange, seen.version
        if exchange is None or exchange.side != "c2s" or version is None:
            return
        known = KNOWN_IN[version]
        for block in blocks_in(seen):
            kind = block.get("type")
            if isinstance(kind, str) and (kind in known or MASK in kind):
                continue
            self.hit(
                seen,
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


class InvalidBase64(Rule):
    """An image, sound or blob that is not base64, or without its mimeType.

    What it means: ``data`` of an image or audio block, or ``blob`` of a resource, is not base64 as
    RFC 4648 has it: its alphabet, no line breaks, padded to a multiple of four characters. Or an
    image or audio block has no ``mimeType``. Of long data the first and last million characters
    are looked at.

    Why it matters: clients refuse the result, or show a broken image; model APIs reject it.

    Fails:
        → 5 tools/call {"name":"draw","arguments":{}}
        ← 5 result {"content":[{"type":"image","mimeType":"image/png",
            "data":"data:image/png;base64,iVBORw0KGgo="}]}

    Passes:
        → 5 tools/call {"name":"draw","arguments":{}}
        ← 5 result {"content":[{"type":"image","mimeType":"image/png","data":"iVBORw0KGgo="}]}

    What to do: encode the bytes with standard base64, without a data: prefix and line breaks.
    """

    id = "RES003"
    title = "image, sound or blob that is not base64"
    severity = "error"
    culprit = "server"
    next = "encode with standard base64, padded, without line breaks or a data: prefix, and name the mimeType"
    versions = since("2024-11-05")
    methods = frozenset({"tools/call", "prompts/get", "resources/read"})
    spec = "2025-11-25/server/tools#image-content"

    def answer(self, seen: Seen) -> None:
        exchange = seen.exchange
        if exchange is None or exchange.side != "c2s":
            return
        for block in blocks_in(seen):
            kind = block.get("type")
            if kind == "image" or kind == "audio":
                problem = problem_of_data(block.get("data"))
                if not problem and not isinstance(block.get("mimeType"), str):
                    problem = "without a mimeType"
                self._tell(seen, exchange, kind, problem)
        for resource in resources_in(seen):
            if "blob" in resource:
                self._tell(seen, exchange, "blob", problem_of_data(resource["blob"]))

    def _tell(self, seen: Seen, exchange: Exchange, kind: str, problem: str) -> None:
        if problem:
            one = "an" if kind != "blob" else "a"
            self.hit(
                seen,
                f"{result_of(exchange)} has {one} {kind} {problem}",
                key=key_of(name_of(exchange), kind),
            )


ALPHABET = re.compile(r"[A-Za-z0-9+/]*={0,2}")
NOT_IN_ALPHABET = re.compile(r"[^A-Za-z0-9+/=]")


def problem_of_data(data: Any) -> str:
    """What is wrong with what should be base64; empty if nothing, or if it is not what was sent."""
    if data is None:
        return "without data"
    if not isinstance(data, str):
        return f"whose data is {shown(data)}, not a string"
    if MASK in data[:BEGINNING]:
        return ""
    if data.startswith("data:"):
        return "whose data begins with data:, which is a URL and not base64"
    head, tail = data[:BASE64_LOOKED_AT], data[BASE64_LOOKED_AT:][-BASE64_LOOKED_AT:]
    foreign = NOT_IN_ALPHABET.search(head) or NOT_IN_ALPHABET.search(tail)
    if foreign is not None:
        what = {"\n": "line breaks", "\r": "line breaks", "-": "the URL alphabet", "_": "the URL alphabet"}
        return f"whose data is not base64: it has {what.get(foreign[0], shown(foreign[0]))}"
    if len(data) % 4:
        return f"whose data is not base64: {plural(len(data), 'character')}, no multiple of four (padding?)"
    if not ALPHABET.fullmatch(tail or head) or (tail and "=" in head):
        return "whose data is not base64: it goes on after its padding"
    return ""


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

    def answer(self, seen: Seen) -> None:
        exchange = seen.exchange
        if exchange is None or exchange.side != "c2s":
            return
        for resource in resources_in(seen):
            if "text" not in resource and "blob" not in resource:
                self.hit(
                    seen,
                    f"{result_of(exchange)} has contents with neither text nor blob",
                    key=key_of(name_of(exchange)),
                )


class ToolFailed(Rule):
    """A tool reported a failure.

    What it means: a result had ``isError: true``, the way in which a tool says that it failed, for
    the model to read. That is no fault of the protocol; it is told once for each tool, with the
    arguments of the first such call and the beginning of what the tool said.

    Why it matters: it is often what a user sees as "the tool does not work".

    Fails:
        → 5 tools/call {"name":"read","arguments":{"path":"/a"}}
        ← 5 result {"content":[{"type":"text","text":"no such file"}],"isError":true}

    Passes:
        → 5 tools/call {"name":"read","arguments":{"path":"/a"}}
        ← 5 result {"content":[{"type":"text","text":"no such file"}],"isError":false}

    What to do: read what the tool says. Good words there are what lets a model correct its call.
    """

    id = "RES006"
    title = "tool reported failure"
    severity = "info"
    culprit = "server"
    next = "read what the tool says; nothing is wrong with the protocol"
    methods = frozenset({"tools/call"})
    spec = "2025-11-25/server/tools#error-handling"

    def __init__(self, case: Case) -> None:
        super().__init__(case)
        self._open: dict[Exchange, Any] = {}

    def request(self, seen: Seen) -> None:
        exchange = seen.exchange
        if exchange is not None and exchange.side == "c2s" and exchange.size <= ARGUMENTS_LIMIT:
            if len(self._open) >= OPEN_KEPT:
                del self._open[next(iter(self._open))]
            self._open[exchange] = seen.params.get("arguments")

    def answer(self, seen: Seen) -> None:
        exchange = seen.exchange
        if exchange is None or exchange.side != "c2s":
            return
        arguments = self._open.pop(exchange, None)
        if exchange.outcome != "tool-error":
            return
        name, text = name_of(exchange), first_text(seen)
        said = f": {quoted(excerpt(text), 100)}" if text else ""
        given = excerpt(as_json(arguments)) if isinstance(arguments, dict) else "no arguments"
        given = given if len(given) <= ARGUMENTS_SHOWN else given[: ARGUMENTS_SHOWN - 1] + "…"
        hit = self.hit(seen, "", key=key_of(name), evidence=text)
        if hit.count == 1:
            hit.facts.update(name=name, given=given, said=said)

    def sentence(self, hit: Hit) -> str:
        facts = hit.facts
        times = "" if hit.count == 1 else f" {hit.count:,} times, first"
        return f"tool {ticked(facts['name'])} reported failure{times} for {facts['given']}{facts['said']}"


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

    def answer(self, seen: Seen) -> None:
        exchange = seen.exchange
        if exchange is None or exchange.side != "c2s" or exchange.outcome != "result":
            return
        text = first_text(seen)
        if text is None or not READS_LIKE_AN_ERROR.match(text[:BEGINNING]):
            return
        name = name_of(exchange)
        self.hit(
            seen,
            f"{result_of(exchange)} reads like an error but isError is not set: {quoted(excerpt(text))}",
            key=key_of(name),
            severity="info" if HANDS_ON.search(name) else None,
            evidence=text,
        )


RULES: tuple[type[Rule], ...] = (
    NoContent,
    UnknownContentType,
    InvalidBase64,
    EmptyResource,
    ToolFailed,
    FailureAsSuccess,
)
