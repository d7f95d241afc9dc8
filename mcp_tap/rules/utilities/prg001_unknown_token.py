"""PRG001: progress for an unknown token."""

from __future__ import annotations

from typing import Any

from mcp_tap.diagnosis.asked import open_requests, other
from mcp_tap.diagnosis.context import Answer, Notification, SessionContext
from mcp_tap.diagnosis.interest import sees
from mcp_tap.diagnosis.recognise.irregular import is_irregular
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.diagnosis.text import short
from mcp_tap.model.message import id_key
from mcp_tap.model.pairing import twins
from mcp_tap.rules.utilities._progress import PROGRESS, Tasks, token_of


class UnknownToken(Rule):
    """Progress for an unknown token.

    What it means: `notifications/progress` has a progressToken that no open request has given.

    Why it matters: the client cannot tell what the progress belongs to; some log an error for each
    notification. A server must not report progress that was not requested. It is a warning if a request
    gave the same token as another JSON type (5 and "5"): some clients accept that.

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
    next = "report progress only with the progressToken of an open request, unchanged"
    spec = PROGRESS + "#behavior-requirements"

    def __init__(self, context: SessionContext) -> None:
        super().__init__(context)
        self._tasks = Tasks()

    @sees(sign=is_irregular)
    def answer(self, answer: Answer) -> None:
        self._tasks.take(answer)

    @sees(methods="notifications/progress")
    def notification(self, progress: Notification) -> None:
        if progress.exchange is not None or not self._is_certain(progress):
            return
        token = token_of(progress)
        if token is None or progress in self._tasks:
            return
        message = (
            f"{progress.sender} reported progress for token {short(token)}, which no open request has given"
        )
        if self._has_twin(progress, token):
            message += "; one gave it as another JSON type"
            self.hit(progress, message, key=f"{progress.sender} another type", severity="warning")
        else:
            self.hit(progress, message, key=progress.sender)

    def _is_certain(self, progress: Notification) -> bool:
        """Whether all requests that can have given a token are on file, and could be read."""
        return self.context.whole and not self.context.session.foreign[other(progress.side)]

    def _has_twin(self, progress: Notification, token: Any) -> bool:
        asker, like = other(progress.side), twins(id_key(token))
        return any(each.side == asker and each.progress_token in like for each in open_requests(self.context))
