"""MOD011: input_required never answered."""

from __future__ import annotations

from mcp_tap.diagnosis.context import MODERN_ONLY, Answer, Request, SessionContext
from mcp_tap.diagnosis.interest import sees
from mcp_tap.diagnosis.pending import how_it_ended, is_all_on_file, left_t
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.diagnosis.text import called, key_of_request, seconds, some
from mcp_tap.rules.modern._round_trips import ASKING_BACK, MAY_ASK_BACK, ROUND_TRIPS, Questions, may_come_back

LEFT_SOON_SECONDS = 2.0
"""Before the end, within which nobody can be expected to have answered a question."""


class NeverCameBack(Rule):
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
    needs_whole = True
    versions = MODERN_ONLY
    methods = MAY_ASK_BACK
    spec = ROUND_TRIPS

    def __init__(self, context: SessionContext) -> None:
        super().__init__(context)
        self.questions = context.shared(Questions)

    @sees(sides="c2s", cue=may_come_back)
    def request(self, request: Request) -> None:
        self.questions.answered_by(request)

    @sees(sides="s2c", outcomes=ASKING_BACK, era="modern")
    def answer(self, answer: Answer) -> None:
        self.questions.take(answer)

    def end(self) -> None:
        context = self.context
        if not context.over or not is_all_on_file(context) or context.session.foreign["c2s"]:
            return
        for question in self.questions.open:
            waited = left_t(context) - question.t
            if waited >= LEFT_SOON_SECONDS:
                asked = f" ({some(question.kinds)})" if question.kinds else ""
                message = (
                    f"client never came back to {called(question.exchange)}, which the server had answered "
                    f"with input_required{asked}; {seconds(waited)} later {how_it_ended(context)}"
                )
                where = (question.exchange.seq, question.seq)
                self.hit(where, message, key=key_of_request(question.exchange))
