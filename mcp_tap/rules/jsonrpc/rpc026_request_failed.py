"""RPC026: request answered with an error."""

from __future__ import annotations

from mcp_tap.diagnosis.context import Answer
from mcp_tap.model.exchange import Exchange
from mcp_tap.rules.jsonrpc._errors import Refusal, Refusals

CODES: dict[int, tuple[str, str]] = {
    -32700: ("parse error", "check the line sent just before: the peer could not read it as JSON"),
    -32600: ("invalid request", "check the request: the peer did not accept it as one"),
    -32601: (
        "method not found",
        "request only what the peer has declared; many clients just try, which is harmless",
    ),
    -32602: ("invalid params", "compare the params with what the method, tool or prompt expects"),
    -32603: (
        "internal error",
        "look for the reason in the log of the side that answered; for a server, its stderr",
    ),
    -32002: ("resource not found", "check the URI against resources/list (up to 2025-11-25)"),
    -32042: (
        "URL elicitation required",
        "have the user open the URLs in error.data, then try again (2025-11-25)",
    ),
    -32020: (
        "headers and body differ",
        "send the same values in the HTTP headers and in the body (2026-07-28)",
    ),
    -32021: (
        "client capability missing",
        "declare the capabilities named in error.data.requiredCapabilities (2026-07-28)",
    ),
    -32022: ("unsupported version", "retry with a version from error.data.supported (2026-07-28)"),
    -32000: ("connection closed", "nothing: an SDK's own code for requests that were open when it shut down"),
    -32001: (
        "timed out",
        "an SDK's own code, not in any version of MCP: a request that the sender made in turn timed out",
    ),
    -32800: ("cancelled", "nothing: an SDK's own code for a request that was cancelled"),
    0: (
        "uncaught exception",
        "the Python SDK's code for an exception in a handler: check the server's stderr",
    ),
    -1: ("rejected", "nothing: the specification's example code for a user who declined"),
}
"""What a code means, and what to do next (MCP basic#error-codes; the official SDKs)."""

UNKNOWN_CODE = ("a code of the peer's own", "look up what this code means to the side that answered")

OF_A_METHOD: dict[tuple[int, str], str] = {
    (
        -32602,
        "tools/call",
    ): "check the tool's name against tools/list, and the arguments against its inputSchema",
    (-32602, "prompts/get"): "check the prompt's name and its required arguments against prompts/list",
    (
        -32602,
        "resources/read",
    ): "check the URI against resources/list: since 2026-07-28 this code means resource not found",
    (-32602, "logging/setLevel"): "use one of the eight levels from debug to emergency",
    (
        -32602,
        "initialize",
    ): "send protocolVersion, capabilities and clientInfo; a server that does not support the "
    "version offers its own",
    (
        -32601,
        "server/discover",
    ): "nothing: the server predates server/discover, and the client falls back to initialize",
    (-32601, "roots/list"): "send it only to clients that have declared roots",
    (-32601, "sampling/createMessage"): "send it only to clients that have declared sampling",
    (-32601, "elicitation/create"): "send it only to clients that have declared elicitation",
    (-1, "sampling/createMessage"): "nothing: the user declined",
}
"""What to do next, where the method tells more than the code alone."""


BAD_CURSOR = "check the cursor: it must be the previous page's nextCursor, unchanged"


def meaning(code: int, exchange: Exchange) -> tuple[str, str]:
    """What a code means, and what to do next."""
    name, then = CODES.get(code, UNKNOWN_CODE)
    if code == INVALID_PARAMS and exchange.pages_on:
        then = BAD_CURSOR
    return name, OF_A_METHOD.get((code, exchange.method), then)


INVALID_PARAMS = -32602


class RequestFailed(Refusals):
    """A request that was answered with an error.

    What it means: the answer is a JSON-RPC error. Its code says why: -32601, the method does not exist;
    -32602, the params (or the tool, prompt or cursor they name) were rejected; -32603, an internal
    error. -32002 is a resource that was not found, up to 2025-11-25. Codes from -32099 to -32020 have
    been reserved for MCP since 2026-07-28; those from -32019 to -32000 have no reliable meaning: SDKs
    use -32000 for a closed connection and -32001 for a timeout.

    Why it matters: it may be harmless (a client that asks for something optional), or the reason why
    something does not work. If another finding explains the error, it is listed under that.

    Fails:
        → 5 resources/read {"uri":"file:///gone.txt"}
        ← 5 error -32002 "Resource not found"

    Passes:
        → 5 tools/call {"name":"x","arguments":{}}
        ← 5 result {"content":[{"type":"text","text":"no such file"}],"isError":true}

    What to do: read the error's own message, then the suggestion for its code. A tool that fails should
    say so in its result (`isError`), so that the model can read why.
    """

    id = "RPC026"
    title = "request answered with an error"
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
