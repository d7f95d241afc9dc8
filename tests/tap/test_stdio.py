"""A session with the server and the client played by the test, over both kinds of link."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import anyio
import anyio.to_thread
import pytest

from mcp_tap.process._threaded import ThreadedLink
from mcp_tap.process.join import LinkKind
from mcp_tap.record.writer import RecordingFile
from mcp_tap.tap.recorder import Recorder
from mcp_tap.tap.session import SessionEnd, TapSession
from mcp_tap.tap.stdio import oversee
from tests.harness import LIMIT, events, recorded, records

pytestmark = pytest.mark.anyio


class PlayedServer:
    """The tap's ends of a server's pipes, and the server's for the test to play it."""

    def __init__(self) -> None:
        self.stdin: int | None
        self.stdout: int | None
        self.stderr: int | None
        self.reads, self.stdin = os.pipe()
        self.stdout, self.writes = os.pipe()
        self.stderr, self.logs = os.pipe()
        self.signals: list[int] = []
        self.orders: list[str] = []
        self.reaped = False
        self._end = threading.Event()
        self.outcome: tuple[int | None, int | None] = (0, None)

    def end(self, code: int | None = 0, signal: int | None = None) -> None:
        """Exit: every descriptor of the server's is closed, then it can be waited for."""
        self.outcome = (code, signal)
        for fd in (self.reads, self.writes, self.logs):
            if fd >= 0:
                os.close(fd)
        self._end.set()

    def wait(self) -> tuple[int | None, int | None]:
        assert self._end.wait(LIMIT)
        return self.outcome

    def is_copy(self, pid: int) -> bool:
        return True

    def reap(self) -> None:
        self.reaped = True

    def send_signal(self, number: int) -> bool:
        self.signals.append(number)
        return True

    def terminate(self) -> bool:
        self.orders.append("terminate")
        return True

    def kill(self) -> bool:
        self.orders.append("kill")
        self.end(None, 9)
        return True


class PlayedSignals:
    """A watch whose signals the test sends."""

    def __init__(
        self,
        on_arrival: Callable[[int], None],
        forward: Callable[[int], bool],
        on_signal: Callable[[str, bool, bool], None],
    ) -> None:
        self._on_arrival, self._forward, self._on_signal = on_arrival, forward, on_signal
        self._stopped = threading.Event()

    def send(self, number: int, name: str) -> None:
        self._on_arrival(number)
        self._on_signal(name, self._forward(number), False)

    def run(self) -> None:
        assert self._stopped.wait(LIMIT)

    def stop(self) -> None:
        self._stopped.set()


class Stage:
    """A session under way: ``client_in`` is what the client writes to, and so on."""

    def __init__(
        self,
        log: Path,
        kind: LinkKind,
        *,
        stop: bool = False,
        stdin_closed: bool = False,
        said_before: bytes = b"",
    ) -> None:
        self.server = PlayedServer()
        stdin, self.client_in = os.pipe()
        self.client_out, stdout = os.pipe()
        self.client_err, stderr = os.pipe()
        self.complaints: list[str] = []
        self.watch: PlayedSignals | None = None
        self.recorder = Recorder(
            RecordingFile(str(log)),
            session="s",
            wall_ns=time.time_ns(),
            monotonic_ns=time.monotonic_ns(),
            complain=self.complaints.append,
            stop=stop,
        )
        self.recorder.start({"format": 1})
        if said_before:  # and the server is gone before any of it can be passed on
            os.write(self.client_in, said_before)
            self.server.reads = closed(self.server.reads)
        if stdin_closed:
            assert self.server.stdin is not None
            os.close(self.server.stdin)
            os.close(stdin)
            self.server.stdin = None  # as spawn() leaves it where the tap's own was closed
        self.session = TapSession(
            self.server, self.recorder, self._make_watch, own=(stdin, stdout, stderr), kind=kind
        )
        self.end: SessionEnd | None = None

    def _make_watch(
        self,
        on_arrival: Callable[[int], None],
        forward: Callable[[int], bool],
        on_signal: Callable[[str, bool, bool], None],
    ) -> PlayedSignals:
        self.watch = PlayedSignals(on_arrival, forward, on_signal)
        return self.watch

    async def run(self) -> None:
        with anyio.fail_after(LIMIT):
            await oversee(self.session)
        self.end = self.session.finish()

    def close(self) -> None:
        self.recorder.close()
        for fd in (self.client_in, self.client_out, self.client_err):
            if fd >= 0:
                os.close(fd)
        for link in self.session.links.values():
            if isinstance(link, ThreadedLink):
                link.thread.join(LIMIT)
                assert not link.thread.is_alive()


@pytest.fixture(params=["polled", "threaded"])
def kind(request: pytest.FixtureRequest) -> LinkKind:
    chosen: LinkKind = request.param
    return chosen


@pytest.fixture
async def stage(log: Path, kind: LinkKind) -> AsyncIterator[Stage]:
    made = Stage(log, kind)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(made.run)
        yield made
    made.close()


def closed(fd: int) -> int:
    """Close ``fd``; returns the number that stands for none."""
    os.close(fd)
    return -1


async def read(fd: int, count: int) -> bytes:
    """``count`` bytes, or what comes before the end."""

    def block() -> bytes:
        got = b""
        while len(got) < count and (part := os.read(fd, count - len(got))):
            got += part
        return got

    with anyio.fail_after(LIMIT):
        return await anyio.to_thread.run_sync(block, abandon_on_cancel=True)


async def test_lines_pass_both_ways_and_are_on_file_in_one_order(stage: Stage, log: Path) -> None:
    os.write(stage.client_in, b'{"id":1}\n')
    assert await read(stage.server.reads, 9) == b'{"id":1}\n'
    os.write(stage.server.writes, b'{"id":1,"result":{}}\nnoise\n')
    assert await read(stage.client_out, 27) == b'{"id":1,"result":{}}\nnoise\n'
    os.write(stage.server.logs, b"log\n")
    assert await read(stage.client_err, 4) == b"log\n"
    stage.client_in = closed(stage.client_in)
    assert await read(stage.server.reads, 1) == b""
    stage.server.end(3)
    assert await read(stage.client_out, 1) == b""
    assert await read(stage.client_err, 1) == b""
    await until(lambda: stage.end is not None)
    assert stage.end == SessionEnd(3, None)
    assert stage.server.reaped
    told = [(record["dir"], record.get("msg") or record.get("text")) for record in records(log)]
    assert [line for line in told if line[0] != "tap"] == [
        ("c2s", {"id": 1}),
        ("s2c", {"id": 1, "result": {}}),
        ("s2c", "noise"),
        ("stderr", "log"),
    ]
    exit_event = events(log, "exit")[0]
    assert exit_event["first"] == "client-eof"
    assert exit_event["lines"] == {"c2s": 1, "s2c": 2, "stderr": 1}
    assert exit_event["left"] == 0


async def until(condition: Callable[[], bool]) -> None:
    """Let the other tasks run until ``condition`` holds."""
    with anyio.fail_after(LIMIT):
        while not condition():  # noqa: ASYNC110 # nothing announces what is waited for here
            await anyio.sleep(0.002)  # bounded by LIMIT; what is waited for comes from other threads


async def test_an_exit_ends_the_session_though_stdin_is_open_and_output_held(stage: Stage, log: Path) -> None:
    held = os.dup(stage.server.writes)
    os.write(stage.server.writes, b"last words")
    stage.server.end(1)
    assert await read(stage.client_out, 100) == b"last words"
    os.close(held)
    await until(lambda: stage.end is not None)
    exit_event = events(log, "exit")[0]
    assert (exit_event["first"], exit_event["code"]) == ("server-exit", 1)
    assert recorded(log, "s2c") == b"last words"


async def test_a_client_that_is_gone_ends_the_servers_output(stage: Stage, log: Path, kind: LinkKind) -> None:
    stage.client_out = closed(stage.client_out)

    def refused() -> bool:
        try:
            os.write(stage.server.writes, b"x\n")
        except BrokenPipeError:
            return True
        return False

    await until(refused)
    os.write(stage.client_in, b"still\n")
    assert await read(stage.server.reads, 6) == b"still\n"
    stage.server.end()
    await until(lambda: stage.end is not None)
    assert events(log, "broken_pipe")[0]["stream"] == "s2c"
    assert events(log, "exit")[0]["first"] == "client-gone"


async def test_a_stdout_that_ends_long_before_the_server_is_what_ended_the_session(
    stage: Stage, log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mcp_tap.tap.session.SETTLE", 0.0)
    stage.server.writes = closed(stage.server.writes)
    assert await read(stage.client_out, 1) == b""
    stage.server.end()
    await until(lambda: stage.end is not None)
    assert events(log, "exit")[0]["first"] == "server-eof"


async def test_signals_are_passed_on_and_recorded(stage: Stage, log: Path) -> None:
    await until(lambda: stage.watch is not None)
    assert stage.watch is not None
    stage.watch.send(15, "SIGTERM")
    assert stage.server.signals == [15]
    stage.server.end(None, 15)
    await until(lambda: stage.end is not None)
    assert stage.end == SessionEnd(None, 15)
    assert events(log, "signal")[0]["name"] == "SIGTERM"
    exit_event = events(log, "exit")[0]
    assert (exit_event["signal"], exit_event["first"]) == ("SIGTERM", "client-signal")


async def test_a_signal_that_ends_nothing_is_not_what_ended_the_session(stage: Stage, log: Path) -> None:
    await until(lambda: stage.watch is not None)
    assert stage.watch is not None
    stage.watch.send(28, "SIGWINCH")
    stage.server.end(0)
    await until(lambda: stage.end is not None)
    assert [event["name"] for event in events(log, "signal")] == ["SIGWINCH"]
    assert events(log, "exit")[0]["first"] == "server-exit"


@pytest.mark.parametrize("kind", ["polled"])
async def test_a_signal_after_the_end_lets_a_reader_go_that_takes_nothing(
    stage: Stage, log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Where the kernel cannot be given the rest (macOS, a pipe at its limit).
    monkeypatch.setattr("mcp_tap.process._polled.make_room", lambda fd: None)
    monkeypatch.setattr("mcp_tap.process._polled.PATIENCE_AFTER_SIGNAL", 0.05)
    os.set_blocking(stage.server.writes, False)

    def blocked() -> bool:
        try:
            os.write(stage.server.writes, b"x" * 4096)
        except BlockingIOError:
            return b'"stall"' in log.read_bytes()
        return False

    await until(blocked)
    stage.server.end(0)
    await until(lambda: stage.session.ended)
    assert stage.end is None
    assert stage.watch is not None
    stage.watch.send(15, "SIGTERM")
    await until(lambda: stage.end is not None)
    assert stage.end == SessionEnd(0, None)


@pytest.mark.parametrize("stubborn", [False, True])
async def test_under_stop_the_session_ends_when_a_line_cannot_be_recorded(
    log: Path, kind: LinkKind, stubborn: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mcp_tap.tap.stdio.STOP_GRACE", 0.05)
    stage = Stage(log, kind, stop=True)
    if not stubborn:
        monkeypatch.setattr(stage.server, "terminate", lambda: stage.server.end(0))
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(stage.run)
        os.write(stage.server.writes, b"recorded\n")
        assert await read(stage.client_out, 9) == b"recorded\n"
        monkeypatch.setattr(stage.recorder.file, "append", lambda data: 0)
        os.write(stage.server.writes, b"lost\n")
        assert await read(stage.client_out, 9) == b""
    assert stage.end == SessionEnd(None if stubborn else 0, 9 if stubborn else None, refused=True)
    assert stage.server.orders == (["terminate", "kill"] if stubborn else [])
    assert len(stage.complaints) == 1
    stage.close()


async def test_a_few_lines_are_recorded_and_forwarded_one_by_one(
    stage: Stage, log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[bytes] = []
    link = stage.session.links["s2c"]
    real = link.send

    def send(data: bytes) -> None:
        sent.append(data)
        assert recorded(log, "s2c") == b"".join(sent).rpartition(b"\n")[0] + b"\n"
        real(data)

    monkeypatch.setattr(link, "send", send)
    os.write(stage.server.writes, b'{"method":"notifications/progress"}\n{"id":1,"result":{}}\nunfin')
    assert await read(stage.client_out, 62) == b"".join(sent)
    assert sent == [b'{"method":"notifications/progress"}\n', b'{"id":1,"result":{}}\n', b"unfin"]
    stage.server.end()
    await until(lambda: stage.end is not None)
    moments = [record["t"] for record in records(log) if record["dir"] == "s2c"]
    assert moments[0] < moments[1]


async def test_closed_streams_of_the_client_are_streams_that_are_not_pumped(
    log: Path, kind: LinkKind
) -> None:
    stage = Stage(log, kind, stdin_closed=True)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(stage.run)
        os.write(stage.server.writes, b"x\n")
        assert await read(stage.client_out, 2) == b"x\n"
        stage.server.end(0)
    assert events(log, "exit")[0]["bytes"] == {"c2s": 0, "s2c": 2, "stderr": 0}
    stage.close()


async def test_what_the_client_has_said_to_a_server_that_is_gone_is_on_file(
    log: Path, kind: LinkKind
) -> None:
    stage = Stage(log, kind, said_before=b'{"id":1}\nhalf')
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(stage.run)
        stage.server.end(1)
    assert recorded(log, "c2s") == b'{"id":1}\nhalf'
    told = [(event["stream"], event["lines"], event["bytes"]) for event in events(log, "undelivered")]
    # A thread that blocks in read may have handed it on before the end was seen.
    handed_on = [("c2s", 1, 4)] if kind == "threaded" else []
    assert told in ([("c2s", 2, 13)], handed_on)
    assert events(log, "exit")[0]["lines"]["c2s"] == 2
    stage.close()


def test_without_an_event_loop_a_session_is_waited_for_and_ended_where_it_may_not_go_on(
    log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage = Stage(log, "polled", stop=True)
    monkeypatch.setattr(stage.recorder.file, "append", lambda data: 0)
    os.write(stage.server.writes, b"lost\n")
    stage.session.wait()
    assert stage.session.finish() == SessionEnd(None, 9, refused=True)
    assert stage.server.orders == ["kill"]
    stage.close()


def test_a_pause_is_waited_for_until_the_server_has_answered_and_both_are_silent(
    log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mcp_tap.tap.session.PAUSE", 0.01)
    stage = Stage(log, "polled")
    waited = threading.Thread(target=stage.session.wait_for_pause)
    waited.start()
    os.write(stage.client_in, b"request\n")
    waited.join(0.1)
    assert waited.is_alive()
    os.write(stage.server.writes, b"answer\n")
    waited.join(LIMIT)
    assert not waited.is_alive()
    stage.server.end()
    stage.session.wait()
    stage.session.finish()
    stage.session.wait_for_pause()  # which is over
    stage.close()


def test_a_server_that_says_nothing_is_not_waited_for_for_ever(
    log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mcp_tap.tap.session.PAUSE", 0.01)
    monkeypatch.setattr("mcp_tap.tap.session.LATEST", 0.0)
    stage = Stage(log, "polled")
    stage.session.wait_for_pause()
    stage.server.end()
    stage.session.wait()
    stage.session.finish()
    stage.close()
