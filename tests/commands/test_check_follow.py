"""``mcp-tap check --follow``: findings as they become certain."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import mcp_tap.commands.check_follow
from mcp_tap.cli import main
from mcp_tap.commands.check_follow import check_following
from mcp_tap.commands.check_options import Options
from mcp_tap.diagnosis.settings import Settings
from mcp_tap.errors import ExitStatus
from tests.record_cases import RECORDINGS

BANNER = RECORDINGS / "cases" / "A01.jsonl"


class Script:
    """What happens to the recordings, one step each time there is nothing more to read."""

    def __init__(self, out: io.StringIO, *steps: Callable[[], object]) -> None:
        self.out = out
        self.steps = list(steps)
        self.seen: list[str] = []

    def __call__(self) -> bool:
        self.seen.append(self.out.getvalue())
        self.out.seek(0)
        self.out.truncate()
        if not self.steps:
            return False
        self.steps.pop(0)()
        return True


def follow(what: Path | None, *steps: Callable[[], object], status: int = 0, **options: Any) -> list[str]:
    """What is printed by each look."""
    out = io.StringIO()
    script = Script(out, *steps)
    log_dir = options.pop("log_dir", None)
    done = check_following(
        str(what) if what else None, Options(**options), log_dir=log_dir, out=out, wait=script
    )
    assert done == status
    return script.seen


def append(path: Path, lines: list[bytes]) -> Callable[[], None]:
    def more() -> None:
        with path.open("ab") as file:
            file.writelines(lines)

    return more


def test_a_finding_is_told_at_once_and_once_and_the_verdict_at_the_end(tmp_path: Path) -> None:
    lines = BANNER.read_bytes().splitlines(keepends=True)
    path = tmp_path / "live.jsonl"
    path.write_bytes(b"".join(lines[:3]))
    before, banner, again, end = follow(
        path, append(path, lines[3:4]), append(path, lines[4:6]), append(path, lines[6:])
    )
    assert before == ""
    assert banner.splitlines()[0].startswith("notes  …0000  ")
    assert "FRM001  at fault: server  #3" in banner
    assert again == ""
    assert "Connected, with a warning: server wrote 2 lines of plain text" in end
    assert "#3 #4 ×2" in end


def test_findings_are_json_lines_and_so_is_the_whole_session_at_its_end(tmp_path: Path) -> None:
    lines = BANNER.read_bytes().splitlines(keepends=True)
    path = tmp_path / "live.jsonl"
    path.write_bytes(b"".join(lines[:5]))
    first, end = follow(path, append(path, lines[5:]), form="json")
    (told,) = map(json.loads, first.splitlines())
    assert (told["session"], told["file"]) == ("01m8mn0000000000", str(path))
    assert told["finding"]["rule"] == "FRM001"
    (session,) = map(json.loads, end.splitlines())
    assert session["verdict"].startswith("Connected, with a warning")
    assert session["findings"][0]["count"] == 2


def test_an_error_is_remembered_for_the_status(tmp_path: Path) -> None:
    crash = RECORDINGS / "cases" / "A28.jsonl"
    follow(crash, status=ExitStatus.FINDINGS)
    follow(crash, fail_on="never")
    follow(crash, settings=Settings(disabled=frozenset({"PRO002"})))


def test_a_file_that_is_begun_anew_is_another_session(tmp_path: Path) -> None:
    path = tmp_path / "live.jsonl"
    path.write_bytes(BANNER.read_bytes()[:2000])
    other = BANNER.read_bytes().replace(b"01m8mn0000000000", b"01m8mn0000000009")
    seen = follow(path, lambda: path.write_bytes(other))
    assert "…0009" in seen[-1]


def test_one_session_of_a_file_is_followed_alone_and_what_is_no_record_is_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "20261130T221740.000Z-notes-01m8mn0000000000.jsonl"
    other = BANNER.read_bytes().replace(b"01m8mn0000000000", b"01m8mn0000000009")
    path.write_bytes(b"garbage\n" + other + BANNER.read_bytes())
    out = io.StringIO()
    check_following("01m8mn0000000000", Options(), log_dir=str(tmp_path), out=out, wait=lambda: False)
    assert "…0000" in out.getvalue()
    assert "…0009" not in out.getvalue()


def test_sessions_that_start_later_in_a_directory_are_followed_too(tmp_path: Path) -> None:
    seen = follow(
        None, lambda: (tmp_path / "new.jsonl").write_bytes(BANNER.read_bytes()), log_dir=str(tmp_path)
    )
    assert "Connected, with a warning" in seen[-1]


def test_a_newer_format_is_said_and_left(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "new.jsonl"
    path.write_bytes(BANNER.read_bytes().replace(b'"format":1', b'"format":99'))
    follow(path, append(path, [b"{}\n"]), status=ExitStatus.FAILED)
    assert capfd.readouterr().err.count("format 99") == 1


def test_the_verb_follows_until_it_is_interrupted(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def interrupt(_: object) -> bool:
        raise KeyboardInterrupt

    monkeypatch.setattr(mcp_tap.commands.check_follow, "pause", interrupt)
    assert main(["check", "--follow", str(BANNER)]) == ExitStatus.INTERRUPTED
    assert "Connected, with a warning" in capfd.readouterr().out
