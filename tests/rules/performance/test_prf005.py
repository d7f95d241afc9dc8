"""PRF005: long list of tools."""

from __future__ import annotations

from typing import Any

from tests.diagnosis.checking import begun
from tests.record_cases import Tape, error, request, result
from tests.rules.performance.cases import found


def tools(number: int, size: int = 1) -> list[dict[str, Any]]:
    """Tools as they are listed."""
    return [
        {"name": f"t{n}", "description": "x" * size, "inputSchema": {"type": "object"}} for n in range(number)
    ]


def listed(
    tape: Tape, id: int, page: list[dict[str, Any]], then: str | None = None, cursor: str | None = None
) -> Tape:
    """One page of the list."""
    tape.client(request(id, "tools/list", **({"cursor": cursor} if cursor else {})), id)
    return tape.server(result(id, tools=page, **({"nextCursor": then} if then else {})), id + 0.1)


def test_many_tools_are_information() -> None:
    assert found(listed(begun(), 1, tools(41))) == [("PRF005", "info", "server", (6,), "")]
    assert found(listed(begun(), 1, tools(40))) == []


def test_a_long_list_is_information_once_over_all_pages() -> None:
    pages = tools(4, 15_000)
    tape = listed(listed(begun(), 1, pages[:2], "p2"), 2, pages[2:], None, "p2")
    assert found(tape) == [("PRF005", "info", "server", (8,), "")]
    assert [each[3] for each in found(listed(tape, 3, tools(41)))] == [(8,)]
    assert found(listed(begun(), 1, tools(2, 15_000))) == []
    assert found(begun().client(request(1, "tools/list"), 1).server(error(1, -32603), 1.1)) == []
