"""Which records somebody wants to see."""

from __future__ import annotations

import re
from datetime import UTC, datetime, time, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_tap.errors import TapError
from mcp_tap.model.filters import Bound, Filter, is_trouble, read_bound, read_pattern, read_time
from mcp_tap.model.lookahead import Entry, Lookahead, Parked
from mcp_tap.model.session import Session
from mcp_tap.model.step import Step
from mcp_tap.record.reader import Record, SpecialRecord


def message(seq: int, way: str, value: dict[str, Any], t: float | None = None) -> Record:
    ts = f"2026-11-29T18:37:{40 + seq:02d}.000000Z"
    return SpecialRecord(
        seq + 1, ts, float(seq) if t is None else t, "s", seq, way, {},  # type: ignore[arg-type]
        payload=repr(value).encode(), eol=b"\n", is_message=True, value=value,
    )  # fmt: skip


def event(seq: int, name: str, **fields: Any) -> Record:
    return SpecialRecord(
        seq + 1, f"2026-11-29T18:37:{40 + seq:02d}Z", float(seq), "s", seq, "tap", {"event": name, **fields}
    )


CALL = {"method": "tools/call", "params": {"name": "search_notes"}}
RECORDS = [
    event(0, "start"),
    message(1, "c2s", {"id": 7, **CALL}),
    message(2, "c2s", {"id": "7", "method": "ping"}),
    message(3, "s2c", {"id": 7, "result": {"isError": True}}),
    message(4, "s2c", {"id": "7", "result": {}}),
    SpecialRecord(6, "2026-11-29T18:37:45Z", 5.0, "s", 5, "stderr", {}, payload=b"warning"),
    SpecialRecord(7, "2026-11-29T18:37:46Z", 6.0, "s", 6, "s2c", {}, payload=b"hello", eol=b"\n"),
    message(7, "c2s", {"id": 8, "method": "x"}),
    message(8, "c2s", {"method": "notifications/cancelled", "params": {"requestId": 8}}),
    message(9, "s2c", {"id": 8, "error": {"code": 1}}),
    event(10, "exit", code=1, first="server-exit"),
]


def shown(wanted: Filter) -> list[int]:
    """The numbers of the records that are wanted in the end."""
    session = Session("s")
    judged = [(session.add(record), record) for record in RECORDS]
    return [record.seq for step, record in judged if wanted.judge(step, session, b'{"event":"x"}') == "yes"]


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        (Filter(), list(range(11))),
        (Filter(ids=frozenset({"7"})), [1, 2, 3, 4]),
        (Filter(ids=frozenset({"8"})), [7, 8, 9]),
        (Filter(ids=frozenset({"None", "null"})), []),
        (Filter(methods=frozenset({"ping", "x"})), [2, 4, 7, 9]),
        (Filter(tools=frozenset({"search_notes"})), [1, 3]),
        (Filter(tools=frozenset({"search"})), []),
        (Filter(dirs=frozenset({"stderr", "tap"})), [0, 5, 10]),
        (Filter(errors=True), [1, 3, 6, 7, 9, 10]),
        (Filter(errors=True, methods=frozenset({"x"})), [7, 9]),
        (Filter(grep=re.compile("h.llo|warn")), [5, 6]),
        (Filter(grep=re.compile('"event"')), [0, 10]),
        (Filter(since=Bound(seconds=8.0)), [8, 9, 10]),
        (Filter(until=Bound(seconds=1.0)), [0, 1]),
        (Filter(since=Bound(clock=time(18, 37, 49))), [9, 10]),
        (Filter(until=Bound(clock=time(18, 37, 41))), [0, 1]),
        (Filter(since=Bound(clock=time(18, 30)), until=Bound(clock=time(18, 37, 40))), [0]),
        (Filter(since=Bound(moment=datetime(2026, 11, 29, 18, 37, 50, tzinfo=UTC))), [10]),
    ],
)
def test_every_criterion_must_hold(wanted: Filter, expected: list[int]) -> None:
    assert shown(wanted) == expected


def test_a_request_whose_answer_has_not_come_is_undecided() -> None:
    session = Session("s")
    step = session.add(message(0, "c2s", {"id": 1, **CALL}))
    assert Filter(errors=True).judge(step, session, b"") == "open"
    session.add(message(1, "s2c", {"id": 1, "result": {}}))
    assert Filter(errors=True).judge(step, session, b"") == "no"


def test_a_batch_is_an_error_if_one_of_its_messages_is() -> None:
    session = Session("s")
    session.add(message(0, "c2s", {"id": 1, "method": "ping"}))
    record = SpecialRecord(
        2, "", 1.0, "s", 1, "s2c", {}, is_message=True, value=[{"method": "m"}, {"id": 1, "error": {}}]
    )
    assert Filter(errors=True).judge(session.add(record), session, b"") == "yes"


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"first": "client-eof", "code": 0}, False),
        ({"first": "client-eof", "code": 1}, True),
        ({"first": "client-eof", "code": None, "signal": "SIGSEGV"}, True),
        ({"first": "client-signal", "code": None, "signal": "SIGTERM"}, False),
        ({"first": "client-signal", "code": 143, "signal": None}, False),
        ({"first": "server-exit", "code": 0}, True),
        ({"first": ["x"], "code": None}, False),
    ],
)
def test_the_end_is_trouble_unless_the_client_wanted_it_so(fields: dict[str, Any], expected: bool) -> None:
    assert is_trouble(event(0, "exit", **fields)) is expected


def test_a_clock_time_before_a_late_start_is_on_the_next_day() -> None:
    late, early = Session("s", ts="2026-11-29T23:50:00Z"), Session("s", ts="2026-11-29T10:00:00Z")
    record = SpecialRecord(1, "2026-11-30T00:10:00Z", 1200.0, "s", 1, "stderr", {})
    assert Bound(clock=time(0, 5)).passed(record, late) == 300.0
    assert Bound(clock=time(9, 0)).passed(record, early) == 15 * 3600 + 600.0


def test_what_has_no_time_is_shown() -> None:
    session = Session("s", ts="yesterday")
    record = SpecialRecord(1, "today", 1.0, "s", 1, "stderr", {})
    for bound in (Bound(clock=time(9)), Bound(moment=datetime(2026, 1, 1, tzinfo=UTC))):
        assert Filter(since=bound, until=bound).judge(Step(record), session, b"") == "yes"


@pytest.mark.parametrize(
    ("text", "bound"),
    [
        ("1.5", Bound(seconds=1.5)),
        ("1.5s", Bound(seconds=1.5)),
        (" 2m ", Bound(seconds=120.0)),
        ("1h", Bound(seconds=3600.0)),
        ("250ms", Bound(seconds=0.25)),
        (".5", Bound(seconds=0.5)),
        ("18:37", Bound(clock=time(18, 37))),
        ("18:37:40", Bound(clock=time(18, 37, 40))),
        ("2026-11-29T18:37:40Z", Bound(moment=datetime(2026, 11, 29, 18, 37, 40, tzinfo=UTC))),
        ("2026-11-29 18:37", Bound(moment=datetime(2026, 11, 29, 18, 37, tzinfo=UTC))),
        (
            "2026-11-29T18:37:40.5+01:00",
            Bound(moment=datetime(2026, 11, 29, 18, 37, 40, 500000, timezone(timedelta(hours=1)))),
        ),
    ],
)
def test_a_time_may_be_given_in_many_ways(text: str, bound: Bound) -> None:
    assert read_bound(text, "--since") == bound


@pytest.mark.parametrize("text", ["", "soon", "-1", "1d", "25:00", "18:60", "2026-13-01T00:00Z", "١", "nan"])
def test_what_is_no_time_is_said_in_a_sentence(text: str) -> None:
    with pytest.raises(TapError) as raised:
        read_bound(text, "--until")
    assert str(raised.value) == (
        "--until takes seconds from the start (1.5, 2m), a time of day in UTC (18:37:40) "
        f"or an RFC 3339 time, not {text!r}"
    )
    assert raised.value.status == 2


def test_what_is_no_pattern_is_said_in_a_sentence() -> None:
    assert read_pattern("a+").pattern == "a+"
    with pytest.raises(TapError, match=r"^--grep takes a regular expression, not '\(': missing \)"):
        read_pattern("(")


@given(st.text())
def test_reading_times_never_fails_otherwise(text: str) -> None:
    moment = read_time(text)
    assert moment is None or moment.tzinfo is not None
    try:
        read_bound(text, "--since")
    except TapError:
        return


def entries(*waiting: bool, size: int = 1) -> list[Entry]:
    """Entries whose ``missing`` says whether they wait."""
    session = Session("s")
    steps = [
        Step(SpecialRecord(number, "", 0.0, "s", number, "stderr", {})) for number in range(len(waiting))
    ]
    return [Entry(b"x" * size, session, step, int(wait)) for step, wait in zip(steps, waiting, strict=True)]


def released(queue: Lookahead, given_entries: list[Entry]) -> list[list[int]]:
    """The numbers that may pass with each entry, and at the end."""
    groups = [[each.step.record.seq for each in queue.push(entry)] for entry in given_entries]
    return [*groups, [each.step.record.seq for each in queue.end()]]


def test_what_waits_holds_back_what_comes_after_it() -> None:
    queue = Lookahead(lambda entry: entry.missing == 1)
    assert released(queue, entries(False, True, False, False)) == [[0], [], [], [], [1, 2, 3]]


def test_no_more_than_so_many_records_and_bytes_are_held_back() -> None:
    assert released(Lookahead(lambda _: True, records=2), entries(*[True] * 4)) == [[], [], [0], [1], [2, 3]]
    assert released(Lookahead(lambda _: True, size=25), entries(*[True] * 4, size=10)) == [
        [],
        [],
        [0],
        [1],
        [2, 3],
    ]
    assert released(Lookahead(lambda _: True, records=0), entries(True, True)) == [[0], [1], []]


def test_parked_requests_are_found_once_and_the_oldest_are_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mcp_tap.model.lookahead.PARKED_RECORDS", 2)
    session, parked = Session("s"), Parked()
    asked = [Entry(b"x", session, session.add(message(seq, "c2s", {"id": seq, **CALL}))) for seq in range(3)]
    for entry in asked:
        parked.put(entry)
    answers = [
        Entry(b"x", session, session.add(message(3 + seq, "s2c", {"id": seq, "result": {}})))
        for seq in range(3)
    ]
    assert [list(parked.answered_by(answer)) for answer in answers] == [[], [asked[1]], [asked[2]]]
    assert list(parked.answered_by(answers[1])) == []
