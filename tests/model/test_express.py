"""The short way through a recording tells the same as the long one."""

from __future__ import annotations

import dataclasses
from array import array
from collections import deque
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcp_tap.errors import TapError
from mcp_tap.model.exchange import Exchange
from mcp_tap.model.express import Express
from mcp_tap.model.numbers import Numbers, Row
from mcp_tap.model.pairing import REMEMBERED, Pairing
from mcp_tap.model.session import Session, Sessions
from mcp_tap.record.reader import Skipped, read_records
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
    text,
)


def by_the_model(lines: list[bytes]) -> tuple[Sessions, Numbers]:
    """Record by record: what the short way must tell."""
    sessions, numbers = Sessions(), Numbers()
    for item in read_records(lines):
        if isinstance(item, Skipped):
            sessions.skip(item)
        else:
            session, step = sessions.add(item)
            numbers.take(step)
            if item.event == "exit":
                session.pairing.forget()
    return sessions, numbers


def by_express(lines: list[bytes]) -> tuple[Sessions, Numbers]:
    numbers = Numbers()
    express = Express(numbers)
    express.read(lines)
    for track in express.tracks.values():
        track.settle()
    return express.sessions, numbers


def plain(value: Any) -> Any:
    """All that a value holds, in types that can be compared."""
    if isinstance(value, Exchange) and value.outcome not in ("open", "input-required"):
        value.fingerprint = None  # it tells the next leg, and there is none
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {each.name: plain(getattr(value, each.name)) for each in dataclasses.fields(value)}
    if isinstance(value, Pairing):
        tokens = {
            str(key): plain(each) for key, each in value._tokens.items()
        }  # looked up, never gone through
        return {name: plain(each) for name, each in vars(value).items() if name != "_tokens"} | tokens
    if isinstance(value, dict):
        # Of the two sides' requests, each has its order: that of both together means nothing.
        return [(plain(key), plain(value[key])) for key in sorted(value, key=lambda key: str(key)[:6])]
    if isinstance(value, (list, tuple, deque, array)):
        return [plain(each) for each in value]
    return value if isinstance(value, (set, frozenset, str, int, float, bytes, type(None))) else repr(value)


def figures(numbers: Numbers) -> Any:
    """What is printed in the end."""
    rows = {key: plain(row) for key, row in numbers.rows.items()}
    return rows, plain(numbers.totals), plain(numbers.start_up)


def assert_the_same(lines: list[bytes]) -> None:
    expected, expected_numbers = by_the_model(lines)
    found, numbers = by_express(lines)
    assert list(found.by_id) == list(expected.by_id)
    assert (found.skips, found.skipped) == (expected.skips, expected.skipped)
    for id, session in expected.by_id.items():
        assert plain(found.by_id[id]) == plain(session)
    for each, sessions in ((expected_numbers, expected), (numbers, found)):
        for session in sessions.by_id.values():
            each.finish(session)
        each.close()
    assert figures(numbers) == figures(expected_numbers)


@given(recordings())
@settings(deadline=None, max_examples=300)
def test_any_lines_whatever_tell_the_same_both_ways(lines: list[bytes]) -> None:
    assert_the_same(lines)


@given(conversations())
@settings(deadline=None, max_examples=300)
def test_any_conversation_tells_the_same_both_ways(lines: list[bytes]) -> None:
    assert_the_same(lines)


@given(conversations(), st.integers(0, 5000), st.booleans())
@settings(deadline=None, max_examples=200)
def test_a_torn_recording_tells_the_same_both_ways(lines: list[bytes], at: int, goes_on: bool) -> None:
    data = b"".join(lines)
    at %= len(data)
    rest = data[at:][data[at:].find(b"\n") :] if goes_on else b""
    assert_the_same((data[:at] + rest).splitlines(keepends=True))


def taken_the_short_way(lines: list[bytes], monkeypatch: pytest.MonkeyPatch) -> int:
    """How many of ``lines`` did not take the long way."""
    long: list[bytes] = []
    real = Express._long_way

    def noted(self: Express, line: bytes, number: int) -> None:
        long.append(line)
        real(self, line, number)

    monkeypatch.setattr(Express, "_long_way", noted)
    Express(Numbers()).read(lines)
    return len(lines) - len(long)


def test_calls_results_notifications_and_stderr_take_the_short_way(monkeypatch: pytest.MonkeyPatch) -> None:
    meta = {"progressToken": 2}
    lines = session_lines(
        *HANDSHAKE,
        (2.0, "c2s", message(id=2, method="tools/call", params={"name": "read", "_meta": meta})),
        (2.1, "stderr", text("reading")),
        (2.5, "s2c", message(id=2, result={"content": [], "isError": True})),
        (3.0, "s2c", message(id=0, method="ping")),
        (3.1, "c2s", message(id=0, result={})),
        (3.2, "s2c", message(method="notifications/message", params={"data": "x"})),
    )
    assert taken_the_short_way(lines, monkeypatch) == 7


def test_calls_of_the_modern_era_take_the_short_way_once_their_client_is_known(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    said = [HANDSHAKE[0]]
    for id in range(3):
        params = {"name": "read", "_meta": {**MODERN, "progressToken": id}}
        said.append((id + 0.25, "c2s", message(id=id, method="tools/call", params=params)))
        said.append((id + 0.5, "s2c", message(id=id, result={"resultType": "complete"})))
    lines = session_lines(*said)
    assert_the_same(lines)
    assert taken_the_short_way(lines, monkeypatch) == 4


def test_another_leg_of_a_call_is_told_as_one_both_ways() -> None:
    ask = {"name": "read", "_meta": MODERN}
    wants = {"resultType": "input_required", "requestState": "s"}
    said = [HANDSHAKE[0]]
    for id, params, result in ((1, ask, {}), (2, ask, wants), (3, {**ask, "requestState": "s"}, {})):
        said.append((id + 0.25, "c2s", message(id=id, method="tools/call", params=params)))
        said.append((id + 0.5, "s2c", message(id=id, result=result)))
    lines = session_lines(*said)
    assert_the_same(lines)
    row = by_express(lines)[1].rows[("c2s", "tools/call", "read")]
    assert (row.count, row.latencies.tolist()) == (2, [0.25, 0.5])


def test_a_client_that_changes_its_name_is_told_the_same_both_ways() -> None:
    said = [HANDSHAKE[0]]
    for id, name in enumerate(["one", "one", "two"]):
        meta = {**MODERN, "io.modelcontextprotocol/clientInfo": {"name": name}}
        said.append((id + 0.25, "c2s", message(id=id, method="ping", params={"_meta": meta})))
        said.append((id + 0.5, "s2c", message(id=id, result={})))
    lines = session_lines(*said)
    assert_the_same(lines)
    assert by_express(lines)[0].by_id[SESSION].client.name == "two"


def test_progress_that_nobody_asked_for_is_told_the_same_both_ways() -> None:
    progress = message(method="notifications/progress", params={"progressToken": 2})
    assert_the_same(
        session_lines(*HANDSHAKE, (2.0, "c2s", message(id=2, method="ping")), (2.1, "s2c", progress))
    )


def test_more_answers_than_the_model_remembers_are_forgotten_both_ways() -> None:
    said = [HANDSHAKE[0]]
    for id in range(REMEMBERED + 2):
        said.append(
            (id * 0.001, "c2s", message(id=id, method="ping", params={"_meta": {"progressToken": id}}))
        )
        said.append((id * 0.001, "s2c", message(id=id, result={})))
    said += [(5.0, "s2c", message(id=id, result={})) for id in (0, 1, 2, REMEMBERED)]
    assert_the_same(session_lines(*said))


def test_what_is_remembered_is_let_go_of_at_the_exit() -> None:
    calls = [(2.0, "c2s", message(id=id, method="ping")) for id in (5, 6)]
    leaves = (3.0, "tap", event("exit", code=0))
    lines = session_lines(*HANDSHAKE, *calls, (2.5, "s2c", message(id=5, result={})), leaves)
    assert_the_same(lines)
    pairing = by_express(lines)[0].by_id[SESSION].pairing
    assert (len(pairing._answered), list(pairing.open)) == (0, [("c2s", 6)])


def test_one_session_of_several_is_read_alone() -> None:
    lines = session_lines(*HANDSHAKE) + session_lines(*HANDSHAKE, session="other")
    express = Express(only="other")
    express.read(lines)
    assert [session.id for session in express.finish()] == ["other"]


def test_files_are_read_one_after_the_other() -> None:
    numbers = Numbers()
    express = Express(numbers)
    for session in (SESSION, "other"):
        express.read(session_lines(*HANDSHAKE, (2.0, "c2s", message(id=2, method="ping")), session=session))
        assert [(each.id, len(each.unanswered())) for each in express.finish()] == [(session, 1)]
    assert numbers.totals.sessions == 2
    assert numbers.rows[("c2s", "ping", None)].unanswered == 2
    assert express.finish() == []


def test_a_newer_format_is_refused() -> None:
    with pytest.raises(TapError, match="upgrade mcp-tap-recorder"):
        Express().read([line(0, 0.0, "tap", event("start", format=2))])


def test_the_rows_are_those_of_the_calls() -> None:
    _, numbers = by_express(
        session_lines(
            *HANDSHAKE,
            (2.0, "c2s", message(id=2, method="tools/call", params={"name": "read"})),
            (2.5, "s2c", message(id=2, result={"isError": True})),
        )
    )
    row = numbers.rows[("c2s", "tools/call", "read")]
    assert isinstance(row, Row)
    assert (row.count, row.errors, row.tool_errors, row.latencies.tolist()) == (1, 0, 1, [0.5])
    assert (row.request_bytes, row.result_bytes) == (71, 50)


def test_a_session_that_nobody_counts_is_read_as_well() -> None:
    express = Express()
    express.read(session_lines(*HANDSHAKE, (2.0, "c2s", message(id=2, method="ping"))))
    (session,) = express.finish()
    assert isinstance(session, Session)
    assert (session.messages, session.last_t, session.protocol) == ({"c2s": 4, "s2c": 2}, 2.0, "2025-11-25")
