"""Each stream ends by its own end, at the moment at which it would end without the tap."""

from __future__ import annotations

import signal

import pytest

from tests.harness import (
    LIMIT,
    Launcher,
    Reader,
    ended,
    events,
    python,
    read_all,
    read_exactly,
    read_line,
    send,
    wait_status,
    write_until_refused,
)


def test_what_the_server_writes_after_its_stdin_has_ended_arrives_whole(launcher: Launcher) -> None:
    server = python("""
while os.read(0, 65536): pass
write(2, b'eof seen\\n')
time.sleep(0.5)  # the scenario: a server that takes its time to flush
write(1, b'x' * 300_000); write(2, b'y' * 300_000)
""")
    with ended(launcher.start(server)) as process:
        assert process.stdin is not None
        process.stdin.close()
        assert read_line(process.stderr) == b"eof seen\n"
        out, err = Reader(process.stdout), Reader(process.stderr)
        assert (out.all(), err.all()) == (b"x" * 300_000, b"y" * 300_000)
        assert wait_status(process) == 0


@pytest.mark.parametrize(("closed", "other"), [(1, 2), (2, 1)])
def test_a_stream_that_the_server_closes_ends_while_the_rest_goes_on(
    launcher: Launcher, closed: int, other: int
) -> None:
    server = python(f"""
write({closed}, b'last words\\n')
os.close({closed})
write({other}, b'echo ' + line())
""")
    with ended(launcher.start(server)) as process:
        streams = {1: process.stdout, 2: process.stderr}
        assert read_all(streams[closed]) == b"last words\n"
        assert process.poll() is None
        send(process, b"still there?\n")
        assert read_line(streams[other]) == b"echo still there?\n"
        assert read_all(streams[other]) == b""
        assert wait_status(process) == 0


def test_a_client_gets_epipe_after_the_server_has_closed_its_stdin(launcher: Launcher) -> None:
    server = python("""
os.close(0)
write(1, b'closed\\n')
signal.pause()
""")
    with ended(launcher.start(server)) as process:
        assert read_line(process.stdout) == b"closed\n"
        write_until_refused(process, b"x\n")
        assert process.poll() is None


@pytest.mark.parametrize("ignored", [False, True], ids=["sigpipe", "epipe"])
def test_the_server_cannot_write_after_the_client_has_stopped_reading(
    launcher: Launcher, ignored: bool
) -> None:
    server = python(f"""
signal.signal(signal.SIGPIPE, signal.{"SIG_IGN" if ignored else "SIG_DFL"})
write(1, b'ready\\n')
line()
for attempt in range(3000):
    try:
        write(1, b'x\\n')
    except OSError as error:
        write(2, b'refused %d\\n' % error.errno)
        sys.exit(9)
    time.sleep(0.001)  # the server's own pace: three seconds in all
""")
    with ended(launcher.start(server)) as process:
        assert process.stdout is not None
        assert read_line(process.stdout) == b"ready\n"
        process.stdout.close()
        send(process, b"go\n")
        expected = (b"refused 32\n", 9) if ignored else (b"", -signal.SIGPIPE)
        assert (read_all(process.stderr), wait_status(process)) == expected
    if launcher.log is not None:
        assert [event["stream"] for event in events(launcher.log, "broken_pipe")][:1] == ["s2c"]
        assert events(launcher.log, "exit")[0]["first"] == "client-gone"


def test_the_first_write_after_the_client_has_stopped_reading_fails(launcher: Launcher) -> None:
    server = python("""
signal.signal(signal.SIGPIPE, signal.SIG_IGN)
write(1, b'ready\\n')
line()
try:
    write(1, b'x\\n')
    write(2, b'taken\\n')
except OSError as error:
    write(2, b'refused %d\\n' % error.errno)
""")
    for _ in range(20):
        with ended(launcher.start(server)) as process:
            assert process.stdout is not None
            assert read_line(process.stdout) == b"ready\n"
            process.stdout.close()
            send(process, b"go\n")
            assert read_all(process.stderr) == b"refused 32\n"
            assert wait_status(process) == 0


def test_everything_written_just_before_the_exit_arrives_through_slow_readers(launcher: Launcher) -> None:
    server = python("""
import threading
one = threading.Thread(target=write, args=(1, b'x' * 300_000))
one.start(); write(2, b'y' * 300_000); one.join()
os._exit(3)
""")
    with ended(launcher.start(server)) as process:
        out, err = Reader(process.stdout, 4096, 0.005), Reader(process.stderr, 4096, 0.005)
        assert out.all() == b"x" * 300_000
        assert err.all() == b"y" * 300_000
        assert wait_status(process) == 3


def test_stderr_written_after_stdout_was_closed_arrives(launcher: Launcher) -> None:
    server = python("""
os.close(1)
write(2, b'traceback\\n' * 20_000)
os._exit(1)
""")
    with ended(launcher.start(server)) as process:
        err = Reader(process.stderr, 4096, 0.001)
        assert read_exactly(process.stdout, 1) == b""
        assert err.all() == b"traceback\n" * 20_000
        assert wait_status(process) == 1


def test_the_exit_is_seen_at_once_though_nobody_reads_what_is_left(launcher: Launcher) -> None:
    # A pipe holds 64 KiB; the server is blocked with more, and the client has turned away.
    server = python("""
signal.signal(signal.SIGTERM, lambda *_: os._exit(5))
write(2, b'writing\\n')
write(1, b'x' * 10_000_000)
""")
    with ended(launcher.start(server)) as process:
        assert read_line(process.stderr) == b"writing\n"
        assert read_exactly(process.stdout, 1) == b"x"
        process.send_signal(signal.SIGTERM)
        assert process.wait(LIMIT) == 5
        # What the server had got rid of is still there to be read.
        assert len(read_all(process.stdout)) >= 60_000


def test_an_end_with_a_socket_for_each_stream_is_seen_as_with_pipes(launcher: Launcher) -> None:
    import socket

    server = python("""
while chunk := os.read(0, 65536):
    write(1, chunk)
write(1, b'bye\\n'); os.close(1)
write(2, b'z' * 500_000)
sys.exit(4)
""")
    pairs = [socket.socketpair() for _ in range(3)]
    theirs = [pair[1] for pair in pairs]
    process = launcher.start(server, stdin=theirs[0], stdout=theirs[1], stderr=theirs[2])
    for end in theirs:
        end.close()
    with ended(process), pairs[0][0] as stdin, pairs[1][0] as stdout, pairs[2][0] as stderr:
        err = Reader(stderr)
        stdin.sendall(b"hello\n")
        assert stdout.recv(100) == b"hello\n"
        stdin.close()
        assert stdout.recv(100) == b"bye\n"
        assert stdout.recv(100) == b""
        assert err.all() == b"z" * 500_000
        assert wait_status(process) == 4
