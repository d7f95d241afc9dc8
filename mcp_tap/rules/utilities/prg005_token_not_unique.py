"""PRG005: progress token not unique."""

from __future__ import annotations

from collections.abc import Hashable

from mcp_tap.diagnosis.asked import HELD_REQUESTS, is_masked, other
from mcp_tap.diagnosis.bounded import Latest
from mcp_tap.diagnosis.context import Request, SessionContext
from mcp_tap.diagnosis.interest import sees
from mcp_tap.diagnosis.rule import Rule, sender_of
from mcp_tap.diagnosis.text import called, short
from mcp_tap.model.exchange import Exchange, Paired
from mcp_tap.model.message import Side, json_type
from mcp_tap.rules.utilities._progress import PROGRESS, is_token


def has_meta(item: Paired) -> bool:
    """Whether a request has ``_meta``, where a progress token would be."""
    params = item.message.value.get("params")
    return type(params) is dict and "_meta" in params


class TokenNotUnique(Rule):
    """A progress token shared by two requests.

    What it means: a request gave a progressToken that another open request already uses, or one that is
    neither a string nor an integer.

    Why it matters: the receiver cannot tell which of the requests a notification reports on.

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

    What to do: give each request its own token; its id will do.
    """

    id = "PRG005"
    title = "progress token not unique"
    severity = "error"
    culprit = "sender"
    next = "give each request its own token, a string or an integer: its id will do"
    spec = PROGRESS + "#progress-flow"

    def __init__(self, context: SessionContext) -> None:
        super().__init__(context)
        self._givers: Latest[tuple[Side, Hashable], Exchange] = Latest(HELD_REQUESTS)
        """The last request that gave a token."""

    @sees(sign=has_meta)
    def request(self, request: Request) -> None:
        meta, exchange = request.message.meta, request.exchange
        if "progressToken" not in meta or is_masked(meta["progressToken"]):
            return
        token = meta["progressToken"]
        if not is_token(token):
            kind = json_type(token)
            message = f"{request.sender} gave {called(exchange)} a progressToken that is a JSON {kind}"
            self.hit(request, message, key=f"{exchange.method} {kind}")
            return
        key = (exchange.side, exchange.progress_token)
        before = self._givers.pop(key, None)
        self._givers[key] = exchange
        if before is not None and self._is_open(before, exchange) and self._is_certain(request):
            message = (
                f"{request.sender} gave {called(exchange)} the progressToken {short(token)} of "
                f"{called(before)}, which is still open"
            )
            self.hit((before.seq, request.seq), message, culprit=sender_of(request))

    def _is_open(self, before: Exchange, exchange: Exchange) -> bool:
        """Whether ``before`` waits for its answer, and is not the same request, sent again."""
        return before.outcome == "open" and before.cancelled_t is None and exchange.reuses != "open"

    def _is_certain(self, request: Request) -> bool:
        # What could not be read may have been the answer to the one before.
        return self.context.whole and not self.context.session.foreign[other(request.side)]
