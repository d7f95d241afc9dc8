"""LIF009: initialize refused by the server."""

from __future__ import annotations

import re
from typing import Any

from mcp_tap.diagnosis.context import Answer, Request, SessionContext
from mcp_tap.diagnosis.interest import sees
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.diagnosis.text import quoted
from mcp_tap.model.methods import ERAS, UNSUPPORTED_VERSION
from mcp_tap.model.session import versions
from mcp_tap.record.patterns import lazy
from mcp_tap.rules.lifecycle._base import INITIALIZE, NEGOTIATION, VERSION_KEPT, version_of

ABOUT_VERSIONS = lazy(r"\bversion", re.IGNORECASE)
"""In the message of an error that is about the protocol version."""


class InitializeRefused(Rule):
    """The server answered initialize with an error.

    What it means: the server refused the handshake. If the reason is the version, it should not have:
    up to 2025-11-25, a server that does not speak the offered version answers with one that it does
    speak, and leaves the choice to the client.

    Why it matters: the session cannot begin; with many servers, updating the client is enough to cause
    this. It is a warning where the client tried again and was accepted. Error -32022 comes from a
    server that speaks 2026-07-28 only and is behaving correctly: if the client goes on without a
    handshake, this is only information.

    Fails, from the start:
        → 0 initialize …
        ← 0 error -32602 "Unsupported protocol version"

    Passes, from the start:
        → 0 initialize …
        ← 0 result {"protocolVersion":"2025-06-18","capabilities":{},
            "serverInfo":{"name":"notes","version":"1"}}
        → notifications/initialized

    What to do: have the server answer with its own newest version. For other errors, read the message
    and the server's stderr.
    """

    id = "LIF009"
    title = "initialize refused by the server"
    severity = "error"
    culprit = "server"
    next = "read the error's message and the server's stderr"
    methods = INITIALIZE
    spec = NEGOTIATION

    def __init__(self, context: SessionContext) -> None:
        super().__init__(context)
        self.offered: str | None = None
        self.went_on = False

    @sees(sides="c2s")
    def request(self, request: Request) -> None:
        self.offered = version_of(request.params.get("protocolVersion"))

    @sees(sides="s2c")
    def answer(self, answer: Answer) -> None:
        exchange = answer.exchange
        if exchange.outcome != "error":
            self.went_on = True
            return
        code, text = answer.error.get("code"), answer.error.get("message")
        error = f"error {code}" if type(code) is int else "an error"
        error += f" {quoted(text)}" if isinstance(text, str) else ""
        self.hit(
            (exchange.seq, answer.seq),
            self.refusal(code, text, error, answer.error.get("data")),
            key=str(code) if type(code) is int else "error",
            culprit=self.who(code),
            next=self.advice(code, text),
            explains=(exchange.seq, answer.seq),
        )

    def refusal(self, code: object, text: object, error: str, data: Any) -> str:
        """What was refused, and how."""
        offered = (self.offered or "")[:VERSION_KEPT]
        if code == UNSUPPORTED_VERSION:
            named = versions(data.get("supported")) if isinstance(data, dict) else ()
            only = f", and supports {', '.join(each[:VERSION_KEPT] for each in named[:5])}" if named else ""
            return f"server answered initialize with {error}: it does not use a handshake{only}"
        if offered and isinstance(text, str) and ABOUT_VERSIONS.search(text):
            refused = f"server rejected protocol version {offered} with {error}"
            return f"{refused} instead of answering with one that it speaks"
        return f"server answered initialize with {error}"

    def who(self, code: object) -> Any:
        """Nobody is to blame where a server of the new era meets a client of the old, nor for the unknown."""
        known = self.offered is None or self.offered in ERAS
        return "undecided" if code == UNSUPPORTED_VERSION or not known else "server"

    def advice(self, code: object, text: object) -> str:
        """What to do about it."""
        if code == UNSUPPORTED_VERSION:
            return "use a client that speaks one of the versions that the server supports"
        if isinstance(text, str) and ABOUT_VERSIONS.search(text):
            return "have the server answer with a version it speaks; until then, offer it an older one"
        return self.next

    def end(self) -> None:
        session = self.context.session
        if self.went_on or session.initialized_t is not None or session.protocol is not None:
            for key, hit in self.hits.items():
                hit.severity = "info" if key == str(UNSUPPORTED_VERSION) else "warning"
