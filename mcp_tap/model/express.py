"""Sessions from the lines of a recording, several times as fast as record by record.

The same as ``Sessions.read(read_records(lines))``, and the tests hold the two equal. What makes up
nearly all of a recording (a request with a new number for its id, its result, a notification, a line
of stderr) is counted from the parsed line directly; everything else takes the long way through
:func:`read_record` and :meth:`Session.add`. Requests and answers of the short way are kept as
tuples, and made into what the model keeps (``settle``) before a message takes the long way: so the
model never misses one, and one that nobody asks for is never made. One thing is added: what the
model merely remembers of a session is let go of at its exit, since a file may hold thousands.

A line is parsed once, as a whole (twice, where it takes the long way). Looking for a message's
members in its bytes and leaving a large payload unparsed was measured and refused: the searches
that prove that no other member has the name cost more (7 µs for the two bytes of ``\\u``, in a line
of 10 kB) than parsing does (2 to 7 µs), and a torn record could not be told from a whole one.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import orjson

from mcp_tap.model.message import target_of
from mcp_tap.model.methods import (
    ASKS_THE_CLIENT,
    CATALOGUE,
    MODERN_ONLY,
    STAYS_OPEN,
    TARGETS,
    VERSION_KEY,
)
from mcp_tap.model.numbers import BY_TARGET, Numbers
from mcp_tap.model.session import METHODS_KEPT, Session, Sessions, Step
from mcp_tap.model.track import PLAIN, TOOL_ERROR, Speaker, Track, logged, note_time, reported, take_stderr
from mcp_tap.record.reader import Record, Skipped, read_record, refuse_newer

_MSG = b'"msg":'
_TAIL = b"}\n"
_AROUND = len(_MSG) + len(_TAIL)

KEYS = 6
"""Keys of a record that has nothing special: ``ts t session seq dir`` and its payload."""

TEACHES = frozenset(
    {"initialize", *CATALOGUE, *ASKS_THE_CLIENT, *MODERN_ONLY, *STAYS_OPEN, *(TARGETS.keys() - BY_TARGET)}
)
"""Methods from which the model learns more than that they were used."""


ANOTHER_LEG = frozenset({"requestState", "inputResponses"})
"""Parameters of a call that goes on with an earlier one."""


class Express:
    """Reads lines into ``sessions``, and counts in ``numbers`` if there are some.

    ``only`` is the one session that is wanted; the others are left out.
    """

    def __init__(self, numbers: Numbers | None = None, only: str | None = None) -> None:
        self.sessions = Sessions()
        self.numbers = numbers
        self.only = only
        self.tracks: dict[str, Track] = {}

    def read(self, lines: Iterable[bytes]) -> None:
        """Take all of a file's lines.

        Raises :class:`TapError` at a ``start`` record of a newer format.
        """
        loads, tracks = orjson.loads, self.tracks
        request, result = self._request, self._result
        for number, line in enumerate(lines, 1):
            # One pass through this loop decides how many records a second can be read: no calls
            # but the ones that are needed, and an exception for what is rare.
            record = None
            try:
                record = loads(line)
                track = tracks[record["session"]]
                message = record["msg"]
                id, seq, t = message["id"], record["seq"], record["t"]
                speaker = track.speakers[record["dir"]]
                if (
                    len(record) == KEYS
                    and type(id) is int
                    and type(seq) is int
                    and type(t) is float
                    and type(record["ts"]) is str
                    and line[-2:] == _TAIL
                    and not speaker.goes_on
                ):
                    size = len(line) - line.index(_MSG) - _AROUND
                    way = request if "method" in message else result
                    if way(track, speaker, message, id, seq, t, size, line):
                        speaker.messages += 1
                        speaker.bytes += size + 1
                        if speaker.first_t is None:
                            speaker.first_t = t
                        session = track.session
                        if seq == session.next_seq and t >= session.last_t:
                            session.next_seq, session.last_t = seq + 1, t
                        else:
                            note_time(session, seq, t)
                        continue
            except (KeyError, TypeError, ValueError):
                if type(record) is dict and self._without_id(record, line):
                    continue
            self._long_way(line, number)

    def finish(self) -> list[Session]:
        """The sessions that were read, counted; what is read next is another file's."""
        for track in self.tracks.values():
            track.settle_open()
            if self.numbers is not None:
                self.numbers.finish(track.session)
        self.tracks.clear()
        found = list(self.sessions.by_id.values())
        self.sessions.by_id.clear()
        return found

    def _request(
        self,
        track: Track,
        speaker: Speaker,
        message: dict[str, Any],
        id: int,
        seq: int,
        t: float,
        size: int,
        line: bytes,
    ) -> bool:
        """Take a request whose id is greater than all before, and that says nothing new of its client."""
        method, params = message["method"], message.get("params")
        if id <= speaker.highest or type(method) is not str or method in TEACHES:
            return False
        target, has_token, modern = None, False, None
        if type(params) is dict:
            if method in TARGETS:
                target = target_of(method, params)
            if "_meta" in params:
                meta = params["_meta"]
                if type(meta) is dict:
                    token = meta.get("progressToken")
                    has_token = token is not None
                    # With most clients a progress token is the request's id, and so nobody else's.
                    if has_token and (type(token) is not int or token != id):
                        return False
                    if VERSION_KEY in meta:
                        if (
                            speaker.side != "c2s"
                            or not track.has_learnt(meta)
                            or not ANOTHER_LEG.isdisjoint(params)
                        ):
                            return False
                        modern = params
            if "cursor" in params:
                return False
        speaker.highest = id
        speaker.asked[id] = ((speaker.side, method, target), seq, t, size, has_token, 0, 0, modern)
        session = track.session
        if method not in session.methods and len(session.methods) < METHODS_KEPT:
            session.methods.add(method)
        return True

    def _result(
        self,
        track: Track,
        speaker: Speaker,
        message: dict[str, Any],
        id: int,
        seq: int,
        t: float,
        size: int,
        line: bytes,
    ) -> bool:
        """Take the result of an open request from which nothing is to be learnt."""
        asker = speaker.other
        if id not in asker.asked or "error" in message or "result" not in message:
            return False
        result, is_tool_error = message["result"], False
        asked, session = asker.asked[id], track.session
        if type(result) is dict:
            if result.get("resultType") == "input_required":
                return False
            if asked[7] is not None and not track.has_learnt_from(result):
                return False
            is_tool_error = result.get("isError") is True
        session.tool_errors += is_tool_error
        del asker.asked[id]
        if asked[7] is not None:
            asked = (*asked[:7], track.meta)  # the payload is not needed any more
        track.answered.append((id, asked, seq, t, size, TOOL_ERROR if is_tool_error else PLAIN))
        if self.numbers is not None:
            self.numbers.add_plain(asked[0], asked[3], size, t - asked[2], is_tool_error)
        return True

    def _without_id(self, record: dict[str, Any], line: bytes) -> bool:
        """Take a whole line of stderr, or a notification that changes nothing."""
        track = self.tracks.get(record["session"]) if type(record.get("session")) is str else None
        seq, t, stream, message = record.get("seq"), record.get("t"), record.get("dir"), record.get("msg")
        if (
            track is None
            or len(record) != KEYS
            or type(seq) is not int
            or type(t) is not float
            or type(record.get("ts")) is not str
            or line[-2:] != _TAIL
        ):
            return False
        if stream == "stderr":
            return take_stderr(track.session, record.get("text"), seq, t)
        if (stream != "c2s" and stream != "s2c") or type(message) is not dict or "id" in message:
            return False
        speaker, at = track.speakers[stream], line.find(_MSG)
        if at < 0 or speaker.goes_on:
            return False
        size = len(line) - at - _AROUND
        if not self._notification(track, speaker, message, size, line):
            return False
        speaker.messages += 1
        speaker.bytes += size + 1
        if speaker.first_t is None:
            speaker.first_t = t
        note_time(track.session, seq, t)
        return True

    def _notification(
        self, track: Track, speaker: Speaker, message: dict[str, Any], size: int, line: bytes
    ) -> bool:
        method, params = message.get("method"), message.get("params")
        if type(params) is not dict:
            params = {}
        if type(method) is not str or "_meta" in params or method == "notifications/cancelled":
            return False
        if method == "notifications/progress":
            if not reported(speaker.other.asked, params.get("progressToken")):
                return False
        elif method == "notifications/message" and speaker.side == "s2c" and not logged(track):
            return False
        if method not in track.session.methods and len(track.session.methods) < METHODS_KEPT:
            track.session.methods.add(method)
        if self.numbers is not None:
            self.numbers.notify(speaker.side, method, target_of(method, params), size)
        return True

    def _long_way(self, line: bytes, number: int) -> None:
        item = read_record(line, number)
        if isinstance(item, Skipped):
            self.sessions.skip(item)
            return
        if self.only is not None and item.session != self.only:
            return
        if item.event == "start":
            refuse_newer(item)
        track = self.tracks.get(item.session)
        if track is not None:
            self._settle(track, item)
        session, step = self.sessions.add(item)
        if track is None:
            track = self.tracks[item.session] = Track(session)
        if item.dir == "c2s" or item.dir == "s2c":
            track.speakers[item.dir].goes_on = item.more
        for paired in step.paired:
            if paired.role == "asks" and paired.exchange is not None:
                track.speakers[paired.exchange.side].has_used(paired.exchange)
            track.learn(paired)
        self._took(session, step)

    def _settle(self, track: Track, record: Record) -> None:
        """Let the model know what it needs to, before ``record`` goes the long way."""
        if record.event == "exit":
            track.answered.clear()
            track.settle_open()
            track.session.pairing.forget()
        elif record.dir == "c2s" or record.dir == "s2c":
            track.settle()

    def _took(self, session: Session, step: Step) -> None:
        """What is to be done with a record that has gone the long way."""
        if self.numbers is not None:
            self.numbers.take(step)
