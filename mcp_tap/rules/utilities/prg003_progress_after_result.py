"""PRG003: progress after the result."""

from __future__ import annotations

from mcp_tap.diagnosis.context import Answer, Notification, SessionContext
from mcp_tap.diagnosis.interest import sees
from mcp_tap.diagnosis.recognise.irregular import is_irregular
from mcp_tap.diagnosis.rule import Rule, sender_of
from mcp_tap.diagnosis.text import called, key_of_request, seconds, short
from mcp_tap.rules.utilities._progress import PROGRESS, Tasks, shares_token, token_of


class ProgressAfterResult(Rule):
    """Progress after the result.

    What it means: a progress notification came after the answer to the request it reports on.

    Why it matters: by then the token has been forgotten. Some clients take the unknown token for a
    broken connection and restart the server, after every call.

    Fails:
        → 5 tools/call {"name":"export","_meta":{"progressToken":5}}
        ← 5 result {"content":[]}
        ← notifications/progress {"progressToken":5,"progress":100}

    Passes:
        → 5 tools/call {"name":"export","_meta":{"progressToken":5},"task":{"ttl":60000}}
        ← 5 result {"task":{"taskId":"t1","status":"working","createdAt":"2026-01-01T00:00:00Z",
            "lastUpdatedAt":"2026-01-01T00:00:00Z","ttl":60000}}
        ← notifications/progress {"progressToken":5,"progress":100}

    What to do: make sure that the last notification is written before the result, and stop timers that
    report progress.
    """

    id = "PRG003"
    title = "progress after the result"
    severity = "warning"
    culprit = "sender"
    next = "send the last progress before the result, and stop reporting after it"
    spec = PROGRESS + "#behavior-requirements"

    def __init__(self, context: SessionContext) -> None:
        super().__init__(context)
        self._tasks = Tasks()

    @sees(sign=is_irregular)
    def answer(self, answer: Answer) -> None:
        self._tasks.take(answer)

    @sees(methods="notifications/progress")
    def notification(self, progress: Notification) -> None:
        exchange = progress.exchange
        if exchange is None or exchange.answer_t is None or exchange.answer_seq is None:
            return
        token = token_of(progress)
        if token is None or not self.context.whole or progress in self._tasks:
            return
        if shares_token(self.context, exchange):
            return
        late = seconds(progress.t - exchange.answer_t)
        outcome = "error" if exchange.outcome == "error" else "result"
        self.hit(
            (exchange.answer_seq, progress.seq),
            f"progress for token {short(token)} ({called(exchange)}) sent {late} after its {outcome}; "
            "some clients close the connection",
            key=key_of_request(exchange),
            culprit=sender_of(progress),
        )
