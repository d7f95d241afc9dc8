"""RPC001, 010-014, 018: the envelope of a message (JSON-RPC 2.0; MCP basic#messages)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from mcp_tap.model.exchange import Exchange
from mcp_tap.model.message import Side, id_key, json_type
from mcp_tap.model.methods import ALL
from mcp_tap.record.reader import Record
from mcp_tap.rules.case import Case, Seen, plural, quoted
from mcp_tap.rules.facts.asked import called, explain, key_of, named, other
from mcp_tap.rules.facts.faulty import FaultyMessages
from mcp_tap.rules.facts.kinds import is_like_a_message
from mcp_tap.rules.facts.strays import Stray, StrayRule
from mcp_tap.rules.finding import Finding, Hit
from mcp_tap.rules.rule import Rule

MESSAGES = "2025-11-25/basic#messages"
REQUESTS = "2025-11-25/basic#requests"
RESPONSES = "2025-11-25/basic#responses"

BATCH_KEPT = 100
"""Requests of batches whose answers are looked at."""


def what(seen: Seen) -> str:
    """The message for a sentence: ``the answer to tools/call `x` ``."""
    exchange = seen.exchange if seen.item.role in ("asks", "answers", "answers-again") else None
    if exchange is not None:
        return called(exchange) if seen.item.role == "asks" else f"the answer to {called(exchange)}"
    method = seen.message.method
    return named(method) if method is not None else "a response"


def where(seen: Seen) -> str:
    """A key that is the same in another session: who, and which method."""
    exchange = seen.exchange if seen.item.role in ("asks", "answers", "answers-again") else None
    return f"{seen.side} {seen.message.method or (key_of(exchange) if exchange is not None else '')}".rstrip()


class NoVersion(FaultyMessages):
    """A message without "jsonrpc": "2.0".

    What it means: the member by which a message is known for JSON-RPC 2.0 is missing, or has another value.

    Why it matters: both official SDKs drop the message, and whoever waits for it waits for ever.

    Fails:
        → 1 tools/list
        ← {"id":1,"result":{"tools":[]}}

    Passes (and FRM018):
        ← {"level":"info","msg":"ready"}
        → 1 tools/list
        ← 1 result {"tools":[]}

    What to do: put "jsonrpc": "2.0" (a string) into each message.
    """

    id = "RPC001"
    title = 'no "jsonrpc": "2.0"'
    severity = "error"
    culprit = "sender"
    next = 'put "jsonrpc": "2.0", a string, into each message'
    spec = MESSAGES

    def message(self, seen: Seen) -> None:
        value = seen.item.message.value
        version = value.get("jsonrpc", "")
        if version == "2.0":
            return
        told = f"has jsonrpc {short_json(version)}" if "jsonrpc" in value else 'has no "jsonrpc": "2.0"'
        hit = self.hit(seen, f"{what(seen)}, from the {seen.sender}, {told}", key=seen.side)
        self.hold(seen, hit)

    def sentence(self, hit: Hit) -> str:
        return hit.message if hit.count == 1 else f"{hit.message}; so have {hit.count - 1:,} others"


class ResultAndError(Rule):
    """A response with both a result and an error.

    What it means: the answer has the members result and error, where it must have one of them.

    Why it matters: the TypeScript SDK drops it, the Python SDK takes the error.

    Fails:
        → 1 tools/list
        ← {"jsonrpc":"2.0","id":1,"result":{"tools":[]},"error":null}

    Passes:
        → 1 tools/call {"name":"x"}
        ← 1 result {"content":[],"isError":true}

    What to do: leave out the one that does not apply; null is not left out.
    """

    id = "RPC010"
    title = "both result and error"
    severity = "error"
    culprit = "sender"
    next = "send exactly one of result and error; leave the other out, null is not enough"
    spec = RESPONSES

    def answer(self, seen: Seen) -> None:
        value = seen.item.message.value
        if "error" in value and "result" in value:
            null = next((name for name in ("error", "result") if value[name] is None), None)
            tail = "" if null is None else f" ({null} is null)"
            self.hit(seen, f"{what(seen)} has both result and error{tail}", key=where(seen))

    astray = answer


class NoMessage(StrayRule):
    """JSON that is meant as a message and is none.

    What it means: an object has neither method nor result nor error, or a method that is no string; or
    the client sent JSON that is no object at all.

    Why it matters: it is dropped, and if it was to answer a request, that waits.

    Fails:
        → 1 tools/list
        ← {"jsonrpc":"2.0","id":1,"tools":[]}

    Passes (and FRM018):
        ← {"level":"info","msg":"ready"}

    What to do: build messages by an SDK; results belong under "result".
    """

    id = "RPC011"
    title = "not a JSON-RPC message"
    severity = "error"
    culprit = "sender"
    next = "send requests with a method, answers with a result or an error"
    spec = MESSAGES
    kinds = frozenset({"no-message"})

    def stray(self, stray: Stray) -> None:
        message = stray.seen.message
        hit = self.note(
            stray, f"{stray.culprit} sent JSON that is no message: {quoted(message.why or '', 120)}"
        )
        value = message.value
        if isinstance(value, dict) and "id" in value and "method" not in value:
            exchange = self.case.session.pairing.open.get((other(stray.side), id_key(value["id"])))
            if exchange is not None:
                explain(hit, exchange.seq)


class ResultNoObject(Rule):
    """A result that is not an object.

    What it means: result is null, a list, or a single value. In MCP it is an object, if need be {}.

    Why it matters: both official SDKs drop such an answer, and the request times out.

    Fails:
        → 1 resources/subscribe {"uri":"file:///a"}
        ← {"jsonrpc":"2.0","id":1,"result":null}

    Passes:
        → 1 resources/subscribe {"uri":"file:///a"}
        ← 1 result {}

    What to do: return {} where there is nothing to return.
    """

    id = "RPC012"
    title = "result is not an object"
    severity = "error"
    culprit = "sender"
    next = "return an object; {} where there is nothing to return"
    spec = RESPONSES

    def answer(self, seen: Seen) -> None:
        message = seen.item.message
        if message.kind == "response" and not isinstance(message.value.get("result"), dict):
            kind = json_type(message.value.get("result"))
            self.hit(seen, f"{what(seen)} is {a(kind)}, not an object", key=where(seen))


class MalformedError(Rule):
    """An error that is not {code, message}.

    What it means: error is no object, its code is no integer, or its message is no string.

    Why it matters: the TypeScript SDK drops such an answer, and the request times out.

    Fails (and RPC026):
        → 1 tools/list
        ← {"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":null}}

    Passes:
        → 1 tools/list
        ← {"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":""}}

    What to do: an integer for code, a string for message, anything else into data.
    """

    id = "RPC013"
    title = "malformed error"
    severity = "error"
    culprit = "sender"
    next = "send {code: integer, message: string}; anything else belongs into data"
    spec = RESPONSES

    def answer(self, seen: Seen) -> None:
        if seen.item.message.kind != "error":
            return
        told = wrong_with(seen.message.value.get("error"))
        if told is not None:
            self.hit(seen, f"{what(seen)} is a malformed error: {told}", key=where(seen))

    astray = answer


class ParamsNoObject(FaultyMessages):
    """Params that are not an object.

    What it means: params is a list, or a single value; MCP has parameters by name alone. With null it
    should be left out.

    Why it matters: both official SDKs drop the message; some take null.

    Fails:
        → {"jsonrpc":"2.0","id":1,"method":"tools/list","params":[]}

    Passes:
        → {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}
        ← 1 result {"tools":[]}

    What to do: send an object, or leave params out.
    """

    id = "RPC014"
    title = "params are not an object"
    severity = "error"
    culprit = "sender"
    next = "send an object for params, or leave it out"
    spec = "2025-11-25/schema#jsonrpcrequest"

    def request(self, seen: Seen) -> None:
        value = seen.item.message.value
        if "params" not in value or isinstance(value["params"], dict):
            return
        params = value["params"]
        hit = self.hit(
            seen,
            f"the params of {what(seen)} are {a(json_type(params))}, not an object",
            key=f"{where(seen)} {json_type(params)}",
            severity="warning" if params is None else "error",
        )
        self.hold(seen, hit)

    notification = request


class Batch(Rule):
    """A batch.

    What it means: several messages were sent as one JSON array. Only 2025-03-26 has batches.

    Why it matters: the official SDKs ignore arrays on stdio: no answer, no error. Where every request of
    them was answered, it is a warning.

    Fails, 2025-06-18:
        → [{"jsonrpc":"2.0","id":1,"method":"tools/list"},{"jsonrpc":"2.0","id":2,"method":"prompts/list"}]

    Passes, 2025-03-26:
        → [{"jsonrpc":"2.0","id":1,"method":"tools/list"},{"jsonrpc":"2.0","id":2,"method":"ping"}]
        ← [{"jsonrpc":"2.0","id":1,"result":{"tools":[]}},{"jsonrpc":"2.0","id":2,"result":{}}]

    What to do: send each message on a line of its own.
    """

    id = "RPC018"
    title = "batch"
    severity = "error"
    culprit = "sender"
    next = "send each message on a line of its own"
    spec = "2025-06-18/changelog#major-changes"
    versions = frozenset(ALL) - {"2025-03-26"}

    def __init__(self, case: Case) -> None:
        super().__init__(case)
        self._asked: dict[str, list[Exchange]] = {"c2s": [], "s2c": []}

    def line(self, record: Record) -> None:
        if type(record.value) is not list or not self.applies_to_session():
            return
        session = self.case.session
        if session.protocol is None and session.offered == "2025-03-26":
            return  # not agreed on yet, and it may be
        parts = [part for part in record.value if is_like_a_message(part)]
        if not parts:
            return  # a list that was printed
        under = f" under {session.protocol}" if session.protocol is not None else ""
        who = "client" if record.dir == "c2s" else "server"
        hit = self.hit(record, f"{who} sent a batch{under}; batches exist only in 2025-03-26", key=record.dir)
        explain(hit, record.seq)
        self._await(record, parts)

    def _await(self, record: Record, parts: list[dict[str, Any]]) -> None:
        """Note the requests of a batch; they are open, since it has just been read."""
        side: Side = "c2s" if record.dir == "c2s" else "s2c"
        asked = self._asked[side]
        for part in parts[: BATCH_KEPT - len(asked)]:
            exchange = self.case.session.pairing.open.get((side, id_key(part.get("id"))))
            if exchange is not None and exchange.seq == record.seq:
                asked.append(exchange)

    def finding(self, hit: Hit) -> Finding:
        found, asked = super().finding(hit), self._asked[str(hit.key)]
        waiting = sum(each.outcome == "open" for each in asked)
        if asked and not waiting:
            return replace(found, severity="warning")
        if waiting and self.case.whole and self.case.over:
            return replace(found, message=f"{found.message}; {plural(waiting, 'request')} unanswered")
        return found


def wrong_with(error: Any) -> str | None:
    """What is wrong with an error, if anything."""
    if not isinstance(error, dict):
        return f"{a(json_type(error))}, not an object"
    code, message = error.get("code"), error.get("message")
    if not (type(code) is int or (type(code) is float and code.is_integer())):
        return f"code is {a(json_type(code)) if 'code' in error else 'missing'}, not an integer"
    if not isinstance(message, str):
        return f"message is {a(json_type(message)) if 'message' in error else 'missing'}, not a string"
    return None


def a(kind: str) -> str:
    """A JSON type with its article."""
    return kind if kind == "null" else f"an {kind}" if kind[0] in "ao" else f"a {kind}"


def short_json(value: Any) -> str:
    """A value as part of a sentence."""
    return f'"{quoted(value, 20)[1:-1]}"' if isinstance(value, str) else quoted(str(value), 20)[1:-1]


RULES: tuple[type[Rule], ...] = (
    NoVersion,
    ResultAndError,
    NoMessage,
    ResultNoObject,
    MalformedError,
    ParamsNoObject,
    Batch,
)
