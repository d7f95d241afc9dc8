"""RPC025: result does not match the schema."""

from __future__ import annotations

from typing import Any

import pytest

from tests.diagnosis.checking import begun, check, names
from tests.record_cases import Tape, error, modern, request, result
from tests.rules.jsonrpc.shapes_cases import RULES, found


def test_a_result_without_its_member_is_the_answerers_error() -> None:
    tape = begun().client(request(5, "tools/list"), 1).server(result(5, items=[]), 1.1)
    assert found(tape) == [("RPC025", "error", "server", (5, 6), "tools/list: `tools` is missing")]


def test_the_client_answers_too() -> None:
    tape = begun(client={"roots": {}}).server(request(5, "roots/list"), 1).client(result(5, roots={}), 1.1)
    assert found(tape) == [
        ("RPC025", "error", "client", (5, 6), "roots/list: `roots` is an object, not an array")
    ]


@pytest.mark.parametrize(
    "answer",
    [
        result(5, resultType="input_required", requestState="s"),
        result(5, task={"taskId": "t"}),
        error(5, -32602),
        {"jsonrpc": "2.0", "id": 5, "result": None},
        {"jsonrpc": "2.0", "id": 5, "result": []},
        result(5, contents=[]),
        result(5, contents="[masked]"),
    ],
)
def test_what_is_no_result_of_the_method_has_not_its_shape(answer: dict[str, Any]) -> None:
    assert found(begun().client(request(5, "resources/read", uri="x:y"), 1).server(answer, 1.1)) == []


def test_the_handshake_has_a_shape_and_its_version_is_told_elsewhere() -> None:
    offer = request(0, "initialize", protocolVersion="2025-11-25", capabilities={}, clientInfo={})
    tape = (
        Tape()
        .start()
        .client(offer, 0.1)
        .server(result(0, protocolVersion="2025-11-25", capabilities=[]), 0.2)
    )
    assert [each[4] for each in found(tape)] == [
        "initialize: `capabilities` is an array, not an object, `serverInfo` is missing"
    ]
    assert found(Tape().start().client(offer, 0.1).server(result(0, protocolVersion="9"), 0.2)) == []
    assert names(check(Tape().start().client(offer, 0.1).server(result(0), 0.2), rules=RULES)) == ["RPC025"]


def test_a_result_of_the_new_era_is_read_by_its_own_version() -> None:
    tape = Tape().start().client(modern(1, "server/discover"), 0.1)
    tape.server(result(1, resultType="complete", supportedVersions=["2026-07-28"]), 0.2)
    assert [each[4] for each in found(tape)] == ["server/discover: `capabilities` is missing"]


def test_an_answer_to_what_may_not_be_asked_has_no_shape() -> None:
    assert found(begun().server(request(5, "tools/list"), 1).client(result(5), 1)) == []
