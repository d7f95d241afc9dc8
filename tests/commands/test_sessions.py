"""``mcp-tap sessions``: what has been recorded, a line each, the newest last."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from mcp_tap.cli import main
from mcp_tap.model.sessions import Sessions
from tests.model.recordings import HANDSHAKE, event, line, message, session_lines, text

OLD, NEW = "01m8mgpwt5nbk9nx", "01m8mgpwt5nbk9ny"
LEAVES = (2.0, "tap", event("exit", code=0, signal=None, first="client-eof"))
DIES = (0.5, "tap", event("exit", code=3, signal=None, first="server-exit"))


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """Two recordings; the newer one's file is the older one."""
    write(tmp_path / "b.jsonl", session_lines(*later(HANDSHAKE[:1]), DIES, session=NEW))
    write(tmp_path / "a.jsonl", session_lines(*HANDSHAKE, LEAVES, session=OLD))
    return tmp_path


def later(said: Any) -> Any:
    return [(t + 0.5, side, body) for t, side, body in said]


def write(path: Path, lines: list[bytes]) -> None:
    path.write_bytes(
        b"".join(lines).replace(b"18:37:00", b"18:39:00" if path.name == "b.jsonl" else b"18:37:00")
    )


def listed(capfd: pytest.CaptureFixture[str], *words: str, status: int = 0) -> list[dict[str, Any]]:
    assert main(["sessions", "--json", *words]) == status
    return [json.loads(row) for row in capfd.readouterr().out.splitlines()]


def test_a_line_says_all_that_is_known_of_a_session(place: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert listed(capfd, str(place / "a.jsonl")) == [
        {
            "session": OLD,
            "file": str(place / "a.jsonl"),
            "name": "notes",
            "start": "2026-11-29T18:37:00.000000Z",
            "duration": 2.0,
            "client": {"name": "cl", "version": "1"},
            "server": {"name": "srv", "version": "2"},
            "era": "legacy",
            "protocol": "2025-11-25",
            "messages": {"c2s": 3, "s2c": 2},
            "errors": 0,
            "tool_errors": 0,
            "unanswered": 0,
            "kind": "session",
            "ending": {"first": "client-eof", "code": 0, "signal": None, "sentence": "client closed"},
        }
    ]


def test_the_newest_session_is_last(place: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert [each["session"] for each in listed(capfd, str(place))] == [OLD, NEW]
    assert [each["session"] for each in listed(capfd, "--log-dir", str(place))] == [OLD, NEW]


def test_a_session_is_found_by_its_id(place: Path, capfd: pytest.CaptureFixture[str]) -> None:
    shared = session_lines(*HANDSHAKE, session="0000") + session_lines(*HANDSHAKE, session="1111")
    write(place / "c.jsonl", shared)
    assert [each["session"] for each in listed(capfd, "11", "--log-dir", str(place))] == ["1111"]


def test_text_is_a_line_each_without_colour_in_a_pipe(
    place: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert main(["sessions", str(place)]) == 0
    captured = capfd.readouterr()
    assert captured.err == ""
    assert captured.out.splitlines() == [
        "START (UTC)  ID    NAME   CLIENT → SERVER    TIME  MESSAGES  ERR  ENDING",
        f"11-29 18:37  {OLD[-4:]}  notes  cl → srv         2.00 s         5    ·  client closed",
        f"11-29 18:39  {NEW[-4:]}  notes  - → -            500 ms         0    ·  server died: …",
    ]


def test_nothing_recorded_yet_is_a_sentence(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["sessions", "--log-dir", str(tmp_path)]) == 2
    assert "try mcp-tap demo" in capfd.readouterr().err


def test_lines_that_are_no_records_are_told_in_one_line(
    place: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = place / "a.jsonl"
    path.write_bytes(path.read_bytes() + b"\n" + b'{"ts":"2026')
    assert main(["sessions", str(place)]) == 0
    assert capfd.readouterr().err == (
        f"mcp-tap: skipped 2 lines that are not records (first: line 9 of {path}: empty line)\n"
    )
    path.write_bytes(b'{"ts":"2026')
    assert main(["sessions", str(path), "--brief"]) == 0
    captured = capfd.readouterr()
    assert captured.out == ""
    assert captured.err == (
        f"mcp-tap: skipped 1 line that is not a record (line 1 of {path}: "
        "incomplete: the writer was interrupted, or is still writing)\n"
    )


def test_a_file_that_cannot_be_read_does_not_hide_the_others(
    place: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    write(place / "newer.jsonl", [line(0, 0.0, "tap", event("start", format=99), session="s")])
    (place / "gone.jsonl").symlink_to(place / "nowhere")
    assert main(["sessions", "--json", str(place), str(place / "newer.jsonl")]) == 2
    captured = capfd.readouterr()
    assert len(captured.out.splitlines()) == 2
    assert captured.err.count("\n") == 1
    assert "upgrade mcp-tap-recorder" in captured.err


def test_an_unreadable_file_is_named(place: Path, monkeypatch: pytest.MonkeyPatch, capfd: Any) -> None:
    monkeypatch.setattr("mcp_tap.commands.sessions.read_ends", refuse)
    assert main(["sessions", "--brief", str(place / "a.jsonl")]) == 2
    assert capfd.readouterr().err == f"mcp-tap: cannot read {place / 'a.jsonl'}: Permission denied\n"


def refuse(path: str) -> None:
    raise PermissionError(13, "Permission denied", path)


CHATTER = [(1.0 + at / 1000, "stderr", text("x" * 100)) for at in range(300)]
"""More than the two ends of a file hold."""


def test_brief_knows_what_the_two_ends_tell(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.jsonl"
    write(path, session_lines(*HANDSHAKE, *CHATTER, LEAVES))
    (full,) = listed(capfd, str(path))
    (brief,) = listed(capfd, str(path), "--brief")
    unknown = {"messages": {"c2s": None, "s2c": None}} | dict.fromkeys(
        ("errors", "tool_errors", "unanswered", "kind")
    )
    assert brief == full | unknown


def test_brief_of_a_small_file_knows_everything(place: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert listed(capfd, str(place), "--brief") == listed(capfd, str(place))


def test_brief_calls_nothing_a_probe_that_it_has_not_read(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.jsonl"
    discover = (0.5, "c2s", message(id=1, method="server/discover"))
    write(path, session_lines(HANDSHAKE[0], discover, *CHATTER, LEAVES))
    assert listed(capfd, str(path))[0]["ending"]["sentence"] == "probe"
    assert listed(capfd, str(path), "--brief")[0]["ending"]["sentence"] == "client closed"


def test_brief_of_a_file_with_several_sessions_says_what_it_leaves_out(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.jsonl"
    write(path, session_lines(*HANDSHAKE) + session_lines(HANDSHAKE[0], *CHATTER, LEAVES, session="zz"))
    assert main(["sessions", "--json", "--brief", str(path)]) == 0
    captured = capfd.readouterr()
    last, first = map(json.loads, captured.out.splitlines())
    assert (first["session"], first["duration"], first["ending"]["sentence"]) == (OLD, None, None)
    assert (last["session"], last["start"], last["duration"]) == ("zz", None, 2.0)
    assert last["ending"]["sentence"] == "client closed"
    assert captured.err == (
        f"mcp-tap: {path} contains several sessions: --brief lists only the first and the last\n"
    )


def test_a_session_is_told_to_run_on_while_nothing_ends_it(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.jsonl"
    write(path, session_lines(*HANDSHAKE, *CHATTER))
    (brief,) = listed(capfd, str(path), "--brief")
    assert brief["ending"]["sentence"] == "still running, or the tap was killed"
    assert brief["duration"] == 1.299


def test_the_list_is_what_the_model_says(place: Path, capfd: pytest.CaptureFixture[str]) -> None:
    with open(place / "a.jsonl", "rb") as file:
        (session,) = Sessions().read(file)
    (row,) = listed(capfd, str(place / "a.jsonl"))
    assert row["messages"] == session.messages
    assert row["ending"]["sentence"] == session.ending.sentence


def test_the_last_ones_are_those_that_began_last(place: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert [each["session"] for each in listed(capfd, str(place), "-n", "1")] == [NEW]
    assert [each["session"] for each in listed(capfd, str(place), "--last", "9")] == [OLD, NEW]


def test_what_goes_to_a_pipe_is_not_cut(
    place: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    name = "a-server-whose-name-nobody-would-want-to-type-" * 4
    file = place / "a.jsonl"
    file.write_bytes(file.read_bytes().replace(b'"name":"notes"', b'"name":"%s"' % name.encode()))
    monkeypatch.delenv("COLUMNS", raising=False)
    assert main(["sessions", str(place)]) == 0
    heading, *rows = capfd.readouterr().out.splitlines()
    assert sum(name in row for row in rows) == 1
    assert heading.split()[-1] == "ENDING"
    monkeypatch.setenv("COLUMNS", "100")
    assert main(["sessions", str(place)]) == 0
    assert name not in capfd.readouterr().out


def test_a_probe_that_was_refused_has_not_gone_wrong(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    probe = (0.26, "c2s", message(id=9, method="server/discover", params={}))
    refused = (0.28, "s2c", message(id=9, error={"code": -32601, "message": "Method not found"}))
    failed = (1.0, "s2c", message(id=8, error={"code": -32603, "message": "no"}))
    asked = (0.9, "c2s", message(id=8, method="tools/list"))
    write(tmp_path / "a.jsonl", session_lines(*HANDSHAKE[:2], probe, refused, *HANDSHAKE[2:], LEAVES))
    write(
        tmp_path / "c.jsonl",
        session_lines(*HANDSHAKE[:2], probe, refused, *HANDSHAKE[2:], asked, failed, LEAVES, session=NEW),
    )
    assert main(["sessions", str(tmp_path)]) == 0
    heading, *rows = capfd.readouterr().out.splitlines()
    at = heading.index("ERR")
    assert [row[at : at + 3].strip() for row in rows] == ["·", "1"]
    assert [each["errors"] for each in listed(capfd, str(tmp_path))] == [1, 2]
