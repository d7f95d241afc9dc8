"""The recordings of real servers and clients, and of real failures, as the model reads them."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import pytest

from mcp_tap.model.session import Session
from tests.e2e.fleet import complaints
from tests.record_cases import RECORDINGS, Read
from tests.recordings import cases
from tests.recordings.record_fleet import kept
from tests.recordings.sanitise import personal, sanitise

VERSION_1 = RECORDINGS / "v1"
FLEET = RECORDINGS / "fleet"
ALL = sorted([*VERSION_1.glob("*.jsonl"), *FLEET.glob("*.jsonl"), *(RECORDINGS / "cases").glob("*.jsonl")])


def real(name: str) -> Read:
    """A recording of a real server and client."""
    return Read(VERSION_1 / f"{name}.jsonl")


def case(name: str) -> Read:
    """The recording of a failure."""
    return Read(cases.FOLDER / f"{name}.jsonl")


# --- all of them ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ALL, ids=lambda path: path.stem)
def test_every_record_is_read_and_its_ends_counts_fit(path: Path) -> None:
    read = Read(path)
    assert read.sessions.skips == 0
    for session in read.sessions.by_id.values():
        assert (session.missing, session.pieces) == (0, {})
        if session.exit is not None:
            assert (session.exit["lines"], session.exit["bytes"]) == (session.lines, session.bytes)


@pytest.mark.parametrize("path", ALL, ids=lambda path: path.stem)
def test_no_recording_tells_where_it_was_made(path: Path) -> None:
    assert personal(path.read_bytes()) == []


@pytest.mark.parametrize("folder", [VERSION_1, FLEET], ids=lambda folder: folder.name)
def test_real_recordings_are_never_edited(folder: Path) -> None:
    sums = (folder / "SHA256SUMS").read_text(encoding="ascii").splitlines()
    found = [
        f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}"
        for path in sorted(folder.glob("*.jsonl"))
    ]
    assert found == sums


@pytest.mark.parametrize("folder", [VERSION_1, FLEET], ids=lambda folder: folder.name)
def test_real_recordings_stay_small(folder: Path) -> None:
    assert {path.name for path in folder.glob("*.jsonl") if path.stat().st_size > 60_000} == set()


@pytest.mark.parametrize(("server", "client"), kept())
def test_a_session_of_the_fleet_is_healthy(server: str, client: str) -> None:
    assert complaints(FLEET / f"{server}-{client}.jsonl", server, client) == []


def test_the_fleet_is_the_pairs_that_are_kept() -> None:
    assert {path.stem for path in FLEET.glob("*.jsonl")} == {"-".join(pair) for pair in kept()}


def test_the_recordings_of_failures_are_what_their_table_writes() -> None:
    assert {path.name: path.read_bytes() for path in cases.FOLDER.iterdir()} == cases.written()


def test_sanitising_replaces_places_and_keeps_the_counts_true() -> None:
    lines = (VERSION_1 / "filesystem-ts.jsonl").read_bytes().splitlines(keepends=True)
    moved = sanitise(lines, [("/home/me/notes", "/srv/a/much/longer/place")])
    assert b"".join(moved) != b"".join(lines)
    assert b"/home/me/notes" not in b"".join(moved)
    assert sanitise(moved, [("/srv/a/much/longer/place", "/home/me/notes")]) == lines
    with pytest.raises(ValueError, match="line 1 cannot be sanitised"):
        sanitise([b"{}\n"], [])


def test_what_is_personal_is_found() -> None:
    assert personal(b'{"cwd":"/home/you/x","path":"/root/bin:/tmp/x:/home/me/bin"}') == [
        b"/home/",
        b"/root",
        b"/tmp",
    ]


# --- real servers and clients -----------------------------------------------------------------------------


def calls(read: Read) -> list[tuple[str | None, str]]:
    """Each tool's call, and what came of it."""
    return [(each.target, each.outcome) for each in read.exchanges if each.method == "tools/call"]


TIME_CALLS = [("get_current_time", "result"), ("convert_time", "result"), ("convert_time", "tool-error")]


@pytest.mark.parametrize(
    ("name", "client"), [("time-py1", "mcp 0.1.0"), ("time-py2", "mcp 0.1.0"), ("time-ts", "end-to-end 1")]
)
def test_each_client_shakes_hands_lists_and_calls(name: str, client: str) -> None:
    read = real(name)
    session = read.session
    assert (session.era, session.offered, session.protocol) == ("legacy", "2025-11-25", "2025-11-25")
    assert (str(session.client), str(session.server)) == (client, "mcp-time 2026.10.19")
    assert (session.kind, session.ending.sentence, session.ending.by) == (
        "session",
        "client closed",
        "client",
    )
    assert session.catalogue == {"tools": ["get_current_time", "convert_time"]}
    assert calls(read) == TIME_CALLS
    assert {(each.era, each.version) for each in read.exchanges} == {("legacy", "2025-11-25")}
    assert (session.unanswered(), session.foreign, session.tool_errors) == ([], {"c2s": 0, "s2c": 0}, 1)
    assert len(session.stderr_tail) == 1


@pytest.mark.parametrize("name", ["time-py2-modern", "git-py2-modern"])
def test_a_session_of_the_modern_era_has_no_handshake(name: str) -> None:
    read = real(name)
    session = read.session
    assert (session.era, session.protocol, session.supported) == ("modern", "2026-07-28", ("2026-07-28",))
    assert session.server.version == "2026.10.19"
    assert "initialize" not in session.methods
    assert {(each.era, each.version) for each in read.exchanges} == {("modern", "2026-07-28")}
    assert read.exchanges[0].method == "server/discover"
    assert session.capabilities["c2s"] == {}
    assert session.capabilities["s2c"]["tools"] == {"listChanged": False}
    assert len(calls(read)) == session.tool_errors + 2 == 3
    assert session.unanswered() == []


def test_a_process_that_was_only_asked_for_its_era_is_a_probe() -> None:
    session = real("time-probe").session
    assert (session.kind, session.era, session.ending.by) == ("probe", "modern", "client")
    assert (session.ending.first, session.ending.signal) == ("client-signal", "SIGTERM")


def test_a_client_falls_back_where_the_era_is_not_known() -> None:
    read = real("everything-py2-fallback")
    assert [(each.method, each.era, each.version, each.outcome) for each in read.exchanges[:2]] == [
        ("server/discover", "modern", "2026-07-28", "error"),
        ("initialize", "legacy", "2025-11-25", "result"),
    ]
    assert (read.session.era, read.session.protocol, read.session.kind) == ("legacy", "2025-11-25", "session")


def test_two_sessions_in_one_file_are_told_apart() -> None:
    read = Read(VERSION_1 / "time-two-sessions.jsonl")
    sessions = list(read.sessions.by_id.values())
    assert sorted(str(session.client) for session in sessions) == ["end-to-end 1", "mcp 0.1.0"]
    assert sorted(calls(read)) == sorted(TIME_CALLS * 2)
    ids = [step.record.session for step in read.steps]
    assert ids != sorted(ids)
    assert ids != sorted(ids, reverse=True)


@pytest.mark.parametrize("name", ["everything-py2-asks", "everything-ts-asks"])
def test_requests_of_a_server_belong_to_the_calls_that_they_were_made_for(name: str) -> None:
    read = real(name)
    found = [
        (each.method, each.within and each.within.target) for each in read.exchanges if each.side == "s2c"
    ]
    assert found == [
        ("roots/list", None),
        ("sampling/createMessage", "trigger-sampling-request"),
        ("elicitation/create", "trigger-elicitation-request"),
    ]
    for each in read.exchanges:
        if each.within is not None:
            assert each.latency is not None
            assert each.within.waited == pytest.approx(each.latency)
            assert each.within.own_time is not None
            assert each.within.latency == pytest.approx(each.within.own_time + each.within.waited)
    assert "notifications/tools/list_changed" in read.session.methods


def test_a_client_with_roots_gives_them_of_its_own_accord() -> None:
    read = real("filesystem-py2-roots")
    roots = read.exchange("roots/list")
    assert (roots.side, roots.outcome, roots.within) == ("s2c", "result", None)
    assert read.session.ending.sentence == "client closed"
    assert read.session.stderr_tail[-1] == "Updated allowed directories from MCP roots: 1 valid directories"


@pytest.mark.parametrize(
    ("name", "ending"),
    [
        ("everything-py1-cancelled", "still running, or the tap was killed"),
        ("everything-py2-cancelled", "client closed, server killed by SIGTERM"),
        ("everything-ts-cancelled", "client closed, server killed by SIGTERM"),
    ],
)
def test_an_abandoned_call_is_cancelled_and_not_unanswered(name: str, ending: str) -> None:
    read = real(name)
    abandoned = read.exchange("tools/call")
    assert (abandoned.outcome, abandoned.may_stay_open, abandoned.is_late) == ("open", True, False)
    assert abandoned.cancelled_t is not None
    assert abandoned.progress > 1  # this server goes on with what was cancelled
    assert (read.session.unanswered(), read.session.ending.sentence) == ([], ending)


def test_progress_belongs_to_its_own_call_even_among_several() -> None:
    assert real("everything-py1-progress").exchange("tools/call").progress == 5
    found = [each.progress for each in real("everything-ts-at-once").exchanges if each.method == "tools/call"]
    assert found == [2, 3, 4, 0]


def test_a_catalogue_has_tools_resources_and_prompts() -> None:
    session = real("everything-ts").session
    assert {what: len(names) for what, names in session.catalogue.items()} == {
        "tools": 13,
        "resources": 7,
        "prompts": 4,
    }
    assert session.instructions is not None
    assert session.instructions.startswith("# Everything Server")


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("git-py1", [("git_status", "result"), ("git_log", "result"), ("git_show", "tool-error")]),
        (
            "filesystem-ts",
            [("write_file", "result"), ("read_text_file", "result"), ("read_text_file", "tool-error")],
        ),
    ],
)
def test_a_call_that_fails_is_a_tool_error(name: str, expected: list[tuple[str, str]]) -> None:
    assert calls(real(name)) == expected


def test_a_server_that_refuses_to_start_ends_the_session_itself() -> None:
    session = real("filesystem-py1-refused").session
    assert (session.ending.by, session.ending.code) == ("server", 1)
    assert [each.method for each in session.unanswered()] == ["initialize"]
    assert session.stderr_tail[-1] == "Error: None of the specified directories are accessible"


# --- failures -----------------------------------------------------------------------------------------------


def unanswered(session: Session) -> list[tuple[Any, str]]:
    return [(each.id, each.method) for each in session.unanswered()]


@pytest.mark.parametrize(
    ("name", "foreign"),
    [
        ("A01", [("s2c", "text")] * 2),
        ("A02", [("s2c", "colours")] * 3),
        ("A03", [("s2c", "not-json-rpc")]),
        ("A04", [("s2c", "lsp-header"), ("s2c", "empty"), ("s2c", "no-newline")]),
        ("A06", [("s2c", "not-utf-8")]),
        ("A07", [("c2s", "surrogate")]),
        ("A10", [("s2c", "constant")]),
    ],
)
def test_lines_that_are_no_messages_say_why(name: str, foreign: list[tuple[str, str]]) -> None:
    assert case(name).foreign() == foreign


def test_only_these_failures_have_lines_that_are_no_messages() -> None:
    found = [name for name in cases.CASES if case(name).foreign()]
    assert found == ["A01", "A02", "A03", "A04", "A06", "A07", "A10"]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("A04", [(0, "initialize")]),
        ("A05", [(0, "initialize")]),
        ("A06", [(3, "tools/call")]),
        ("A12", [(None, "tools/list"), (None, "prompts/list")]),
        ("A16", [(1, "tools/list"), (2, "prompts/list")]),
        ("A17", [(0, "roots/list")]),
        ("A21", [(0, "initialize")]),
        ("A22", [(1, "tools/call")]),
        ("A27", [(0, "initialize")]),
        ("A28", [(0, "initialize")]),
        ("A29", [(3, "tools/call"), (4, "ping")]),
    ],
)
def test_what_was_never_answered_is_known(name: str, expected: list[tuple[Any, str]]) -> None:
    assert unanswered(case(name).session) == expected


def test_only_in_these_failures_something_was_never_answered() -> None:
    found = [
        name for name in cases.CASES if any(each.unanswered() for each in case(name).sessions.by_id.values())
    ]
    assert found == ["A04", "A05", "A06", "A12", "A16", "A17", "A21", "A22", "A27", "A28", "A29"]


def test_a01_the_handshake_succeeds_all_the_same() -> None:
    session = case("A01").session
    assert (session.protocol, session.catalogue, session.foreign["s2c"]) == (
        "2025-11-25",
        {"tools": ["search"]},
        2,
    )


def test_a03_the_members_of_the_other_json_are_named() -> None:
    (message,) = [item.message for item in case("A03").items if item.message.kind == "not-json-rpc"]
    assert message.why == "no method, result or error (members: level, msg, time)"


@pytest.mark.parametrize(("name", "id"), [("A06", 3), ("A10", 4)])
def test_a06_a10_the_request_that_the_line_was_to_answer_is_known(name: str, id: int) -> None:
    (item,) = [item for item in case(name).items if item.message.kind == "not-json"]
    assert item.message.meant is not None
    assert (item.message.meant.id, item.exchange and item.exchange.outcome) == (id, "open")


def test_a05_the_carriage_return_is_kept() -> None:
    read = case("A05")
    assert [step.record.eol for step in read.steps if step.record.dir == "c2s"] == [b"\r\n"]
    assert (read.session.ending.by, read.session.ending.code) == ("server", 0)


def test_a07_the_request_that_the_line_was_meant_as_is_known() -> None:
    (message,) = [item.message for item in case("A07").items if item.message.kind == "not-json"]
    assert message.meant is not None
    assert (message.meant.id, message.meant.method, message.meant.target) == (6, "tools/call", "w")


def test_a08_the_size_of_a_long_answer_is_known() -> None:
    assert case("A08").exchange("tools/call").answer_size == 66_073


def test_a09_answers_that_came_together_are_seen_to() -> None:
    read = case("A09")
    assert [each.answer_t for each in read.exchanges] == [5.0, 5.0, 10.9, 10.9, 10.9]
    assert [round(each.latency or 0, 3) for each in read.exchanges] == [4.9, 0, 4.9, 1.9, 0]


def test_a11_an_id_of_another_type_is_paired_and_told() -> None:
    found = [(each.id, each.outcome, each.other_type) for each in case("A11").exchanges[1:]]
    assert found == [("7", "result", True), (8, "result", True)]


def test_a12_two_requests_with_the_id_null_are_no_reuse() -> None:
    read = case("A12")
    nulls = [item for item in read.items if item.role == "asks" and item.message.id is None]
    assert [item.message.kind for item in nulls] == ["request", "request"]
    assert [item.exchange and item.exchange.reuses for item in nulls] == [None, None]
    assert read.session.pairing.superseded == []


def test_a13_an_answer_to_a_notification_answers_nothing() -> None:
    item = case("A13").items[-1]
    assert (item.role, item.message.kind, item.message.id) == ("answers-nothing", "error", None)
    assert item.message.key is not None


def test_a14_a_request_before_the_handshake_is_known_by_its_time() -> None:
    session = case("A14").session
    early = case("A14").exchanges[0]
    assert session.initialized_t is not None
    assert early.t < session.initialized_t
    assert (early.version, early.outcome, session.errors) == (None, "error", 2)
    assert "notifications/initialized" not in session.methods


def test_a15_a_refused_handshake_agrees_on_nothing() -> None:
    session = case("A15").session
    assert (session.offered, session.protocol, session.era, session.initialized_t) == (
        "2025-11-25",
        None,
        "legacy",
        None,
    )


def test_a16_the_members_of_a_batch_are_requests() -> None:
    read = case("A16")
    (step,) = [step for step in read.steps if step.message.kind == "batch"]
    assert [(item.role, item.message.id) for item in step.paired] == [("asks", 1), ("asks", 2)]
    assert read.session.protocol == "2025-06-18"


def test_a17_the_time_in_which_the_client_did_not_answer_is_not_the_servers() -> None:
    read = case("A17")
    call, roots = read.exchange("tools/call"), read.exchange("roots/list")
    assert (call.waited, call.latency, call.own_time) == (60.0, 60.5, 0.5)
    assert (roots.within, roots.outcome) == (call, "open")


def test_a18_an_optional_list_is_refused_by_a_code() -> None:
    read = case("A18")
    assert read.exchange("resources/list").outcome == "error"
    assert read.items[-1].message.value["error"]["code"] == -32601
    assert read.session.capabilities["s2c"] == {"tools": {}}


def test_a19_progress_after_the_result_is_told_from_progress_before() -> None:
    read = case("A19")
    call = read.exchange("tools/call")
    assert [item.role for item in read.items if item.exchange is call] == [
        "asks",
        "reports",
        "answers",
        "reports",
    ]
    assert (call.progress, call.answer_t, read.session.last_t) == (2, 3.0, 3.2)


def test_a20_an_answer_after_the_client_gave_up_is_late() -> None:
    call = case("A20").exchange("tools/call")
    assert (call.cancelled_t, call.answer_t, call.is_late, call.outcome) == (61.0, 62.4, True, "result")
    assert call.progress_token is None


def test_a21_no_byte_came_before_the_client_gave_up() -> None:
    session = case("A21").session
    assert (session.spawned_t, session.first_byte_t, session.ending.by) == (0.001, None, "client")
    assert session.stderr_tail[0].startswith("npm http fetch")


def test_a22_the_bytes_of_stderr_are_known() -> None:
    session = case("A22").session
    assert session.bytes["stderr"] == 65_536
    assert [event.event for event in session.events] == ["stall", "eof", "signal"]


@pytest.mark.parametrize(
    ("name", "by", "sentence"),
    [
        ("A23", "client", "client closed, server killed by SIGTERM"),
        ("A25", "client", "client closed, server exited 1"),
        ("A26", "nobody", "not started: command not found: npx"),
        ("A27", "server", "server died: exit 127 after 20.0 ms"),
        ("A28", "server", "server died: exit 1 after 400 ms"),
    ],
)
def test_a23_a25_a26_a27_a28_who_ended_the_session_is_known(name: str, by: str, sentence: str) -> None:
    ending = case(name).session.ending
    assert (ending.by, ending.sentence) == (by, sentence)


def test_a28_the_last_line_of_stderr_is_known() -> None:
    assert case("A28").session.stderr_tail[-1] == "KeyError: 'DEMO_TOKEN'"


def test_a30_a31_every_tool_is_in_the_catalogue_whatever_it_is_called() -> None:
    assert case("A30").session.catalogue == {"tools": ["a", "b"]}
    assert case("A31").session.catalogue == {"tools": ["files.read/all rows", "n" * 70, "m" * 130]}


def test_a33_a_failure_told_as_success_is_a_result() -> None:
    assert case("A33").exchange("tools/call").outcome == "result"


def test_a36_two_instances_overlap() -> None:
    one, other = case("A36").sessions.by_id.values()
    assert (one.start["argv"], other.start["argv"]) == (["notes-server"], ["notes-server"])
    assert (one.last_t, other.last_t, one.missing, other.missing) == (9.1, 8.1, 0, 0)
