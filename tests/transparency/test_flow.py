"""Back-pressure passes through, memory stays bounded, and no stream holds another up."""

from __future__ import annotations

import os
import re
import threading
from pathlib import Path

from tests.harness import (
    Launcher,
    Reader,
    ended,
    events,
    python,
    read_exactly,
    read_line,
    send,
    wait_status,
    wait_until,
)

MEGABYTE = 1 << 20


def memory(pid: int, what: str) -> int:
    """Bytes of ``VmRSS`` or ``VmHWM`` (Linux)."""
    found = re.search(rf"^{what}:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text(), re.MULTILINE)
    assert found is not None
    return int(found[1]) * 1024


def test_a_server_blocks_when_the_client_does_not_read_and_memory_stays_bounded(launcher: Launcher) -> None:
    # It writes a gigabyte if it is let; "blocked" is half a second without room.
    server = python("""
import select
os.set_blocking(1, False)
room = select.poll(); room.register(1, select.POLLOUT)
total = 0
block = b'x' * 4096
while total < 1 << 30 and room.poll(500):
    try: total += os.write(1, block)
    except BlockingIOError: pass
write(2, b'blocked at %d\\n' % total)
os.set_blocking(1, True)
write(1, b'y' * 1000)
write(1, b'the end')
""")
    with ended(launcher.start(server)) as process:
        blocked = int(read_line(process.stderr).split()[-1])
        assert 0 < blocked < 2 * MEGABYTE
        assert memory(process.pid, "VmHWM") < 80 * MEGABYTE
        out = Reader(process.stdout).all()
        assert out == b"x" * blocked + b"y" * 1000 + b"the end"
        assert wait_status(process) == 0


def test_a_client_blocks_when_the_server_does_not_read(launcher: Launcher) -> None:
    server = python("""
write(1, b'ready\\n')
assert os.read(3, 1) == b'g'
total = 0
while chunk := os.read(0, 65536): total += len(chunk)
write(1, b'%d' % total)
""")
    gate, opener = os.pipe()
    if gate != 3:
        server = [part.replace("os.read(3, 1)", f"os.read({gate}, 1)") for part in server]
    with ended(launcher.start(server, pass_fds=(gate,))) as process:
        os.close(gate)
        assert process.stdin is not None
        assert read_line(process.stdout) == b"ready\n"
        os.set_blocking(process.stdin.fileno(), False)
        import select

        room = select.poll()
        room.register(process.stdin, select.POLLOUT)
        total = 0
        while total < 1 << 30 and room.poll(500):
            total += os.write(process.stdin.fileno(), b"x" * 4096)
        assert total < 2 * MEGABYTE
        os.write(opener, b"g")
        os.close(opener)
        process.stdin.close()
        assert read_exactly(process.stdout, 20) == b"%d" % total
        assert wait_status(process) == 0


def test_megabytes_written_by_both_sides_before_either_reads_do_not_deadlock(launcher: Launcher) -> None:
    server = python("""
import threading
def out(): write(1, b'x' * 5_000_000); write(2, b'z' * 5_000_000)
writer = threading.Thread(target=out); writer.start()
total = 0
while chunk := os.read(0, 65536): total += len(chunk)
writer.join()
write(1, b'%d' % total)
""")
    with ended(launcher.start(server)) as process:
        assert process.stdin is not None
        out, err = Reader(process.stdout), Reader(process.stderr)
        rest = memoryview(b"y" * 5_000_000)
        while rest:
            rest = rest[os.write(process.stdin.fileno(), rest) :]
        process.stdin.close()
        assert out.all() == b"x" * 5_000_000 + b"5000000"
        assert len(err.all()) == 5_000_000
        assert wait_status(process) == 0


def test_a_stuck_reader_of_stderr_holds_neither_stdout_nor_stdin(launcher: Launcher) -> None:
    server = python("""
import threading
threading.Thread(target=write, args=(2, b'log line\\n' * 100_000), daemon=True).start()
while request := line(): write(1, request)
os._exit(0)
""")
    with ended(launcher.start(server)) as process:
        for number in range(300):
            send(process, b"%d\n" % number)
            assert read_line(process.stdout) == b"%d\n" % number
        assert process.stdin is not None
        process.stdin.close()
        assert wait_status(process) == 0


def test_a_stuck_stderr_stalls_on_file(tap: Launcher) -> None:
    server = python("""
write(2, b'log line\\n' * 100_000)
""")
    with ended(tap.start(server)) as process:
        assert tap.log is not None
        log = tap.log
        wait_until(lambda: log.exists() and b'"stall"' in log.read_bytes(), "the stall record")
        err = Reader(process.stderr)
        assert err.all() == b"log line\n" * 100_000
        assert wait_status(process) == 0
        flow = events(tap.log, "flow")[0]
        assert flow["stream"] == "stderr"
        assert flow["seconds"] >= 1


def test_an_idle_tap_uses_no_processor_time(tap: Launcher) -> None:
    server = python(
        "write(1, b'unfinished'); write(2, b'ready\\n')\nwhile request := line(): write(1, request)"
    )
    with ended(tap.start(server)) as process:
        assert read_line(process.stderr) == b"ready\n"
        assert read_exactly(process.stdout, 10) == b"unfinished"
        send(process, b"x\n")
        assert read_line(process.stdout) == b"x\n"
        log = tap.log
        assert log is not None
        wait_until(lambda: is_quiet(process.pid), "the end of the imports")
        before = switches(process.pid)
        threading.Event().wait(1.2)  # idleness is what is measured
        # A polling loop at 10 Hz would show a dozen; what is left is the odd garbage of start-up.
        assert switches(process.pid) - before <= 4
        assert process.stdin is not None
        process.stdin.close()
        assert wait_status(process) == 0


def is_quiet(pid: int) -> bool:
    """Whether the process has not woken up for a while: what it does at its start is done."""
    before = switches(pid)
    threading.Event().wait(0.2)
    return switches(pid) == before


def switches(pid: int) -> int:
    """Voluntary context switches of all threads: how often the process has woken up."""
    total = 0
    for status in Path(f"/proc/{pid}/task").glob("*/status"):
        found = re.search(r"^voluntary_ctxt_switches:\s+(\d+)", status.read_text(), re.MULTILINE)
        total += int(found[1]) if found else 0
    return total
