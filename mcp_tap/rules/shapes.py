"""RPC024-025: params and results that lack a member, or have one of another type (MCP schema)."""

from __future__ import annotations

from typing import Any

from mcp_tap.model.exchange import Exchange
from mcp_tap.model.message import Side, json_type
from mcp_tap.model.methods import ALL, ERAS, METHODS
from mcp_tap.rules.case import Seen
from mcp_tap.rules.facts.asked import FaultyRequests, is_masked, named
from mcp_tap.rules.facts.shape_table import OPTIONAL_SINCE, PARAMS, RESULTS, Members
from mcp_tap.rules.rule import Rule, sender_of


def has_shape(method: str | None, side: Side, version: str | None) -> bool:
    """Whether what ``side`` sends as ``method`` in ``version`` has a shape that is known."""
    known = METHODS.get(method or "")
    return known is not None and known.direction in ("both", side) and version in known.versions


def faults(value: dict[str, Any], members: Members, optional: frozenset[str] = frozenset()) -> list[str]:
    """What is wrong with ``value``: a member that is missing, or of another type."""
    found: list[str] = []
    for name, types in members.items():
        if name not in value:
            if name not in optional:
                found.append(f"`{name}` is missing")
        elif types and json_type(value[name]) not in types and not is_masked(value[name]):
            found.append(
                f"`{name}` is {article(json_type(value[name]))}, not {' or '.join(map(article, types))}"
            )
    return found


def article(kind: str) -> str:
    """``a string``, ``an object``, ``null``."""
    if kind == "null":
        return kind
    return f"an {kind}" if kind[0] in "ao" else f"a {kind}"


class WrongParams(FaultyRequests):
    """Params that do not fit the method.

    What it means: the params of a request or notification lack a member that the schema requires,
    or have it with another JSON type.

    Why it matters: the peer answers with -32602, or drops the message: the official SDKs check each
    one against the schema before any handler sees it.

    Fails:
        → 5 resources/read {"path":"file:///notes.txt"}
        ← 5 error -32602 "Invalid params"

    Fails:
        → 5 logging/setLevel {"level":3}
        ← 5 error -32602 "Invalid params"

    Passes:
        → 5 resources/read {"uri":"file:///notes.txt","more":1}
        ← 5 result {"contents":[{"uri":"file:///notes.txt","text":"x"}]}

    What to do: send the members that the schema of the session's version asks for.
    """

    id = "RPC024"
    title = "params do not fit the method"
    severity = "error"
    culprit = "sender"
    next = "send the params that the schema of this version requires"
    spec = "2025-11-25/schema"
    methods = frozenset(PARAMS)

    def request(self, seen: Seen) -> None:
        self._look(seen)

    def notification(self, seen: Seen) -> None:
        self._look(seen)

    def _look(self, seen: Seen) -> None:
        method, version = seen.message.method or "", seen.version
        if not has_shape(method, seen.side, version):
            return
        params = seen.message.value.get("params", {})
        if not isinstance(params, dict):
            return  # RPC014
        optional = frozenset(
            name for (owner, name), since in OPTIONAL_SINCE.items() if owner == method and version in since
        )
        found = faults(params, PARAMS[method], optional)
        if found:
            what = ", ".join(found)
            message = f"{seen.sender} sent {named(method)} with params that do not fit: {what}"
            self.hold(seen, self.hit(seen, message, key=f"{method}: {what}"))


class WrongResult(Rule):
    """A result that does not fit the request.

    What it means: the result lacks a member that the schema requires for this method, or has it
    with another JSON type.

    Why it matters: the official SDKs check a result against the schema and raise: for the caller
    the request has failed, although it was answered.

    Fails:
        → 5 prompts/list
        ← 5 result {"items":[]}

    Fails, client {"elicitation":{}}:
        ← 5 elicitation/create {"message":"Sure?","requestedSchema":{"type":"object","properties":{}}}
        → 5 result {"content":{}}

    Passes:
        → 5 prompts/list
        ← 5 result {"prompts":[],"items":[]}

    What to do: return what the schema of the session's version asks for, an empty array rather than
    nothing.
    """

    id = "RPC025"
    title = "result does not fit the request"
    severity = "error"
    culprit = "sender"
    next = "return the members that the schema of this version requires"
    spec = "2025-11-25/schema"
    methods = frozenset(RESULTS)

    def answer(self, seen: Seen) -> None:
        exchange, result = seen.exchange, seen.message.value.get("result")
        if exchange is None or seen.message.kind != "response" or not isinstance(result, dict):
            return
        if not self._is_known(exchange, seen.version) or is_something_else(result):
            return
        found = faults(result, RESULTS[exchange.method])
        if found:
            what = ", ".join(found)
            message = (
                f"{seen.sender} answered {named(exchange.method)} with a result that does not fit: {what}"
            )
            self.hit(
                (exchange.seq, seen.seq), message, key=f"{exchange.method}: {what}", culprit=sender_of(seen)
            )

    def _is_known(self, exchange: Exchange, version: str | None) -> bool:
        if exchange.method == "initialize" and (exchange.version is None or exchange.version in ERAS):
            version = ALL[0]  # what the server names may be a version that has no handshake any more
        return has_shape(exchange.method, exchange.side, version)


def is_something_else(result: dict[str, Any]) -> bool:
    """Whether a result is not that of the method: a question to the client, a task that goes on."""
    return result.get("resultType", "complete") != "complete" or isinstance(result.get("task"), dict)


RULES: tuple[type[Rule], ...] = (WrongParams, WrongResult)
