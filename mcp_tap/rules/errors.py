"""RPC026-030: requests answered by an error, and what its code means (JSON-RPC 2.0, section 5.1)."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from mcp_tap.model.exchange import Exchange
from mcp_tap.model.message import Side
from mcp_tap.record.reader import Record
from mcp_tap.rules.case import MODERN_ONLY, Seen
from mcp_tap.rules.facts.asked import asker_of, called, code_of, key_of, other, said
from mcp_tap.rules.finding import Culprit, Hit
from mcp_tap.rules.rule import Rule, sender_of

CODES: dict[int, tuple[str, str]] = {
    -32700: ("parse error", "look at the line that was sent just before: the peer could not read it as JSON"),
    -32600: ("invalid request", "look at the request: the peer did not take it for one"),
    -32601: (
        "method not found",
        "ask only for what the peer has declared; many clients try, which is harmless",
    ),
    -32602: ("invalid params", "compare the params with what the method, the tool or the prompt asks for"),
    -32603: ("internal error", "look for the reason in the answering side's log; for a server, its stderr"),
    -32002: ("resource not found", "check the URI against resources/list (up to 2025-11-25)"),
    -32042: (
        "URL elicitation required",
        "let the user open the URLs in error.data, then try again (2025-11-25)",
    ),
    -32020: (
        "headers and body differ",
        "send the same values in the HTTP headers and in the body (2026-07-28)",
    ),
    -32021: ("client capability missing", "declare what error.data.requiredCapabilities names (2026-07-28)"),
    -32022: ("unsupported version", "ask again with a version that error.data.supported names (2026-07-28)"),
    -32000: ("connection closed", "an SDK's own code, for requests that were open when it shut down"),
    -32001: (
        "timed out",
        "an SDK's own code, in no version of MCP: a request that the sender made in turn timed out",
    ),
    -32800: ("cancelled", "an SDK's own code for a request that was cancelled: nothing to do"),
    0: (
        "uncaught exception",
        "the Python SDK's code for an exception in a handler: look at the server's stderr",
    ),
    -1: ("rejected", "the specification's example of a user who said no"),
}
"""What a code means, and what to do next (MCP basic#error-codes; the official SDKs)."""

UNKNOWN_CODE = ("the peer's own code", "look up what the answering side means by this code")

OF_A_METHOD: dict[tuple[int, str], str] = {
    (
        -32602,
        "tools/call",
    ): "check the tool's name against tools/list, and the arguments against its inputSchema",
    (-32602, "prompts/get"): "check the prompt's name and its required arguments against prompts/list",
    (
        -32602,
        "resources/read",
    ): "check the URI against resources/list: since 2026-07-28 this is resource not found",
    (-32602, "logging/setLevel"): "use one of the eight levels from debug to emergency",
    (
        -32602,
        "initialize",
    ): "send protocolVersion, capabilities and clientInfo; a server that does not know the "
    "version offers its own",
    (
        -32601,
        "server/discover",
    ): "nothing: the server is of the era with a handshake, and the client falls back",
    (-32601, "roots/list"): "ask only clients that have declared roots",
    (-32601, "sampling/createMessage"): "ask only clients that have declared sampling",
    (-32601, "elicitation/create"): "ask only clients that have declared elicitation",
    (-1, "sampling/createMessage"): "nothing: the user did not allow it",
}
"""What to do next, where the method tells more than the code alone."""


BAD_CURSOR = "check the cursor: it must be the nextCursor of the page before, unchanged"


def meaning(code: int, exchange: Exchange) -> tuple[str, str]:
    """What a code means, and what to do next."""
    name, then = CODES.get(code, UNKNOWN_CODE)
    if code == INVALID_PARAMS and exchange.pages_on:
        then = BAD_CURSOR
    return name, OF_A_METHOD.get((code, exchange.method), then)


INVALID_PARAMS = -32602


@dataclass(frozen=True, slots=True)
class Refusal:
    """An error that answers a request, for a sentence."""

    exchange: Exchange
    code: int
    words: str

    def __str__(self) -> str:
        """``tools/call `export` with -32602 'Unknown tool'``."""
        return f"{called(self.exchange)} with {self.code}" + (f" {self.words}" if self.words else "")


def refusal_of(seen: Seen) -> Refusal | None:
    """The error that ``seen`` is, if it answers a request and has a code."""
    code = code_of(seen.message)
    if code is None or seen.exchange is None:
        return None
    return Refusal(seen.exchange, code, said(seen.message))


class Refusals(Rule):
    """The base of rules about the code of an error that answers a request."""

    def refused(self, seen: Seen, refusal: Refusal) -> None:
        """An error has answered a request."""
        raise NotImplementedError

    def answer(self, seen: Seen) -> None:
        if seen.message.kind != "error":
            return
        refusal = refusal_of(seen)
        if refusal is not None:
            self.refused(seen, refusal)

    def note(self, seen: Seen, refusal: Refusal, message: str, next: str | None = None) -> Hit:
        """Note a finding, one for each method, target and code."""
        return self.hit(
            (refusal.exchange.seq, seen.seq),
            message,
            key=f"{seen.sender} {key_of(refusal.exchange)} {refusal.code}",
            next=next,
            culprit=sender_of(seen),
            explains=(seen.seq,),
        )


class RequestFailed(Refusals):
    """A request was answered by an error.

    What it means: the answer is a JSON-RPC error. Its code says why: -32601 the method is not there,
    -32602 the params (or the tool, the prompt, the cursor they name) are not accepted, -32603
    something broke. -32002 is a resource that is not there, up to 2025-11-25. Codes from -32099 to
    -32020 are MCP's own since 2026-07-28, those from -32019 to -32000 have no meaning that one can
    rely on: -32000 and -32001 are what SDKs call a closed connection and a timeout.

    Why it matters: it may be all right (a client that asks for what is optional), or the reason why
    something does not work. Where another finding explains the error, it is told there.

    Fails:
        → 5 resources/read {"uri":"file:///gone.txt"}
        ← 5 error -32002 "Resource not found"

    Passes:
        → 5 tools/call {"name":"x","arguments":{}}
        ← 5 result {"content":[{"type":"text","text":"no such file"}],"isError":true}

    What to do: read the error's own message, then what is suggested for its code. A tool that fails
    is to say so in its result (`isError`), so that the model can read why.
    """

    id = "RPC026"
    title = "request answered by an error"
    severity = "info"
    culprit = "undecided"
    next = "read the error's message"
    spec = "2025-11-25/basic#responses"

    def refused(self, seen: Seen, refusal: Refusal) -> None:
        exchange = refusal.exchange
        if self.case.closed or exchange.cancelled_t is not None:
            return  # nobody waits for it any more
        name, then = meaning(refusal.code, exchange)
        told = f"{seen.sender} answered {refusal}"
        meant = "" if name.lower() in told.lower() else f" ({name})"
        hit = self.note(seen, refusal, told + meant, then)
        hit.culprit = "undecided"  # the error is the answerer's, the request was another's


class UnusualCode(Refusals):
    """An error code that JSON-RPC does not use.

    What it means: the code of an error is 0 or positive, like an HTTP status. JSON-RPC's codes are
    negative. 0 is what the Python SDK answers for an exception that a handler did not catch.

    Why it matters: nobody can tell from it what went wrong, and clients that act on codes do not
    know this one.

    Fails:
        → 5 prompts/get {"name":"x"}
        ← 5 error 404 "no such prompt"

    Passes:
        → 5 prompts/get {"name":"x"}
        ← 5 error -32602 "no such prompt"

    What to do: use -32602 for what the request got wrong, -32603 for an exception, or a code of your
    own outside -32768 to -32000.
    """

    id = "RPC027"
    title = "unusual error code"
    severity = "warning"
    culprit = "sender"
    next = "use -32602 for wrong params, -32603 for an exception that nobody caught"
    spec = "2025-11-25/basic#responses"

    def refused(self, seen: Seen, refusal: Refusal) -> None:
        if refusal.code < 0 or refusal.exchange.cancelled_t is not None:
            return
        if 400 <= refusal.code < 600:
            why = "an HTTP status, not a JSON-RPC code"
        elif refusal.code == 0:
            why = "0 says nothing; the Python SDK sends it for an exception that a handler did not catch"
        else:
            why = "JSON-RPC codes are negative"
        self.note(seen, refusal, f"{seen.sender} answered {refusal}: {why}")


class ModernRefusals(Refusals):
    """The base of rules about codes that 2026-07-28 has fixed; a server of before is not held to it."""

    def answer(self, seen: Seen) -> None:
        # The answer to a probe does not make a server modern: it may not know what it was asked.
        if self.case.session.era == "modern":
            super().answer(seen)


DEFINED = frozenset({-32020, -32021, -32022})
"""Codes that 2026-07-28 defines itself."""

RETIRED = {
    -32002: "since 2026-07-28 a resource that is not there is -32602",
    -32042: "since 2026-07-28 a server asks by a result with resultType input_required",
}
"""Codes that had a meaning before, and what to use instead."""


class UndefinedCode(ModernRefusals):
    """A code from MCP's own range that MCP has not defined.

    What it means: since 2026-07-28 the codes from -32099 to -32020 belong to the specification, which
    has defined -32020, -32021 and -32022 so far. The server used another one.

    Why it matters: a later version may give this code a meaning, and clients will act on it.

    Fails, 2026-07-28:
        → 4 tools/list
        ← 4 result {"tools":[],"resultType":"complete","ttlMs":0,"cacheScope":"private"}
        → 5 prompts/get {"name":"x"}
        ← 5 error -32050 "quota exceeded"

    Passes, 2026-07-28:
        → 4 tools/list
        ← 4 result {"tools":[],"resultType":"complete","ttlMs":0,"cacheScope":"private"}
        → 5 prompts/get {"name":"x"}
        ← 5 error -31050 "quota exceeded"

    What to do: use a code of your own outside -32768 to -32000.
    """

    id = "RPC028"
    title = "undefined code in the range reserved for MCP"
    severity = "error"
    culprit = "server"
    next = "use a code of your own outside -32768 to -32000"
    versions = MODERN_ONLY
    spec = "2026-07-28/basic#error-codes"

    def refused(self, seen: Seen, refusal: Refusal) -> None:
        code = refusal.code
        if -32099 <= code <= -32020 and code not in DEFINED and code not in RETIRED:
            why = "a code that 2026-07-28 keeps for itself and has not defined"
            self.note(seen, refusal, f"{seen.sender} answered {refusal}: {why}")


class RetiredCode(ModernRefusals):
    """A code that 2026-07-28 has retired.

    What it means: -32002 (resource not found) and -32042 (URL elicitation required) must not be used
    in answers to requests of 2026-07-28.

    Why it matters: clients of this version look for something else: -32602, and a result that asks
    for input.

    Fails, 2026-07-28:
        → 4 tools/list
        ← 4 result {"tools":[],"resultType":"complete","ttlMs":0,"cacheScope":"private"}
        → 5 resources/read {"uri":"file:///gone.txt"}
        ← 5 error -32002 "Resource not found"

    Passes, 2026-07-28:
        → 4 tools/list
        ← 4 result {"tools":[],"resultType":"complete","ttlMs":0,"cacheScope":"private"}
        → 5 resources/read {"uri":"file:///gone.txt"}
        ← 5 error -32602 "Resource not found"

    What to do: answer -32602 for a resource that is not there; ask for input with the resultType
    `input_required` instead of -32042.
    """

    id = "RPC029"
    title = "retired error code"
    severity = "error"
    culprit = "server"
    next = "-32602 for an unknown resource, the resultType input_required instead of -32042"
    versions = MODERN_ONLY
    spec = "2026-07-28/basic#error-codes"

    def refused(self, seen: Seen, refusal: Refusal) -> None:
        if refusal.code in RETIRED:
            self.note(seen, refusal, f"{seen.sender} answered {refusal}: {RETIRED[refusal.code]}")


UNREADABLE = {-32700: "could not read it", -32600: "did not take it for a request"}
"""What a peer says of a message that it does not accept at all."""


class PeerCouldNotRead(Rule):
    """The peer could not read a message.

    What it means: one side answered with -32700 (parse error) or -32600 (invalid request): what it
    was sent is no JSON, or no request, to its mind. The evidence is what was sent just before.

    Why it matters: the message is lost. Which side is wrong, its text shows: a parser that is
    stricter than JSON, or a line that is broken.

    Fails:
        → 5 tools/call {"name":"search","arguments":{"q":"x"}}
        ← 5 error -32600 "Invalid Request"

    Passes:
        → 5 tools/call {"name":"search","arguments":{"q":"x"}}
        ← 5 error -32603 "Cannot parse the index"

    What to do: look at the line in question for what this peer may not accept: half of a surrogate
    pair, NaN, an id that is null, params that are an array, a batch, an envelope of the other era.
    """

    id = "RPC030"
    title = "peer could not read a message"
    severity = "warning"
    culprit = "undecided"
    next = "look at the line that was sent just before, and at what this peer's parser does not accept"
    spec = "2025-11-25/basic#responses"

    def answer(self, seen: Seen) -> None:
        exchange = seen.exchange
        # A server that does not know server/discover may say so in any way: LIF015.
        if exchange is None or exchange.method == "server/discover" or self._code(seen) is None:
            return
        asked = next((each for each in self.case.recent if each.seq == exchange.seq), None)
        what = f"the {asker_of(exchange)}'s {called(exchange)}"
        self._tell(seen, what, exchange.method, (exchange.seq, seen.seq), asked, "undecided")

    def astray(self, seen: Seen) -> None:
        code = self._code(seen)
        if code is None or not self.case.whole:
            return
        before = last_of(self.case.recent, other(seen.side))
        if before is None or (code == -32600 and is_notification(before)):
            return  # an answer to a notification is another fault
        blame: Culprit = "undecided" if before.is_message else sender_of(before)
        what = f"what the {seen.receiver} had sent just before"
        self._tell(seen, what, "", (before.seq, seen.seq), before, blame)

    def _code(self, seen: Seen) -> int | None:
        """The code, if it is one of these and somebody still wanted an answer."""
        code = code_of(seen.message)
        return None if code not in UNREADABLE or self.case.closed else code

    def _tell(
        self,
        seen: Seen,
        what: str,
        method: str,
        records: tuple[int, int],
        frame: Record | None,
        blame: Culprit,
    ) -> None:
        code = code_of(seen.message) or 0
        words = said(seen.message)
        self.hit(
            records,
            f"{seen.sender} answered {what} with {code}{' ' + words if words else ''}: it {UNREADABLE[code]}",
            key=f"{seen.sender} {method} {code}",
            evidence=None if frame is None else frame.payload[:EVIDENCE_BYTES].decode(errors="replace"),
            culprit=blame,
            explains=(seen.seq,),
        )


EVIDENCE_BYTES = 1000
"""Of a line, enough for an excerpt."""


def last_of(recent: deque[Record], side: Side) -> Record | None:
    """The last line of one side among the records before."""
    return next((each for each in reversed(recent) if each.dir == side), None)


def is_notification(record: Record) -> bool:
    """Whether a line is a notification; one that no JSON-RPC message is, is none."""
    value = record.value if record.is_message else None
    return isinstance(value, dict) and isinstance(value.get("method"), str) and "id" not in value


RULES: tuple[type[Rule], ...] = (RequestFailed, UnusualCode, UndefinedCode, RetiredCode, PeerCouldNotRead)
