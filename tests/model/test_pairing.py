"""Requests paired with their answers, in both directions and both eras."""

from __future__ import annotations

from typing import Any, Literal

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_tap.model.exchange import Exchange, outcome_of
from mcp_tap.model.message import Side, id_key, read_line, read_message
from mcp_tap.model.pairing import REMEMBERED, ROUND_TRIPS_REMEMBERED, Pairing, twins
from tests.model.test_message import JSON, LIKE_A_MESSAGE
from tests.profiles import examples
from tests.record_cases import ENVELOPE, VERSION, Play, error, modern, request, result, told

CALL = "tools/call"


def call(id: Any, name: str = "export", **params: Any) -> dict[str, Any]:
    return request(id, CALL, name=name, arguments={}, **params)


# --- a request and its answer ---------------------------------------------------------------------


def test_an_answer_completes_its_request() -> None:
    play = Play()
    exchange = play.asks(call(1), 1.0)
    assert (exchange.outcome, exchange.latency, exchange.own_time) == ("open", None, None)
    assert play.pairing.unanswered() == [exchange]

    item = play.server(result(1), 3.5)

    assert (item.role, item.exchange) == ("answers", exchange)
    assert (exchange.side, exchange.id, exchange.method, exchange.target) == ("c2s", 1, CALL, "export")
    assert (exchange.seq, exchange.t, exchange.size) == (0, 1.0, 10)
    assert (exchange.answer_seq, exchange.answer_t, exchange.answer_size) == (1, 3.5, 10)
    assert (exchange.outcome, exchange.latency, exchange.own_time, exchange.answers) == (
        "result",
        2.5,
        2.5,
        1,
    )
    assert (play.pairing.unanswered(), play.pairing.open) == ([], {})


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [
        (result(1), "result"),
        ({"id": 1, "result": None}, "result"),
        ({"id": 1, "result": [1]}, "result"),
        (result(1, isError=True), "tool-error"),
        (result(1, isError=False), "result"),
        (result(1, resultType="complete"), "result"),
        (result(1, resultType="input_required"), "input-required"),
        (error(1, -32602), "error"),
        ({"id": 1, "error": "text"}, "error"),
    ],
)
def test_the_answer_says_what_came_of_it(answer: Any, outcome: str) -> None:
    assert outcome_of(read_message(answer)) == outcome


def test_both_sides_have_ids_of_their_own() -> None:
    play = Play()
    mine = play.asks(call(0), 1)
    theirs = play.server(request(0, "ping"), 2).exchange
    assert play.client(result(0), 3).exchange is theirs
    assert mine.outcome == "open"
    assert play.server(result(0), 4).exchange is mine


def test_answers_may_come_in_any_order() -> None:
    play = Play()
    asked = [play.asks(call(id)) for id in (1, 2, 3)]
    answered = [play.server(result(id)).exchange for id in (3, 1, 2)]
    assert answered == [asked[2], asked[0], asked[1]]


def test_a_side_does_not_answer_itself() -> None:
    play = Play()
    play.asks(call(1))
    assert play.client(result(1)).role == "answers-nothing"


def test_an_answer_to_nothing_is_told_as_such() -> None:
    play = Play()
    for answer in (
        result(9),
        error(9, -1),
        error(None, -32700),
        {"error": {"code": -32700}},
        result({"a": []}),
    ):
        item = play.server(answer)
        assert (item.role, item.exchange) == ("answers-nothing", None)


# --- ids --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("asked", "answered"),
    [("7", 7), (7, "7"), (7, 7.0), ("7", 7.0), (7.0, 7), (7.0, "7"), (0, "0"), ("-3", -3)],
)
def test_an_answer_whose_id_has_another_json_type_is_recognised(asked: Any, answered: Any) -> None:
    play = Play()
    exchange = play.asks(call(asked))
    item = play.server(result(answered))
    assert (item.role, item.exchange, exchange.other_type) == ("answers", exchange, True)
    assert (exchange.id, exchange.outcome) == (asked, "result")


@pytest.mark.parametrize(
    ("asked", "answered"),
    [(1, True), ("true", True), ("null", None), ("07", 7), ("7.0", 7), (7, 7.5), ("a", "b"), (None, 0),
     ("1" * 400, 1), ("²", 2), ("-", 0), ("", 0), ([1], 1)],
)  # fmt: skip
def test_ids_that_do_not_read_the_same_are_not_paired(asked: Any, answered: Any) -> None:
    play = Play()
    exchange = play.asks(call(asked))
    assert play.server(result(answered)).role == "answers-nothing"
    assert exchange.outcome == "open"


def test_an_id_of_the_right_type_is_preferred() -> None:
    play = Play()
    text, number = play.asks(call("7")), play.asks(call(7))
    assert play.server(result(7)).exchange is number
    assert play.server(result(7)).role == "answers-again"
    assert play.server(result("7")).exchange is text
    assert not text.other_type


@given(
    st.one_of(st.integers(-(2**53), 2**53), st.floats(), st.text(max_size=6), st.integers(-99, 99).map(str))
)
def test_what_reads_like_an_id_is_never_the_id_itself(id: Any) -> None:
    key = id_key(id)
    for twin in twins(key):
        assert twin != key
        assert type(twin) is not type(key)
        assert key in twins(twin)


def test_two_requests_with_the_id_null_are_no_reuse_and_both_stay_open() -> None:
    play = Play()
    one, other = play.asks(call(None)), play.asks(call(None))
    assert (one.reuses, other.reuses, play.pairing.superseded) == (None, None, [])
    assert play.pairing.unanswered() == [one, other]


def test_null_answers_the_oldest_request_that_had_null() -> None:
    play = Play()
    one, other = play.asks(call(None)), play.asks(call(None))
    assert [play.server(error(None, -32600)).exchange for _ in range(3)] == [one, other, None]
    assert not one.other_type


def test_an_id_may_be_used_again_once_it_is_answered() -> None:
    play = Play()
    first = play.asks(call(1))
    play.server(result(1))
    second = play.asks(call(1))
    assert (first.reuses, second.reuses) == (None, "answered")
    assert play.server(result(1)).exchange is second
    assert (first.answers, second.answers, play.pairing.superseded) == (1, 1, [])


def test_an_id_used_again_while_it_is_open_is_answered_in_order() -> None:
    play = Play()
    first, second, third = (play.asks(call(1), t) for t in (1, 2, 3))
    assert [each.reuses for each in (first, second, third)] == [None, "open", "open"]
    assert play.pairing.superseded == [first, second]
    assert play.pairing.unanswered() == [first, second, third]
    assert [play.server(result(1)).exchange for _ in range(3)] == [first, second, third]
    assert play.pairing.unanswered() == []
    assert play.server(result(1)).role == "answers-again"


def test_a_second_answer_is_told_and_changes_nothing() -> None:
    play = Play()
    exchange = play.asks(call(1), 1)
    play.server(result(1), 2)
    item = play.server(error(1, -1), 3)
    assert (item.role, item.exchange) == ("answers-again", exchange)
    assert (exchange.answers, exchange.outcome, exchange.answer_t) == (2, "result", 2)


def test_a_second_answer_of_another_json_type_is_a_second_answer() -> None:
    play = Play()
    exchange = play.asks(call("7"))
    items = [play.server(result(id)) for id in (7, "7", 7)]
    assert [item.role for item in items] == ["answers", "answers-again", "answers-again"]
    assert {item.exchange for item in items} == {exchange}


def test_only_so_many_answered_requests_are_remembered() -> None:
    play = Play()
    for id in range(REMEMBERED + 1):
        play.client(call(id, _meta={"progressToken": id}))
        play.server(result(id))
    assert play.server(result(0)).role == "answers-nothing"
    assert play.server(told("notifications/progress", progressToken=0)).role == "tells"
    assert play.server(result(1)).role == "answers-again"
    assert play.server(told("notifications/progress", progressToken=1)).role == "reports"


def test_memory_does_not_grow_with_what_is_answered() -> None:
    play = Play()
    for number in range(2 * REMEMBERED):
        play.client(call(1, _meta={"progressToken": number}))
        play.server(result(1))
    pairing = play.pairing
    sizes = {name: len(value) for name, value in vars(pairing).items() if hasattr(value, "__len__")}
    assert sizes == {
        "open": 0, "superseded": 0, "_older": 0, "_nulls": 2, "_answered": 1, "_in_turn": REMEMBERED,
        "_tokens": 1, "_chains": 0,
    }  # fmt: skip


# --- cancellation -----------------------------------------------------------------------------------


def test_a_cancelled_request_need_not_be_answered() -> None:
    play = Play()
    exchange = play.asks(call(5), 1)
    item = play.client(told("notifications/cancelled", requestId=5), 61)
    assert (item.role, item.exchange, exchange.cancelled_t) == ("cancels", exchange, 61)
    assert (exchange.may_stay_open, play.pairing.unanswered()) == (True, [])


def test_an_answer_after_the_cancellation_is_late() -> None:
    play = Play()
    exchange = play.asks(call(5), 1)
    play.client(told("notifications/cancelled", requestId=5), 61)
    play.client(told("notifications/cancelled", requestId=5), 62)
    item = play.server(result(5), 62.5)
    assert (item.role, exchange.is_late, exchange.cancelled_t, exchange.latency) == (
        "answers",
        True,
        61,
        61.5,
    )


def test_a_cancellation_that_crosses_the_answer_cancels_nothing() -> None:
    play = Play()
    exchange = play.asks(call(5), 1)
    play.server(result(5), 2)
    item = play.client(told("notifications/cancelled", requestId=5), 3)
    assert (item.role, item.exchange) == ("tells", exchange)
    assert (exchange.cancelled_t, exchange.is_late) == (None, False)


@pytest.mark.parametrize("params", [{"requestId": "5"}, {"requestId": 5.0}, {"requestId": None}, {}])
def test_a_cancellation_of_another_id_cancels_nothing(params: dict[str, Any]) -> None:
    play = Play()
    exchanges = play.asks(call(5)), play.asks(call(None))
    assert play.client(told("notifications/cancelled", **params)).role == "tells"
    assert [each.cancelled_t for each in exchanges] == [None, None]


def test_a_server_cannot_cancel_a_request_of_the_client() -> None:
    play = Play()
    exchange = play.asks(call(5))
    assert play.server(told("notifications/cancelled", requestId=5)).role == "tells"
    assert exchange.cancelled_t is None


# --- progress and log messages ------------------------------------------------------------------------


def test_progress_is_counted_with_its_request_even_after_the_result() -> None:
    play = Play()
    exchange = play.asks(call(5, _meta={"progressToken": "p"}))
    assert exchange.progress_token == "p"
    progress = told("notifications/progress", progressToken="p", progress=1)
    assert play.server(progress).role == "reports"
    play.server(result(5))
    item = play.server(progress)
    assert (item.role, item.exchange, exchange.progress) == ("reports", exchange, 2)


@pytest.mark.parametrize("token", ["5", 5.0, True, None])
def test_a_progress_token_keeps_its_json_type(token: Any) -> None:
    play = Play()
    exchange = play.asks(call(1, _meta={"progressToken": 5}))
    assert play.server(told("notifications/progress", progressToken=token)).role == "tells"
    assert exchange.progress == 0


def test_a_token_used_again_belongs_to_the_newer_request_whatever_is_forgotten() -> None:
    play = Play()
    play.asks(call(1, _meta={"progressToken": "p"}))
    play.server(result(1))
    newer = play.asks(call(2, _meta={"progressToken": "p"}))
    play.asks(call(1))
    play.server(result(1))  # the first request of this id is forgotten
    assert play.server(told("notifications/progress", progressToken="p")).exchange is newer


def test_a_client_reports_the_progress_of_what_the_server_asked() -> None:
    play = Play()
    exchange = play.server(request(0, "sampling/createMessage", _meta={"progressToken": 1})).exchange
    assert play.client(told("notifications/progress", progressToken=1)).exchange is exchange
    assert play.server(told("notifications/progress", progressToken=1)).exchange is None


def test_a_log_message_belongs_to_the_one_call_that_is_open() -> None:
    play = Play()
    log = told("notifications/message", level="info", data="x")
    assert play.server(log).exchange is None
    one = play.asks(call(1))
    play.asks(request(2, "ping"))
    item = play.server(log)
    assert (item.role, item.exchange, one.logs) == ("tells", one, 1)
    play.asks(call(3))
    assert play.server(log).exchange is None
    play.server(result(3))
    play.client(told("notifications/cancelled", requestId=1))
    assert play.server(log).exchange is None
    assert one.logs == 1


# --- requests of the server -----------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["sampling/createMessage", "elicitation/create", "roots/list"])
def test_waiting_for_the_client_is_not_the_tools_own_time(method: str) -> None:
    play = Play()
    exchange = play.asks(call(0), 1)
    asked = play.server(request(0, method), 2).exchange
    assert asked is not None
    assert asked.within is exchange
    play.client(result(0), 12)
    play.server(result(0), 12.5)
    assert (exchange.waited, exchange.latency, exchange.own_time) == (10, 11.5, 1.5)


def test_questions_at_the_same_time_are_waited_for_once() -> None:
    play = Play()
    exchange = play.asks(call(5), 0)
    play.server(request(0, "sampling/createMessage"), 1)
    play.server(request(1, "sampling/createMessage"), 2)
    play.client(result(0), 4)
    play.client(result(1), 5)
    play.server(request(2, "roots/list"), 7)
    play.client(error(2, -1), 8)
    play.server(result(5), 10)
    assert (exchange.waited, exchange.own_time) == (5, 5)


def test_a_question_never_answered_is_waited_for_until_the_call_is() -> None:
    play = Play()
    exchange = play.asks(call(5), 1)
    asked = play.server(request(0, "roots/list"), 1.5).exchange
    play.server(result(5), 61.5)
    assert (exchange.waited, exchange.own_time) == (60, 0.5)
    assert play.pairing.unanswered() == [asked]
    play.client(result(0), 70)
    assert exchange.waited == 60


def test_a_question_that_the_server_takes_back_is_waited_for_until_then() -> None:
    play = Play()
    exchange = play.asks(call(5), 0)
    play.server(request(0, "elicitation/create"), 1)
    play.server(told("notifications/cancelled", requestId=0), 4)
    play.client(result(0), 5)
    play.server(result(5), 6)
    assert (exchange.waited, exchange.own_time) == (3, 3)


def test_an_answer_to_a_question_that_was_taken_back_settles_no_other_question() -> None:
    play = Play()
    exchange = play.asks(call(5), 0)
    play.server(request(0, "elicitation/create"), 1)
    play.server(request(1, "sampling/createMessage"), 2)
    play.server(told("notifications/cancelled", requestId=0), 3)
    play.client(result(0), 4)
    play.client(result(1), 6)
    play.server(result(5), 7)
    assert (exchange.waited, exchange.own_time) == (5, 2)


def test_a_question_is_nobodys_while_two_calls_or_none_are_open() -> None:
    play = Play()
    play.asks(request(0, "tools/list"))
    for id in (1, 2):
        asked = play.server(request(id, "roots/list")).exchange
        assert asked is not None
        assert asked.within is None
        play.client(result(id))
        play.asks(call(10 * id))
        play.asks(call(10 * id + 1))


def test_a_ping_of_the_server_waits_for_nobody() -> None:
    play = Play()
    exchange = play.asks(call(5), 0)
    play.server(request(0, "ping"), 1)
    play.client(result(0), 3)
    play.server(result(5), 4)
    assert exchange.own_time == 4


# --- the modern era -----------------------------------------------------------------------------------


def test_the_era_is_found_for_each_request() -> None:
    play = Play()
    play.pairing.version = "2025-11-25"
    found = [
        (exchange.era, exchange.version)
        for exchange in (
            play.asks(modern(1, CALL, name="a")),
            play.asks(call(2)),
            play.asks(modern(3, "initialize")),
            play.asks(request(4, "server/discover")),
            play.asks(request(5, CALL, _meta={VERSION: 7})),
            play.asks(request(6, CALL, _meta={VERSION: "2031-01-01"})),
        )
    ]
    assert found == [
        ("modern", "2026-07-28"),
        ("legacy", "2025-11-25"),
        ("legacy", "2025-11-25"),
        ("modern", "2025-11-25"),
        ("legacy", "2025-11-25"),
        ("modern", "2031-01-01"),
    ]
    theirs = play.server(request(0, "ping", _meta=ENVELOPE)).exchange
    assert theirs is not None
    assert theirs.era == "legacy"


def asked(id: Any, state: str | None = None, **requests: Any) -> dict[str, Any]:
    more = {} if state is None else {"requestState": state}
    return result(id, resultType="input_required", inputRequests=requests, **more)


def leg(id: Any, name: str = "pay", arguments: Any = None, **more: Any) -> dict[str, Any]:
    return modern(id, CALL, name=name, arguments=arguments or {"sum": 1}, **more)


def test_the_legs_of_one_call_are_linked_and_the_users_time_is_not_the_tools() -> None:
    play = Play()
    first = play.asks(leg(1), 0)
    play.server(asked(1, "s1", name={"method": "elicitation/create"}), 1)
    second = play.asks(leg(2, inputResponses={"name": {}}, requestState="s1"), 31)
    play.server(asked(2, "s2"), 33)
    third = play.asks(leg(3, requestState="s2"), 33)
    play.server(result(3, resultType="complete"), 34)
    assert [each.outcome for each in (first, second, third)] == ["input-required", "input-required", "result"]
    assert [each.previous for each in (first, second, third)] == [None, first, second]
    assert [each.own_time for each in (first, second, third)] == [1, 3, 4]


@pytest.mark.parametrize(
    "next_leg",
    [
        leg(2),
        leg(2, inputResponses={}),
        leg(2, inputResponses={}, requestState="other"),
        leg(2, inputResponses={}, requestState=["s1"]),
        leg(2, "refund", inputResponses={}, requestState="s1"),
        leg(2, arguments={"sum": 2}, inputResponses={}, requestState="s1"),
        leg(2, arguments={"sum": 1.0}, inputResponses={}, requestState="s1"),
        modern(2, "prompts/get", name="pay", arguments={"sum": 1}, requestState="s1"),
        request(2, CALL, name="pay", arguments={"sum": 1}, requestState="s1"),
    ],
)
def test_a_call_that_does_not_fit_is_no_leg(next_leg: Any) -> None:
    play = Play()
    play.asks(leg(1))
    play.server(asked(1, "s1"))
    assert play.asks(next_leg).previous is None


def test_a_leg_may_spell_its_arguments_in_another_order() -> None:
    play = Play()
    first = play.asks(leg(1, arguments={"a": 1, "b": {"c": 2, "d": 3}}))
    play.server(asked(1))
    assert play.asks(leg(2, arguments={"b": {"d": 3, "c": 2}, "a": 1}, inputResponses={})).previous is first


def test_equal_calls_without_a_state_go_on_in_order() -> None:
    play = Play()
    firsts = [play.asks(leg(id)) for id in (1, 2)]
    for id in (1, 2):
        play.server(asked(id))
    assert [play.asks(leg(id, inputResponses={})).previous for id in (3, 4, 5)] == [*firsts, None]
    assert play.pairing._chains == {}


def test_only_so_many_calls_that_wait_for_input_are_remembered() -> None:
    play = Play()
    for id in range(REMEMBERED + ROUND_TRIPS_REMEMBERED):
        play.client(leg(id))
        play.server(asked(id, f"s{id}" if id < REMEMBERED else None))
        play.client(leg(-1 - id))
        play.server(asked(-1 - id))
    assert len(play.pairing._chains) == REMEMBERED
    assert max(map(len, play.pairing._chains.values())) == ROUND_TRIPS_REMEMBERED


def test_a_chain_of_any_length_has_its_time() -> None:
    play = Play()
    last = play.asks(leg(0), 0)
    for id in range(1, 5000):
        play.server(asked(id - 1, "s"), id - 0.5)
        last = play.asks(leg(id, requestState="s"), id)
    play.server(result(4999), 4999.5)
    assert last.own_time == 2500


def test_a_subscription_stays_open_and_its_notifications_are_its_own() -> None:
    play = Play()
    exchange = play.asks(modern("listen:0", "subscriptions/listen", notifications={}))
    meta = {"io.modelcontextprotocol/subscriptionId": "listen:0"}
    item = play.server(told("notifications/tools/list_changed", _meta=meta))
    assert (item.role, item.exchange) == ("tells", exchange)
    assert play.pairing.unanswered() == []
    item = play.server(told("notifications/cancelled", requestId="listen:0"), 9)
    assert (item.role, item.exchange, exchange.cancelled_t) == ("cancels", exchange, 9)


# --- batches and lines that are no messages -------------------------------------------------------------


def test_the_parts_of_a_batch_are_paired_one_by_one() -> None:
    play = Play()
    asked_for = play.all("c2s", [call(1), told("notifications/initialized"), call(2), [], 7], size=50)
    assert [item.role for item in asked_for] == ["asks", "tells", "asks", "tells", "tells"]
    assert [item.exchange.size for item in asked_for if item.exchange] == [10, 10]
    answered = play.all("s2c", [result(2), result(1)])
    assert [item.exchange for item in answered] == [asked_for[2].exchange, asked_for[0].exchange]


def test_a_line_that_was_meant_as_an_answer_leaves_its_request_open_but_names_it() -> None:
    play = Play()
    exchange = play.asks(call(4))
    (item,) = play.pairing.feed("s2c", read_line(b'{"id":4,"result":{"mean":NaN}}'), 1, 1.0, 30)
    assert (item.role, item.exchange, exchange.outcome) == ("tells", exchange, "open")
    (item,) = play.pairing.feed("c2s", read_line(b'{"id":4,"result":{"mean":NaN}}'), 2, 1.0, 30)
    assert item.exchange is None


def test_a_session_that_is_over_remembers_only_what_is_open() -> None:
    play = Play()
    play.asks(call(1))
    play.server(result(1))
    left = play.asks(call(2))
    play.pairing.forget()
    assert play.pairing.unanswered() == [left]
    assert play.server(result(1)).role == "answers-nothing"


# --- properties -----------------------------------------------------------------------------------------

SIDES: st.SearchStrategy[Side] = st.sampled_from(("c2s", "s2c"))
FEW_IDS: st.SearchStrategy[Any] = st.sampled_from([1, 2, "1", 1.0, None, True, [1], {}])
METHOD_NAMES = st.sampled_from(
    [CALL, "ping", "roots/list", "sampling/createMessage", "subscriptions/listen", "tools/list"]
)
PARAMS = st.fixed_dictionaries(
    {},
    optional={
        "name": st.sampled_from(["a", "b"]),
        "requestId": FEW_IDS,
        "progressToken": FEW_IDS,
        "requestState": FEW_IDS,
        "inputResponses": JSON,
        "cursor": JSON,
        "_meta": st.sampled_from([ENVELOPE, {"progressToken": 1}, {"progressToken": {}}, [], 7]),
    },
)
PLAUSIBLE = st.one_of(
    st.builds(
        lambda id, method, params: {"id": id, "method": method, "params": params},
        FEW_IDS,
        METHOD_NAMES,
        PARAMS,
    ),
    st.builds(lambda id: {"id": id, "result": {}}, FEW_IDS),
    st.builds(lambda id: result(id, resultType="input_required", requestState=id), FEW_IDS),
    st.builds(lambda id: {"id": id, "error": None}, FEW_IDS),
    st.builds(lambda params: {"method": "notifications/cancelled", "params": params}, PARAMS),
    st.builds(lambda params: {"method": "notifications/progress", "params": params}, PARAMS),
    st.just({"method": "notifications/message"}),
)
VALUES = st.one_of(PLAUSIBLE, st.lists(PLAUSIBLE, max_size=3), LIKE_A_MESSAGE, JSON)


@given(st.lists(st.tuples(SIDES, VALUES, st.floats(0, 100)), max_size=40))
@examples(3)
def test_no_messages_whatever_make_the_pairing_raise_and_each_is_accounted_for(
    said: list[tuple[Side, Any, float]],
) -> None:
    pairing = Pairing()
    exchanges: list[Exchange] = []
    answered = 0
    for seq, (side, value, t) in enumerate(said):
        message = read_message(value)
        items = pairing.feed(side, message, seq, t, 1)
        assert [item.message for item in items] == list(message.parts or (message,))
        exchanges += [item.exchange for item in items if item.role == "asks" and item.exchange]
        answered += sum(item.role == "answers" for item in items)
        assert len([each for each in exchanges if each.outcome != "open"]) == answered
    still_open = [each for each in exchanges if each.outcome == "open"]
    left = pairing.unanswered()
    assert {id(each) for each in left} == {id(each) for each in still_open if not each.may_stay_open}
    # The oldest first; the messages of one batch came at once.
    assert [each.seq for each in left] == sorted(each.seq for each in left)
    for each in exchanges:
        assert each.own_time is None or each.own_time >= 0
        assert each.is_late in (True, False)
        assert (each.outcome == "open") == (each.answer_t is None)


Reply = Literal["result", "error"]


@given(
    st.lists(st.tuples(SIDES, st.integers(0, 3) | st.sampled_from("0123")), max_size=30),
    st.randoms(use_true_random=False),
)
def test_with_ids_used_properly_every_answer_finds_its_own_request(
    ids: list[tuple[Side, Any]], random: Any
) -> None:
    pairing = Pairing()
    waiting: dict[tuple[Side, Any], Exchange] = {}
    for seq, (side, id) in enumerate(ids):
        if (side, id) in waiting:
            side, id = random.choice(list(waiting))
            answerer: Side = "s2c" if side == "c2s" else "c2s"
            (item,) = pairing.feed(answerer, read_message(result(id)), seq, float(seq), 1)
            assert (item.role, item.exchange) == ("answers", waiting.pop((side, id)))
        else:
            (item,) = pairing.feed(side, read_message(request(id, "ping")), seq, float(seq), 1)
            assert item.exchange is not None
            waiting[(side, id)] = item.exchange
    assert pairing.unanswered() == list(waiting.values())
    assert not any(each.other_type for each in waiting.values())


def test_a_hundred_thousand_requests_that_are_never_answered_cost_no_more_each_than_one() -> None:
    play = Play()
    for id in range(100_000):
        play.pairing.feed("c2s", read_message(request(id, "ping")), id, 0.0, 1)
        play.pairing.feed("s2c", read_message(result(-1 - id)), id, 0.0, 1)
    assert len(play.pairing.open) == 100_000


def test_a_value_nested_as_deep_as_the_reader_takes_is_fed_like_any_other() -> None:
    play = Play()
    deep = orjson.loads(b"[" * 1000 + b"]" * 1000)
    play.asks(modern(deep, CALL, name="a", arguments=deep, requestState=deep, cursor=deep))
    play.server(result(deep, resultType="input_required", requestState=deep))
    play.client(told("notifications/cancelled", requestId=deep))
    play.server(told("notifications/progress", progressToken=deep))
