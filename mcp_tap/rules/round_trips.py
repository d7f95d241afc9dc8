"""MOD005-009, MOD011: a server that asks by its result, and a client that tries again
(MCP 2026-07-28, basic/patterns/mrtr)."""

from __future__ import annotations

from typing import Any

from mcp_tap.model.exchange import Exchange
from mcp_tap.model.message import id_key
from mcp_tap.model.methods import METHODS
from mcp_tap.rules.case import MODERN_ONLY, Case, Seen, seconds
from mcp_tap.rules.facts.asked import FaultyRequests, called, key_of, short
from mcp_tap.rules.facts.pending import how_it_ended, is_all_on_file, left_t
from mcp_tap.rules.facts.proof import Declarations, OfModernServer, result_of
from mcp_tap.rules.facts.questions import Questions, Retry, StateFault, input_requests
from mcp_tap.rules.facts.wording import some
from mcp_tap.rules.rule import Rule

ROUND_TRIPS = "2026-07-28/basic/patterns/mrtr"

MAY_ASK_BACK = frozenset({"tools/call", "prompts/get", "resources/read"})
"""Requests that may be answered by ``input_required``."""


class AskingBack(OfModernServer):
    """The base of rules about results with ``"resultType": "input_required"``."""

    def examine(self, seen: Seen, exchange: Exchange) -> None:
        result = result_of(seen)
        if result is not None and result.get("resultType") == "input_required":
            self.asks_back(seen, exchange, result)

    def asks_back(self, seen: Seen, exchange: Exchange, result: dict[str, Any]) -> None:
        """Look at such a result."""
        raise NotImplementedError


class MayNotAskBack(AskingBack):
    """input_required where it is not allowed.

    What it means: only `tools/call`, `prompts/get` and `resources/read` may be answered by a
    question to the client. The server did so with another request.

    Why it matters: clients do not expect it there: the request fails.

    Fails, 2026-07-28:
        → 5 prompts/list
        ← 5 result {"resultType":"input_required","requestState":"s1"}

    Passes, 2026-07-28:
        → 5 prompts/get {"name":"greet"}
        ← 5 result {"resultType":"input_required","requestState":"s1"}
        → 6 prompts/get {"name":"greet","requestState":"s1"}
        ← 6 result {"resultType":"complete","messages":[]}

    What to do: do without what the client could tell, or answer with an error.
    """

    id = "MOD005"
    title = "input_required where it is not allowed"
    severity = "error"
    culprit = "server"
    next = "ask back in answer to tools/call, prompts/get and resources/read only"
    spec = ROUND_TRIPS + "#supported-requests"

    def asks_back(self, seen: Seen, exchange: Exchange, result: dict[str, Any]) -> None:
        if exchange.method in METHODS and exchange.method not in MAY_ASK_BACK:
            message = f"server answered {called(exchange)} with input_required, which is not allowed there"
            self.hit((exchange.seq, seen.seq), message, key=exchange.method)


class AsksForNothing(AskingBack):
    """input_required that requires nothing.

    What it means: a result says `input_required` and has neither `inputRequests`, which would say
    what is asked, nor a `requestState` to come back with. At least one of them must be there.

    Why it matters: the client has nothing to do, and nothing to send the second time.

    Fails, 2026-07-28:
        → 5 tools/call {"name":"book"}
        ← 5 result {"resultType":"input_required"}

    Passes, 2026-07-28:
        → 5 tools/call {"name":"book"}
        ← 5 result {"resultType":"input_required","requestState":"not yet"}
        → 6 tools/call {"name":"book","requestState":"not yet"}
        ← 6 result {"resultType":"complete","content":[]}

    What to do: add what is asked, or say `complete`.
    """

    id = "MOD006"
    title = "input_required without a question"
    severity = "error"
    culprit = "server"
    next = "add inputRequests or requestState to the result, or say complete"
    methods = MAY_ASK_BACK
    spec = ROUND_TRIPS

    def asks_back(self, seen: Seen, exchange: Exchange, result: dict[str, Any]) -> None:
        if isinstance(result.get("inputRequests"), dict) or isinstance(result.get("requestState"), str):
            return
        message = (
            f"server answered {called(exchange)} with input_required, and gave neither inputRequests nor "
            "requestState"
        )
        self.hit((exchange.seq, seen.seq), message, key=key_of(exchange), explains=(seen.seq,))


def needs(method: Any, params: Any) -> list[str]:
    """The capabilities of the client that an input request needs, the most general first."""
    asked = params if isinstance(params, dict) else {}
    if method == "roots/list":
        return ["roots"]
    if method == "sampling/createMessage":
        return ["sampling", "sampling.tools"] if "tools" in asked or "toolChoice" in asked else ["sampling"]
    if method == "elicitation/create":
        return ["elicitation", "elicitation.url"] if asked.get("mode") == "url" else ["elicitation"]
    return []


class AsksTooMuch(AskingBack):
    """An input request that the client cannot serve.

    What it means: the server asks the client for something that the request has not declared in its
    `clientCapabilities`. What other requests have declared does not count.

    Why it matters: the client has nobody to ask, and the call cannot be finished.

    Fails, 2026-07-28:
        → 5 tools/call {"name":"book","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",
            "io.modelcontextprotocol/clientCapabilities":{"sampling":{}}}}
        ← 5 result {"resultType":"input_required","inputRequests":{"seat":{
            "method":"elicitation/create","params":{"message":"Which seat?"}}}}

    Passes, 2026-07-28:
        → 5 tools/call {"name":"book","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",
            "io.modelcontextprotocol/clientCapabilities":{"elicitation":{}}}}
        ← 5 result {"resultType":"input_required","inputRequests":{"seat":{
            "method":"elicitation/create","params":{"message":"Which seat?"}}}}

    What to do: look at the capabilities of the request itself; where the tool cannot do without,
    answer with -32021 and `data.requiredCapabilities`.
    """

    id = "MOD007"
    title = "input request that the client cannot serve"
    severity = "error"
    culprit = "server"
    next = "look at the request's clientCapabilities; answer with -32021 where they do not suffice"
    methods = MAY_ASK_BACK
    spec = ROUND_TRIPS

    def __init__(self, case: Case) -> None:
        super().__init__(case)
        self.declarations = case.shared(Declarations)

    def request(self, seen: Seen) -> None:
        self.declarations.take(seen)

    def asks_back(self, seen: Seen, exchange: Exchange, result: dict[str, Any]) -> None:
        declared = self.declarations.of(exchange)
        if declared is None:
            return  # MOD001
        lacking: dict[tuple[str, str], None] = {}
        for asked in input_requests(result):
            method = asked.get("method")
            for name in needs(method, asked.get("params")):
                if name not in declared.capabilities:
                    lacking[(str(method), name)] = None
                    break
        for method, name in lacking:
            message = (
                f"server asked for {method} in its answer to {called(exchange)}, although the request does "
                f"not declare {name}"
            )
            self.hit((exchange.seq, seen.seq), message, key=f"{method} {name}", explains=(seen.seq,))


class ComesBack(FaultyRequests):
    """The base of rules about requests by which a client answers a question."""

    versions = MODERN_ONLY
    methods = MAY_ASK_BACK
    spec = ROUND_TRIPS

    def __init__(self, case: Case) -> None:
        super().__init__(case)
        self.questions = case.shared(Questions)

    def request(self, seen: Seen) -> None:
        retry = self.questions.answered_by(seen)
        session = self.case.session
        if retry is not None and self.case.whole and not session.foreign["s2c"]:
            self.comes_back(seen, retry)

    def answer(self, seen: Seen) -> None:
        super().answer(seen)
        self.questions.take(seen)

    def comes_back(self, seen: Seen, retry: Retry) -> None:
        """The client has come back to a question; everything up to here is on file."""
        raise NotImplementedError


class SameId(ComesBack):
    """A second attempt with the id of the first.

    What it means: the server asked for input, and the client sent the request again with the id
    that it had before.

    Why it matters: the first request is answered, and the second one is another: a server that
    keeps track of ids may refuse it, or take the answers for each other.

    Fails, 2026-07-28:
        → 5 tools/call {"name":"book"}
        ← 5 result {"resultType":"input_required","requestState":"s1"}
        → 5 tools/call {"name":"book","requestState":"s1"}
        ← 5 result {"resultType":"complete","content":[]}

    Passes, 2026-07-28:
        → 5 tools/call {"name":"book"}
        ← 5 result {"resultType":"input_required","requestState":"s1"}
        → "5" tools/call {"name":"book","requestState":"s1"}
        ← "5" result {"resultType":"complete","content":[]}

    What to do: count on.
    """

    id = "MOD008"
    title = "second attempt with the same id"
    severity = "error"
    culprit = "client"
    next = "give each attempt an id of its own"

    def comes_back(self, seen: Seen, retry: Retry) -> None:
        before = retry.question.exchange
        if seen.message.key == id_key(before.id):
            message = (
                f"client sent {called(before)} again, after input_required, with the same id "
                f"{short(before.id)}"
            )
            self.hold(seen, self.hit((before.seq, seen.seq), message, key=key_of(before)))


STATE_FAULTS: dict[StateFault, str] = {
    "missing": "without the requestState that the server had given",
    "other": "with another requestState than the server had given",
    "invented": "with a requestState, although the server had given none",
}


class StateNotEchoed(ComesBack):
    """A second attempt with another requestState.

    What it means: the server asked for input and gave a `requestState`; the client sent the request
    again without it, or with another one. Or none was given, and the client sent one.

    Why it matters: the state is all that the server knows of the first attempt. Without it, it
    begins anew, asks again, or refuses the request.

    Fails, 2026-07-28:
        → 5 tools/call {"name":"book"}
        ← 5 result {"resultType":"input_required","requestState":"s1","inputRequests":{"text":{
            "method":"sampling/createMessage","params":{"messages":[],"maxTokens":9}}}}
        → 6 tools/call {"name":"book","inputResponses":{"text":{}}}
        ← 6 error -32602 "No requestState"

    Passes, 2026-07-28:
        → 5 tools/call {"name":"book","arguments":{"n":1}}
        ← 5 result {"resultType":"input_required","requestState":"s1"}
        → 6 tools/call {"name":"book","arguments":{"n":2}}
        ← 6 result {"resultType":"complete","content":[]}
        → 7 tools/call {"name":"book","arguments":{"n":1},"requestState":"s1"}
        ← 7 result {"resultType":"complete","content":[]}

    What to do: send `requestState` back as it came, character by character, and only if it came.
    """

    id = "MOD009"
    title = "requestState not sent back as it came"
    severity = "error"
    culprit = "client"
    next = "send requestState back unchanged, and only if the server has given one"

    def comes_back(self, seen: Seen, retry: Retry) -> None:
        before = retry.question.exchange
        if retry.fault is not None:
            message = f"client sent {called(before)} again {STATE_FAULTS[retry.fault]}"
            where = (before.seq, retry.question.seq, seen.seq)
            self.hold(seen, self.hit(where, message, key=f"{key_of(before)} {retry.fault}"))


LEFT_SOON_SECONDS = 2.0
"""Before the end, within which nobody can be expected to have answered a question."""


class NeverCameBack(OfModernServer):
    """A question that the client never came back to.

    What it means: the server asked for input in its answer, and the client never sent the request
    again.

    Why it matters: the call was not finished, and nobody was told. The user may have declined, or
    the client does not know `input_required`: the records do not tell.

    Fails, 2026-07-28:
        → 5 tools/call {"name":"book"}
        ← 5 result {"resultType":"input_required","requestState":"s1"}
        60 → 6 prompts/list
        60 ← 6 result {"resultType":"complete","prompts":[],"ttlMs":0,"cacheScope":"private"}

    Passes, 2026-07-28:
        → 5 tools/call {"name":"book"}
        ← 5 result {"resultType":"input_required","requestState":"s1"}

    What to do: nothing, if the user has declined (though a client can say so, by
    `{"action":"decline"}`). Otherwise look whether the client supports multi-round-trip requests.
    """

    id = "MOD011"
    title = "input_required never answered"
    severity = "info"
    culprit = "undecided"
    next = "nothing, if the user declined; else look whether the client supports input_required"
    methods = MAY_ASK_BACK
    spec = ROUND_TRIPS

    def __init__(self, case: Case) -> None:
        super().__init__(case)
        self.questions = case.shared(Questions)

    def request(self, seen: Seen) -> None:
        self.questions.answered_by(seen)

    def examine(self, seen: Seen, exchange: Exchange) -> None:
        self.questions.take(seen)

    def end(self) -> None:
        case = self.case
        if not case.over or not is_all_on_file(case) or case.session.foreign["c2s"]:
            return
        for question in self.questions.open:
            waited = left_t(case) - question.t
            if waited >= LEFT_SOON_SECONDS:
                asked = f" ({some(question.kinds)})" if question.kinds else ""
                message = (
                    f"client never came back to {called(question.exchange)}, which the server had answered "
                    f"with input_required{asked}; {seconds(waited)} later {how_it_ended(case)}"
                )
                where = (question.exchange.seq, question.seq)
                self.hit(where, message, key=key_of(question.exchange))


RULES: tuple[type[Rule], ...] = (
    MayNotAskBack,
    AsksForNothing,
    AsksTooMuch,
    SameId,
    StateNotEchoed,
    NeverCameBack,
)
