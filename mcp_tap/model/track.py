"""What the express reader keeps of a session, until the model is to know it."""

from __future__ import annotations

from collections import deque
from typing import Any

from mcp_tap.model.exchange import Exchange, Paired
from mcp_tap.model.message import Message, Side
from mcp_tap.model.methods import MAY_ASK, TARGETS, VERSION_KEY
from mcp_tap.model.numbers import Key
from mcp_tap.model.pairing import REMEMBERED
from mcp_tap.model.session import STDERR_LINE_KEPT, Session

Asked = tuple[Key, int, float, int, bool, int, int, dict[str, Any] | None]
"""A request: what it asks; its record's number, time and size; whether its id is its progress token; how
many log messages and how many reports of progress there were for it; in the modern era its parameters
while it is open, and its ``_meta`` once it is answered."""

Result = dict[str, bool]
Answered = tuple[int, Asked, int, float, int, Result]
"""An answer: the id, the request; the record's number, time and size; as much of the result as counts."""

PLAIN: Result = {}
TOOL_ERROR: Result = {"isError": True}


class Speaker:
    """One side's requests on the short way.

    ``highest`` is the greatest id that it has used; ``goes_on`` says whether the last line of it is
    recorded in part only.
    """

    __slots__ = ("asked", "bytes", "first_t", "goes_on", "highest", "messages", "other", "side")

    def __init__(self, side: Side) -> None:
        self.side: Side = side
        self.highest = -1
        self.goes_on = False
        self.messages = 0
        self.bytes = 0
        self.first_t: float | None = None
        self.asked: dict[int, Asked] = {}
        self.other: Speaker

    def settle(self, session: Session) -> None:
        """Count the messages in ``session``, as :meth:`Session.add` does."""
        if self.messages:
            session.messages[self.side] += self.messages
            session.lines[self.side] += self.messages
            session.bytes[self.side] += self.bytes
            if session.first_byte_t is None and self.side == "s2c":
                session.first_byte_t = self.first_t
            self.messages = self.bytes = 0

    def has_used(self, exchange: Exchange) -> None:
        """Note the numbers that a request of the long way has taken."""
        for number in (exchange.id, exchange.progress_token):
            if type(number) is int and number > self.highest:
                self.highest = number


class Track:
    """One session, and what is not yet in it."""

    __slots__ = ("answered", "meta", "result_meta", "session", "speakers", "watched")

    def __init__(self, session: Session) -> None:
        self.session = session
        client, server = Speaker("c2s"), Speaker("s2c")
        client.other, server.other = server, client
        self.speakers: dict[Side, Speaker] = {"c2s": client, "s2c": server}
        self.answered: deque[Answered] = deque(maxlen=REMEMBERED)
        self.meta: dict[str, Any] | None = None
        """What the model has learnt the client from last, where each request says it (modern era)."""
        self.result_meta: dict[str, Any] | None = None
        """The same of the server."""
        self.watched: Any = None
        """What a reader that looks for more than numbers keeps of the session."""

    def learn(self, paired: Paired) -> None:
        """Note what the model has learnt on the long way, so that the same again is nothing new."""
        exchange, message = paired.exchange, paired.message
        if exchange is None or exchange.side != "c2s":
            return
        if exchange.method == "initialize":
            self.meta = self.result_meta = None
        elif exchange.era == "modern" and paired.role == "asks":
            self.meta = without_token(message.meta) if exchange.version is not None else None
        elif exchange.era == "modern" and message.kind == "response":
            self.result_meta = message.meta or self.result_meta

    def has_learnt(self, meta: dict[str, Any]) -> bool:
        """Whether the model knows all that a request says of its client."""
        return self.meta is not None and without_token(meta) == self.meta

    def has_learnt_from(self, result: dict[str, Any]) -> bool:
        """Whether the model knows all that a result of the modern era says of its server."""
        session = self.session
        if session.era != "modern" or self.meta is None or session.protocol != self.meta[VERSION_KEY]:
            return False
        return "_meta" not in result or (self.result_meta is not None and result["_meta"] == self.result_meta)

    def settle(self) -> None:
        """Let the model know of all requests and answers; of each side in order."""
        pairing = self.session.pairing
        for id, asked, seq, t, size, result in self.answered:
            self._ask(id, asked)
            answer = Message("response", id=id, key=id, value={"result": result})
            pairing.feed("s2c" if asked[0][0] == "c2s" else "c2s", answer, seq, t, size)
        self.answered.clear()
        self.settle_open()

    def settle_open(self) -> None:
        """The same for what is open alone, which is enough once nothing more can come."""
        for speaker in self.speakers.values():
            for id, asked in speaker.asked.items():
                self._ask(id, asked)
            speaker.asked.clear()
            speaker.settle(self.session)

    def _ask(self, id: int, asked: Asked) -> None:
        (side, method, target), seq, t, size, has_token, logs, progress, modern = asked
        params: dict[str, Any] = {"_meta": {"progressToken": id}} if has_token else {}
        if modern is self.meta and modern is not None:
            params["_meta"] = {**modern, "progressToken": id} if has_token else modern
        if modern is not None and modern is not self.meta:
            params = modern
        elif target is not None:
            params[TARGETS[method]] = target
        message = Message("request", method, id, id, {"params": params})
        exchange = self.session.pairing.feed(side, message, seq, t, size)[0].exchange
        assert exchange is not None
        exchange.logs, exchange.progress = logs, progress


def note_time(session: Session, seq: int, t: float) -> None:
    """What :meth:`Session.add` makes of the time and the number of every record."""
    if t > session.last_t:
        session.last_t = t
    if seq >= session.next_seq:
        session.missing += seq - session.next_seq
        session.next_seq = seq + 1


def take_stderr(session: Session, text: Any, seq: int, t: float) -> bool:
    """Count a line of stderr, if it is text."""
    if type(text) is not str:
        return False
    payload = text.encode()
    session.stderr_tail.append(payload[:STDERR_LINE_KEPT].decode(errors="replace"))
    note_time(session, seq, t)
    session.bytes["stderr"] += len(payload) + 1
    session.lines["stderr"] += 1
    return True


def reported(asked: dict[int, Asked], token: Any) -> bool:
    """Note progress of an open request of the short way; False if it is of none."""
    if type(token) is not int or token not in asked or not asked[token][4]:
        return False
    asked[token] = (*asked[token][:6], asked[token][6] + 1, asked[token][7])
    return True


def logged(track: Track) -> bool:
    """Note a log message for the one call that is open, or for none; False if it takes more to tell."""
    asked = track.speakers["c2s"].asked
    if track.session.pairing.open or len(asked) > 1:
        return False
    for id, call in asked.items():
        if call[0][1] in MAY_ASK:
            asked[id] = (*call[:5], call[5] + 1, *call[6:])
            return True
    return True


def without_token(meta: dict[str, Any]) -> dict[str, Any]:
    """What ``_meta`` says of more than one request."""
    return {key: value for key, value in meta.items() if key != "progressToken"}
