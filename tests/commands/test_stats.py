"""``mcp-tap stats``: how often, how fast, how large, by method and tool."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from mcp_tap.cli import main
from tests.model.recordings import HANDSHAKE, event, line, message, session_lines

CALLS = (
    (2.0, "c2s", message(id=2, method="tools/call", params={"name": "read"})),
    (2.5, "s2c", message(id=2, result={"isError": True})),
    (3.0, "c2s", message(id=3, method="tools/call", params={"name": "write"})),
    (3.0, "s2c", message(id=0, method="ping")),
    (3.25, "c2s", message(id=0, result={})),
    (4.0, "tap", event("exit", code=0, signal=None, first="client-eof")),
)


@pytest.fixture
def recording(tmp_path: Path) -> Path:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"".join(session_lines(*HANDSHAKE, *CALLS)))
    return path


def counted(capfd: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    assert main(["stats", "--json", *words]) == 0
    found: dict[str, Any] = json.loads(capfd.readouterr().out)
    return found


def called(found: dict[str, Any]) -> list[tuple[str, str, str | None]]:
    return [(row["side"], row["method"], row["target"]) for row in found["calls"]]


def test_the_object_has_totals_start_up_and_calls(recording: Path, capfd: pytest.CaptureFixture[str]) -> None:
    found = counted(capfd, str(recording))
    assert found["totals"] == {
        "sessions": 1,
        "duration": 4.0,
        "messages": {"c2s": 6, "s2c": 4},
        "lines": {"c2s": 6, "s2c": 4, "stderr": 0},
        "bytes": {"c2s": 414, "s2c": 263, "stderr": 0},
        "foreign": {"c2s": 0, "s2c": 0},
        "missing": 0,
        "errors": 0,
        "tool_errors": 1,
        "cancelled": 0,
        "unanswered": 1,
    }
    assert found["startup"] == {"spawn_to_first_byte": 0.25, "initialize": 0.25, "tools_list": 0.75}
    assert called(found) == [
        ("c2s", "initialize", None),
        ("c2s", "tools/call", "read"),
        ("c2s", "tools/call", "write"),
        ("c2s", "tools/list", None),
        ("s2c", "ping", None),
        ("c2s", "notifications/initialized", None),
    ]
    assert found["calls"][1] == {
        "side": "c2s",
        "method": "tools/call",
        "target": "read",
        "count": 1,
        "errors": 0,
        "tool_errors": 1,
        "cancelled": 0,
        "unanswered": 0,
        "latency": {"p50": 0.5, "p95": 0.5, "p99": 0.5, "max": 0.5, "total": 0.5},
        "bytes": {"request": 71, "result": 50},
    }
    assert found["calls"][2]["latency"] == dict.fromkeys(("p50", "p95", "p99", "max", "total"))


def test_a_directory_is_counted_together(recording: Path, capfd: pytest.CaptureFixture[str]) -> None:
    other = session_lines(*HANDSHAKE, *CALLS, session="other")
    (recording.parent / "b.jsonl").write_bytes(b"".join(other))
    found = counted(capfd, str(recording.parent), str(recording))
    assert (found["totals"]["sessions"], found["calls"][1]["count"]) == (2, 2)


def test_without_a_path_it_is_the_newest_recording(
    recording: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert counted(capfd, "--log-dir", str(recording.parent))["totals"]["sessions"] == 1


def test_one_session_of_a_file_is_counted_alone(recording: Path, capfd: pytest.CaptureFixture[str]) -> None:
    recording.write_bytes(
        b"".join(session_lines(*HANDSHAKE, session="one") + session_lines(*CALLS, session="two"))
    )
    assert counted(capfd, "tw", "--log-dir", str(recording.parent))["totals"]["messages"] == {
        "c2s": 3,
        "s2c": 2,
    }


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("--dir", "s2c"), [("s2c", "ping", None)]),
        (
            ("--method", "ping", "--method", "initialize"),
            [("c2s", "initialize", None), ("s2c", "ping", None)],
        ),
        (("--tool", "read"), [("c2s", "tools/call", "read")]),
        (("--tool", "read", "--method", "ping"), []),
    ],
)
def test_rows_are_chosen_and_totals_are_of_everything(
    recording: Path, capfd: pytest.CaptureFixture[str], words: tuple[str, ...], expected: list[Any]
) -> None:
    found = counted(capfd, str(recording), *words)
    assert called(found) == expected
    assert found["totals"]["messages"] == {"c2s": 6, "s2c": 4}


def test_a_span_of_time_is_counted_alone(recording: Path, capfd: pytest.CaptureFixture[str]) -> None:
    found = counted(
        capfd, str(recording), "--since", "2026-11-29T18:37:02", "--until", "2026-11-29T19:37:03+01:00"
    )
    assert called(found) == [("c2s", "tools/call", "read")]
    assert found["startup"] == {"spawn_to_first_byte": None, "initialize": None, "tools_list": None}
    assert (found["totals"]["duration"], found["totals"]["missing"]) == (None, None)
    assert len(counted(capfd, str(recording), "--until", "2026-11-30")["calls"]) == 6
    assert counted(capfd, str(recording), "--since", "2027-01-01T00:00Z")["calls"] == []


def test_a_time_that_is_none_is_a_sentence(recording: Path, capfd: pytest.CaptureFixture[str]) -> None:
    for nonsense in ("yesterday", "0001-01-01T00:00+23:59"):
        assert main(["stats", str(recording), "--since", nonsense]) == 2
        assert capfd.readouterr().err == (
            f"mcp-tap: {nonsense} is not a date or time such as 2026-11-29T18:37\n"
        )


def test_text_fits_the_terminal_and_has_no_colour_in_a_pipe(
    recording: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    assert main(["stats", str(recording)]) == 0
    captured = capfd.readouterr()
    assert captured.err == ""
    assert captured.out == (
        "1 session · 10 messages (→ 6, ← 4) · → 414 B, ← 263 B\n"
        "  4.00 s\n"
        "startup · first byte 250 ms · initialize 250 ms\n"
        "  tools/list 750 ms\n"
        "\n"
        "METHOD               COUNT  ERR  ISERR  OPEN     P50     MAX\n"
        "→ initialize             1    ·      ·     ·  200 ms  200 ms\n"
        "→ call read              1    ·      1     ·  500 ms  500 ms\n"
        "→ call write             1    ·      ·     1       -       -\n"
        "→ tools/list             1    ·      ·     ·  250 ms  250 ms\n"
        "← ping                   1    ·      ·     ·  250 ms  250 ms\n"
        "→ notifications/in…      1    ·      ·     ·       -       -\n"
    )


def test_what_cannot_be_read_is_told_and_the_rest_is_counted(
    recording: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    newer = recording.with_name("newer.jsonl")
    newer.write_bytes(line(0, 0.0, "tap", event("start", format=99), session="s"))
    recording.write_bytes(recording.read_bytes() + b"torn")
    assert main(["stats", "--json", str(recording.parent)]) == 2
    captured = capfd.readouterr()
    assert json.loads(captured.out)["totals"]["sessions"] == 1
    first, second = captured.err.splitlines()
    assert "upgrade mcp-tap-recorder" in first
    assert second == (
        f"mcp-tap: skipped 1 line that is not a record (line 14 of {recording}: "
        "incomplete: the writer was interrupted, or is still writing)"
    )


def test_nothing_is_a_sentence(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["stats", "--log-dir", str(tmp_path)]) == 2
    assert main(["stats", str(tmp_path / "none")]) == 2
    assert len(capfd.readouterr().err.splitlines()) == 2
