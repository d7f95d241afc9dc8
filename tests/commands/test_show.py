"""``mcp-tap show``: which records, in which order, how it ends."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mcp_tap import cli
from mcp_tap.commands.show import show
from mcp_tap.errors import TapError
from mcp_tap.model.filters import Filter
from tests.harness import LIMIT

A, B = "01m8mgpwt5nbaaaa", "01m8mgx3te8abbbb"


def line(session: str, seq: int, way: str, **rest: Any) -> str:
    head = {
        "ts": f"2026-11-29T18:37:{seq % 60:02d}.000000Z",
        "t": seq,
        "session": session,
        "seq": seq,
        "dir": way,
    }
    return json.dumps({**head, **rest}, ensure_ascii=False) + "\n"


def start(session: str, **rest: Any) -> str:
    return line(session, 0, "tap", event="start", name=f"notes-{session[-1]}", argv=["x"], **rest)


def ask(session: str, seq: int, number: int, method: str = "ping") -> str:
    return line(session, seq, "c2s", msg={"id": number, "method": method})


def answer(session: str, seq: int, number: int, **rest: Any) -> str:
    return line(session, seq, "s2c", msg={"id": number, **(rest or {"result": {}})})


def said(what: Path | str | None, **options: Any) -> list[str]:
    out = io.StringIO()
    assert show(str(what) if what is not None else None, out=out, **options) == 0
    return out.getvalue().splitlines()


def known(what: Path, **options: Any) -> list[dict[str, Any]]:
    return [json.loads(each) for each in said(what, shape="json", **options)]


@pytest.fixture
def two(tmp_path: Path) -> Path:
    """A file with two sessions, interleaved, and a line that is torn."""
    path = tmp_path / "two.jsonl"
    path.write_text(
        start(A) + ask(A, 1, 1) + start(B) + ask(B, 1, 1) + '{"ts":"20\n' + answer(A, 2, 1)
        + answer(B, 2, 1, error={"code": 1, "message": "no"}) + line(B, 5, "stderr", text="bye"),
        encoding="utf-8",
    )  # fmt: skip
    return path


def test_interleaved_sessions_are_told_apart_from_the_second_one_on(two: Path) -> None:
    assert said(two) == [
        "── notes-a ── 2026-11-29 18:37:00 UTC " + "─" * 62,
        "   session    01m8mgpwt5nbaaaa",
        "   command    x",
        "   1.000 →  1 ping",
        "",
        "── notes-b ── 2026-11-29 18:37:00 UTC " + "─" * 62,
        "   session    01m8mgx3te8abbbb",
        "   command    x",
        "bbbb    1.000 →  1 ping",
        "   skipped line 5 of the file: not JSON: a truncated record, or not a recording",
        "aaaa    2.000 ←  1 result of ping 1.00 s  {}",
        "bbbb    2.000 ←  1 error for ping 1.00 s  1 no",
        "   2 records missing here",
        "bbbb    5.000 2> bye",
    ]


def test_one_session_is_picked_by_either_end_of_its_id(two: Path) -> None:
    for name in (B, "01m8mgx", "bbbb"):
        assert [(each["session"], each["seq"]) for each in known(two, session=name)] == [
            (B, 0), (B, 1), (B, 2), (B, 5),
        ]  # fmt: skip
    with pytest.raises(TapError, match=rf"^no session zz in {two} \(found: {A}, {B}\)$"):
        said(two, session="zz")


def test_json_tells_what_answers_what_and_how_long_it_took(
    two: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    added = [{key: each[key] for key in each if key in KEYS} for each in known(two)]
    assert added == [
        {},
        {"kind": "request", "method": "ping", "id": 1, "answered_by": 2},
        {},
        {"kind": "request", "method": "ping", "id": 1, "answered_by": 2},
        {"kind": "response", "method": "ping", "id": 1, "answers": 1, "latency": 1.0},
        {"kind": "error", "method": "ping", "id": 1, "answers": 1, "latency": 1.0},
        {},
    ]
    assert capfd.readouterr().err == (
        f"mcp-tap: {two}: skipped line 5: not JSON: a truncated record, or not a recording\n"
    )


KEYS = frozenset(
    {"kind", "method", "id", "target", "answers", "answered_by", "latency", "waited", "why", "parts"}
)


def test_json_is_the_record_as_it_is_in_the_file_without_what_a_terminal_obeys(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    own = '{"ts":"x","t":0,"session":"s","seq":0,"dir":"s2c","msg":{ "a":1.50, '
    own += '"a":"\x7f\x9b\u202e\U000e0001é",\t"b":1e3}'
    path.write_text(own + "}\n", encoding="utf-8")
    (shown,) = said(path, shape="json")
    assert shown == (
        '{"ts":"x","t":0,"session":"s","seq":0,"dir":"s2c","msg":{ "a":1.50, '
        '"a":"\\u007f\\u009b\\u202e\\udb40\\udc01é", "b":1e3},'
        '"kind":"not-json-rpc","why":"no method, result or error (members: a, b)"}'
    )


def test_an_answer_too_far_away_is_told_as_unknown(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    noise = "".join(line(A, seq, "stderr", text="x") for seq in range(2, 1002))
    path.write_text(ask(A, 1, 1) + noise + answer(A, 1002, 1), encoding="utf-8")
    shown = known(path)
    assert [each["seq"] for each in shown] == list(range(1, 1003))
    assert (shown[0]["answered_by"], shown[-1]["answers"]) == (None, 1)


def test_a_request_that_fails_much_later_is_shown_before_its_error(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    noise = "".join(ask(A, seq, seq) for seq in range(3, 1103))
    path.write_text(ask(A, 1, 1) + ask(A, 2, 2) + noise + answer(A, 1200, 2) + answer(A, 1201, 1, error={}))
    assert [each["seq"] for each in known(path, wanted=Filter(errors=True))] == [1, 1201]


def test_a_filter_that_lets_nothing_through_is_told(two: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert said(two, wanted=Filter(ids=frozenset({"9"}))) == []
    assert capfd.readouterr().err == "mcp-tap: no records match (7 read)\n"


def test_a_directory_is_shown_file_by_file_and_what_cannot_be_read_is_said(
    two: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    newer, empty = two.with_name("newer.jsonl"), two.with_name("a-empty.jsonl")
    newer.write_text(start(A, format=99))
    empty.write_text("")
    for age, path in enumerate((two, newer, empty)):
        os.utime(path, (1_000_000 - age, 1_000_000 - age))
    out = io.StringIO()
    assert show(str(two.parent), out=out) == 2
    assert f"   file       {two}"[:100] in out.getvalue()
    assert "has recording format 99" in capfd.readouterr().err
    with pytest.raises(TapError, match=r"a-empty\.jsonl contains no records: is it a recording\?$"):
        said(empty)


class Script:
    """What happens while ``show`` waits; it is interrupted after the last step."""

    def __init__(self, *steps: Callable[[], object]) -> None:
        self.steps = list(steps)

    def __call__(self) -> bool:
        if not self.steps:
            raise KeyboardInterrupt
        self.steps.pop(0)()
        return True


def follow(what: Path | None, *steps: Callable[[], object], **options: Any) -> list[str]:
    out = io.StringIO()
    with pytest.raises(KeyboardInterrupt):
        show(str(what) if what else None, following=True, out=out, wait=Script(*steps), **options)
    return out.getvalue().splitlines()


def append(path: Path, text: str) -> Callable[[], object]:
    def step() -> None:
        with path.open("a", encoding="utf-8") as file:
            file.write(text)

    return step


def test_following_prints_what_is_appended_and_sessions_that_start_later(tmp_path: Path) -> None:
    first, second, old = (tmp_path / f"{name}.jsonl" for name in ("first", "second", "old"))
    old.write_text(start("old"))
    os.utime(old, (1, 1))
    first.write_text(start(A))
    shown = follow(
        None, append(first, ask(A, 1, 1)), append(second, start(B)), append(first, answer(A, 2, 1)[:20]),
        append(first, answer(A, 2, 1)[20:]), log_dir=str(tmp_path),
    )  # fmt: skip
    assert [each for each in shown if not each.startswith("   file ")] == [
        "── notes-a ── 2026-11-29 18:37:00 UTC " + "─" * 62,
        "   session    01m8mgpwt5nbaaaa",
        "   command    x",
        "   1.000 →  1 ping",
        "",
        "── notes-b ── 2026-11-29 18:37:00 UTC " + "─" * 62,
        "   session    01m8mgx3te8abbbb",
        "   command    x",
        "aaaa    2.000 ←  1 result of ping 1.00 s  {}",
    ]


def test_following_survives_a_file_that_is_replaced(two: Path, capfd: pytest.CaptureFixture[str]) -> None:
    def replace() -> None:
        two.rename(two.with_suffix(".old"))
        two.write_text(start(A) + ask(A, 1, 1))

    shown = follow(two, replace, shape="json", session=A)
    assert [json.loads(each)["seq"] for each in shown] == [0, 1, 2, 0, 1]
    assert f"{two} was replaced or truncated: reading it from its beginning\n" in capfd.readouterr().err
    assert f"   {two} was replaced or truncated"[:99] in "\n".join(
        follow(two, lambda: two.write_text(start(A)))
    )


def test_following_shows_a_request_once_it_is_known_to_have_failed(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text(ask(A, 1, 1) + ask(A, 2, 2))
    later = append(path, line(A, 3, "s2c", text="mess") + answer(A, 4, 2) + answer(A, 5, 1, error={}))
    shown = follow(path, later, shape="json", wanted=Filter(errors=True))
    assert [json.loads(each)["seq"] for each in shown] == [3, 1, 5]


def test_following_waits_for_the_first_session(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "x.jsonl"
    assert (
        len(
            follow(None, append(path, start(A, format=99)), append(path, ask(A, 1, 1)), log_dir=str(tmp_path))
        )
        == 0
    )
    error = capfd.readouterr().err
    assert error.startswith(f"mcp-tap: waiting for a session to start in {tmp_path}\n")
    assert error.count("has recording format 99") == 1


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--since", "soon"], "--since takes seconds from the start (1.5, 2m)"),
        (["--until", "25:00"], "or an RFC 3339 time, not '25:00'"),
        (["--grep", "("], "--grep takes a regular expression, not '('"),
        (["/nowhere/x"], "/nowhere/x is not a file, a directory, the id of a session or the"),
        (["--follow", "/nowhere/x"], "/nowhere/x is not a file, a directory, the id of a session or the"),
    ],
)
def test_bad_values_are_one_sentence(
    words: list[str], sentence: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["show", *words]) == 2
    captured = capfd.readouterr()
    assert captured.out == ""
    assert sentence in captured.err
    assert captured.err.count("\n") == 1


def test_options_become_a_filter(two: Path, capfd: pytest.CaptureFixture[str]) -> None:
    options = [
        "--id",
        "1",
        "--method",
        "ping",
        "--dir",
        "s2c",
        "--errors",
        "--grep",
        "no",
        "--since",
        "1",
        "--until",
        "1m",
    ]
    assert cli.main(["show", str(two), "--json", *options]) == 0
    assert [json.loads(each)["session"] for each in capfd.readouterr().out.splitlines()] == [B]


def run_on_a_terminal(path: Path, **environment: str) -> str:
    """What ``show`` prints on a terminal of 60 columns."""
    import pty  # not on Windows
    import termios

    parent, child = pty.openpty()
    termios.tcsetwinsize(child, (24, 60))
    variables = {key: value for key, value in os.environ.items() if key not in ("COLUMNS", "NO_COLOR")}
    process = subprocess.Popen(
        [sys.executable, "-m", "mcp_tap", "show", str(path)], stdin=child, stdout=child,
        env={**variables, "TERM": "xterm-256color", **environment},
    )  # fmt: skip
    os.close(child)
    data = b""
    try:
        while chunk := os.read(parent, 65536):
            data += chunk
    except OSError:  # Linux: nobody has the other side open any more
        pass
    finally:
        os.close(parent)
    assert process.wait(LIMIT) == 0
    return data.decode().replace("\r\n", "\n")


def test_a_terminal_gets_colours_unless_its_user_wants_none(two: Path) -> None:
    coloured, plain = run_on_a_terminal(two), run_on_a_terminal(two, NO_COLOR="1")
    assert "\x1b[1;31merror\x1b[0m" in coloured
    assert "\x1b" not in plain
    assert re.sub(r"\x1b\[[\d;]*m", "", coloured) == plain
    assert plain.splitlines()[0] == "── notes-a ── 2026-11-29 18:37:00 UTC " + "─" * 22


def test_the_tap_never_imports_rich_and_a_pipe_only_its_widths(two: Path) -> None:
    for script, unwanted in (
        ("import mcp_tap.commands.run, mcp_tap.tap.stdio, mcp_tap.tap.begin", "rich"),
        (f"from mcp_tap.commands.show import show; show({str(two)!r})", "rich.console"),
    ):
        check = f"{script}\nimport sys\nassert {unwanted!r} not in sys.modules"
        subprocess.run([sys.executable, "-c", check], check=True, timeout=LIMIT, stdout=subprocess.DEVNULL)


def test_a_closed_pipe_ends_it_quietly(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text(start(A) + "".join(line(A, seq, "stderr", text="y" * 90) for seq in range(1, 5000)))
    process = subprocess.Popen(
        [sys.executable, "-m", "mcp_tap", "show", str(path)], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None
    assert process.stderr is not None
    with process.stdout, process.stderr:
        assert process.stdout.readline().decode().startswith("── notes-a ──")
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(LIMIT) == 0


def test_what_is_kept_does_not_grow_with_the_file(tmp_path: Path) -> None:
    def peak(calls: int) -> int:
        path = tmp_path / f"{calls}.jsonl"
        pairs = (ask(A, 2 * n, n) + answer(A, 2 * n + 1, n, result={"x": "y" * 500}) for n in range(calls))
        path.write_text("".join(pairs))
        with open(os.devnull, "w") as out:
            tracemalloc.start()
            assert show(str(path), shape="json", out=out) == 0
            most = tracemalloc.get_traced_memory()[1]
            tracemalloc.stop()
        return most

    small, large = peak(6000), peak(12000)
    assert large < small * 1.2
