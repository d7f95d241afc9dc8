"""RPC022: method not in this version."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_tap.rules.jsonrpc.rpc022_other_version_method import span
from tests.diagnosis.checking import begun, closed
from tests.record_cases import Tape, error, modern, request, result, told
from tests.rules.jsonrpc.methods_cases import found


def test_a_method_of_a_later_version_is_an_error() -> None:
    tape = begun("2025-06-18").client(request(5, "tasks/list"), 1).server(error(5, -32601), 1.1)
    assert found(closed(tape, 2)) == [("RPC022", "error", "client", (5,), "client tasks/list")]


def test_a_method_of_another_version_that_is_answered_is_a_warning() -> None:
    tape = begun("2025-03-26", client={"elicitation": {}})
    tape.server(request(1, "elicitation/create"), 1).client(result(1, action="accept"), 2)
    assert found(closed(tape, 3)) == [("RPC022", "warning", "server", (5,), "server elicitation/create")]


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
