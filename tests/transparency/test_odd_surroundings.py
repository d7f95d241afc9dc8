"""What is meant for the server must not reach the tap, and what is odd must not be seen to be."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from mcp_tap.cli import own_search_path
from tests.harness import (
    LIMIT,
    Launcher,
    Reader,
    ended,
    python,
    read_all,
    read_exactly,
    read_line,
    recorded,
    records,
    send,
    talk_to,
    wait_status,
)

SHADOWS = [
    "__future__", "_weakrefset", "anyio", "argparse", "ast", "asyncio", "attr", "base64", "bisect",
    "contextlib", "contextvars", "dataclasses", "datetime", "decimal", "dis", "enum", "exceptiongroup",
    "fnmatch", "functools", "hashlib", "heapq", "idna", "inspect", "json", "jsonschema", "locale",
    "logging", "opcode", "orjson", "platform", "platformdirs", "pygments", "queue", "random", "re", "regex",
    "rich", "select", "selectors", "shlex", "shutil", "signal", "sniffio", "socket", "string", "struct",
    "subprocess", "tempfile", "textwrap", "threading", "token", "tokenize", "traceback", "trio", "types",
    "typing", "typing_extensions", "unicodedata", "uuid", "uvloop", "weakref", "yaml", "zipfile",
    "zoneinfo",
]  # fmt: skip

BEFORE_ANY_CODE = {
    "contextlib", "functools", "types", "typing", "enum", "re", "_weakrefset", "weakref", "collections",
    "tokenize", "token", "ast", "dis", "opcode", "inspect", "__future__", "zipfile", "struct", "threading",
    "string", "shutil", "fnmatch", "unicodedata",
}  # fmt: skip
"""What ``-m`` itself imports before any code of the tap's, on one version of Python or another."""

SCRIPT = ["-c", "import sys; from mcp_tap.cli import main; sys.exit(main())"]
"""As the installed script does it."""


@pytest.fixture(params=["script", "module"])
def form(request: pytest.FixtureRequest, tmp_path: Path) -> list[str]:
    """How the tap is started, in a project that has a module of each of these names."""
    (tmp_path / "sub").mkdir()
    left_out = BEFORE_ANY_CODE if request.param == "module" else set()
    for name in set(SHADOWS) - left_out:
        (tmp_path / f"{name}.py").write_text(
            f"open({str(tmp_path / 'ran')!r}, 'a').write('{name} ')\nraise RuntimeError('not for the tap')\n"
        )
    # Without -P the working directory is searched by -c and -m alike; the installed script does not.
    return [sys.executable, "-P", *(SCRIPT if request.param == "script" else ["-m", "mcp_tap"])]


PATHS = [None, ".", "", "sub/..", "../{name}", "{path}", "{path}/", ":{path}:"]


def environment_of(directory: Path, variable: str | None) -> dict[str, str]:
    """A client's environment; ``variable`` is the project's PYTHONPATH."""
    environment = {
        "PATH": os.environ["PATH"],
        "XDG_STATE_HOME": str(directory / "state"),
        "HOME": str(directory),
    }
    if variable is not None:
        environment["PYTHONPATH"] = variable.format(path=directory, name=directory.name)
    return environment


@pytest.mark.parametrize("variable", PATHS)
def test_no_module_of_a_project_runs_inside_a_tap_that_is_started_there(
    form: list[str], tmp_path: Path, variable: str | None
) -> None:
    environment = environment_of(tmp_path, variable)
    server = [sys.executable, "-I", "-S", "-c", "import os; print(os.environ.get('PYTHONPATH'))"]
    done = subprocess.run(
        [*form, "run", "--log", str(tmp_path / "log"), "--", *server],
        env=environment, cwd=tmp_path, stdin=subprocess.DEVNULL, capture_output=True,
        timeout=LIMIT, check=False,
    )  # fmt: skip
    # The server is told what it would be told.
    assert (done.stdout.decode(), done.stderr) == (f"{environment.get('PYTHONPATH')}\n", b"")
    assert not (tmp_path / "ran").exists()


VERBS = [
    ("--version",), ("--help",), ("sessions",), ("show", "--full"), ("show", "--json"), ("check",),
    ("check", "--rules"), ("check", "--format", "sarif"), ("stats",), ("cat", "--dir", "s2c"), ("demo",),
    ("wrapped",), ("wrap", "--help"), ("run", "--help"),
]  # fmt: skip


@pytest.mark.parametrize("verb", VERBS)
def test_no_module_of_a_project_runs_inside_any_verb(
    form: list[str], tmp_path: Path, verb: tuple[str, ...]
) -> None:
    environment = environment_of(tmp_path, ".:{path}:")
    recording = Path(__file__).parents[1] / "recordings" / "v1"
    (tmp_path / "state" / "mcp-tap").mkdir(parents=True)
    some = next(path for path in sorted(recording.rglob("*.jsonl")))
    (tmp_path / "state" / "mcp-tap" / "one.jsonl").write_bytes(some.read_bytes())
    done = subprocess.run(
        [*form, *verb], env=environment, cwd=tmp_path, stdin=subprocess.DEVNULL,
        capture_output=True, timeout=LIMIT, check=False,
    )  # fmt: skip
    assert b"not for the tap" not in done.stderr
    assert not (tmp_path / "ran").exists()
    assert done.returncode in (0, 1), done.stderr


LIBRARY = "/usr/lib/python3.11"
ZIP = f"/usr/lib/python{sys.version_info[0]}{sys.version_info[1]}.zip"


@pytest.mark.parametrize(
    ("path", "own", "user", "variable", "kept"),
    [
        (["/work", "/bundle", ZIP, LIBRARY, "/own"], "/own", None, "/bundle", [ZIP, LIBRARY, "/own"]),
        (["", LIBRARY], "/own", None, "", [LIBRARY, "/own"]),
        # PYTHONPATH names the library, the tap, or both.
        (["/x", LIBRARY, "/evil", "/own"], "/own", None, f"{LIBRARY}:/evil/:/own", [LIBRARY, "/own"]),
        ([LIBRARY, f"{LIBRARY}/lib-dynload"], "/own", None, f"{LIBRARY}/lib-dynload",
         [LIBRARY, f"{LIBRARY}/lib-dynload", "/own"]),
        # The user's own packages, and what their .pth files add, count if the tap is one of them.
        ([LIBRARY, "/home/u", "/else", "/usr/lib/site"], "/usr/lib/site", "/home/u", "",
         [LIBRARY, "/usr/lib/site"]),
        ([LIBRARY, "/home/u", "/else"], "/home/u", "/home/u", "", [LIBRARY, "/home/u", "/else"]),
        ([LIBRARY, "/site", "/else"], "/own", "/home/not-there", "", [LIBRARY, "/site", "/else", "/own"]),
    ],
)  # fmt: skip
def test_only_the_library_and_the_taps_own_installation_are_searched(
    monkeypatch: pytest.MonkeyPatch,
    path: list[str],
    own: str,
    user: str | None,
    variable: str,
    kept: list[str],
) -> None:
    for prefix in ("prefix", "base_prefix"):
        monkeypatch.setattr(sys, prefix, "/usr")
    assert own_search_path(path, own, LIBRARY, user, variable) == kept


def test_an_interpreter_that_was_told_to_stay_gives_the_servers_status(launcher: Launcher) -> None:
    environment = {**os.environ, "PYTHONINSPECT": "1"}
    server = ["sh", "-c", "exit 3"]
    with ended(launcher.start(server, env=environment)) as process:
        assert talk_to(process) == (b"", b"", 3)


def test_stdout_and_stderr_in_one_pipe_keep_their_order(launcher: Launcher) -> None:
    server = python("""
for number in range(200):
    write(1, b'out %d\\n' % number); write(2, b'err %d\\n' % number)
os.close(1); os.close(2); line()
""")
    with ended(launcher.start(server, stderr=subprocess.STDOUT)) as process:
        expected = b"".join(b"out %d\nerr %d\n" % (number, number) for number in range(200))
        assert read_all(process.stdout) == expected  # to the end, though the server lives on
        assert process.poll() is None
        assert process.stdin is not None
        process.stdin.close()
        assert wait_status(process) == 0
    if launcher.log is not None:
        assert recorded(launcher.log, "s2c") == expected
        assert recorded(launcher.log, "stderr") == b""
        assert records(launcher.log)[-1]["bytes"]["s2c"] == len(expected)


def test_one_file_for_both_outputs_keeps_their_order(launcher: Launcher, tmp_path: Path) -> None:
    server = python("write(1, b'a'); write(2, b'b'); write(1, b'c'); write(2, b'd')")
    with (
        (tmp_path / "out").open("ab") as out,
        ended(launcher.start(server, stdout=out, stderr=out)) as process,
    ):
        assert wait_status(process) == 0
    assert (tmp_path / "out").read_bytes() == b"abcd"


def test_a_fifo_that_is_open_for_both_has_no_end(launcher: Launcher, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    both = os.open(tmp_path / "fifo", os.O_RDWR)
    server = python(
        "while True:\n    request = line()\n    write(1, request)\n    if request == b'quit\\n': break"
    )
    process = launcher.start(server, stdin=both)
    os.close(both)
    with ended(process):
        for word in (b"one\n", b"quit\n"):
            # A writer that comes and goes does not end it.
            with (tmp_path / "fifo").open("wb") as writer:
                writer.write(word)
            assert read_exactly(process.stdout, len(word)) == word
        assert wait_status(process) == 0


def test_a_path_element_of_any_length_is_passed_over(launcher: Launcher) -> None:
    environment = {"PATH": f"/x{'/x' * 3000}:/usr/bin:/bin"}
    with ended(launcher.start(["true"], env=environment)) as process:
        assert talk_to(process) == (b"", b"", 0)


def test_a_command_found_nowhere_on_such_a_path_is_not_found(tap: Launcher) -> None:
    environment = {"PATH": f"/x{'/x' * 3000}"}
    with ended(tap.start(["no-such-server"], env=environment)) as process:
        out, err, status = talk_to(process)
    assert (out, status) == (b"", 127)
    assert err.startswith(b"mcp-tap: cannot start 'no-such-server': not found on PATH (/x/x")


def test_a_sentence_that_nobody_reads_holds_nothing_up(tap: Launcher) -> None:
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    os.write(writer, b"x" * (65536 - 4096))
    os.set_blocking(writer, True)
    environment = {"PATH": "/nowhere" * 1500}
    with ended(tap.start(["no-such-server"], env=environment, stderr=writer)) as process:
        os.close(writer)
        assert process.wait(LIMIT) == 127
    os.close(reader)


def test_a_log_path_with_control_characters_is_named_in_one_line(tmp_path: Path) -> None:
    odd = tmp_path / "a\nb\x1b[2J"
    odd.mkdir()
    with ended(Launcher(odd).start(python(""))) as process:
        _, err, status = talk_to(process)
    assert status == 0
    assert err.count(b"\n") == 1
    assert b"a\\nb\\u001b[2J: Is a directory" in err


@pytest.mark.parametrize(("name", "value"), [("RLIMIT_NOFILE", 15), ("RLIMIT_AS", 60 << 20)])
def test_a_session_goes_on_where_there_is_nothing_left_for_more(tap: Launcher, name: str, value: int) -> None:
    import resource

    def limit() -> None:
        resource.setrlimit(getattr(resource, name), (value, value))

    server = python("while request := line(): write(1, request)\nos._exit(3)")
    with ended(tap.start(server, preexec_fn=limit)) as process:
        for number in range(8):
            send(process, b"%d\n" % number)
            assert read_line(process.stdout) == b"%d\n" % number
            threading.Event().wait(0.1)  # a client that pauses: the tap imports what it can
        assert talk_to(process) == (b"", b"", 3)


def test_a_limit_on_open_files_that_is_too_low_is_named(tap: Launcher) -> None:
    import resource

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_NOFILE, (9, 9))

    with ended(tap.start(python(""), preexec_fn=limit)) as process:
        _, err, status = talk_to(process)
    assert status == 125
    assert err.endswith(b"Too many open files (ulimit -n is 9)\n")


@pytest.mark.parametrize("limit", [24, 40, 60, 100, 150])
def test_too_little_memory_is_one_sentence_or_none(tap: Launcher, limit: int) -> None:
    import resource

    def little() -> None:
        resource.setrlimit(resource.RLIMIT_DATA, (limit << 20, limit << 20))

    server = python("write(1, b'hello\\n'); os._exit(3)")
    with ended(tap.start(server, preexec_fn=little)) as process:
        out, err = Reader(process.stdout), Reader(process.stderr)
        status = process.wait(LIMIT)
        if status == 3:
            assert (out.all(), err.all()) == (b"hello\n", b"")
        else:
            # Below what the interpreter itself needs nothing of the tap's can speak.
            assert status in (1, 125, 127, -signal.SIGABRT, -signal.SIGSEGV)


def test_a_line_that_memory_cannot_hold_is_lost_to_the_log_and_not_to_the_client(
    tap: Launcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    from mcp_tap.record.writer import RecordingFile
    from mcp_tap.tap.recorder import Recorder
    from mcp_tap.tap.stream import StreamRecorder
    from mcp_tap.wire.lines import LineSplitter

    assert tap.log is not None
    complaints: list[str] = []
    recorder = Recorder(
        RecordingFile(str(tap.log)), session="s", wall_ns=0, monotonic_ns=0, complain=complaints.append
    )
    recorder.start({"format": 1})
    stream = StreamRecorder(recorder, "s2c")

    def fail(self: LineSplitter, chunk: bytes) -> None:
        raise MemoryError

    with monkeypatch.context() as patch:
        patch.setattr(LineSplitter, "feed", fail)
        stream.feed(b"too much\n")
    stream.feed(b"fits\n")
    recorder.close()
    assert [record.get("event") or record.get("text") for record in records(tap.log)] == [
        "start",
        "gap",
        "fits",
    ]
    assert records(tap.log)[1]["records"] == 1
    assert records(tap.log)[1]["reason"] == "Cannot allocate memory"
    assert len(complaints) == 1
