"""RPC021: unknown method."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_tap.rules.jsonrpc.rpc021_unknown_method import OF_LSP, UnknownMethod, advice, meant
from tests.diagnosis.checking import begun, check, closed, facts, names
from tests.record_cases import Tape, error, request, result, told
from tests.rules.jsonrpc.methods_cases import RULES, asked, found


def test_an_unknown_method_that_is_refused_is_an_error_of_its_sender() -> None:
    assert found(asked("tools/lists", error(5, -32601))) == [
        ("RPC021", "error", "client", (5,), "client tools/lists")
    ]


def test_the_method_that_was_meant_is_what_to_do_next() -> None:
    for method, then in (
        ("tools/lists", advice("tools/lists")),
        ("shutdown", OF_LSP["shutdown"]),
        ("server/reboot", UnknownMethod.next),
    ):
        (finding,) = check(asked(method, error(5, -32601)), rules=RULES)
        assert facts([finding]) == [("RPC021", "error", "client", (5,), f"client {method}")]
        assert finding.next == then


@pytest.mark.parametrize(
    ("sent", "name"),
    [
        ("notifications/tools/updated", "notifications/tools/list_changed"),
        ("initialized", "notifications/initialized"),
        ("$/cancelRequest", "notifications/cancelled"),
        ("roots/list_changed", "notifications/roots/list_changed"),
        ("tool/call", "tools/call"),
        ("tools.list", "tools/list"),
        ("logging/setlevel", "logging/setLevel"),
        ("notifications/acme/list_changed", None),
        ("resources/get", None),
        ("tasks/update", None),
        ("", None),
    ],
)
def test_a_slip_of_the_pen_is_told_from_a_name_of_its_own(sent: str, name: str | None) -> None:
    assert meant(sent) == name


def test_a_vendor_method_that_is_answered_is_a_warning() -> None:
    assert found(asked("acme/search", result(5, hits=[]))) == [
        ("RPC021", "warning", "client", (5,), "client acme/search")
    ]


def test_a_vendor_method_that_is_refused_or_a_bare_one_that_is_answered_is_an_error() -> None:
    assert [each[1] for each in found(asked("acme/search", error(5, -32601)))] == ["error"]
    assert [each[1] for each in found(asked("search", result(5, hits=[])))] == ["error"]


def test_a_method_that_is_refused_once_is_an_error_even_if_it_was_answered_before() -> None:
    tape = begun().client(request(5, "acme/search"), 1).server(result(5), 1)
    tape.client(request(6, "acme/search"), 1).server(error(6, -32601), 1)
    (finding,) = check(closed(tape, 2), rules=RULES)
    assert (finding.severity, finding.count, finding.records) == ("error", 2, (5, 7))


def test_an_unknown_method_that_is_never_answered_is_told_at_the_end() -> None:
    assert [each[:2] for each in found(asked("tools/lists"))] == [("RPC021", "error")]
    assert [each[:2] for each in found(asked("acme/search"))] == [("RPC021", "warning")]


def test_an_unknown_method_is_not_judged_while_its_answer_may_still_come() -> None:
    assert found(begun().client(request(5, "tools/lists"), 1)) == []


def test_an_unknown_notification_is_an_error_and_a_vendors_a_warning() -> None:
    tape = begun().server(told("notifications/tools/updated"), 1).server(told("notifications/acme/tick"), 2)
    assert [each[:4] for each in found(closed(tape, 3))] == [
        ("RPC021", "error", "server", (5,)),
        ("RPC021", "warning", "server", (6,)),
    ]


@pytest.mark.parametrize(
    ("declared", "method"),
    [
        ({"extensions": {"com.acme/search": {}}}, "acme/search/start"),
        ({"extensions": {"com.acme/search": {}}}, "search/start"),
        ({"experimental": {"acme/search": {}}}, "notifications/acme/search/done"),
        ({"experimental": {"startTask": {}}}, "startTask"),
        ({"extensions": {"io.modelcontextprotocol/tasks": {}}}, "tasks/update"),
        ({"extensions": {"io.modelcontextprotocol/skills": {}}}, "resources/directory/read"),
    ],
)
def test_what_a_declared_extension_may_have_brought_is_not_told(
    declared: dict[str, Any], method: str
) -> None:
    assert found(asked(method, error(5, -32601), begun(server=declared))) == []
    assert found(asked(method, error(5, -32601), begun(client=declared))) == []
    assert found(closed(begun(client=declared).server(told(method), 1), 2)) == []


def test_another_extension_does_not_cover_it() -> None:
    declared = {"extensions": {"com.acme/search": {}}, "experimental": []}
    assert names(check(asked("other/start", error(5, -32601), begun(client=declared)), rules=RULES)) == [
        "RPC021"
    ]


def test_a_recording_without_its_start_may_lack_the_extension() -> None:
    tape = Tape().client(request(5, "acme/search"), 1).server(error(5, -32601), 1)
    assert found(tape.server(told("notifications/acme/tick"), 2)) == []
    assert [each[0] for each in found(tape.client(told("initialized"), 3))] == ["RPC021"]
