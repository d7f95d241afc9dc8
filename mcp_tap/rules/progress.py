"""PRG001-003, PRG005: progress of what is not going on, or goes backwards (MCP basic/utilities/progress)."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from typing import Any

from mcp_tap.model.exchange import Exchange
from mcp_tap.model.message import Side, id_key, json_type
from mcp_tap.model.pairing import twins
from mcp_tap.rules.case import Case, Seen, seconds
from mcp_tap.rules.facts.asked import HELD_REQUESTS, called, is_masked, key_of, open_requests, other, short
from mcp_tap.rules.rule import Rule, sender_of

PROGRESS = "2025-11-25/basic/utilities/progress"

TASKS_REMEMBERED = 1000
"""Tasks whose progress token lives on after the answer to the request."""


def is_token(value: Any) -> bool:
    """Whether ``value`` is a progress token: a string or an integer."""
    if isinstance(value, float):
        return value.is_integer()  # 1.0 is an integer in JSON Schema
    return isinstance(value, (int, str)) and not isinstance(value, bool)


class ProgressRule(Rule):
    """The base of rules about progress; it knows the tokens of tasks, which outlive their request."""

    def __init__(self, case: Case) -> None:
        super().__init__(case)
        self._tasks: OrderedDict[tuple[Side, Hashable], None] = OrderedDict()

    def answer(self, seen: Seen) -> None:
        exchange = seen.exchange
        if exchange is None or exchange.progress_token is None or not begins_task(seen.result):
            return
        self._tasks[(exchange.side, exchange.progress_token)] = None
        if len(self._tasks) > TASKS_REMEMBERED:
            self._tasks.popitem(last=False)

    def notification(self, seen: Seen) -> None:
        if seen.message.method == "notifications/progress":
            token = seen.params.get("progressToken")
            if is_token(token) and not is_masked(token):  # else RPC024
                self.progress(seen, token)

    def progress(self, seen: Seen, token: Any) -> None:
        """Progress is reported; ``seen.exchange`` is the last request that gave the token."""
        raise NotImplementedError

    def is_of_task(self, seen: Seen) -> bool:
        """Whether the token reported on was given by a request that has become a task."""
        token = id_key(seen.params.get("progressToken"))
        return (other(seen.side), token) in self._tasks

    def is_certain(self, seen: Seen) -> bool:
        """Whether all requests that can have given a token are on file, and could be read."""
        return self.case.whole and not self.case.session.foreign[other(seen.side)]


def begins_task(result: dict[str, Any]) -> bool:
    """Whether a result says that the work goes on as a task (2025-11-25; an extension since then)."""
    return isinstance(result.get("task"), dict) or result.get("resultType") == "task"


class UnknownToken(ProgressRule):
    """Progress for a token that nobody gave.

    What it means: `notifications/progress` has a progressToken that no request in progress has given.

    Why it matters: the client cannot tell what the progress belongs to; some log an error for each
    notification. A server must not report progress that was not asked for. It is a warning where a
    request has the same token as another JSON type (5 and "5"): some clients see through it.

    Fails:
        → 5 tools/call {"name":"export"}
        ← notifications/progress {"progressToken":5,"progress":1}
        ← 5 result {"content":[]}

    Passes:
        → 5 tools/call {"name":"export","_meta":{"progressToken":"p"}}
        ← notifications/progress {"progressToken":"p","progress":1}
        ← 5 result {"content":[]}

    What to do: send back `params._meta.progressToken` of the request, unchanged; the request's id is
    not its token. Without a token, report nothing.
    """

    id = "PRG001"
    title = "progress for an unknown token"
    severity = "error"
    culprit = "sender"
    next = "report progress only with the progressToken of a request that is open, unchanged"
    spec = PROGRESS + "#behavior-requirements"

    def progress(self, seen: Seen, token: Any) -> None:
        if seen.exchange is not None or self.is_of_task(seen) or not self.is_certain(seen):
            return
        message = f"{seen.sender} reported progress for token {short(token)}, which no open request has given"
        if self._has_twin(seen, token):
            message += ": one has given it as another JSON type"
            self.hit(seen, message, key=f"{seen.sender} another type", severity="warning")
        else:
            self.hit(seen, message, key=seen.sender)

    def _has_twin(self, seen: Seen, token: Any) -> bool:
        asker, like = other(seen.side), twins(id_key(token))
        return any(each.side == asker and each.progress_token in like for each in open_requests(self.case))


class NoProgress(ProgressRule):
    """Progress that does not increase.

    What it means: a progress notification has a value that is not greater than the one before for
    the same request.

    Why it matters: the specification demands that it increases, even where the total is not known;
    a progress bar stands still or jumps back, and a client that waits longer only for real progress
    gives up.

    Fails:
        → 5 tools/call {"name":"export","_meta":{"progressToken":5}}
        ← notifications/progress {"progressToken":5,"progress":50}
        ← notifications/progress {"progressToken":5,"progress":50}
        ← 5 result {"content":[]}

    Passes:
        → 5 tools/call {"name":"export","_meta":{"progressToken":5}}
        ← notifications/progress {"progressToken":5,"progress":0.5}
        ← notifications/progress {"progressToken":5,"progress":0.51}
        ← 5 result {"content":[]}

    What to do: count what is done, and send a notification only when there is more of it. Progress of
    several stages has to be added up.
    """

    id = "PRG002"
    title = "progress does not increase"
    severity = "error"
    culprit = "sender"
    next = "report a value that is greater than the one before; add up the stages"
    spec = PROGRESS + "#progress-flow"

    def __init__(self, case: Case) -> None:
        super().__init__(case)
        self._last: OrderedDict[Exchange, tuple[float, int]] = OrderedDict()
        """The progress of a request reported last, and the record that did."""

    def progress(self, seen: Seen, token: Any) -> None:
        value, exchange = seen.params.get("progress"), seen.exchange
        if exchange is None or not isinstance(value, (int, float)) or isinstance(value, bool):
            return
        before = self._last.get(exchange)
        self._last[exchange] = (value, seen.seq)
        if len(self._last) > HELD_REQUESTS:
            self._last.popitem(last=False)
        if before is None or value > before[0] or not self.case.whole or shares_token(self.case, exchange):
            return
        message = f"{seen.sender} reported progress {value} of {called(exchange)} after {before[0]}"
        self.hit((before[1], seen.seq), message, key=key_of(exchange), culprit=sender_of(seen))


class ProgressAfterResult(ProgressRule):
    """Progress after the result.

    What it means: a progress notification came after the answer to the request that it reports on.

    Why it matters: the token is forgotten by then. Some clients take the unknown token for a broken
    connection and start the server anew, after every call.

    Fails:
        → 5 tools/call {"name":"export","_meta":{"progressToken":5}}
        ← 5 result {"content":[]}
        ← notifications/progress {"progressToken":5,"progress":100}

    Passes:
        → 5 tools/call {"name":"export","_meta":{"progressToken":5},"task":{"ttl":60000}}
        ← 5 result {"task":{"taskId":"t1","status":"working","createdAt":"2026-01-01T00:00:00Z",
            "lastUpdatedAt":"2026-01-01T00:00:00Z","ttl":60000}}
        ← notifications/progress {"progressToken":5,"progress":100}

    What to do: wait until the last notification is written before the result is, and stop timers
    that report progress.
    """

    id = "PRG003"
    title = "progress after the result"
    severity = "warning"
    culprit = "sender"
    next = "send the last progress before the result, and stop reporting once it is sent"
    spec = PROGRESS + "#behavior-requirements"

    def progress(self, seen: Seen, token: Any) -> None:
        exchange = seen.exchange
        if exchange is None or exchange.answer_t is None or exchange.answer_seq is None:
            return
        if self.is_of_task(seen) or not self.case.whole or shares_token(self.case, exchange):
            return
        late = span(seen.t - exchange.answer_t)
        outcome = "error" if exchange.outcome == "error" else "result"
        self.hit(
            (exchange.answer_seq, seen.seq),
            f"progress for token {short(token)} ({called(exchange)}) sent {late} after its {outcome}; "
            "some clients close the connection",
            key=key_of(exchange),
            culprit=sender_of(seen),
        )


def span(value: float) -> str:
    """A time that is likely to be short: ``2 ms``."""
    return seconds(value) if value >= 1 else f"{value * 1000:.0f} ms"


def shares_token(case: Case, exchange: Exchange) -> bool:
    """Whether another open request has given the same token: it is not known then which one is meant."""
    token, side = exchange.progress_token, exchange.side
    return any(
        each is not exchange and each.side == side and each.progress_token == token
        for each in open_requests(case)
    )


class TokenNotUnique(Rule):
    """A progress token that two requests share.

    What it means: a request gave a progressToken that another open request has given already, or one
    that is neither a string nor an integer.

    Why it matters: nobody can tell which of the requests a notification reports on.

    Fails:
        → 5 tools/call {"name":"export","_meta":{"progressToken":"p"}}
        → 6 tools/call {"name":"import","_meta":{"progressToken":"p"}}
        ← 5 result {"content":[]}
        ← 6 result {"content":[]}

    Passes:
        → 5 tools/call {"name":"export","_meta":{"progressToken":"p"}}
        ← 5 result {"content":[]}
        → 6 tools/call {"name":"import","_meta":{"progressToken":"p"}}
        ← 6 result {"content":[]}

    What to do: give each request a token of its own; its id will do.
    """

    id = "PRG005"
    title = "progress token not unique"
    severity = "error"
    culprit = "sender"
    next = "give each request a token of its own, a string or an integer: its id will do"
    spec = PROGRESS + "#progress-flow"

    def __init__(self, case: Case) -> None:
        super().__init__(case)
        self._givers: OrderedDict[tuple[Side, Hashable], Exchange] = OrderedDict()
        """The last request that gave a token."""

    def request(self, seen: Seen) -> None:
        meta, exchange = seen.message.meta, seen.exchange
        if exchange is None or "progressToken" not in meta or is_masked(meta["progressToken"]):
            return
        token = meta["progressToken"]
        if not is_token(token):
            message = (
                f"{seen.sender} gave {called(exchange)} a progressToken that is a JSON {json_type(token)}"
            )
            self.hit(seen, message, key=f"{exchange.method} {json_type(token)}")
            return
        key = (exchange.side, exchange.progress_token)
        before = self._givers.pop(key, None)
        self._givers[key] = exchange
        if len(self._givers) > HELD_REQUESTS:
            self._givers.popitem(last=False)
        if before is not None and self._is_open(before, exchange) and self._is_certain(seen):
            message = (
                f"{seen.sender} gave {called(exchange)} the progressToken {short(token)} of {called(before)}"
            )
            self.hit((before.seq, seen.seq), f"{message}, which is still open", culprit=sender_of(seen))

    def _is_open(self, before: Exchange, exchange: Exchange) -> bool:
        """Whether ``before`` waits for its answer, and is not the same request, sent again."""
        return before.outcome == "open" and before.cancelled_t is None and exchange.reuses != "open"

    def _is_certain(self, seen: Seen) -> bool:
        # What could not be read may have been the answer to the one before.
        return self.case.whole and not self.case.session.foreign[other(seen.side)]


RULES: tuple[type[Rule], ...] = (UnknownToken, NoProgress, ProgressAfterResult, TokenNotUnique)
