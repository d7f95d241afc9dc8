"""MOD008: second attempt with the same id."""

from __future__ import annotations

from mcp_tap.diagnosis.asked import FaultyRequests
from mcp_tap.diagnosis.context import MODERN_ONLY, Answer, Request
from mcp_tap.diagnosis.interest import sees
from mcp_tap.diagnosis.text import called, key_of_request, short
from mcp_tap.model.message import id_key
from mcp_tap.rules.modern._round_trips import (
    ASKING_BACK,
    MAY_ASK_BACK,
    ROUND_TRIPS,
    Questions,
    may_come_back,
    retry_of,
)


class SameId(FaultyRequests):
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
    needs_whole = True
    versions = MODERN_ONLY
    methods = MAY_ASK_BACK
    spec = ROUND_TRIPS

    @sees(sides="s2c", outcomes=ASKING_BACK)
    def answer(self, answer: Answer) -> None:
        self.context.shared(Questions).take(answer)

    @sees(sides="c2s", cue=may_come_back)
    def request(self, request: Request) -> None:
        retry = retry_of(self.context, request)
        if retry is None:
            return
        before = retry.question.exchange
        if request.message.key == id_key(before.id):
            message = (
                f"client sent {called(before)} again, after input_required, with the same id "
                f"{short(before.id)}"
            )
            self.hold(request, self.hit((before.seq, request.seq), message, key=key_of_request(before)))
