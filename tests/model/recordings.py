"""Lines of recordings for tests: made by hand, and arbitrary ones."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import strategies as st

SESSION = "01m8mgpwt5nbk9nx"


def dumps(value: Any) -> bytes:
    """JSON without spaces, of numbers of any size."""
    return json.dumps(value, separators=(",", ":")).encode()


def line(seq: int, t: float, dir: str, body: bytes, session: str = SESSION) -> bytes:
    """A record as the tap writes it; ``body`` is its payload with its key."""
    head = b'{"ts":"2026-11-29T18:37:%02d.000000Z","t":%.6f,"session":"%b","seq":%d,"dir":"%b",'
    return head % (int(t) % 60, t, session.encode(), seq, dir.encode()) + body + b"}\n"


def event(what: str, **fields: Any) -> bytes:
    """The body of a tap event."""
    return dumps({"event": what, **fields})[1:-1]


def message(**members: Any) -> bytes:
    """The body of a JSON-RPC message."""
    return b'"msg":' + dumps({"jsonrpc": "2.0", **members})


def text(value: str) -> bytes:
    """The body of a line that is no message."""
    return b'"text":' + dumps(value)


def session_lines(*said: tuple[float, str, bytes], session: str = SESSION) -> list[bytes]:
    """A session: when, which way, and what."""
    return [line(seq, t, dir, body, session) for seq, (t, dir, body) in enumerate(said)]


HANDSHAKE: tuple[tuple[float, str, bytes], ...] = (
    (0.0, "tap", event("start", format=1, name="notes")),
    (0.25, "tap", event("spawn", pid=1)),
    (
        0.3,
        "c2s",
        message(
            id=0,
            method="initialize",
            params={"protocolVersion": "2025-11-25", "clientInfo": {"name": "cl", "version": "1"}},
        ),
    ),
    (
        0.5,
        "s2c",
        message(
            id=0, result={"protocolVersion": "2025-11-25", "serverInfo": {"name": "srv", "version": "2"}}
        ),
    ),
    (0.5, "c2s", message(method="notifications/initialized")),
    (0.75, "c2s", message(id=1, method="tools/list")),
    (1.0, "s2c", message(id=1, result={"tools": [{"name": "read"}]})),
)
"""As far as the list of tools."""

MODERN = {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}

IDS = st.sampled_from([0, 1, 2, 3, 4, 5, 6, 7, 8, 50, "1", "x", 2.0, None, True, -1, 10**20])
METHODS = st.sampled_from(
    ["tools/call", "tools/call", "ping", "initialize", "tools/list", "resources/read", "tasks/get", "x/y",
     "sampling/createMessage", "subscriptions/listen", "server/discover", "completion/complete"]
)  # fmt: skip
NOTIFICATIONS = st.sampled_from(
    [
        "notifications/cancelled",
        "notifications/progress",
        "notifications/message",
        "x",
        "notifications/resources/updated",
        "notifications/message",
    ]
)
PARAMS = st.fixed_dictionaries(
    {},
    optional={
        "name": st.sampled_from(["a", "b", 7, {"name": "c"}]),
        "uri": st.sampled_from(["file:///a", "file:///b"]),
        "cursor": st.just("2"),
        "requestState": st.just("s"),
        "requestId": IDS,
        "progressToken": IDS,
        "protocolVersion": st.just("2025-11-25"),
        "_meta": st.one_of(
            st.just({}), st.just(7), st.just(MODERN), st.fixed_dictionaries({"progressToken": IDS})
        ),
    },
)
RESULTS: st.SearchStrategy[Any] = st.one_of(
    st.sampled_from([{}, 7, None, [], {"isError": True}, {"isError": False}, {"isError": 1}]),
    st.sampled_from([{"resultType": "input_required", "requestState": "s"}, {"resultType": "complete"}]),
    st.just({"protocolVersion": "2025-11-25", "tools": [{"name": "a"}]}),
)
CLIENT = "io.modelcontextprotocol/clientInfo"
SERVER = "io.modelcontextprotocol/serverInfo"
MODERN_RESULTS: st.SearchStrategy[Any] = st.one_of(
    st.sampled_from([{"resultType": "complete"}, {"resultType": "complete", "isError": True}]),
    st.sampled_from([{"resultType": "complete", "_meta": {SERVER: {"name": name}}} for name in "aaab"]),
    RESULTS,
)
MESSAGES = st.one_of(
    st.fixed_dictionaries({"id": IDS, "method": METHODS}, optional={"params": PARAMS}),
    st.fixed_dictionaries({"id": IDS, "method": METHODS}, optional={"params": PARAMS}),
    st.fixed_dictionaries({"id": IDS, "result": RESULTS}),
    st.fixed_dictionaries({"id": IDS, "result": RESULTS}),
    st.fixed_dictionaries({"id": IDS, "result": st.just({}), "error": st.none()}),
    st.fixed_dictionaries({"id": IDS, "error": st.sampled_from([{"code": -32022}, 7])}),
    st.fixed_dictionaries({"method": NOTIFICATIONS}, optional={"params": PARAMS}),
    st.sampled_from([{}, {"id": 1}, {"method": 7, "id": 1}, {"method": 7, "id": 1, "result": {}}]),
)
BODIES = st.one_of(
    MESSAGES.map(lambda value: b'"msg":' + dumps(value)),
    st.lists(MESSAGES, min_size=1, max_size=3).map(lambda value: b'"msg":' + dumps(value)),
    st.sampled_from([b'"text":"ready"', b'"text":"\\"msg\\":{}"', b'"b64":"/w=="', b'"text":7', b'"msg":7']),
    st.sampled_from([b'"eol":"\\r\\n","msg":{"id":1,"result":{}}', b'"eol":"","more":true,"text":"{"']),
    st.sampled_from([b'"new":1,"msg":{"id":1,"method":"ping"}', b'"eol":"","text":"}"', b'"msg":{"id":2']),
)
EVENTS = st.sampled_from(
    [event("exit", code=0, first="client-eof"), event("spawn", pid=1), event("start", name="n"),
     event("gap", records=2), event("unheard", of=1), event("signal", name="SIGTERM")]
)  # fmt: skip
DIRS = st.sampled_from(["c2s", "c2s", "s2c", "s2c", "stderr"])
ODD_LINES = st.sampled_from([b"\n", b"garbage\n", b"[1]\n", b'{"session":"%b"}\n' % SESSION.encode(), b"7\n"])


@st.composite
def recordings(draw: st.DrawFn) -> list[bytes]:
    """Lines of one or two sessions, of which most are records, in an order of any sense or none."""
    lines: list[bytes] = []
    seq = 0
    for _ in range(draw(st.integers(0, 25))):
        seq += draw(st.sampled_from([1, 1, 1, 1, 1, 3, 0, -2]))
        t = draw(st.sampled_from([seq * 0.01, seq * 0.01, 0.005, 5.0]))
        session = draw(st.sampled_from([SESSION, SESSION, SESSION, "other"]))
        if draw(st.integers(0, 12)) == 0:
            lines.append(draw(ODD_LINES))
        elif draw(st.integers(0, 8)) == 0:
            lines.append(line(seq, t, "tap", draw(EVENTS), session))
        else:
            lines.append(line(seq, t, draw(DIRS), draw(BODIES), session))
    return lines


@st.composite
def conversations(draw: st.DrawFn) -> list[bytes]:
    """Mostly what sessions are made of: ids that count, answers to them, and something odd at times."""
    said: list[tuple[float, str, bytes]] = list(HANDSHAKE) if draw(st.booleans()) else [HANDSHAKE[0]]
    waiting: list[tuple[str, int]] = []
    ids = {"c2s": 1, "s2c": 0}
    t = 1.0
    modern = draw(st.booleans())
    for _ in range(draw(st.integers(0, 30))):
        t += draw(st.sampled_from([0.0, 0.001, 0.25]))
        what = draw(st.integers(0, 9))
        if what < 4:
            side = draw(st.sampled_from(["c2s", "c2s", "c2s", "s2c"]))
            ids[side] += 1
            waiting.append((side, ids[side]))
            plain = draw(st.booleans())
            params: dict[str, Any] = {"name": draw(st.sampled_from("ab"))} if plain else draw(PARAMS)
            if draw(st.booleans()):
                params = {**params, "_meta": {"progressToken": ids[side]}}
            if modern and draw(st.integers(0, 9)):
                client = {CLIENT: {"name": draw(st.sampled_from("ccccd"))}}
                params = (
                    {**params, "_meta": {**MODERN, **client, **dict(params.get("_meta") or {})}}
                    if isinstance(params.get("_meta", {}), dict)
                    else params
                )
            method = "tools/call" if plain else draw(METHODS)
            body = message(id=ids[side], method=method, params=params)
            said.append((t, side, body))
        elif what < 8 and waiting:
            side, id = waiting.pop(draw(st.integers(0, len(waiting) - 1)))
            said.append(
                (
                    t,
                    "s2c" if side == "c2s" else "c2s",
                    message(id=id, result=draw(MODERN_RESULTS if modern else RESULTS)),
                )
            )
        elif draw(st.booleans()):
            params = draw(st.sampled_from([{}, {"data": 1}, {"progressToken": ids["c2s"]}, {"uri": "a"}]))
            said.append((t, draw(DIRS), message(method=draw(NOTIFICATIONS), params=params)))
        else:
            said.append((t, draw(DIRS), draw(BODIES)))
    if draw(st.booleans()):
        said.append((t, "tap", event("exit", code=0, first="client-eof", signal=None)))
    return session_lines(*said)
