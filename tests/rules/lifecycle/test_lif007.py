"""LIF007: incomplete initialize params."""

from __future__ import annotations

from typing import Any

import pytest

from tests.diagnosis.checking import check, closed
from tests.record_cases import Tape, error, request
from tests.rules.lifecycle.cases import INITIALIZED, LIF, agreed, found

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
        (
            {"protocolVersion": 2, "capabilities": [], "clientInfo": ME},
            "a valid protocolVersion, a valid capabilities",
        ),
        (
            {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": 1}},
            "clientInfo.name, clientInfo.version",
        ),
    ],
)
def test_an_initialize_that_lacks_something_is_the_clients_error(
    params: dict[str, Any] | None, lacks: str
) -> None:
    assert found(initialized_by(params)) == [("LIF007", "error", "client", (2,), lacks)]


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
