"""Messages of which no rule can have anything to say, told as cheaply as possible.

Every test here stands for rules: what it refuses is looked at by all of them. It may refuse too
much, and must never let pass what a rule would tell; the tests hold both ways of reading equal.
"""

from __future__ import annotations

from typing import Any

from mcp_tap.diagnosis.case import Case, kind_of
from mcp_tap.diagnosis.levels import LEVELS
from mcp_tap.diagnosis.recognise.codepages import may_be_encoded_twice
from mcp_tap.diagnosis.recognise.credentials import looks_secret
from mcp_tap.diagnosis.recognise.phrases import looks_instructed
from mcp_tap.model.message import Side
from mcp_tap.model.methods import CLIENT_CAPABILITIES_KEY, LOG_LEVEL_KEY, VERSION_KEY
from mcp_tap.rules.results._base import BEGINNING
from mcp_tap.rules.results.res007_failure_as_success import READS_LIKE_AN_ERROR
from mcp_tap.rules.tools._schemas import Held

PROMPT_SECONDS = 0.25
"""Seconds within which an answer is nothing to look at."""

SMALL_BYTES = 48 * 1024
"""Bytes up to which the size of a message is nothing to look at."""

SAFE_INTEGER = 2**53 - 1
"""The greatest id that every parser keeps."""

CALLED_WITH = frozenset({"name", "arguments", "_meta"})
RETURNED = frozenset({"content", "isError", "structuredContent", "resultType", "_meta"})
REPORTED = frozenset({"progressToken", "progress", "total", "message"})
LOGGED = frozenset({"level", "logger", "data"})
"""Members that plain messages have, and no others."""

ENVELOPE = 4
"""Members of a request with parameters; a response or a notification has one less."""


class Vet:
    """Tells what is plain in one session; it is in its operation, and nothing odd is going on.

    ``arguments`` and ``contents`` are the rules that hold values against schemas, if they are at work;
    a value that they have something to say of is not plain. :attr:`wanted` says which of them it was.
    """

    __slots__ = (
        "_holds",
        "arguments",
        "case",
        "contents",
        "kinds",
        "logging",
        "tokens_alone",
        "tools",
        "wanted",
    )

    def __init__(self, case: Case, arguments: Held | None, contents: Held | None) -> None:
        self.case = case
        self._holds = (arguments, contents)
        self.arguments: Held | None = None
        self.contents: Held | None = None
        self.tools: dict[str, dict[str, Any]] = {}
        self.kinds: dict[str, str] = {}
        """As what a call of each tool is counted."""
        self.logging = False
        self.tokens_alone = True
        self.wanted: Held | None = None

    def renew(self) -> None:
        """Take over what has been learnt of the session since."""
        session, listing = self.case.session, self.case.listings.tools
        offered = session.capabilities.get("s2c")
        offers = offered if isinstance(offered, dict) else {}
        usable = listing.complete and isinstance(offers.get("tools"), dict)
        if usable and self.tools is not listing.items:
            self.kinds = {name: kind_of("tools/call", name) for name in listing.items}
        self.tools = listing.items if usable else {}
        legacy = session.era == "legacy"
        set_level = "logging/setLevel" in session.methods
        self.logging = legacy and isinstance(offers.get("logging"), dict) and not set_level
        self.tokens_alone = legacy
        version = session.protocol
        self.arguments, self.contents = (
            rule if rule is not None and rule.is_known and rule.applies(version) else None
            for rule in self._holds
        )

    def passes_request(self, side: Side, message: dict[str, Any], id: int, payload: bytes) -> bool:
        """Whether a request is the call of a listed tool, with arguments that are fine."""
        self.wanted = None
        if side != "c2s" or len(message) != ENVELOPE or not 0 <= id <= SAFE_INTEGER:
            return False
        params = message.get("params")
        if (
            message.get("method") != "tools/call"
            or message.get("jsonrpc") != "2.0"
            or type(params) is not dict
        ):
            return False
        name, arguments, meta = params.get("name"), params.get("arguments"), params.get("_meta")
        if type(name) is not str or type(arguments) is not dict or name not in self.tools:
            return False
        if name in self.case.failing:  # whether the next one succeeds is what matters then
            return False
        if len(params) != 2 and (not CALLED_WITH.issuperset(params) or type(meta) is not dict):
            return False
        if self.tokens_alone and meta and (len(meta) != 1 or "progressToken" not in meta):
            return False
        if not self.tokens_alone and not is_envelope(meta):
            return False
        if looks_secret(payload) or may_be_encoded_twice(payload):
            return False
        return self._fits(self.arguments, name, self.tools[name], arguments)

    def passes_result(self, method: str, target: str | None, message: dict[str, Any], payload: bytes) -> bool:
        """Whether a result that came at once is text that a tool returned, and nothing else."""
        self.wanted = None
        if len(message) != ENVELOPE - 1 or message.get("jsonrpc") != "2.0" or method != "tools/call":
            return False
        result, tool = message["result"], self.tools.get(target or "")
        if tool is None or type(result) is not dict or not RETURNED.issuperset(result):
            return False
        if result.get("isError", False) is not False or not is_text(result.get("content")):
            return False
        if not self.tokens_alone and result.get("resultType") != "complete":
            return False
        if self.tokens_alone and "resultType" in result:
            return False
        if looks_secret(payload) or looks_instructed(payload) or may_be_encoded_twice(payload):
            return False
        if "structuredContent" not in result:
            return "outputSchema" not in tool
        content = result["structuredContent"]
        return type(content) is dict and self._fits(self.contents, target or "", tool, content)

    def _fits(self, rule: Held | None, name: str, tool: dict[str, Any], value: dict[str, Any]) -> bool:
        """Whether ``rule`` has nothing to say of a value."""
        if rule is None or rule.has_no_quarrel(name, tool, value):
            return True
        self.wanted = rule
        return False

    def passes_progress(
        self, message: dict[str, Any], params: dict[str, Any], payload: bytes, before: float | None
    ) -> bool:
        """Whether progress of an open call goes on from ``before``."""
        value = params.get("progress")
        if type(value) is not int and type(value) is not float:
            return False
        if len(message) != ENVELOPE - 1 or message.get("jsonrpc") != "2.0" or not REPORTED.issuperset(params):
            return False
        total, text = params.get("total", 0), params.get("message", "")
        if type(text) is not str or (type(total) is not int and type(total) is not float):
            return False
        return (before is None or value > before) and not may_be_encoded_twice(payload)

    def passes_log(self, message: dict[str, Any], params: dict[str, Any], payload: bytes) -> bool:
        """Whether a log message is one that may be sent."""
        return (
            self.logging
            and len(message) == ENVELOPE - 1
            and message.get("jsonrpc") == "2.0"
            and LOGGED.issuperset(params)
            and params.get("level") in LEVELS
            and type(params.get("logger", "")) is str
            and "data" in params
            and not looks_secret(payload)
            and not may_be_encoded_twice(payload)
        )


def is_envelope(meta: Any) -> bool:
    """Whether ``_meta`` of a request has what 2026-07-28 requires, and asks for no log messages."""
    if type(meta) is not dict or LOG_LEVEL_KEY in meta:
        return False
    return type(meta.get(VERSION_KEY)) is str and type(meta.get(CLIENT_CAPABILITIES_KEY)) is dict


def is_text(content: Any) -> bool:
    """Whether the content of a result is blocks of text, the first of which tells of no failure."""
    if type(content) is not list:
        return False
    for block in content:
        if type(block) is not dict or len(block) != 2 or block.get("type") != "text":
            return False
        if type(block.get("text")) is not str:
            return False
    return not content or READS_LIKE_AN_ERROR.match(content[0]["text"][:BEGINNING]) is None
