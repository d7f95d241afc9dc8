"""MOD019: error without its data."""

from __future__ import annotations

from functools import partial
from typing import Any

from mcp_tap.diagnosis.asked import code_of, is_masked
from mcp_tap.diagnosis.context import MODERN_ONLY, Answer
from mcp_tap.diagnosis.interest import sees
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.diagnosis.text import called
from mcp_tap.model.methods import UNSUPPORTED_VERSION

MISSING_CAPABILITY = -32021


class NoErrorData(Rule):
    """An error without the data that belongs to it.

    What it means: -32022 (the version is not supported) has to say in `data` which versions the
    server supports and which one was asked for; -32021 (the client lacks a capability) which
    capabilities are required. This error does not.

    Why it matters: a client takes from there what to try next. Without it, it can only give up.

    Fails, 2026-07-28:
        → 5 tools/list
        ← 5 error -32022 "Unsupported protocol version"

    Passes, 2026-07-28:
        → 5 tools/list
        ← 5 error -32022 "Unsupported protocol version"
            {"supported":["2027-02-01"],"requested":"2026-07-28"}

    What to do: add `data.supported` and `data.requested`, or `data.requiredCapabilities`.
    """

    id = "MOD019"
    title = "error without its data"
    severity = "error"
    culprit = "server"
    next = "add data.supported and data.requested (-32022), or data.requiredCapabilities (-32021)"
    versions = MODERN_ONLY
    spec = "2026-07-28/schema"

    @sees(sides="s2c", outcomes="error", era="modern")
    def answer(self, answer: Answer) -> None:
        exchange, code = answer.exchange, code_of(answer.message)
        if code != UNSUPPORTED_VERSION and code != MISSING_CAPABILITY:
            return
        missing = missing_data(code, answer.error.get("data"))
        if missing:
            where = (exchange.seq, answer.seq)
            message = f"server answered {called(exchange)} with error {code} without {' and '.join(missing)}"
            self.context.proof.when(partial(self.hit, where, message, key=str(code), explains=where))


def missing_data(code: int, data: Any) -> list[str]:
    """What the data of an error with this code lacks."""
    if is_masked(data):
        return []
    given = data if isinstance(data, dict) else {}
    if code == MISSING_CAPABILITY:
        is_there = {"requiredCapabilities": isinstance(given.get("requiredCapabilities"), dict)}
    else:
        supported = given.get("supported")
        is_there = {
            "supported": isinstance(supported, list) and any(isinstance(each, str) for each in supported),
            "requested": isinstance(given.get("requested"), str),
        }
    return [f"data.{name}" for name, there in is_there.items() if not there]
