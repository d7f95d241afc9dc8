"""LIF: initialize itself: what it must say, and that it is answered."""

from __future__ import annotations

import re
from typing import Any

from mcp_tap.model.exchange import Exchange
from mcp_tap.model.methods import ERAS, UNSUPPORTED_VERSION
from mcp_tap.model.session import versions
from mcp_tap.record.argv_masking import MASK
from mcp_tap.rules.case import LEGACY_ONLY, Case, Seen, plural, quoted, seconds
from mcp_tap.rules.early import INITIALIZATION
from mcp_tap.rules.facts.pending import (
    IN_FLIGHT_SECONDS,
    ended_by_client,
    explain,
    how_it_ended,
    is_all_on_file,
    open_for,
)
from mcp_tap.rules.finding import Hit
from mcp_tap.rules.negotiation import GAVE_UP_SECONDS, INITIALIZE, NEGOTIATION, VERSION_KEPT, version_of
from mcp_tap.rules.rule import Rule

ABOUT_VERSIONS = re.compile(r"\bversion", re.IGNORECASE)
"""In the message of an error that is about the protocol version."""

FOLLOWED = 100
"""Incomplete requests whose answers are waited for."""


class IncompleteInitialize(Rule):
    """initialize lacks a parameter.

    What it means: `initialize` must name a `protocolVersion`, `capabilities` (an empty object will
    do) and `clientInfo` with a name and a version. One of them is missing or of the wrong type.

    Why it matters: servers refuse it: the Python SDK's with -32602, the TypeScript SDK's with
    -32603 and a list of what is wrong.

    Fails, from the start:
        → 0 initialize {"protocolVersion":"2025-11-25","clientInfo":{"name":"editor","version":"2"}}
        ← 0 error -32602 "Invalid request parameters"

    Passes, from the start:
        → 0 initialize {"protocolVersion":"2025-11-25","capabilities":{},
            "clientInfo":{"name":"editor","version":""}}
        ← 0 result …
        → notifications/initialized

    What to do: send all three. In tests by hand `"capabilities":{}` is what is forgotten.
    """

    id = "LIF007"
    title = "incomplete initialize params"
    severity = "error"
    culprit = "client"
    next = "send protocolVersion, capabilities (may be {}) and clientInfo with name and version"
    versions = LEGACY_ONLY
    methods = INITIALIZE
    spec = INITIALIZATION

    def __init__(self, case: Case) -> None:
        super().__init__(case)
        self.found: dict[int, Hit] = {}

    def request(self, seen: Seen) -> None:
        lacks = list(missing_from(seen.message.value.get("params")))
        if seen.side == "c2s" and lacks and len(self.found) < FOLLOWED:
            what = ", ".join(lacks)
            message = f"initialize lacks {what}"
            self.found[seen.seq] = self.hit(seen, message, key=what, explains=[seen.seq])

    def answer(self, seen: Seen) -> None:
        exchange = seen.exchange
        if exchange is not None and exchange.outcome == "error" and exchange.seq in self.found:
            explain(self.found[exchange.seq], [seen.seq])


def missing_from(params: Any) -> list[str]:
    """What the parameters of initialize lack; by-position parameters are another rule's business."""
    if not isinstance(params, dict):
        return [] if params is not None else ["protocolVersion", "capabilities", "clientInfo"]
    info = params.get("clientInfo")
    found = {
        "protocolVersion": isinstance(params.get("protocolVersion"), str),
        "capabilities": is_object(params.get("capabilities")),
        "clientInfo": is_object(info),
    }
    lacks = [name if name not in params else f"a valid {name}" for name, there in found.items() if not there]
    if isinstance(info, dict):
        lacks += [f"clientInfo.{key}" for key in ("name", "version") if not isinstance(info.get(key), str)]
    return lacks


def is_object(value: Any) -> bool:
    """Whether ``value`` is an object, or has been one before it was masked."""
    return isinstance(value, dict) or (isinstance(value, str) and MASK in value)


class InitializeRefused(Rule):
    """initialize is answered with an error.

    What it means: the server refused the handshake. Where the reason is the version, it should not
    have: until 2025-11-25 a server that does not speak the version offered answers with one that it
    does speak, and leaves the choice to the client.

    Why it matters: the session cannot begin; with many servers a client's update is enough for it.
    It is a warning where the client tried again and was accepted. Error -32022 comes from a server
    that speaks 2026-07-28 only and does what it should: that is no more than information if the
    client goes on without a handshake.

    Fails, from the start:
        → 0 initialize …
        ← 0 error -32602 "Unsupported protocol version"

    Passes, from the start:
        → 0 initialize …
        ← 0 result {"protocolVersion":"2025-06-18","capabilities":{},
            "serverInfo":{"name":"notes","version":"1"}}
        → notifications/initialized

    What to do: let the server answer with its own newest version. For other errors see the message,
    and what the server says on stderr.
    """

    id = "LIF009"
    title = "initialize refused by the server"
    severity = "error"
    culprit = "server"
    next = "see the error's message and the server's stderr"
    methods = INITIALIZE
    spec = NEGOTIATION

    def __init__(self, case: Case) -> None:
        super().__init__(case)
        self.offered: str | None = None
        self.went_on = False

    def request(self, seen: Seen) -> None:
        if seen.side == "c2s":
            self.offered = version_of(seen.params.get("protocolVersion"))

    def answer(self, seen: Seen) -> None:
        exchange = seen.exchange
        if seen.side != "s2c" or exchange is None:
            return
        if exchange.outcome != "error":
            self.went_on = True
            return
        code, text = seen.error.get("code"), seen.error.get("message")
        told = f"error {code}" if type(code) is int else "an error"
        told += f" {quoted(text)}" if isinstance(text, str) else ""
        self.hit(
            (exchange.seq, seen.seq),
            self.refusal(code, text, told, seen.error.get("data")),
            key=str(code) if type(code) is int else "error",
            culprit=self.who(code),
            next=self.advice(code, text),
            explains=(exchange.seq, seen.seq),
        )

    def refusal(self, code: object, text: object, told: str, data: Any) -> str:
        """What was refused, and how."""
        offered = (self.offered or "")[:VERSION_KEPT]
        if code == UNSUPPORTED_VERSION:
            named = versions(data.get("supported")) if isinstance(data, dict) else ()
            only = f", and supports {', '.join(each[:VERSION_KEPT] for each in named[:5])}" if named else ""
            return f"server answered initialize with {told}: it wants no handshake{only}"
        if offered and isinstance(text, str) and ABOUT_VERSIONS.search(text):
            return f"server rejected protocol version {offered} with {told} instead of offering one it knows"
        return f"server answered initialize with {told}"

    def who(self, code: object) -> Any:
        """Nobody is to blame where a server of the new era meets a client of the old, nor for the unknown."""
        known = self.offered is None or self.offered in ERAS
        return "undecided" if code == UNSUPPORTED_VERSION or not known else "server"

    def advice(self, code: object, text: object) -> str:
        """What to do about it."""
        if code == UNSUPPORTED_VERSION:
            return "use a client that speaks one of the versions the server supports"
        if isinstance(text, str) and ABOUT_VERSIONS.search(text):
            return "let the server answer with a version it speaks; until then offer it an older one"
        return self.next

    def end(self) -> None:
        session = self.case.session
        if self.went_on or session.initialized_t is not None or session.protocol is not None:
            for key, hit in self.hits.items():
                hit.severity = "info" if key == str(UNSUPPORTED_VERSION) else "warning"


class InitializeUnanswered(Rule):
    """initialize got no answer.

    What it means: the server was running, `initialize` was sent, and no answer had come when the
    client gave up. The server may be stuck at start, or still starting; its output may be held
    back in a buffer; or it may wait for something else, such as Content-Length headers.

    Why it matters: the session never began. Clients show "failed to connect" or a time-out, mostly
    after 30 or 60 seconds. Where the client left within two seconds this is information only.

    Fails, from the start:
        → 0 initialize …
        30 ·· eof stream=c2s
        30.1 ·· exit code=0 first=client-eof

    Passes, from the start:
        → 0 initialize …
        9 ← 0 result …
        9 → notifications/initialized
        ·· eof stream=c2s
        ·· exit code=0 first=client-eof

    What to do: start the command by hand in the same directory with the same environment, and look
    at stderr. Python: `-u` or `PYTHONUNBUFFERED=1` shows whether output was held back.
    """

    id = "LIF010"
    title = "initialize never answered"
    severity = "error"
    culprit = "undecided"
    next = (
        "start the server by hand and look at stderr: it is stuck or still starting, its output is buffered, "
        "or it waits for other framing (Content-Length)"
    )
    spec = "2025-11-25/basic/lifecycle"

    def __init__(self, case: Case) -> None:
        super().__init__(case)
        self.asked: Exchange | None = None
        self.cancel_seq: int | None = None

    def request(self, seen: Seen) -> None:
        exchange = seen.exchange
        if exchange is not None and exchange.method == "initialize" and seen.side == "c2s":
            self.asked = self.asked or exchange

    def notification(self, seen: Seen) -> None:
        if seen.item.role == "cancels" and seen.exchange is self.asked:
            self.cancel_seq = seen.seq

    def end(self) -> None:
        case, asked = self.case, self.asked
        if asked is None or asked.outcome != "open" or not case.over or not is_all_on_file(case):
            return
        waited = open_for(asked, case)
        if not ended_by_client(case) or waited < IN_FLIGHT_SECONDS or case.session.initialized_t is not None:
            return
        lines = case.session.lines["s2c"]
        said = f"{plural(lines, 'line')} on stdout, but no answer," if lines else "nothing on stdout"
        gave_up = "the client cancelled it" if asked.cancelled_t is not None else how_it_ended(case)
        hit = self.hit(
            asked.seq,
            f"initialize was not answered: {said} for {seconds(waited)}, then {gave_up}",
            severity="error" if waited >= GAVE_UP_SECONDS else "info",
        )
        explain(hit, (asked.seq, self.cancel_seq, *(each.seq for each in case.session.unanswered())))


RULES: tuple[type[Rule], ...] = (IncompleteInitialize, InitializeRefused, InitializeUnanswered)
