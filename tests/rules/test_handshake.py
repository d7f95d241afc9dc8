"""LIF007, LIF009, LIF010: what initialize must say, and that it is answered."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_tap.wire.lines import Segment
from tests.diagnosis.checking import check, closed
from tests.record_cases import Tape, error, modern, request, result
from tests.recordings.cases import CASES
from tests.rules.lif import INITIALIZED, LIF, agreed, call, found, offer

ME = {"name": "editor", "version": "2"}


def initialized_by(params: dict[str, Any] | None) -> Tape:
    """A session whose initialize has these parameters, and is answered."""
    asked: dict[str, Any] = {"jsonrpc": "2.0", "id": 0, "method": "initialize"}
    tape = Tape().start().client(asked | ({} if params is None else {"params": params}), 0.1)
    return closed(tape.server(agreed(), 0.2).client(INITIALIZED, 0.2), 1)


@pytest.mark.parametrize(
    ("params", "lacks"),
    [
        (None, "protocolVersion, capabilities, clientInfo"),
        ({}, "protocolVersion, capabilities, clientInfo"),
        ({"protocolVersion": "2025-11-25", "clientInfo": ME}, "capabilities"),
        ({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": "me"}, "a valid clientInfo"),
        ({"protocolVersion": 2, "capabilities": [], "clientInfo": ME}, "a valid protocolVersion, a valid "),
        (
            {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": 1}},
            "clientInfo.name, clientInfo.version",
        ),
    ],
)
def test_an_initialize_that_lacks_something_is_the_clients_error(
    params: dict[str, Any] | None, lacks: str
) -> None:
    ((rule, severity, culprit, records, message),) = found(initialized_by(params))
    assert (rule, severity, culprit, records) == ("LIF007", "error", "client", (2,))
    assert message.startswith(f"initialize lacks {lacks}")


@pytest.mark.parametrize(
    "params",
    [
        {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "", "version": ""}},
        {"protocolVersion": "2025-11-25", "capabilities": "[masked]", "clientInfo": "[masked]"},
        ["2025-11-25", {}, ME],
    ],
    ids=["empty names", "masked", "by position, which is another rule's business"],
)
def test_a_complete_initialize_is_no_finding(params: Any) -> None:
    assert found(initialized_by(params)) == []


def test_what_an_incomplete_initialize_is_refused_for_is_explained() -> None:
    tape = Tape().start().client(request(0, "initialize", protocolVersion="2025-11-25"), 0.1)
    (finding,) = check(closed(tape.server(error(0, -32602), 0.2), 1), rules=LIF)
    assert finding.rule == "LIF007"
    assert [each.rule for each in finding.consequences] == ["LIF009"]


def test_a_server_that_refuses_the_version_should_have_offered_its_own() -> None:
    assert found(CASES["A15"]()) == [
        (
            "LIF009",
            "error",
            "server",
            (2, 3),
            "server rejected protocol version 2025-11-25 with error -32602 'Unsupported protocol version' "
            "instead of offering one it knows",
        )
    ]


def refused(answer: dict[str, Any], version: str = "2025-11-25") -> Tape:
    return Tape().start().client(offer(version=version), 0.1).server(answer, 0.2)


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (error(0, -32603, "no token"), "server answered initialize with error -32603 'no token'"),
        ({"jsonrpc": "2.0", "id": 0, "error": {"code": "x"}}, "server answered initialize with an error"),
        ({"jsonrpc": "2.0", "id": 0, "error": [[]]}, "server answered initialize with an error"),
    ],
)
def test_another_error_is_told_as_it_is(answer: dict[str, Any], message: str) -> None:
    assert found(closed(refused(answer), 1)) == [("LIF009", "error", "server", (2, 3), message)]


def test_nobody_is_blamed_for_refusing_a_version_that_is_not_known_here() -> None:
    tape = closed(refused(error(0, -32602, "Unsupported protocol version"), "2999-01-01"), 1)
    assert [each[:3] for each in found(tape)] == [("LIF009", "error", "undecided")]


MODERN_ONLY = error(0, -32022, "unsupported", data={"supported": ["2026-07-28", 7], "requested": "x"})


def test_a_server_without_handshake_is_not_to_blame_for_refusing_one() -> None:
    assert found(closed(refused(MODERN_ONLY), 1)) == [
        (
            "LIF009",
            "error",
            "undecided",
            (2, 3),
            "server answered initialize with error -32022 'unsupported': it wants no handshake, and supports "
            "2026-07-28",
        )
    ]


def test_it_is_information_where_the_client_goes_on_without_a_handshake() -> None:
    tape = refused(MODERN_ONLY).client(modern(1, "tools/list"), 0.3)
    tape.server(result(1, tools=[], resultType="complete"), 0.4)
    assert [each[:3] for each in found(closed(tape, 1))] == [("LIF009", "info", "undecided")]


def test_a_server_that_names_no_versions_is_told_of_without() -> None:
    (message,) = [each[4] for each in found(closed(refused(error(0, -32022)), 1))]
    assert message == "server answered initialize with error -32022 'no': it wants no handshake"


def test_a_client_that_waits_in_vain_for_initialize_blames_nobody() -> None:
    assert found(closed(Tape().start().client(offer(), 0.1), 30.1)) == [
        (
            "LIF010",
            "error",
            "undecided",
            (2,),
            "initialize was not answered: nothing on stdout for 30.0 s, then the client closed stdin",
        )
    ]


def test_headers_on_stdout_are_no_answer() -> None:
    ((rule, severity, culprit, records, message),) = found(CASES["A04"]())
    assert (rule, severity, culprit, records) == ("LIF010", "error", "undecided", (2,))
    assert message == (
        "initialize was not answered: 3 lines on stdout, but no answer, for 30.0 s, "
        "then the client closed stdin"
    )


def test_a_launcher_that_is_still_at_work_leaves_initialize_unanswered() -> None:
    assert [each[:4] for each in found(CASES["A21"]())] == [("LIF010", "error", "undecided", (2,))]


@pytest.mark.parametrize(
    ("ends", "words"),
    [("signal", "the client sent SIGINT"), ("broken_pipe", "the client stopped reading")],
)
def test_how_the_client_gave_up_is_told(ends: str, words: str) -> None:
    tape = Tape().start().client(offer(), 0.1)
    fields = {"name": "SIGINT", "forwarded": True} if ends == "signal" else {"stream": "s2c"}
    tape.event(ends, 30.1, **fields).exit(30.2, "client-signal" if ends == "signal" else "client-gone")
    (message,) = [each[4] for each in found(tape)]
    assert message == f"initialize was not answered: nothing on stdout for 30.0 s, then {words}"


def test_a_client_that_hardly_waits_is_information() -> None:
    assert [each[:2] for each in found(closed(Tape().start().client(offer(), 0.1), 1.1))] == [
        ("LIF010", "info")
    ]
    assert found(closed(Tape().start().client(offer(), 0.1), 0.14)) == []


def test_what_else_was_asked_in_vain_is_a_consequence() -> None:
    tape = Tape().start().client(offer(), 0.1).client(request(1, "ping"), 5).client(request(2, "ping"), 15)
    (finding,) = check(closed(tape, 60), rules=LIF)
    assert finding.rule == "LIF010"
    assert finding.consequences == ()


@pytest.mark.parametrize("name", ["A05", "A27", "A28"])
def test_a_server_that_died_is_told_of_by_its_exit(name: str) -> None:
    assert "LIF010" not in [each[0] for each in found(CASES[name]())]


def test_a_server_that_never_ran_is_told_of_by_its_start() -> None:
    tape = Tape().event("start", format=1, argv=["x"]).client(offer(), 0.1)
    tape.event("spawn_failed", 0.2, error="command not found: x", code=127).exit(5.2, "spawn-failed", 127)
    assert found(tape) == []


def test_an_answer_that_may_not_be_on_file_is_not_called_missing() -> None:
    start = Tape().start().client(offer(), 0.1)
    assert found(start) == []
    cut = Tape().start().client(offer(), 0.1).event("limit", 1, bytes=100)
    assert found(closed(cut, 31)) == []
    half = Tape().start().client(offer(), 0.1)
    half.line("s2c", Segment((b'{"jsonrpc":"2.0","id":0',), more=True), 30)
    assert found(closed(half, 31)) == []


def test_a_server_that_answered_the_probe_has_begun() -> None:
    tape = Tape().start().client(modern(1, "server/discover"), 0.1)
    answer = result(1, supportedVersions=["2026-07-28"], capabilities={}, resultType="complete")
    tape.server(answer, 0.2).client(offer(), 0.3)
    assert "LIF010" not in [each[0] for each in found(closed(tape, 31))]


def test_a_call_beside_the_unanswered_initialize_is_a_consequence() -> None:
    tape = Tape().start().client(offer(), 0.1).client(call(1), 0.2)
    findings = check(closed(tape, 31), rules=LIF)
    assert [each.rule for each in findings[0].consequences] == ["LIF017"]
