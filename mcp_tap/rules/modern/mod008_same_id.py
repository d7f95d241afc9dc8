"""MOD008: second attempt with the same id."""

from __future__ import annotations

from mcp_tap.diagnosis.context import Occurrence
from mcp_tap.diagnosis.text import called, key_of_request, short
from mcp_tap.model.message import id_key
from mcp_tap.rules.modern._questions import Retry
from mcp_tap.rules.modern._round_trips import ComesBack


class SameId(ComesBack):
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

    def comes_back(self, seen: Occurrence, retry: Retry) -> None:
        before = retry.question.exchange
        if seen.message.key == id_key(before.id):
            message = (
                f"client sent {called(before)} again, after input_required, with the same id "
                f"{short(before.id)}"
            )
            self.hold(seen, self.hit((before.seq, seen.seq), message, key=key_of_request(before)))
