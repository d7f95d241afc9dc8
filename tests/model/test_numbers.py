"""Counts, latencies and sizes of calls."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_tap.model.exchange import Exchange
from mcp_tap.model.numbers import (
    OTHER,
    ROWS_KEPT,
    CallStats,
    Key,
    Latency,
    Numbers,
    in_order,
    latency_of,
    median,
    nearest_rank,
)
from mcp_tap.model.sessions import Sessions
from mcp_tap.record.reader import Record, read_records
from tests.model.recordings import (
    HANDSHAKE,
    MODERN,
    conversations,
    event,
    message,
    recordings,
    session_lines,
    text,
)
from tests.profiles import examples

Said = tuple[float, str, bytes]


def numbers_of(lines: list[bytes]) -> Numbers:
    sessions, numbers = Sessions(), Numbers()
    for item in read_records(lines):
        if isinstance(item, Record):
            numbers.take(sessions.add(item)[1])
    for session in sessions.by_id.values():
        numbers.finish(session)
    numbers.close()
    return numbers


def rows_of(*said: Said) -> dict[tuple[str, str, str | None], CallStats]:
    return {(row.side, row.method, row.target): row for row in numbers_of(session_lines(*said)).rows.values()}


def call(t: float, id: int, tool: str = "read", **params: object) -> Said:
    return (t, "c2s", message(id=id, method="tools/call", params={"name": tool, **params}))


def counts(row: CallStats) -> tuple[int, int, int, int, int, list[float]]:
    latencies = row.latencies.tolist()
    return (row.count, row.errors, row.tool_errors, row.cancelled, row.unanswered, latencies)


READ: Key = ("c2s", "tools/call", "read")


def test_a_call_is_counted_with_its_time_and_the_bytes_of_both_lines() -> None:
    row = rows_of(call(1.0, 1), (1.5, "s2c", message(id=1, result={"content": []})))[READ]
    assert counts(row) == (1, 0, 0, 0, 0, [0.5])
    assert (row.request_bytes, row.result_bytes) == (71, 48)


def test_errors_and_failed_tools_are_told_apart_and_have_times() -> None:
    rows = rows_of(
        call(1.0, 1),
        (1.25, "s2c", message(id=1, error={"code": -32603, "message": "no"})),
        call(2.0, 2),
        (2.5, "s2c", message(id=2, result={"isError": True})),
    )
    assert counts(rows[READ]) == (2, 1, 1, 0, 0, [0.25, 0.5])


def test_what_was_cancelled_is_not_unanswered_and_what_is_open_is() -> None:
    rows = rows_of(
        call(1.0, 1),
        call(1.0, 2),
        call(1.0, 3, "write"),
        (2.0, "c2s", message(method="notifications/cancelled", params={"requestId": 1})),
    )
    assert counts(rows[READ]) == (2, 0, 0, 1, 1, [])
    assert counts(rows[("c2s", "tools/call", "write")]) == (1, 0, 0, 0, 1, [])


def test_a_cancelled_call_that_is_answered_all_the_same_counts_as_both() -> None:
    rows = rows_of(
        call(1.0, 1),
        (2.0, "c2s", message(method="notifications/cancelled", params={"requestId": 1})),
        (3.0, "s2c", message(id=1, result={})),
    )
    assert counts(rows[READ]) == (1, 0, 0, 1, 0, [2.0])


def test_a_request_whose_id_is_used_again_is_counted_once_and_unanswered() -> None:
    rows = rows_of(call(1.0, 1), call(2.0, 1), call(3.0, 1), (3.5, "s2c", message(id=1, result={})))
    assert (rows[READ].count, rows[READ].unanswered, len(rows[READ].latencies)) == (3, 2, 1)


def test_a_subscription_that_stays_open_is_not_unanswered() -> None:
    rows = rows_of((1.0, "c2s", message(id=1, method="subscriptions/listen", params={"_meta": MODERN})))
    assert counts(rows[("c2s", "subscriptions/listen", None)]) == (1, 0, 0, 0, 0, [])


def test_time_in_which_a_tool_waits_for_the_client_is_not_the_tools() -> None:
    rows = rows_of(
        call(1.0, 1),
        (1.25, "s2c", message(id=1, method="sampling/createMessage")),
        (3.25, "c2s", message(id=1, result={})),
        (3.5, "s2c", message(id=1, result={})),
    )
    assert rows[READ].latencies.tolist() == [0.5]
    assert rows[("s2c", "sampling/createMessage", None)].latencies.tolist() == [2.0]


def test_the_legs_of_a_call_are_one_call_with_the_time_of_all() -> None:
    wants = {"resultType": "input_required", "requestState": "s"}
    rows = rows_of(
        call(1.0, 1, _meta=MODERN),
        (1.5, "s2c", message(id=1, result=wants)),
        call(9.0, 2, _meta=MODERN, requestState="s", inputResponses={}),
        (9.25, "s2c", message(id=2, result={"resultType": "complete"})),
    )
    assert counts(rows[READ]) == (1, 0, 0, 0, 0, [0.75])


def test_a_call_whose_next_leg_never_came_has_the_time_of_its_last() -> None:
    wants = {"resultType": "input_required", "requestState": "s"}
    rows = rows_of(call(1.0, 1, _meta=MODERN), (1.5, "s2c", message(id=1, result=wants)))
    assert counts(rows[READ]) == (1, 0, 0, 0, 0, [0.5])


def test_notifications_are_counted_and_have_no_time() -> None:
    updated = "notifications/resources/updated"
    rows = rows_of(
        (1.0, "s2c", message(method="notifications/message")),
        (1.0, "s2c", message(method="notifications/message")),
        (1.0, "s2c", message(method=updated, params={"uri": "file:///a"})),
    )
    row = rows[("s2c", "notifications/message", None)]
    assert (row.count, row.request_bytes, row.result_bytes, len(row.latencies)) == (2, 100, 0, 0)
    assert rows[("s2c", updated, "file:///a")].count == 1


def test_the_parts_of_a_batch_share_its_bytes() -> None:
    body = b'"msg":[{"method":"a"},{"method":"b"}]'
    assert [row.request_bytes for row in rows_of((1.0, "c2s", body)).values()] == [15, 15]


def test_task_ids_and_levels_are_no_targets() -> None:
    rows = rows_of(
        (1.0, "c2s", message(id=1, method="tasks/get", params={"taskId": "a"})),
        (1.0, "c2s", message(id=2, method="tasks/get", params={"taskId": "b"})),
    )
    assert [(key, row.count) for key, row in rows.items()] == [(("c2s", "tasks/get", None), 2)]


def test_rows_beyond_the_limit_are_counted_together() -> None:
    numbers = Numbers()
    for at in range(ROWS_KEPT + 3):
        numbers.notify("s2c", f"n{at}", None, 1)
    assert len(numbers.rows) == ROWS_KEPT + 1
    assert numbers.rows[("s2c", OTHER, None)].count == 3


def test_totals_and_start_up_are_those_of_all_sessions() -> None:
    one = session_lines(*HANDSHAKE, (1.5, "stderr", text("oh")), (2.0, "s2c", text("hello")))
    two = session_lines((0.0, "tap", event("start", format=1)), session="other")
    totals = numbers_of(one + two + [line.replace(b'"seq":0', b'"seq":3') for line in two]).totals
    assert (totals.sessions, totals.seconds, totals.missing) == (2, 2.0, 2)
    assert (totals.messages, totals.foreign) == ({"c2s": 3, "s2c": 2}, {"c2s": 0, "s2c": 1})
    assert totals.lines == {"c2s": 3, "s2c": 3, "stderr": 1}
    assert totals.bytes["stderr"] == 3
    start_up = numbers_of(one).start_up
    assert start_up.first_byte.tolist() == [0.25]
    assert start_up.initialize.tolist() == [0.25]
    assert start_up.tools_list.tolist() == [0.75]


def test_without_a_recorded_start_there_is_no_start_up_time() -> None:
    start_up = numbers_of(session_lines(HANDSHAKE[0], *HANDSHAKE[2:])).start_up
    assert (list(start_up.first_byte), list(start_up.initialize), list(start_up.tools_list)) == ([], [], [])


@pytest.mark.parametrize(
    ("count", "expected"),
    [
        (1, Latency(1.0, 1.0, 1.0, 1.0, 1.0)),
        (2, Latency(1.0, 2.0, 2.0, 2.0, 3.0)),
        (20, Latency(10.0, 19.0, 20.0, 20.0, 210.0)),
        (100, Latency(50.0, 95.0, 99.0, 100.0, 5050.0)),
        (200, Latency(100.0, 190.0, 198.0, 200.0, 20100.0)),
    ],
)
def test_percentiles_are_by_nearest_rank(count: int, expected: Latency) -> None:
    assert latency_of(float(value) for value in range(count, 0, -1)) == expected


def test_there_is_no_latency_of_nothing() -> None:
    assert latency_of([]) is None
    assert median([]) is None
    assert median([3.0, 1.0, 2.0, 9.0]) == 2.0


@given(st.lists(st.floats(0, 1e6), min_size=1), st.sampled_from([50, 95, 99]))
def test_a_percentile_is_the_least_value_that_enough_do_not_exceed(values: list[float], percent: int) -> None:
    found = nearest_rank(sorted(values), percent)
    assert sum(value <= found for value in values) * 100 >= percent * len(values)
    assert sum(value < found for value in values) * 100 < percent * len(values)


def test_rows_are_ordered_for_the_eye() -> None:
    rows = [
        CallStats("s2c", "notifications/message", None, 9),
        CallStats("s2c", "ping", None, 9),
        CallStats("c2s", "tools/call", "b", 2),
        CallStats("c2s", "tools/call", "a", 2),
        CallStats("c2s", "ping", None, 3),
    ]
    ordered = [(row.side, row.method, row.target) for row in in_order(rows)]
    assert ordered == [
        ("c2s", "ping", None),
        ("c2s", "tools/call", "a"),
        ("c2s", "tools/call", "b"),
        ("s2c", "ping", None),
        ("s2c", "notifications/message", None),
    ]


def test_an_answer_that_was_there_before_its_request_took_no_time() -> None:
    made = Exchange("c2s", 2, "tools/call", "read", 3, 1.0, 7)
    made.outcome, made.answer_t, made.answer_size = "result", 0.5, 9
    numbers = Numbers()
    numbers.add(made)
    row = numbers.rows[READ]
    assert (counts(row), row.request_bytes, row.result_bytes) == ((1, 0, 0, 0, 0, [0.0]), 7, 9)


@given(st.one_of(recordings(), conversations()))
@examples(2)
def test_no_records_whatever_make_the_numbers_raise_or_lose_a_call(lines: list[bytes]) -> None:
    numbers = numbers_of(lines)
    for row in in_order(numbers.rows.values()):
        found = latency_of(row.latencies)
        assert found is None or 0 <= found.p50 <= found.p95 <= found.p99 <= found.max
        assert len(row.latencies) + row.unanswered <= row.count
        assert row.errors + row.tool_errors <= row.count
