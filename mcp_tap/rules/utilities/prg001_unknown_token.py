"""PRG001: progress for an unknown token."""

from __future__ import annotations

from typing import Any

from mcp_tap.diagnosis.asked import open_requests, other
from mcp_tap.diagnosis.context import Occurrence
from mcp_tap.diagnosis.text import short
from mcp_tap.model.message import id_key
from mcp_tap.model.pairing import twins
from mcp_tap.rules.utilities._progress import PROGRESS, ProgressRule


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

    def progress(self, seen: Occurrence, token: Any) -> None:
        if seen.exchange is not None or self.is_of_task(seen) or not self.is_certain(seen):
            return
        message = f"{seen.sender} reported progress for token {short(token)}, which no open request has given"
        if self._has_twin(seen, token):
            message += ": one has given it as another JSON type"
            self.hit(seen, message, key=f"{seen.sender} another type", severity="warning")
        else:
            self.hit(seen, message, key=seen.sender)

    def _has_twin(self, seen: Occurrence, token: Any) -> bool:
        asker, like = other(seen.side), twins(id_key(token))
        return any(each.side == asker and each.progress_token in like for each in open_requests(self.context))
