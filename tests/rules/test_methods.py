"""RPC021-023: methods that are unknown, of another version, or sent the wrong way."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_tap.rules.jsonrpc.rpc021_unknown_method import UnknownMethod, meant
from mcp_tap.rules.jsonrpc.rpc022_other_version_method import span
from tests.diagnosis.checking import begun, check, closed, names, rules_of
from tests.record_cases import Tape, error, modern, request, result, told

RULES = rules_of("RPC021", "RPC022", "RPC023")


def found(tape: Tape) -> list[tuple[str, str, str, tuple[int, ...], str]]:
    """What the rules of this family find."""
    return [
        (each.rule, each.severity, each.culprit, each.records, each.message)
        for each in check(tape, rules=RULES)
    ]


def asked(method: str, answer: dict[str, Any] | None = None, tape: Tape | None = None) -> Tape:
    """The client asks (records 5 and 6), and the session ends."""
    tape = (tape or begun()).client(request(5, method), 1)
    return closed(tape if answer is None else tape.server(answer, 1.1), 2)


def test_an_unknown_method_that_is_refused_is_an_error_of_its_sender() -> None:
    assert found(asked("tools/lists", error(5, -32601))) == [
        ("RPC021", "error", "client", (5,), "client sent `tools/lists`, a method that no version of MCP has")
    ]


def test_the_method_that_was_meant_is_what_to_do_next() -> None:
    (finding,) = check(asked("tools/lists", error(5, -32601)), rules=RULES)
    assert finding.next == "did you mean tools/list? No peer does anything about `tools/lists`"
    (finding,) = check(asked("shutdown", error(5, -32601)), rules=RULES)
    assert finding.next == "MCP has no shutdown message: the client closes the server's stdin"
    (finding,) = check(asked("server/reboot", error(5, -32601)), rules=RULES)
    assert finding.next == UnknownMethod.next


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
        (
            "RPC021",
            "warning",
            "client",
            (5,),
            "client sent `acme/search`, a method that no version of MCP has",
        )
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


def test_the_error_that_answers_is_a_consequence() -> None:
    (finding,) = check(asked("tools/lists", error(5, -32601)))
    assert [each.rule for each in finding.consequences] == ["RPC026"]
    (finding,) = check(asked("roots/list", error(5, -32601)))
    assert [each.rule for each in finding.consequences] == ["RPC026"]


def test_a_method_of_a_later_version_is_an_error() -> None:
    tape = begun("2025-06-18").client(request(5, "tasks/list"), 1).server(error(5, -32601), 1.1)
    message = "client sent `tasks/list`, which is not part of 2025-06-18 (but of 2025-11-25)"
    assert found(closed(tape, 2)) == [("RPC022", "error", "client", (5,), message)]


def test_a_method_of_another_version_that_is_answered_is_a_warning() -> None:
    tape = begun("2025-03-26", client={"elicitation": {}})
    tape.server(request(1, "elicitation/create"), 1).client(result(1, action="accept"), 2)
    message = (
        "server sent `elicitation/create`, which is not part of 2025-03-26; it was answered all the same"
    )
    assert found(closed(tape, 3)) == [("RPC022", "warning", "server", (5,), message)]


def test_a_method_that_is_gone_is_an_error_in_a_session_of_the_new_era() -> None:
    tape = Tape().start().client(modern(1, "tools/list"), 0.1).server(result(1, tools=[]), 0.2)
    tape.client(modern(2, "ping"), 1).server(error(2, -32601), 1)
    tape.client(request(3, "ping"), 2).server(error(3, -32601), 2)
    tape.client(told("notifications/initialized"), 3)
    assert [each[:4] for each in found(closed(tape, 4))] == [
        ("RPC022", "error", "client", (4, 6)),
        ("RPC022", "error", "client", (8,)),
    ]


def test_probes_are_no_fault_in_either_era() -> None:
    tape = begun().client(modern(5, "server/discover"), 1).server(error(5, -32601), 1)
    assert found(closed(tape, 2)) == []
    tape = Tape().start().client(modern(1, "tools/list"), 0.1).server(result(1, tools=[]), 0.2)
    tape.client(request(2, "initialize", protocolVersion="2026-07-28"), 1).server(error(2, -32022), 1)
    assert found(closed(tape, 2)) == []


def test_the_tasks_extension_brings_back_what_the_new_era_has_dropped() -> None:
    tape = Tape().start()
    declared: dict[str, Any] = {"extensions": {"io.modelcontextprotocol/tasks": {}}}
    asked = modern(1, "tasks/get", taskId="t")
    asked["params"]["_meta"] = asked["params"]["_meta"] | {
        "io.modelcontextprotocol/clientCapabilities": declared
    }
    assert found(closed(tape.client(asked, 1).server(result(1, resultType="complete"), 1), 2)) == []


@pytest.mark.parametrize("version", ["2024-10-07", "2027-01-01"])
def test_no_method_is_of_another_version_than_one_that_is_not_known(version: str) -> None:
    tape = begun(version).client(request(5, "tasks/list"), 1).server(error(5, -32601), 1)
    assert found(closed(tape.client(told("notifications/tasks/status"), 1), 2)) == []


def test_before_a_version_is_agreed_on_no_method_is_of_another() -> None:
    tape = Tape().start().client(request(5, "subscriptions/listen"), 1).server(error(5, -32601), 1)
    assert found(closed(tape, 2)) == []


def test_that_a_server_of_the_new_era_asks_at_all_is_told_elsewhere() -> None:
    tape = Tape().start().client(modern(1, "tools/list"), 0.1).server(result(1, tools=[]), 0.2)
    tape.server(request(1, "roots/list"), 1).server(request(2, "tools/list"), 1)
    assert found(closed(tape, 2)) == []


def test_the_versions_of_a_method_are_named() -> None:
    assert span("initialize") == "2024-11-05 to 2025-11-25"
    assert span("tools/list") == "2024-11-05 and later"
    assert span("tasks/get") == "2025-11-25"


def test_a_request_of_the_wrong_side_is_an_error_at_once() -> None:
    tape = begun().server(request(5, "tools/list"), 1)
    message = "server sent `tools/list`, which only a client may send"
    assert found(tape) == [("RPC023", "error", "server", (5,), message)]
    assert names(check(closed(tape.client(result(5, tools=[]), 2), 3), rules=RULES)) == ["RPC023"]


def test_a_notification_of_the_wrong_side_is_an_error() -> None:
    tape = begun().client(told("notifications/tools/list_changed"), 1)
    message = "client sent `notifications/tools/list_changed`, which only a server may send"
    assert found(closed(tape, 2)) == [("RPC023", "error", "client", (5,), message)]


def test_what_either_side_may_send_is_no_fault_and_initialized_is_told_elsewhere() -> None:
    tape = begun().server(request(1, "ping"), 1).client(result(1), 1)
    tape.server(told("notifications/initialized"), 2)
    assert found(closed(tape, 3)) == []
