"""CAN001: cancellation of a request that is not open."""

from __future__ import annotations

from typing import Any

from mcp_tap.diagnosis.asked import asker_of, is_masked, other
from mcp_tap.diagnosis.context import Notification
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.diagnosis.text import called, seconds, short
from mcp_tap.model.message import id_key
from mcp_tap.rules.utilities._cancellation import CANCELLATION, RACE_SECONDS


def is_id(value: Any) -> bool:
    """Whether ``value`` can name a request; anything else is the matter of RPC024."""
    return isinstance(value, (int, float, str)) and not isinstance(value, bool) and not is_masked(value)


class UnknownCancelled(Rule):
    """A cancellation that cancels nothing.

    What it means: `notifications/cancelled` names a request that its sender does not have open: it was
    answered more than a second ago, was never sent, or is the other side's.

    Why it matters: what should have been stopped goes on, since the receiver cannot tell that it was
    meant. An id of another JSON type (5 for "5") has the same effect.

    Fails:
        → notifications/cancelled {"requestId":9}

    Fails:
        → 5 prompts/list
        ← 5 result {"prompts":[]}
        4 → notifications/cancelled {"requestId":5}

    Passes:
        → 5 prompts/list
        ← 5 result {"prompts":[]}
        → notifications/cancelled {"requestId":5}

    What to do: cancel with the id of the request as it was sent, and only before the answer has come.
    """

    id = "CAN001"
    title = "cancellation of a request that is not open"
    severity = "warning"
    culprit = "sender"
    next = "cancel only your own requests, while they are open, with the id as it was sent"
    methods = frozenset({"notifications/cancelled"})
    spec = CANCELLATION + "#behavior-requirements"

    def notification(self, cancelled: Notification) -> None:
        id = cancelled.params.get("requestId")
        if cancelled.item.role == "cancels" or not is_id(id) or not self._is_certain(cancelled):
            return
        answered = cancelled.exchange
        if answered is not None:
            late = cancelled.t - (answered.answer_t if answered.answer_t is not None else cancelled.t)
            if late > RACE_SECONDS:
                what = f"{cancelled.sender} cancelled {called(answered)} {seconds(late)} after its answer"
                self.hit((answered.seq, cancelled.seq), what, key="answered", culprit=asker_of(answered))
            return
        open = self.context.session.pairing.open
        theirs = open.get((other(cancelled.side), id_key(id)))
        if theirs is not None:
            what = f"{called(theirs)} of the {cancelled.receiver}: only the sender of a request can cancel it"
            self.hit(cancelled, f"{cancelled.sender} cancelled {what}", key="of the other side")
        else:
            what = f"{cancelled.sender} cancelled request {short(id)}, but had no open request with this id"
            self.hit(cancelled, what, key="unknown")

    def _is_certain(self, cancelled: Notification) -> bool:
        """Whether all requests of the canceller are on file, and could be read."""
        return self.context.whole and not self.context.session.foreign[cancelled.side]
