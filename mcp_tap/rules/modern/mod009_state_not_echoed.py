"""MOD009: requestState not sent back as it came."""

from __future__ import annotations

from mcp_tap.diagnosis.asked import FaultyRequests
from mcp_tap.diagnosis.context import MODERN_ONLY, Answer, Request
from mcp_tap.diagnosis.interest import sees
from mcp_tap.diagnosis.text import called, key_of_request
from mcp_tap.rules.modern._round_trips import (
    ASKING_BACK,
    MAY_ASK_BACK,
    ROUND_TRIPS,
    Questions,
    StateFault,
    may_come_back,
    retry_of,
)

STATE_FAULTS: dict[StateFault, str] = {
    "missing": "without the requestState that the server had given",
    "other": "with another requestState than the server had given",
    "invented": "with a requestState, although the server had given none",
}


class StateNotEchoed(FaultyRequests):
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
        if retry is not None and retry.fault is not None:
            before = retry.question.exchange
            message = f"client sent {called(before)} again {STATE_FAULTS[retry.fault]}"
            where = (before.seq, retry.question.seq, request.seq)
            self.hold(request, self.hit(where, message, key=f"{key_of_request(before)} {retry.fault}"))
