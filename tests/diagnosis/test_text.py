"""How sentences put a request, a name, a value, a time."""

from __future__ import annotations

from mcp_tap.diagnosis.text import called, excerpt, key_of_request, plural, quoted, seconds, short
from mcp_tap.model.exchange import Exchange


def test_numbers_and_times_are_spelled_for_people() -> None:
    assert [plural(1, "line"), plural(12_000, "line"), plural(2, "entry", "entries")] == [
        "1 line",
        "12,000 lines",
        "2 entries",
    ]
    assert [seconds(0.4), seconds(12.34), seconds(250)] == ["0.40 s", "12.3 s", "4 min 10 s"]
    assert quoted("a\n b") == "'a b'"
    assert quoted("x" * 99, 5) == "'xxxx…'"
    assert len(excerpt("y" * 9999)) == 200


def exchange(method: str, target: str | None) -> Exchange:
    return Exchange("c2s", 1, method, target, 0, 0.0, 10)


def test_a_request_is_called_by_its_method_and_its_target_on_one_line() -> None:
    assert called(exchange("tools/list", None)) == "tools/list"
    assert called(exchange("tools/call", "a\n b")) == "tools/call `a b`"
    assert called(exchange("resources/read", "https://me:hunter2@x.org/")) == (
        "resources/read `https://[masked]@x.org/`"
    )
    assert len(called(exchange("x" * 500, "y" * 500))) < 130


def test_its_key_is_the_same_without_marks() -> None:
    assert key_of_request(exchange("tools/call", "export")) == "tools/call export"


def test_an_id_is_told_with_its_type_and_not_at_length() -> None:
    assert (short(5), short("5"), short(None)) == ("5", '"5"', "None")
    assert short("x" * 100) == '"' + "x" * 38 + "…"
