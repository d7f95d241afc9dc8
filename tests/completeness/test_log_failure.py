"""The log may fail, the pipe may not."""

from __future__ import annotations

import json
import os
import resource
import shutil
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.harness import (
    LIMIT,
    Launcher,
    Reader,
    ended,
    events,
    is_running,
    python,
    read_all,
    read_line,
    recorded,
    records,
    send,
    talk_to,
    wait_until,
    write_until_refused,
)

ECHO = python("while chunk := os.read(0, 65536): write(1, chunk)\nos._exit(7)")


def fails_once(tap: Launcher, reason: str) -> None:
    """The session goes on, and one line says that it is not recorded."""
    with ended(tap.start(ECHO)) as process:
        for number in range(50):
            send(process, b"%d\n" % number)
            assert read_line(process.stdout) == b"%d\n" % number
        assert process.stdin is not None
        process.stdin.close()
        err = read_all(process.stderr)
        assert process.wait(LIMIT) == 7
    assert err.decode() == f"mcp-tap: cannot record to {tap.log}: {reason}; " + (
        "the session continues unrecorded\n"
    )


def test_a_full_disk() -> None:
    fails_once(Launcher(Path("/dev/full")), "No space left on device")


def test_a_path_that_is_a_directory(tmp_path: Path) -> None:
    fails_once(Launcher(tmp_path), "Is a directory")


def test_a_directory_that_cannot_be_created(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    fails_once(Launcher(tmp_path / "file" / "below" / "log.jsonl"), "Not a directory")


def test_a_read_only_file_system() -> None:
    fails_once(Launcher(Path("/proc/mcp-tap/log.jsonl")), "No such file or directory")


def test_a_fifo_that_nobody_reads(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "log")
    fails_once(Launcher(tmp_path / "log"), "No such device or address")


@pytest.mark.parametrize("limit", range(5, 20))
def test_too_few_descriptors_are_one_sentence_or_none(tap: Launcher, limit: int) -> None:
    def few() -> None:
        resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))

    with ended(tap.start(ECHO, preexec_fn=few)) as process:
        out, err, status = talk_to(process, b"hello\n")
    if status == 7:
        assert (out, err) == (b"hello\n", b"")
    else:
        assert (out, status) == (b"", 125)
        assert err.startswith(b"mcp-tap: cannot ")
        assert err.endswith(b": Too many open files (ulimit -n is %d)\n" % limit)
        assert err.count(b"\n") == 1


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system with room for 64 kB. CI runs as root, which this takes."""
    place = tmp_path / "small"
    place.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(place)], check=True)
    yield place
    subprocess.run(["umount", str(place)], check=True)


def test_a_disk_that_is_full_and_has_room_again_leaves_a_gap_and_no_torn_line(small_disk: Path) -> None:
    tap = Launcher(small_disk / "log.jsonl")
    ballast = small_disk / "ballast"
    ballast.write_bytes(b"x" * 40_000)
    with ended(tap.start(ECHO)) as process:
        err = Reader(process.stderr)
        sent = []
        for number in range(200):
            line = b'{"number":%d,"text":"%s"}\n' % (number, b"y" * 400)
            send(process, line)
            assert read_line(process.stdout) == line
            sent.append(line)
        ballast.unlink()
        for number in range(3):
            line = b'{"after":%d}\n' % number
            send(process, line)
            assert read_line(process.stdout) == line
            sent.append(line)
        assert process.stdin is not None
        process.stdin.close()
        assert process.wait(LIMIT) == 7
        assert err.all().count(b"\n") == 1
    assert tap.log is not None
    lines = records(tap.log)
    assert [record["seq"] for record in lines] == sorted(record["seq"] for record in lines)
    gap = events(tap.log, "gap")[0]
    assert gap["reason"] == "No space left on device"
    at = lines.index(gap)
    assert gap["seq"] - lines[at - 1]["seq"] - 1 == gap["records"]
    assert gap["bytes"] > 0
    assert [record["msg"] for record in lines if "after" in record.get("msg", {})] == [
        {"after": number} for number in (0, 0, 1, 1, 2, 2)
    ]
    assert events(tap.log, "exit")[0]["lines"] == {"c2s": 203, "s2c": 203, "stderr": 0}


def test_a_directory_that_is_removed_is_made_again(tmp_path: Path) -> None:
    tap = Launcher(tmp_path / "logs" / "log.jsonl")
    assert tap.log is not None
    log = tap.log
    with ended(tap.start(ECHO)) as process:
        send(process, b"before\n")
        assert read_line(process.stdout) == b"before\n"
        shutil.rmtree(log.parent)

        def begun_anew() -> bool:
            send(process, b"after\n")
            assert read_line(process.stdout) == b"after\n"
            return log.exists()

        wait_until(begun_anew, "the new recording")
        assert process.stdin is not None
        process.stdin.close()
        err = read_all(process.stderr)
        assert process.wait(LIMIT) == 7
    assert err.decode() == f"mcp-tap: the recording {log} was removed; starting a new one\n"
    assert [record.get("event") for record in records(log)][:2] == ["start", "gap"]
    assert events(log, "gap")[0]["reason"] == "the recording was removed"
    assert (log.stat().st_mode & 0o777, log.parent.stat().st_mode & 0o777) == (0o600, 0o700)


def test_stop_refuses_to_start_without_a_log(tmp_path: Path) -> None:
    tap = Launcher(Path("/dev/full"), ["--on-log-error", "stop"])
    with ended(tap.start(python(f"open({str(tmp_path / 'started')!r}, 'w')"))) as process:
        out, err, status = talk_to(process)
    assert (out, status) == (b"", 125)
    assert err.decode() == (
        "mcp-tap: cannot record to /dev/full: No space left on device; "
        "the server was not started because of --on-log-error stop\n"
    )
    assert not (tmp_path / "started").exists()


@pytest.mark.parametrize("stubborn", [False, True])
def test_stop_ends_the_session_when_the_log_fails(small_disk: Path, stubborn: bool) -> None:
    tap = Launcher(small_disk / "log.jsonl", ["--on-log-error", "stop"])
    ignore = "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n" if stubborn else ""
    server = python(
        ignore
        + """
write(2, b'%d\\n' % os.getpid())
while chunk := os.read(0, 65536): write(1, chunk)
while True: signal.pause()
"""
    )
    with ended(tap.start(server)) as process:
        pid = int(read_line(process.stderr))
        out = Reader(process.stdout)
        write_until_refused(process, b"y" * 400 + b"\n")
        assert process.wait(LIMIT) == 125
        err = read_all(process.stderr)
        wait_until(lambda: not is_running(pid), "the end of the server")
        seen = out.all()
    assert err.decode() == (
        f"mcp-tap: cannot record to {tap.log}: No space left on device; "
        "ending the session because of --on-log-error stop\n"
    )
    assert tap.log is not None
    # The opposite promise: nothing was forwarded that is not on file.
    assert recorded(tap.log, "s2c").startswith(seen.rpartition(b"\n")[0])


def test_the_size_limit_stops_the_recording_and_not_the_session(log: Path) -> None:
    tap = Launcher(log, ["--max-log-size", "4k"])
    sent = b"".join(b'{"number":%d}\n' % number for number in range(1000))
    with ended(tap.start(ECHO)) as process:
        assert talk_to(process, sent) == (sent, b"", 7)
    lines = records(log)
    assert [record["seq"] for record in lines] == list(range(len(lines)))
    assert events(log, "limit")[0]["bytes"] == 4096
    assert events(log, "exit")[0]["lines"]["c2s"] == 1000
    upto = lines.index(events(log, "limit")[0])
    assert sum(len(line) + 1 for line in log.read_bytes().splitlines()[:upto]) <= 4096
    assert not [record for record in lines[upto:] if record["dir"] != "tap"]


def test_two_taps_on_one_file_never_tear_a_line(log: Path) -> None:
    taps = [Launcher(log), Launcher(log), Launcher(log)]
    lines = b"".join(b'{"number":%d,"text":"%s"}\n' % (n, b"z" * (n * 7 % 3000)) for n in range(1500))
    processes = [launcher.start(ECHO) for launcher in taps]
    readers = [Reader(process.stdout) for process in processes]
    for process in processes:
        assert process.stdin is not None
        process.stdin.write(lines)
        process.stdin.close()
    for process, reader in zip(processes, readers, strict=True):
        with ended(process):
            assert reader.all() == lines
            assert process.wait(LIMIT) == 7
    sessions: dict[str, list[int]] = {}
    for line in log.read_bytes().splitlines():
        record = json.loads(line)
        sessions.setdefault(record["session"], []).append(record["seq"])
    assert len(sessions) == 3
    for numbers in sessions.values():
        assert numbers == list(range(len(numbers)))


def test_a_tap_that_is_killed_in_a_full_pipe_leaves_no_server(tap: Launcher) -> None:
    server = python("write(2, b'%d\\n' % os.getpid())\nwrite(1, b'x' * 10_000_000)")
    with ended(tap.start(server)) as process:
        pid = int(read_line(process.stderr))
        process.send_signal(signal.SIGKILL)
        wait_until(lambda: not is_running(pid), "the end of the server")
