"""``mcp-tap run``: the tap itself.

The order is the point. Signals are held first; then the server is started; what takes longer
to import than a server takes to boot (anyio, orjson) is imported while it boots.
"""

from __future__ import annotations

import sys
import time

from mcp_tap.commands.run_options import USAGE, RunOptions, read_run_options
from mcp_tap.errors import ExitStatus, ServerNotStarted, TapError, UsageError
from mcp_tap.process.child import Child, Signals, die_by, exit_status, spawn
from mcp_tap.process.own_streams import OwnStreams, warn_stderr

TYPE_CHECKING = False
if TYPE_CHECKING:
    from mcp_tap.tap.recorder import Recorder
    from mcp_tap.tap.session import SessionEnd

SHORT_TURN = 0.0002
"""Seconds after which a thread that wants to run gets the interpreter from one that imports.

Python's own 5 ms would be added to each way of the first messages."""

LACKING = (OSError, RuntimeError, MemoryError, ImportError)
"""What Python raises where there is no descriptor, thread or memory left, be it for a module."""

Moment = tuple[int, int]
"""Wall clock and monotonic clock, in nanoseconds."""


def run_command(words: list[str]) -> int:
    """Start the server that ``words`` name, record its session; returns the server's exit code.

    Does not return if a signal has ended the server: the tap dies by the same one.
    """
    signals = Signals.hold()
    own = OwnStreams.take()
    begun = now()
    try:
        options, argv = read_run_options(words)
    except UsageError as error:
        warn_stderr(f"{error}\n{USAGE}")
        return error.status
    if options.help:
        from mcp_tap.commands.run_help import print_help

        return print_help()
    try:
        end = tap(options, argv, own, signals, begun)
    except TapError as error:
        warn_stderr(str(error))
        return error.status
    if end.refused:  # which was said when it happened
        return ExitStatus.TAP_FAILED
    if end.signal is not None:
        die_by(end.signal)
        return 128 + end.signal  # a signal that ends no process by default; the shell's number for it
    assert end.code is not None
    return exit_status(end.code)


def tap(options: RunOptions, argv: list[str], own: OwnStreams, signals: Signals, begun: Moment) -> SessionEnd:
    """Start, forward, record. Raises :class:`TapError` where the server could not be started or carried."""
    recorder: Recorder | None = None
    if options.stop_on_log_error:
        # The server must not start without its log: this wish costs it the imports.
        recorder = begin(options, argv, begun)
    child: Child | None = None
    failure: TapError | None = None
    try:
        child = spawn(argv, own, signals)
    except ServerNotStarted as error:
        failure = error
    except OSError as error:
        failure = lacking(f"cannot start {argv[0]!r}", error)
    spawned = now()
    try:
        from mcp_tap.tap.begin import absolute, readable

        recorder = recorder or begin(options, argv, begun)
        own.let_go_of_extra()
        if child is None:
            assert failure is not None
            recorder.event("spawn_failed", at=spawned, error=str(failure), code=failure.status)
            recorder.ended_by("spawn-failed")
            raise failure
        recorder.event("spawn", at=spawned, pid=child.pid, exe=readable(absolute(child.exe)))
        return run_session(child, recorder, own.merged)
    except LACKING as error:
        # Not what passes through, which is handled there: descriptors, threads, memory.
        if child is not None:
            child.kill()
            child.reap()  # which also frees descriptors, for the modules that say what was lacking
        raise failure or lacking("cannot pass on the server's traffic", error) from error
    finally:
        if recorder is not None:
            recorder.close()


def lacking(what: str, error: Exception) -> TapError:
    """The error of a tap for which the system had nothing left."""
    try:
        from mcp_tap.process.limits import reason_of

        reason = reason_of(error)
    except LACKING:  # not even for this
        reason = getattr(error, "strerror", None) or "out of memory"
    return TapError(f"{what}: {reason}", ExitStatus.TAP_FAILED)


def run_session(child: Child, recorder: Recorder, merged: bool) -> SessionEnd:
    """Carry the session to its end.

    The threads that carry are started first: what is imported then takes longer than many
    servers need for their first answer, and is left out where a server does not live that long,
    or where the system has nothing left for it.
    """
    from mcp_tap.tap.session import TapSession

    session = TapSession(child, recorder, child.make_watch, merged=merged)
    session.wait_for_pause()
    if not session.over.is_open:
        try:
            with short_turns():
                import anyio
                import anyio._backends._asyncio

                from mcp_tap.tap.stdio import oversee

            anyio.run(oversee, session)
        except LACKING:
            # No descriptor, no memory: the session, which has all that it needs, is not to suffer.
            session.wait()
    return session.finish()


class short_turns:  # noqa: N801 # a context manager, used as contextlib's are; that module is slow
    """While the main thread is busy, let a thread that carries have its turn at once."""

    def __enter__(self) -> None:
        self._before = sys.getswitchinterval()
        sys.setswitchinterval(SHORT_TURN)

    def __exit__(self, *_: object) -> None:
        sys.setswitchinterval(self._before)


def begin(options: RunOptions, argv: list[str], begun: Moment) -> Recorder:
    """Open the recording and write its first record. Raises :class:`TapError` under ``stop``."""
    from mcp_tap.tap.begin import begin_recording

    return begin_recording(options, argv, begun, warn_stderr)


def now() -> Moment:
    """This moment, on both clocks."""
    return time.time_ns(), time.monotonic_ns()
