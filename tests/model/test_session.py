"""A session, read record by record."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_tap.model import held
from mcp_tap.model import session as limits
from mcp_tap.model import sessions as several
from mcp_tap.model.exchange import Paired
from mcp_tap.model.message import Side
from mcp_tap.model.session import Party, Session
from mcp_tap.model.sessions import Sessions
from mcp_tap.record.reader import Record, Skipped, SpecialRecord, read_record
from mcp_tap.wire.lines import Line, LineSplitter, Segment
from tests.model.test_message import JSON
from tests.model.test_pairing import VALUES
from tests.profiles import examples
from tests.record_cases import ENVELOPE, Tape, error, modern, request, result, told

SERVER_META = {"io.modelcontextprotocol/serverInfo": {"name": "notes", "version": "1.2"}}


def offer(version: Any = "2025-11-25", **more: Any) -> dict[str, Any]:
    me = {"name": "editor", "version": "2"}
    return request(
        0, "initialize", protocolVersion=version, capabilities={"roots": {}}, clientInfo=me, **more
    )


def agreed(version: Any = "2025-11-25", **more: Any) -> dict[str, Any]:
    me = {"name": "notes", "version": "1.2"}
    return result(0, protocolVersion=version, capabilities={"tools": {}}, serverInfo=me, **more)


def begun(version: str = "2025-11-25") -> Tape:
    return Tape().start().client(offer(version), 0.1).server(agreed(version), 0.3)


# --- handshake and era --------------------------------------------------------------------------------


def test_a_handshake_says_who_speaks_what() -> None:
    tape = Tape().start().client(offer("2025-11-25"), 0.1)
    tape.server(agreed("2025-06-18", instructions="Ask for notes."), 0.3)
    session = tape.client(request(1, "ping"), 0.4).read()

    assert (session.name, session.id, session.ts) == (
        "notes",
        "01m8mn0000000000",
        "2026-11-30T22:17:40.000000Z",
    )
    assert (session.offered, session.protocol, session.era) == ("2025-11-25", "2025-06-18", "legacy")
    assert (session.client, session.server) == (Party("editor", "2"), Party("notes", "1.2"))
    assert (str(session.client), str(Party()), str(Party("x"))) == ("editor 2", "?", "x")
    assert session.capabilities == {"c2s": {"roots": {}}, "s2c": {"tools": {}}}
    assert session.instructions == "Ask for notes."
    assert (session.spawned_t, session.first_byte_t, session.initialized_t) == (0.001, 0.3, 0.3)
    assert session.kind == "session"
    (ping,) = session.unanswered()
    assert (ping.method, ping.era, ping.version) == ("ping", "legacy", "2025-06-18")


def test_the_stateless_model_says_it_with_each_request() -> None:
    tape = Tape().start().client(modern(1, "tools/list"), 0.1)
    offered = tape.read()
    assert (offered.offered, offered.protocol, offered.era) == ("2026-07-28", None, None)
    session = tape.server(result(1, tools=[], resultType="complete", _meta=SERVER_META), 0.2).read()
    assert (session.offered, session.protocol, session.era) == ("2026-07-28", "2026-07-28", "modern")
    assert (session.client, session.server) == (Party("editor", "2"), Party("notes", "1.2"))
    assert session.capabilities == {"c2s": {"sampling": {}}}


def test_what_a_server_discovers_of_itself_is_kept() -> None:
    told_of = {"supportedVersions": ["2026-07-28", 7], "capabilities": {"tools": {}}, "instructions": "x"}
    tape = Tape().start().client(modern(1, "server/discover"), 0.1)
    session = tape.server(result(1, **told_of, _meta=SERVER_META), 0.2).read()
    assert (session.era, session.protocol, session.supported) == ("modern", "2026-07-28", ("2026-07-28",))
    assert (session.capabilities["s2c"], session.instructions) == ({"tools": {}}, "x")
    assert (session.server, session.initialized_t) == (Party("notes", "1.2"), 0.2)


def test_a_client_that_asked_for_the_era_in_vain_is_in_the_legacy_era() -> None:
    tape = Tape().start().client(modern(9, "server/discover"), 0.1).server(error(9, -32601), 0.2)
    tape.client(offer(), 0.3).server(agreed(), 0.4)
    session, steps = tape.steps()
    assert (session.era, session.offered, session.protocol) == ("legacy", "2025-11-25", "2025-11-25")
    exchanges = [item.exchange for step in steps for item in step.paired if item.role == "asks"]
    assert [(each.era, each.version) for each in exchanges if each] == [
        ("modern", "2026-07-28"),
        ("legacy", "2025-11-25"),
    ]


def test_a_server_that_refuses_the_version_of_a_request_is_of_the_modern_era() -> None:
    refused = error(0, -32022, data={"supported": ["2026-07-28"], "requested": "2025-11-25"})
    session = Tape().start().client(offer(), 0.1).server(refused, 0.2).read()
    assert (session.era, session.supported, session.protocol) == ("modern", ("2026-07-28",), None)
    refused["error"]["data"] = []
    assert Tape().client(offer()).server(refused).read().supported == ()


def test_a_server_may_serve_both_eras_at_once() -> None:
    tape = begun().client(modern(1, "tools/list"), 1).server(result(1, tools=[]), 1.1)
    session, steps = tape.client(request(2, "ping"), 2).steps()
    assert (session.era, session.protocol) == ("legacy", "2025-11-25")
    exchanges = [item.exchange for step in steps for item in step.paired if item.role == "asks"]
    assert [each.era for each in exchanges if each] == ["legacy", "modern", "legacy"]


def test_a_request_without_an_envelope_does_not_change_the_version_of_the_modern_era() -> None:
    tape = begun().client(modern(1, "server/discover"), 1).server(result(1, supportedVersions=[]), 1.1)
    session = tape.client(request(2, "ping"), 2).server(result(2), 2.1).read()
    assert (session.era, session.protocol) == ("modern", "2026-07-28")


def test_an_unknown_version_of_a_handshake_is_of_the_handshakes_era() -> None:
    session = begun("2024-01-01").read()
    assert (session.protocol, session.era) == ("2024-01-01", "legacy")


@pytest.mark.parametrize("value", [None, 7, [], {}, [[]]])
def test_a_handshake_of_wrong_types_teaches_nothing(value: Any) -> None:
    members = {"protocolVersion": value, "capabilities": value, "clientInfo": value, "serverInfo": value}
    tape = Tape().client(request(0, "initialize", **members)).server(result(0, instructions=value, **members))
    session = tape.read()
    assert (session.offered, session.protocol, session.instructions) == (None, None, None)
    assert (session.client, session.server) == (Party(), Party())


# --- the catalogue ------------------------------------------------------------------------------------


def page(*names: str, cursor: str | None = None) -> dict[str, Any]:
    return {"tools": [{"name": name} for name in names]} | ({"nextCursor": cursor} if cursor else {})


def test_the_catalogue_holds_all_pages_and_the_last_listing_alone() -> None:
    tape = begun().client(request(1, "tools/list"), 1).server(result(1, **page("a", "b", cursor="2")), 2)
    tape.client(request(2, "tools/list", cursor="2"), 3).server(result(2, **page("b", "c")), 4)
    session = tape.read()
    assert session.catalogue == {"tools": ["a", "b", "c"]}
    assert session.tools_listed_t == 2
    tape.client(request(3, "tools/list"), 5).server(result(3, **page("d")), 6)
    assert tape.read().catalogue == {"tools": ["d"]}


def test_an_empty_cursor_is_a_cursor() -> None:
    tape = begun().client(request(1, "tools/list"), 1).server(result(1, **page("a", cursor="")), 2)
    tape.client(request(2, "tools/list", cursor=""), 3).server(result(2, **page("b")), 4)
    assert tape.read().catalogue == {"tools": ["a", "b"]}


def test_every_list_has_its_place_and_what_has_no_name_its_uri() -> None:
    tape = begun()
    lists = [("resources/list", "resources"), ("resources/templates/list", "resourceTemplates"),
             ("prompts/list", "prompts")]  # fmt: skip
    for id, (method, member) in enumerate(lists, 1):
        entries = [{"name": f"n{id}"}, {"uri": "file:///a"}, {"name": 7}, 7, None]
        tape.client(request(id, method), id).server(result(id, **{member: entries}), id)
    tape.client(request(9, "tools/list"), 9).server(result(9, tools={"name": "x"}), 9)
    assert tape.read().catalogue == {
        "resources": ["n1", "file:///a", "?"],
        "resourceTemplates": ["n2", "file:///a", "?"],
        "prompts": ["n3", "file:///a", "?"],
        "tools": [],
    }


def test_a_list_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "CATALOGUE_KEPT", 2)
    tape = begun().client(request(1, "tools/list")).server(result(1, **page("a", "b", "c")))
    assert tape.read().catalogue == {"tools": ["a", "b"]}


# --- lines, bytes and lines in parts --------------------------------------------------------------------


def test_lines_bytes_messages_and_errors_are_counted() -> None:
    tape = begun().server(b"Server ready", 1).server(b'{"level":"info"}\r', 2).stderr("Grüße", 3)
    tape.client(request(1, "tools/call", name="a"), 4).server(result(1, isError=True), 5)
    tape.client(request(2, "tools/call", name="a"), 6).server(error(2, -1), 7).client([request(3, "ping")], 8)
    session = tape.read()
    assert session.lines == {"c2s": 4, "s2c": 5, "stderr": 1}
    assert session.messages == {"c2s": 4, "s2c": 3}
    assert session.foreign == {"c2s": 0, "s2c": 2}
    assert (session.errors, session.tool_errors) == (1, 1)
    records = list(tape.records())
    for stream, size in session.bytes.items():
        assert size == sum(len(each.payload + each.eol) for each in records if each.dir == stream)
    assert session.methods == {"initialize", "tools/call", "ping"}
    assert (session.last_t, list(session.stderr_tail)) == (8, ["Grüße"])


def test_the_last_of_stderr_is_kept_within_bounds() -> None:
    tape = Tape()
    for number in range(limits.STDERR_KEPT + 5):
        tape.stderr(f"{number} " + "x" * 1000)
    tail = tape.read().stderr_tail
    assert len(tail) == limits.STDERR_KEPT
    assert tail[0][:2] == "5 "
    assert {len(line) for line in tail} == {limits.STDERR_LINE_KEPT}
    assert Tape().line("stderr", b"\xff").read().stderr_tail.pop() == "\N{REPLACEMENT CHARACTER}"


def segments(line: bytes, *cuts: int) -> list[Line]:
    """``line`` in parts, cut at those places, as the tap records one that pauses."""
    places = [0, *cuts]
    parts: list[Line] = [Segment((line[a:b],), more=True) for a, b in zip(places, cuts, strict=False)]
    return [*parts, Segment((line[places[-1] :],), newline=True)]


def test_a_message_that_is_recorded_in_parts_is_one_message() -> None:
    tape = begun().client(request(1, "tools/call", name="slow"), 1)
    line = orjson.dumps(result(1, text="ä" * 20))
    for t, part in enumerate(segments(line, 10, 31), 2):
        tape.line("s2c", part, t)
    session, steps = tape.steps()
    assert [step.paired for step in steps[-3:-1]] == [(), ()]
    (item,) = steps[-1].paired
    assert item.role == "answers"
    assert item.exchange is not None
    assert (item.exchange.latency, item.exchange.answer_size) == (3, len(line))
    assert (session.foreign, session.messages["s2c"], session.lines["s2c"]) == ({"c2s": 0, "s2c": 0}, 2, 2)
    assert session.bytes["s2c"] == len(line) + 1 + len(orjson.dumps(agreed())) + 1


def test_other_lines_may_come_while_one_is_unfinished() -> None:
    tape = begun().client(request(1, "ping"), 1)
    first, last = segments(orjson.dumps(result(1)), 9)
    tape.line("s2c", first, 2).client(request(2, "ping"), 3).stderr("x", 4).line("s2c", last, 5)
    session, steps = tape.steps()
    assert [item.role for step in steps[-4:] for item in step.paired] == ["asks", "answers"]
    assert [each.id for each in session.unanswered()] == [2]


def test_a_line_that_never_ended_is_no_message_and_a_prompt_can_be_seen() -> None:
    tape = begun().line("s2c", Segment((b"Password: ",), more=True), 2)
    session = tape.read()
    assert session.pieces["s2c"].pieces == [b"Password: "]
    assert (session.foreign["s2c"], session.lines["s2c"]) == (0, 1)
    session, steps = tape.line("s2c", Segment((b"",)), 9).steps()
    assert steps[-1].message is not None
    assert (steps[-1].message.flaw, session.foreign["s2c"], session.pieces) == ("text", 1, {})


def test_a_record_of_its_own_that_follows_part_of_a_line_is_the_rest_of_that_line() -> None:
    tape = begun().line("s2c", Segment((b"[1, ",), more=True), 1).server(b"2]", 2)
    tape.lines[-1] = tape.lines[-1].replace(b'"text":"2]"', b'"msg":7')
    session, steps = tape.steps()
    assert steps[-1].message is not None
    assert (steps[-1].message.kind, steps[-1].message.flaw) == ("not-json", "text")
    assert (session.foreign["s2c"], session.pieces) == (1, {})


def test_an_answer_without_a_newline_is_no_answer() -> None:
    tape = begun().client(request(1, "ping"), 1).line("s2c", Segment((orjson.dumps(result(1)),)), 2)
    session, steps = tape.steps()
    (item,) = steps[-1].paired
    assert (item.message.flaw, item.role) == ("no-newline", "tells")
    assert [each.id for each in session.unanswered()] == [1]


def test_a_line_too_long_to_be_read_is_told_as_such(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(held, "JOINED_LIMIT", 1000)
    tape = Tape()
    for part in segments(b'{"id":1,"result":"' + b"x" * 3000 + b'"}', 900, 1800, 2700):
        tape.line("s2c", part)
    session, steps = tape.steps()
    assert steps[-1].message is not None
    assert (steps[-1].message.flaw, steps[-1].message.why) == (
        "too-large",
        "too long to parse (3,020 bytes)",
    )
    assert session.pieces == {}


def test_the_step_of_a_batch_has_the_batch_and_its_parts() -> None:
    _, steps = begun("2025-03-26").client([request(1, "ping"), told("x")], 1).steps()
    assert steps[-1].message is not None
    assert steps[-1].message.kind == "batch"
    assert [item.message for item in steps[-1].paired] == list(steps[-1].message.parts)


def test_ids_beyond_64_bits_are_not_confused() -> None:
    tape = begun()
    for id in (2**64, 2**64 + 1):
        tape.client(b'{"jsonrpc":"2.0","id":%d,"method":"ping"}' % id)
    tape.server(b'{"jsonrpc":"2.0","id":%d,"result":{}}' % (2**64 + 1))
    assert [each.id for each in tape.read().unanswered()] == [2**64]


# --- what the file says of itself -----------------------------------------------------------------------


def test_missing_records_are_counted() -> None:
    tape = begun()
    tape.seq += 3
    tape.client(request(1, "ping"), 1)
    tape.event("gap", 2, records=3, bytes=90, reason="No space left on device")
    session = tape.read()
    assert session.missing == 3
    assert [event.fields["reason"] for event in session.events] == ["No space left on device"]


def test_the_start_record_of_a_file_that_was_moved_away_is_no_gap() -> None:
    tape = begun().client(request(1, "ping"), 1)
    tape.lines.append(tape.lines[0])
    tape.server(result(1), 2)
    assert tape.read().missing == 0


def test_tap_events_are_kept_within_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "EVENTS_KEPT", 3)
    tape = Tape().start()
    for number in range(9):
        tape.event("stall", number, stream="s2c")
    assert [event.event for event in tape.read().events] == ["stall"] * 3


def test_method_names_are_kept_within_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "METHODS_KEPT", 3)
    tape = Tape()
    for number in range(9):
        tape.client(told(f"x/{number}"))
    assert len(tape.read().methods) == 3


# --- how it ended -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("first", "code", "signal", "by", "sentence"),
    [
        ("client-eof", 0, None, "client", "client closed"),
        ("client-eof", 1, None, "client", "client closed, server exited 1"),
        ("client-eof", None, "SIGTERM", "client", "client closed, server killed by SIGTERM"),
        ("client-signal", None, "SIGINT", "client", "client sent SIGINT, server killed by SIGINT"),
        ("client-gone", 0, None, "client", "client stopped reading, server exited 0"),
        ("server-eof", 0, None, "server", "server closed stdout, then exited 0"),
        ("server-exit", 0, None, "server", "server exited 0 after 6.00 s"),
        ("server-exit", 1, None, "server", "server died: exit 1 after 6.00 s"),
        ("server-exit", None, "SIGSEGV", "server", "server died: killed by SIGSEGV after 6.00 s"),
        (
            "server-exit",
            None,
            "SIGTERM",
            "server",
            "server stopped from outside: killed by SIGTERM after 6.00 s",
        ),
        ("something-new", 3, None, None, "server exited 3"),
    ],
)
def test_a_session_says_how_it_ended_and_by_whom(
    first: Any, code: int | None, signal: str | None, by: str | None, sentence: str
) -> None:
    tape = begun().client(request(1, "ping"), 1).event("signal", 2, name="SIGINT", forwarded=True)
    ending = tape.exit(6, first, code, signal).read().ending
    assert (ending.first, ending.code, ending.signal) == (first, code, signal)
    assert (ending.by, ending.sentence) == (by, sentence)


def test_a_session_without_an_end_says_so() -> None:
    ending = begun().read().ending
    assert (ending.by, ending.first, ending.sentence) == (None, None, "still running, or the tap was killed")


def test_a_server_that_was_not_started_says_why() -> None:
    tape = (
        Tape()
        .event("start", argv=["npx"])
        .event("spawn_failed", 0.1, error="command not found: npx", code=127)
    )
    session = tape.exit(0.1, "spawn-failed", 127).read()
    assert (session.kind, session.ending.by) == ("empty", "nobody")
    assert session.ending.sentence == "not started: command not found: npx"


@pytest.mark.parametrize("value", [[], {}, 7, None, True, "x"])
def test_an_end_of_wrong_types_is_an_end_all_the_same(value: Any) -> None:
    tape = begun().event("signal", 2, name=value)
    ending = tape.event("exit", 3, first=value, code=value, signal=value).read().ending
    assert ending.by is None
    assert ending.sentence.startswith("server ")


# --- probes -------------------------------------------------------------------------------------------------


def probe(*messages: dict[str, Any], t: float = 0.5) -> Session:
    tape = (
        Tape().start().client(modern(0, "server/discover"), 0.1).server(result(0, supportedVersions=[]), 0.2)
    )
    for message in messages:
        tape.client(message, 0.3)
    tape.server(told("notifications/message", level="info", data="x"), 0.3)
    return (
        tape.event("signal", t, name="SIGTERM", forwarded=True)
        .exit(t, "client-signal", None, "SIGTERM")
        .read()
    )


def test_a_client_that_only_asks_what_is_spoken_is_a_probe_and_not_a_crash() -> None:
    session = probe()
    assert (session.kind, session.ending.sentence) == ("probe", "probe")
    assert probe(told("notifications/cancelled", requestId=0)).kind == "probe"


def test_a_server_that_takes_long_to_start_makes_no_session_of_a_probe() -> None:
    tape = Tape().start().client(modern(0, "server/discover"), 0.1)
    tape.server(result(0, supportedVersions=[]), 20).event("signal", 20.1, name="SIGTERM", forwarded=True)
    assert tape.exit(20.2, "client-signal", None, "SIGTERM").read().kind == "probe"


def test_more_than_a_question_or_more_time_is_no_probe() -> None:
    assert probe(request(1, "tools/list")).kind == "session"
    assert probe(t=limits.PROBE_SECONDS + 0.2).kind == "session"
    assert begun().exit(0.5, "client-eof").read().kind == "session"


def test_a_session_in_which_nothing_was_said_is_empty() -> None:
    session = Tape().start().stderr("Usage: notes").server(b"Usage", 1).exit(1, "server-exit", 2).read()
    assert session.kind == "empty"


# --- several sessions ---------------------------------------------------------------------------------------


def test_interleaved_sessions_are_told_apart_and_skipped_lines_reported() -> None:
    one, other = Tape("a").start(name="x").client(request(1, "ping")), Tape("b").start(name="y")
    other.client(request(1, "ping")).server(result(1))
    lines = [*other.lines[:2], *one.lines, b"\n", b"{}\n", *other.lines[2:], one.lines[0][:40]]
    sessions = Sessions()
    read = sessions.read(lines)
    assert [(each.id, each.name, len(each.unanswered()), each.missing) for each in read] == [
        ("b", "y", 0, 0),
        ("a", "x", 1, 0),
    ]
    assert [(line.number, line.reason) for line in sessions.skipped] == [
        (6, "empty line"),
        (7, "not a record: 'dir' is missing"),
        (10, "incomplete: the writer was interrupted, or is still writing"),
    ]
    assert sessions.skips == 3


def test_skipped_lines_are_kept_within_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(several, "SKIPPED_KEPT", 2)
    sessions = Sessions()
    sessions.read([b"\n"] * 5)
    assert (len(sessions.skipped), sessions.skips) == (2, 5)


# --- properties ---------------------------------------------------------------------------------------------

SIDES: st.SearchStrategy[Side] = st.sampled_from(("c2s", "s2c"))
EVENTS = st.fixed_dictionaries(
    {
        "event": st.sampled_from(["start", "spawn", "spawn_failed", "exit", "signal", "gap", "new", "eof"])
        | JSON
    },
    optional=dict.fromkeys(("code", "signal", "first", "name", "error", "argv", "format"), JSON),
)
RECORDS = st.builds(
    SpecialRecord,
    number=st.integers(1),
    ts=st.text(max_size=5),
    t=st.floats(),
    session=st.sampled_from(["a", "b"]),
    seq=st.integers(-5, 50),
    dir=st.sampled_from(["c2s", "s2c", "stderr", "tap"]),
    fields=EVENTS | st.dictionaries(st.text(max_size=3), JSON, max_size=2),
    payload=st.binary(max_size=20) | st.sampled_from([b'{"id":1,"result":NaN}', b'{"id":2', b"{"]),
    eol=st.sampled_from([b"\n", b"\r\n", b""]),
    more=st.booleans(),
    is_message=st.booleans(),
    value=VALUES,
)


@given(st.lists(RECORDS, max_size=20))
@examples(3)
def test_no_records_whatever_make_the_model_raise(records: Sequence[Record]) -> None:
    sessions = Sessions()
    for record in records:
        session, step = sessions.add(record)
        assert step.record is record
        assert isinstance(session.ending.sentence, str)
        assert session.kind in ("session", "probe", "empty")
        session.unanswered()
    assert set(sessions.by_id) == {record.session for record in records}


KEYS = st.sampled_from(
    ["ts", "t", "session", "seq", "dir", "event", "msg", "text", "eol", "more", "code", "first", "b64"]
)


@given(st.lists(st.dictionaries(KEYS, JSON, max_size=6), max_size=10))
@examples(2)
def test_no_lines_of_json_whatever_make_reader_and_model_raise(objects: list[dict[str, Any]]) -> None:
    lines = []
    head = {"ts": "", "t": 0, "session": "s", "seq": 0, "dir": "c2s", "msg": {}}
    for number, each in enumerate(objects):
        each = {key: value for key, value in each.items() if writable(value)}
        lines.append(orjson.dumps({**head, "seq": number, **each}) + b"\n")
    sessions = Sessions()
    sessions.read(lines)
    assert sessions.skips == sum(
        isinstance(read_record(line, number), Skipped) for number, line in enumerate(lines, 1)
    )


def writable(value: Any) -> bool:
    """Whether ``value`` can be written as JSON."""
    try:
        orjson.dumps(value)
    except orjson.JSONEncodeError:
        return False
    return True


def test_values_nested_as_deep_as_the_reader_takes_are_read_like_any_other() -> None:
    deep = b"[" * 990 + b"]" * 990
    tape = Tape()
    for event in ("start", "spawn", "spawn_failed", "signal", "exit"):
        members = b",".join(
            b'"%b":%b' % (key, deep) for key in (b"code", b"signal", b"first", b"name", b"error")
        )
        tape._add(0, b',"dir":"tap","event":"%b",%b}\n' % (event.encode(), members))
    for member in (b"id", b"method", b"params", b"result", b"error"):
        tape.client(b'{"id":1,"%b":%b}' % (member, deep)).server(b'{"id":1,"%b":%b}' % (member, deep))
    session = tape.client(deep).server(deep).read()
    assert session.ending.sentence == "not started: None"
    assert session.kind == "session"


TALK = st.lists(st.tuples(SIDES, VALUES.filter(writable)), max_size=12)


def summary(items: Sequence[Paired]) -> list[Any]:
    """What was understood, without times and record numbers, which depend on the chunks."""
    return [
        (item.role, item.message.kind, item.message.why, item.exchange and (
            item.exchange.side, repr(item.exchange.id), item.exchange.method, item.exchange.outcome,
            item.exchange.answers, item.exchange.progress, item.exchange.other_type, item.exchange.reuses,
            item.exchange.answer_size, item.exchange.cancelled_t is None, item.exchange.era,
        ))
        for item in items
    ]  # fmt: skip


@given(TALK, st.lists(st.tuples(st.integers(1, 40), st.booleans()), min_size=1, max_size=8))
@examples(2)
def test_what_is_understood_does_not_depend_on_the_chunks_in_which_it_came(
    talk: list[tuple[Side, Any]], chunks: list[tuple[int, bool]]
) -> None:
    whole, chunked = Tape(), Tape()
    splitters = {"c2s": LineSplitter(), "s2c": LineSplitter()}
    sizes = itertools.cycle(chunks)
    for side, value in talk:
        line = orjson.dumps(value)
        whole.line(side, line)
        rest = line + b"\n"
        while rest:
            size, silent = next(sizes)
            parts = splitters[side].feed(rest[:size])
            for part in [*parts, *(splitters[side].silence() if silent else [])]:
                chunked.line(side, part)
            rest = rest[size:]
    session, steps = whole.steps()
    other, others = chunked.steps()
    assert summary([item for step in steps for item in step.paired]) == summary(
        [item for step in others for item in step.paired]
    )
    for name in ("messages", "lines", "bytes", "foreign", "methods", "catalogue", "era", "client", "errors"):
        assert getattr(other, name) == getattr(session, name), name
    assert other.pieces == {}


@given(st.lists(st.tuples(st.booleans(), TALK), max_size=4), st.randoms(use_true_random=False))
@examples(0.5)
def test_a_session_is_the_same_alone_and_among_others(
    talks: list[tuple[bool, list[tuple[Side, Any]]]], random: Any
) -> None:
    tapes = []
    for number, (_, talk) in enumerate(talks):
        tape = Tape(f"s{number}")
        for side, value in talk:
            tape.line(side, orjson.dumps(value))
        tapes.append(tape)
    queues = [list(tape.lines) for tape in tapes if tape.lines]
    mixed = []
    while queues:
        queue = random.choice(queues)
        mixed.append(queue.pop(0))
        queues = [each for each in queues if each]
    sessions = Sessions()
    sessions.read(mixed)
    for tape in tapes:
        if tape.lines:
            alone, among = tape.read(), sessions.by_id[tape.session]
            assert (alone.messages, alone.bytes, alone.methods) == (
                among.messages,
                among.bytes,
                among.methods,
            )
            assert [(each.seq, each.method) for each in alone.unanswered()] == [
                (each.seq, each.method) for each in among.unanswered()
            ]


def test_the_envelope_of_the_tests_is_that_of_the_specification() -> None:
    assert set(ENVELOPE) == {
        "io.modelcontextprotocol/protocolVersion",
        "io.modelcontextprotocol/clientInfo",
        "io.modelcontextprotocol/clientCapabilities",
    }
