"""PRF: slow answers, slow starts, large messages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from mcp_tap.model.exchange import Exchange
from mcp_tap.rules.case import Case, Seen, kind_of, plural, seconds
from mcp_tap.rules.facts.asked import open_requests
from mcp_tap.rules.facts.life import INSTALLERS, launcher
from mcp_tap.rules.facts.pending import named, shown_id, subject
from mcp_tap.rules.facts.wording import key_of, size, ticked
from mcp_tap.rules.finding import Hit
from mcp_tap.rules.rule import Rule

TIMED_OTHERWISE = frozenset({"initialize", "server/discover", "subscriptions/listen", "tasks/result"})
"""Requests that are not slow for taking long: the first two tell how a server starts (PRF003), the
others wait by design."""

WITH_USER_KEPT = 1_000
"""Calls that are remembered because the user is somewhere else."""

LONG_LINE = 64 * 1024
"""Bytes from which a line is more than readers with a default limit take (Python's asyncio)."""

CHARACTERS_A_TOKEN = 4
"""Of English text, roughly."""


@dataclass(slots=True, eq=False)
class Slow:
    """The slow answers to one kind of request so far; the slowest of them."""

    kind: str
    took: float = -1.0
    named: str = ""
    id: str = ""


class SlowAnswers(Rule):
    """The base of rules about how long the server took; what it waited for the client does not count."""

    def __init__(self, case: Case) -> None:
        super().__init__(case)
        self._first_t: float | None = None
        """When the server answered for the first time: before, it was starting."""
        self._with_user: set[Exchange] = set()
        """Calls for which the server has sent the user to a URL: nobody can tell how long that took."""

    def limits(self) -> tuple[float, float]:
        """Above which seconds, and up to which, an answer is what the rule is about."""
        raise NotImplementedError

    def request(self, seen: Seen) -> None:
        asks = seen.side == "s2c" and seen.message.method == "elicitation/create"
        if asks and seen.params.get("mode") == "url" and len(self._with_user) < WITH_USER_KEPT:
            self._with_user.update(each for each in open_requests(self.case) if each.side == "c2s")

    def answer(self, seen: Seen) -> None:
        exchange = seen.exchange
        if exchange is None or exchange.side != "c2s":
            return
        if self._first_t is None:
            self._first_t = seen.t
        if exchange in self._with_user:
            self._with_user.discard(exchange)
            return
        if exchange.method not in TIMED_OTHERWISE:
            self._time(seen, exchange)

    def sentence(self, hit: Hit) -> str:
        slow = hit.facts["slow"]
        assert isinstance(slow, Slow)
        calls = max(hit.count, self.case.answers.get(slow.kind, 0))
        if hit.count == 1:
            others = f"; {plural(calls - 1, 'other call')} did not" if calls > 1 else ""
            return f"{slow.named} took {seconds(slow.took)}{others}"
        return (
            f"{hit.count:,} of {calls:,} answers to {slow.kind} took more than {seconds(self.limits()[0])}, "
            f"the slowest {seconds(slow.took)} (id {slow.id})"
        )

    def _time(self, seen: Seen, exchange: Exchange) -> None:
        kind = kind_of(exchange.method, exchange.target)
        took = self._own_time(exchange)
        above, up_to = self.limits()
        if not above < took <= up_to or exchange.cancelled_t is not None or not self._is_certain():
            return
        hit = self.hit([exchange.seq, seen.seq], "", key=kind)
        slow = hit.facts.setdefault("slow", Slow(kind))
        assert isinstance(slow, Slow)
        if took > slow.took:
            slow.took, slow.named, slow.id = took, named(exchange), shown_id(exchange.id)

    def _own_time(self, exchange: Exchange) -> float:
        """The seconds that were the server's own, once it had started."""
        starting = 0.0 if self._first_t is None else max(0.0, self._first_t - exchange.t)
        return (exchange.own_time or 0.0) - starting

    def _is_certain(self) -> bool:
        """Whether all that the server may have asked the client meanwhile is on file.

        And the client still waited: what comes when it has left is explained by others.
        """
        case = self.case
        return not (case.cut or case.session.missing or case.unread or case.closed)


class SlowRequest(SlowAnswers):
    """Requests that take long.

    What it means: the server took more than five seconds (``slow_call_seconds``) for an answer.
    What it waited for the client meanwhile (its model, its user, its roots) does not count, nor
    does its start; where a 2026-07-28 server asks back, the legs of a call are one. Requests that
    stay open by design, and those that the client gave up, are not meant. Told once for each tool
    or method.

    Why it matters: users wait; clients and their models give up at some point, often at 60 seconds.

    Fails:
        1 → 5 tools/call {"name":"export","arguments":{}}
        9 ← 5 result {"content":[]}

    Passes, client {"elicitation":{}}:
        1 → 5 tools/call {"name":"export","arguments":{}}
        2 ← 0 elicitation/create {"message":"Which?","requestedSchema":{"type":"object","properties":{}}}
        9 → 0 result {"action":"decline"}
        10 ← 5 result {"content":[]}

    What to do: send notifications/progress if the client gave a token, do the work beside the
    answer, or return less.
    """

    id = "PRF001"
    title = "slow request"
    severity = "warning"
    culprit = "server"
    next = "report progress, do the work asynchronously, or return less at a time"

    def limits(self) -> tuple[float, float]:
        thresholds = self.case.thresholds
        return thresholds.slow_call_seconds, thresholds.near_timeout_seconds


class NearTimeout(SlowAnswers):
    """Requests that take about as long as clients wait.

    What it means: the server took more than 50 seconds (``near_timeout_seconds``) for an answer,
    counted as for PRF001, which does not report the same call again.

    Why it matters: the TypeScript SDK, and with it many clients, gives up after 60 seconds unless
    there is progress (-32001, made by the client itself). The next call may just miss that.

    Fails:
        1 → 5 tools/call {"name":"export","arguments":{}}
        56 ← 5 result {"content":[]}

    Passes, client {"elicitation":{}}:
        1 → 5 tools/call {"name":"export","arguments":{}}
        2 ← 0 elicitation/create {"message":"Which?","requestedSchema":{"type":"object","properties":{}}}
        70 → 0 result {"action":"decline"}
        71 ← 5 result {"content":[]}

    What to do: send notifications/progress, or answer at once and let the client ask for the outcome.
    """

    id = "PRF002"
    title = "answer near or over the usual time-out"
    severity = "warning"
    culprit = "server"
    next = "report progress, or answer at once and let the client ask later: many clients give up after 60 s"

    def limits(self) -> tuple[float, float]:
        return self.case.thresholds.near_timeout_seconds, float("inf")


class SlowStart(Rule):
    """A server that takes long to start.

    What it means: more than ten seconds (``slow_start_seconds``) passed before the server answered
    ``initialize`` (or ``server/discover``, or whatever came first), counted from the request. It is
    an error above 30 seconds (``start_limit_seconds``).

    Why it matters: Claude Code, for one, gives up to connect after 30 seconds. What npx or uvx
    downloads at the first start counts; each attempt that is given up may begin it anew.

    Fails, from the start:
        0.1 → 0 initialize …
        14 ← 0 result …
        → notifications/initialized

    Passes, from the start:
        0.1 → 0 initialize …
        4 ← 0 result …
        → notifications/initialized

    What to do: install the server beforehand and start it by its own path; put off what it loads
    until after the handshake.
    """

    id = "PRF003"
    title = "slow start"
    severity = "warning"
    culprit = "server"
    next = "load less before the handshake"

    def __init__(self, case: Case) -> None:
        super().__init__(case)
        self._done = False

    def answer(self, seen: Seen) -> None:
        exchange = seen.exchange
        if self._done or exchange is None or exchange.side != "c2s":
            return
        self._done = True
        thresholds, took = self.case.thresholds, exchange.own_time or 0.0
        if took <= thresholds.slow_start_seconds or not self.case.whole or self.case.closed:
            return
        tool = launcher(self.case.session.start)
        tool = tool if tool in INSTALLERS else None
        spawned = self.case.session.spawned_t
        after = "" if spawned is None else f", {seconds(seen.t - spawned)} after the server was started"
        by = f" by {tool}" if after and tool else ""
        self.hit(
            [exchange.seq, seen.seq],
            f"{exchange.method[:60]} was answered after {seconds(took)}{after}{by}",
            severity="error" if took > thresholds.start_limit_seconds else None,
            culprit="undecided" if tool else None,
            next=f"install the server beforehand and start it without {tool}" if tool else None,
        )


class LargeResult(Rule):
    """Tool results that are too much for a model.

    What it means: the text of a tool's result is more than 100,000 bytes (``large_result_bytes``),
    about 25,000 tokens. Images and structuredContent are not counted. Told once for each tool, with
    the largest.

    Why it matters: Claude Code refuses results of more than 25,000 tokens by default; other clients
    cut them off, or fill their model's context with them.

    Fails (and PRF010):
        → 5 tools/call {"name":"list_rows","arguments":{}}
        ← 5 result {"content":[{"type":"text","text":"x × 120,000"}]}

    Passes:
        → 5 tools/call {"name":"list_rows","arguments":{}}
        ← 5 result {"content":[{"type":"text","text":"x × 70,000"}]}

    What to do: return it in pages, filter in the server, or return a resource_link.
    """

    id = "PRF004"
    title = "large tool result"
    severity = "warning"
    culprit = "server"
    next = "return it in pages, filter in the server, or return a resource_link"
    methods = frozenset({"tools/call"})

    def answer(self, seen: Seen) -> None:
        exchange = seen.exchange
        limit = self.case.thresholds.large_result_bytes
        if exchange is None or exchange.side != "c2s" or exchange.answer_size <= limit:
            return
        bytes_ = text_size(seen.result.get("content"))
        if bytes_ <= limit:
            return
        hit = self.hit(seen, "", key=key_of(exchange.target))
        largest = hit.facts.get("bytes", 0)
        assert isinstance(largest, int)
        if bytes_ > largest:
            hit.facts.update(bytes=bytes_, name=exchange.target, id=shown_id(exchange.id))

    def sentence(self, hit: Hit) -> str:
        facts = hit.facts
        bytes_ = facts["bytes"]
        assert isinstance(bytes_, int)
        tokens = f"about {round(bytes_ / CHARACTERS_A_TOKEN, -3):,.0f} tokens"
        if hit.count == 1:
            return (
                f"tool {ticked(facts['name'])} returned {size(bytes_)} of text (id {facts['id']}), {tokens}"
            )
        limit = size(self.case.thresholds.large_result_bytes)
        return (
            f"tool {ticked(facts['name'])} returned more than {limit} of text {hit.count:,} times, "
            f"at most {size(bytes_)} (id {facts['id']}), {tokens}"
        )


def text_size(content: Any) -> int:
    """Bytes of the text in content blocks."""
    total = 0
    for block in content if isinstance(content, list) else ():
        if isinstance(block, dict):
            inner = block.get("resource")
            for text in (block.get("text"), inner.get("text") if isinstance(inner, dict) else None):
                total += len(text.encode(errors="replace")) if isinstance(text, str) else 0
    return total


class LargeList(Rule):
    """A list of tools that takes much of a model's context.

    What it means: the server lists more than 40 tools (``many_tools``), or its list is more than
    50,000 bytes (``large_list_bytes``), all pages together.

    Why it matters: most clients put all names, descriptions and schemas into each conversation.
    With many tools models choose worse, and some clients take no more than a fixed number.

    Fails:
        → 1 tools/list
        ← 1 result {"tools":[{"name":"find","inputSchema":{"type":"object"},"description":"x × 60,000"}]}

    Passes:
        → 1 tools/list
        ← 1 result {"tools":[{"name":"find","inputSchema":{"type":"object"},"description":"x"}]}

    What to do: split the server, let users choose which tools are listed, shorten descriptions and
    schemas.
    """

    id = "PRF005"
    title = "long list of tools"
    severity = "info"
    culprit = "server"
    next = "split the server, make tools optional, shorten descriptions and schemas"
    methods = frozenset({"tools/list"})

    def __init__(self, case: Case) -> None:
        super().__init__(case)
        self._size = 0

    def answer(self, seen: Seen) -> None:
        exchange, thresholds = seen.exchange, self.case.thresholds
        if exchange is None or exchange.side != "c2s" or exchange.outcome == "error":
            return
        self._size = exchange.answer_size + (self._size if exchange.pages_on else 0)
        listing = self.case.listings.tools
        number = len(listing.items)
        if self.hits or not listing.complete:
            return
        if number > thresholds.many_tools or self._size > thresholds.large_list_bytes:
            tokens = round(self._size / CHARACTERS_A_TOKEN, -3)
            self.hit(
                seen,
                f"tools/list has {plural(number, 'tool')} in {size(self._size)}, about {tokens:,.0f} tokens",
            )


class LargestMessage(Rule):
    """The largest message, where it is more than 64 KiB.

    What it means: nothing is wrong. The longest line of the session is longer than what readers
    with a limit take by default: 64 KiB in Python's asyncio, 10 MiB in the TypeScript SDK.

    Why it matters: a client with such a reader fails with this message, "Separator is not found,
    and chunk exceed the limit", and others work; or it depends on how the line is cut on its way.

    Fails:
        → 5 tools/call {"name":"list_rows","arguments":{}}
        ← 5 result {"content":[{"type":"text","text":"x × 70,000"}]}

    Passes:
        → 5 tools/call {"name":"list_rows","arguments":{}}
        ← 5 result {"content":[{"type":"text","text":"x × 60,000"}]}

    What to do: if one client fails here and others do not, raise its limit, or return less at a time.
    """

    id = "PRF010"
    title = "largest message"
    severity = "info"
    culprit = "sender"
    next = "if a client fails here, raise the limit of its reader, or send less at a time"

    def __init__(self, case: Case) -> None:
        super().__init__(case)
        self._largest = LONG_LINE - 1

    def message(self, seen: Seen) -> None:
        length = len(seen.record.payload)
        if self.case.parts:
            before = self.case.parts.get(seen.record.dir)
            length += before.size if before is not None else 0
        if length <= self._largest:
            return
        self._largest = length
        exchange = seen.exchange
        what = seen.message.method or "a response"
        if exchange is not None and seen.message.kind != "notification":
            what = subject(exchange)
        self.hits.clear()
        self.hit(seen, f"largest message {size(length)} ({what})")


RULES: tuple[type[Rule], ...] = (
    SlowRequest,
    NearTimeout,
    SlowStart,
    LargeResult,
    LargeList,
    LargestMessage,
)
