"""How sentences put a request, a name, a value, a time."""

from __future__ import annotations

import pytest

from mcp_tap.diagnosis.text import called, excerpt, key_of_request, plural, quoted, seconds, short, size
from mcp_tap.model.exchange import Exchange


def test_numbers_and_times_are_spelled_for_people() -> None:
    assert [plural(1, "line"), plural(12_000, "line"), plural(2, "entry", "entries")] == [
        "1 line",
        "12,000 lines",
        "2 entries",
    ]
    assert quoted("a\n b") == "'a b'"
    assert quoted("x" * 99, 5) == "'xxxx…'"
    assert len(excerpt("y" * 9999)) == 200


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (0.0, "0 s"), (float("nan"), "? s"), (float("inf"), "? s"), (-1.0, "? s"),
        (0.00035, "350 µs"), (0.0009994, "999 µs"), (0.0009996, "1.0 ms"),
        (0.0123, "12.3 ms"), (0.0999, "99.9 ms"), (0.09996, "100 ms"), (0.5, "500 ms"), (0.9996, "1.00 s"),
        (9.99, "9.99 s"), (12.34, "12.3 s"), (59.94, "59.9 s"), (59.96, "1m 00s"),
        (125.0, "2m 05s"), (3599.6, "1h 00m"),
        (11045.0, "3h 04m"), (3_600_000.0, "1,000h 00m"),
    ],
)  # fmt: skip
def test_a_time_is_short_in_every_size(value: float, shown: str) -> None:
    assert seconds(value) == shown


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (0, "0 B"), (999, "999 B"), (1000, "1.0 kB"), (9_949, "9.9 kB"), (9_960, "10 kB"),
        (999_600, "1.0 MB"), (34_000_000, "34 MB"), (5_600_000_000, "5.6 GB"), (2 * 10**12, "2.0 TB"),
    ],
)  # fmt: skip
def test_a_size_is_short_too(value: int, shown: str) -> None:
    assert size(value) == shown


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
