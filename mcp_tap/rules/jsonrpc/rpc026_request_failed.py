"""RPC026: request answered by an error."""

from __future__ import annotations

from mcp_tap.diagnosis.context import Answer
from mcp_tap.model.exchange import Exchange
from mcp_tap.rules.jsonrpc._errors import Refusal, Refusals

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

    def refused(self, answer: Answer, refusal: Refusal) -> None:
        exchange = refusal.exchange
        if self.context.closed or exchange.cancelled_t is not None:
            return  # nobody waits for it any more
        name, then = meaning(refusal.code, exchange)
        told = f"{answer.sender} answered {refusal}"
        meant = "" if name.lower() in told.lower() else f" ({name})"
        # The error is the answerer's, the request was another's.
        self.note(answer, refusal, told + meant, then, culprit="undecided")
