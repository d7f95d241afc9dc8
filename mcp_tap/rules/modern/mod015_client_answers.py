"""MOD015: response sent by the client."""

from __future__ import annotations

from mcp_tap.diagnosis.context import UnmatchedResponse
from mcp_tap.diagnosis.interest import sees
from mcp_tap.rules.modern._base import OfModernConnection, shown


class ClientAnswers(OfModernConnection):
    """An answer of the client, which there is not any more.

    What it means: since 2026-07-28 the server sends no requests, so that a client has nothing to
    answer. It sent a response all the same, and no request of the server was there for it.

    Why it matters: what it was to say is lost; a server may take it for garbage.

    Fails, 2026-07-28, listed []:
        → 7 result {"roots":[]}

    Passes, client {"roots":{}}:
        ← 7 roots/list
        → 7 result {"roots":[]}

    What to do: what a server asks for by `input_required` is answered by sending the request again,
    with `inputResponses` and a new id.
    """

    id = "MOD015"
    title = "response sent by the client"
    severity = "error"
    culprit = "client"
    next = "answer input_required by sending the request again, with inputResponses and a new id"
    spec = "2026-07-28/basic/transports/stdio#sending-messages"

    @sees(sides="c2s")
    def unmatched_response(self, response: UnmatchedResponse) -> None:
        id = response.message.id
        if response.exchange is not None or id is None:
            return  # an error without an id says that a line could not be read
        if not self.context.session.foreign["s2c"]:
            what = "an error response" if response.message.kind == "error" else "a response"
            message = f"client sent {what} (id {shown(id)}) although the server has asked nothing"
            self.tell(response.seq, message, explains=(response.seq,))
