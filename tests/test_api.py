"""What a program may use, as a program would."""

from __future__ import annotations

import subprocess
import sys
import tracemalloc
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import orjson
import pytest

import mcp_tap
from mcp_tap import TapError, diagnose, read
from tests.diagnosis.odd_sessions import ENDING, call, healthy, returned
from tests.model.recordings import event, message, session_lines, text
from tests.record_cases import RECORDINGS

TIME = RECORDINGS / "v1" / "time-py1.jsonl"
TWO = RECORDINGS / "v1" / "time-two-sessions.jsonl"


@pytest.fixture
def recording(tmp_path: Path) -> Path:
    """A call that works, one that fails, one that is refused, one without an answer, and the rest."""
    lines = healthy(
        1,
        (0.0, "c2s", call(10, _meta={"progressToken": 10})),
        (0.1, "s2c", message(method="notifications/progress", params={"progressToken": 10, "progress": 1})),
        (0.2, "s2c", returned(10, "no such note", isError=True)),
        (0.3, "c2s", message(id="a", method="notes/delete")),
        (0.4, "s2c", message(id="a", error={"code": -32601, "message": "Method not found"})),
        (0.5, "stderr", text("busy")),
        (0.6, "s2c", text("not JSON")),
        (0.7, "s2c", message(id=1, method="ping")),
        *ENDING,
    )
    path = tmp_path / "r.jsonl"
    path.write_bytes(b"".join(lines))
    return path


def test_a_session_says_who_talked_to_whom() -> None:
    (session,) = read(TIME)
    assert (session.path, session.name) == (str(TIME), "mcp_server_time")
    assert (session.client.name, session.server.name, session.protocol) == ("mcp", "mcp-time", "2025-11-25")
    assert session.era == "legacy"
    assert session.start is not None
    assert session.start.startswith("2026-")
    assert session.duration is not None
    assert session.id in repr(session)


def test_exchanges_hold_what_was_asked_and_answered(recording: Path) -> None:
    (session,) = read(recording)
    found = {each.id: each for each in session.exchanges if each.side == "c2s"}
    assert (found[2].method, found[2].target, found[2].outcome) == ("tools/call", "find", "result")
    assert found[2].params["arguments"] == {"q": "tea"}
    assert found[2].result["content"][0]["text"] == "tea is a note"
    assert (found[10].outcome, found[10].progress) == ("tool-error", 1)
    assert found["a"].error == {"code": -32601, "message": "Method not found"}
    assert found["a"].latency == pytest.approx(0.1)
    assert found["a"].answer_record is not None
    assert found["a"].answer_record > found["a"].record
    (open_one,) = [each for each in session.exchanges if each.outcome == "open"]
    assert (open_one.side, open_one.method, open_one.latency, open_one.result) == ("s2c", "ping", None, None)


def test_notifications_lines_and_events_come_in_order(recording: Path) -> None:
    (session,) = read(recording)
    assert [each.method for each in session.notifications] == [
        "notifications/initialized",
        "notifications/progress",
    ]
    lines = list(session.lines)
    assert [each.data for each in lines if each.stream == "stderr"] == [b"busy"]
    (foreign,) = [each for each in lines if each.stream == "s2c" and each.message is None]
    assert (foreign.data, foreign.end, foreign.goes_on) == (b"not JSON", b"\n", False)
    assert [each.name for each in session.events] == ["start", "spawn", "eof", "eof", "exit"]
    last = list(session.events)[-1]
    assert (last.fields["code"], "event" in last.fields) == (0, False)


def test_calls_are_rows_of_a_table(recording: Path) -> None:
    (session,) = read(recording)
    rows = session.calls()
    assert {row["outcome"] for row in rows} == {"result", "tool-error", "error", "open"}
    assert all(row.keys() == rows[0].keys() for row in rows)
    assert {"method", "target", "latency", "record"} <= rows[0].keys()


def test_a_file_of_several_sessions_gives_them_in_order_of_their_first_record() -> None:
    one, other = read(TWO)
    assert one.id != other.id
    assert {each.method for each in one.exchanges} & {"initialize", "server/discover"}
    assert list(one.exchanges) != list(other.exchanges)


def test_a_session_is_there_before_its_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "newer.jsonl"
    newer = session_lines((0.0, "tap", event("start", format=99)), session="newer")
    path.write_bytes(b"".join([*healthy(1), *newer]))
    sessions = read(path)
    assert next(sessions).path == str(path)
    with pytest.raises(TapError, match="upgrade"):
        next(sessions)


def test_memory_does_not_grow_with_the_recording(tmp_path: Path) -> None:
    def peak(calls: int) -> int:
        path = tmp_path / f"{calls}.jsonl"
        path.write_bytes(b"".join(healthy(calls, *ENDING)))
        (session,) = read(path)
        tracemalloc.start()
        assert sum(1 for _ in session.exchanges) == calls + 2
        found = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return found

    peak(10)
    assert peak(12_000) < 1.2 * peak(6_000)


def test_what_is_not_there_is_one_sentence() -> None:
    with pytest.raises(TapError, match="no-such"):
        next(read("no-such.jsonl"))
    with pytest.raises(TapError, match="FRM999"):
        diagnose(TIME, only=["FRM999"])


@pytest.mark.parametrize("path", [TIME, TWO, RECORDINGS / "cases" / "A28.jsonl"], ids=lambda path: path.stem)
def test_a_diagnosis_is_named_as_the_json_of_check_is(path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-P", "-m", "mcp_tap", "check", "--json", str(path)], capture_output=True, timeout=60
    )
    expected, report = orjson.loads(done.stdout), diagnose(path)
    assert report.summary == expected["summary"]
    for session, json in zip(report.sessions, expected["sessions"], strict=True):
        assert (session.session, session.file, session.verdict) == (
            json["session"],
            json["file"],
            json["verdict"],
        )
        for finding, known in zip(session.findings, json["findings"], strict=True):
            assert {key: getattr(finding, key) for key in ("rule", "severity", "message", "next", "key")} == {
                key: known[key] for key in ("rule", "severity", "message", "next", "key")
            }


def test_lines_of_anything_can_be_diagnosed_as_they_come() -> None:
    def lines() -> Iterator[bytes]:
        yield from islice(open_lines(RECORDINGS / "cases" / "A28.jsonl"), None)

    report = diagnose(lines())
    assert [finding.rule for finding in report.findings] == ["PRO002"]
    assert diagnose(lines(), disable=["PRO"]).findings == ()
    assert [finding.rule for finding in diagnose(lines(), only=["PRO002"]).findings] == ["PRO002"]


def open_lines(path: Path) -> list[bytes]:
    return path.read_bytes().splitlines(keepends=True)


def test_a_session_diagnoses_itself() -> None:
    (session,) = read(RECORDINGS / "cases" / "A28.jsonl")
    assert [finding.rule for finding in session.diagnose().findings] == ["PRO002"]


def test_a_baseline_is_heeded(tmp_path: Path) -> None:
    path, baseline = RECORDINGS / "cases" / "A28.jsonl", tmp_path / "b.json"
    subprocess.run(
        [sys.executable, "-P", "-m", "mcp_tap", "check", str(path), "--write-baseline", str(baseline)],
        capture_output=True,
        timeout=60,
        check=True,
    )
    assert diagnose(path, baseline=baseline).findings == ()


def test_the_public_names_are_those_of_the_module_and_nothing_else_is() -> None:
    assert sorted(mcp_tap.__all__) == sorted(mcp_tap.api.__all__)
    for name in mcp_tap.__all__:
        assert getattr(mcp_tap, name).__module__.startswith("mcp_tap.")
    with pytest.raises(AttributeError, match="nothing_of_the_kind"):
        mcp_tap.nothing_of_the_kind  # noqa: B018
