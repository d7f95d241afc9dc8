"""One direction back out, exactly."""

from __future__ import annotations

import io
import os
from pathlib import Path

import pytest

from mcp_tap.commands.cat import cat
from mcp_tap.errors import TapError
from tests.harness import Launcher, ended, python, talk_to

DATA = b'{"a" : 1}\r\n\xff\n\ntext\nlast'


def record_line(session: str, seq: int, rest: str) -> str:
    return f'{{"ts":"x","t":{seq},"session":"{session}","seq":{seq},{rest}}}\n'


def test_each_direction_comes_back_byte_for_byte(tap: Launcher, log: Path) -> None:
    server = python("""
whole = b''
while chunk := os.read(0, 100): whole += chunk
write(1, whole[::-1]); write(2, whole)
""")
    with ended(tap.start(server)) as process:
        talk_to(process, DATA)
    for stream, expected in (("c2s", DATA), ("s2c", DATA[::-1]), ("stderr", DATA)):
        out = io.BytesIO()
        assert cat(str(log), stream, out=out) == 0  # type: ignore[arg-type] # a plain str in the loop
        assert out.getvalue() == expected


def test_what_is_missing_is_said_and_is_a_finding(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text(
        record_line("one", 0, '"dir":"s2c","text":"a"')
        + '{"torn\n'
        + record_line("one", 5, '"dir":"tap","event":"gap","records":4,"bytes":10,"reason":"full"')
        + record_line("one", 6, '"dir":"s2c","text":"b"')
        + record_line("one", 7, '"dir":"tap","event":"limit","bytes":9'),
        encoding="utf-8",
    )
    out = io.BytesIO()
    assert cat(str(path), "s2c", out=out) == 1
    assert out.getvalue() == b"a\nb\n"
    assert capfd.readouterr().err.splitlines() == [
        f"mcp-tap: {path}: missing: line 2 was skipped (not JSON: a truncated record, or not a recording)",
        f"mcp-tap: {path}: missing: 4 records that could not be written",
        f"mcp-tap: {path}: missing: everything after the size limit of 9 bytes",
    ]


def test_of_several_sessions_one_is_named(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    lines = [record_line(session, 0, f'"dir":"s2c","text":"{session}"') for session in ("one", "two")]
    path.write_text("".join(lines), encoding="utf-8")
    with pytest.raises(TapError, match=r"contains 2 sessions \(one, two\): choose one with --session"):
        cat(str(path), "s2c")
    with pytest.raises(TapError, match=r"none of them matches"):
        cat(str(path), "s2c", session="three")
    out = io.BytesIO()
    assert cat(str(path), "s2c", session="tw", out=out) == 0
    assert out.getvalue() == b"two\n"


def test_a_recording_may_come_through_a_pipe(tmp_path: Path) -> None:
    line = record_line("one", 0, '"dir":"s2c","text":"a"').encode()
    reader, writer = os.pipe()
    os.write(writer, line)
    os.close(writer)
    out = io.BytesIO()
    assert cat(f"/dev/fd/{reader}", "s2c", out=out) == 0
    os.close(reader)
    assert out.getvalue() == b"a\n"


def test_what_is_no_recording_is_said(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text("")
    (tmp_path / "b.jsonl").write_text("")
    with pytest.raises(TapError, match=r"contains no records: is it a recording\?"):
        cat(str(tmp_path / "a.jsonl"), "c2s")
    with pytest.raises(TapError, match="contains 2 recordings, but cat writes only one"):
        cat(str(tmp_path), "c2s")
    with pytest.raises(TapError, match=r"cannot read /proc/self/mem"):
        cat("/proc/self/mem", "c2s")
