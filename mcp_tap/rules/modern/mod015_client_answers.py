"""MOD015: response sent by the client."""

from __future__ import annotations

from mcp_tap.diagnosis.context import UnmatchedResponse
from mcp_tap.diagnosis.interest import sees
from mcp_tap.diagnosis.text import shown
from mcp_tap.rules.modern._base import OfModernConnection


class ClientAnswers(OfModernConnection):
    """A response sent by the client.

    What it means: since 2026-07-28 servers send no requests, so a client has nothing to respond to. It
    sent a response anyway, although the server had sent no request.

    Why it matters: what it was meant to say is lost, and a server may treat it as an invalid message.

    Fails, 2026-07-28, listed []:
        → 7 result {"roots":[]}

    Passes, client {"roots":{}}:
        ← 7 roots/list
        → 7 result {"roots":[]}

    What to do: answer an `input_required` by sending the request again, with `inputResponses` and a new
    id.
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
            message = f"client sent {what} (id {shown(id)}) although the server had sent no request"
            self.report(response.seq, message, explains=(response.seq,))
