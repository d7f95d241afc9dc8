"""The one way through a recording, from its lines to sessions and their numbers."""

from __future__ import annotations

import pytest
from hypothesis import given

from mcp_tap.errors import TapError
from mcp_tap.model.numbers import Numbers
from mcp_tap.model.sessions import Sessions
from mcp_tap.record.reader import read_record, read_special
from tests.model.recordings import (
    HANDSHAKE,
    MODERN,
    SESSION,
    conversations,
    event,
    line,
    message,
    recordings,
    session_lines,
)
from tests.profiles import examples


def counted(lines: list[bytes]) -> tuple[Sessions, Numbers]:
    """The sessions in ``lines``, and their numbers."""
    sessions, numbers = Sessions(), Numbers()
    for _, step in sessions.steps(lines):
        numbers.take(step)
    for session in sessions.by_id.values():
        numbers.finish(session)
    numbers.close()
    return sessions, numbers


@given(recordings())
@examples(3)
def test_a_record_that_is_built_straight_is_the_same_record(lines: list[bytes]) -> None:
    for number, each in enumerate(lines, 1):
        assert read_record(each, number) == read_special(each, number)


@given(conversations())
@examples(3)
def test_so_it_is_in_any_conversation_with_any_spelling(lines: list[bytes]) -> None:
    for number, each in enumerate(lines, 1):
        for spelled in (
            each,
            each.replace(b'"t":', b'"t": '),
            each[:-1],
            each.replace(b'"t":0.', b'"t":0,"u":'),
        ):
            assert read_record(spelled, number) == read_special(spelled, number)


def test_several_round_trips_of_a_call_are_counted_as_one() -> None:
    ask = {"name": "read", "_meta": MODERN}
    wants = {"resultType": "input_required", "requestState": "s"}
    said = [HANDSHAKE[0]]
    for id, params, result in ((1, ask, {}), (2, ask, wants), (3, {**ask, "requestState": "s"}, {})):
        said.append((id + 0.25, "c2s", message(id=id, method="tools/call", params=params)))
        said.append((id + 0.5, "s2c", message(id=id, result=result)))
    row = counted(session_lines(*said))[1].rows[("c2s", "tools/call", "read")]
    assert (row.count, row.latencies.tolist()) == (2, [0.25, 0.5])


def test_a_client_that_changes_its_name_is_known_by_the_last() -> None:
    said = [HANDSHAKE[0]]
    for id, name in enumerate(["one", "one", "two"]):
        meta = {**MODERN, "io.modelcontextprotocol/clientInfo": {"name": name}}
        said.append((id + 0.25, "c2s", message(id=id, method="ping", params={"_meta": meta})))
        said.append((id + 0.5, "s2c", message(id=id, result={})))
    assert counted(session_lines(*said))[0].by_id[SESSION].client.name == "two"


def test_what_is_remembered_is_let_go_of_at_the_exit() -> None:
    calls = [(2.0, "c2s", message(id=id, method="ping")) for id in (5, 6)]
    leaves = (3.0, "tap", event("exit", code=0))
    lines = session_lines(*HANDSHAKE, *calls, (2.5, "s2c", message(id=5, result={})), leaves)
    pairing = counted(lines)[0].by_id[SESSION].pairing
    assert (len(pairing._answered), list(pairing.open)) == (0, [("c2s", 6)])


def test_one_session_of_several_is_read_alone() -> None:
    lines = session_lines(*HANDSHAKE) + session_lines(*HANDSHAKE, session="other")
    assert [session.id for session in Sessions(only="other").read(lines)] == ["other"]


def test_files_are_counted_one_after_the_other() -> None:
    numbers = Numbers()
    for name in (SESSION, "other"):
        sessions = Sessions()
        call = (2.0, "c2s", message(id=2, method="ping"))
        for _, step in sessions.steps(session_lines(*HANDSHAKE, call, session=name)):
            numbers.take(step)
        assert [(each.id, len(each.unanswered())) for each in sessions.by_id.values()] == [(name, 1)]
        for session in sessions.by_id.values():
            numbers.finish(session)
    assert numbers.totals.sessions == 2
    assert numbers.rows[("c2s", "ping", None)].unanswered == 2


def test_a_newer_format_is_refused() -> None:
    with pytest.raises(TapError, match="upgrade mcp-tap-recorder"):
        Sessions().read([line(0, 0.0, "tap", event("start", format=2))])
