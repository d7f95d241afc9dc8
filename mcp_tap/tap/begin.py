"""How a recording begins: which file, and the record that says what was started where."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import Any, Protocol

from mcp_tap import __version__
from mcp_tap.errors import ExitStatus, TapError
from mcp_tap.record import paths, schema
from mcp_tap.record.argv_masking import mask_argv
from mcp_tap.record.writer import RecordingFile
from mcp_tap.tap.recorder import LogRefused, Recorder


class Wishes(Protocol):
    """What the user has said about the recording: see ``commands.run_options``."""

    log: str | None
    log_dir: str | None
    name: str | None
    stop_on_log_error: bool
    max_log_size: int | None


def begin_recording(
    wishes: Wishes, argv: list[str], begun: tuple[int, int], complain: Callable[[str], None]
) -> Recorder:
    """A recorder whose ``start`` record is written, or will be as soon as the log can be written.

    ``begun`` is the session's start by the wall and the monotonic clock, in nanoseconds. The
    caller closes the recorder. Raises :class:`TapError` where the log fails and may not.
    """
    words = [readable(word) for word in argv]
    name = wishes.name or paths.server_name(words)
    session = schema.new_session_id(begun[0], os.urandom(4))
    recorder = Recorder(
        RecordingFile(recording_path(wishes, begun[0], name, session)),
        session=session,
        wall_ns=begun[0],
        monotonic_ns=begun[1],
        complain=complain,
        max_size=wishes.max_log_size,
        stop=wishes.stop_on_log_error,
    )
    try:
        recorder.start(start_fields(words, name))
    except LogRefused as refused:
        sentence = f"{refused}; the server was not started because of --on-log-error stop"
        raise TapError(sentence, ExitStatus.TAP_FAILED) from None
    return recorder


def recording_path(wishes: Wishes, wall_ns: int, name: str, session: str) -> str:
    """The file to append to, absolute, since messages and records name it."""
    if wishes.log is not None:
        return absolute(wishes.log)
    directory = wishes.log_dir or paths.default_directory()
    return os.path.join(absolute(directory), paths.file_name(wall_ns, name, session))


def absolute(path: str) -> str:
    """``path`` from the root; as it is where the working directory has been removed."""
    try:
        return os.path.abspath(path)
    except OSError:
        return path


def start_fields(argv: list[str], name: str) -> dict[str, Any]:
    """What the ``start`` record says of the surroundings: names of variables, never values."""
    return {
        "format": schema.FORMAT_VERSION,
        "tap": __version__,
        "argv": mask_argv(argv),
        "cwd": current_directory(),
        "pid": os.getpid(),
        "ppid": os.getppid(),
        "client": process_name(os.getppid()),
        "platform": sys.platform,
        "path": readable(os.environ["PATH"]) if "PATH" in os.environ else None,
        "env": [readable(name) for name in os.environ],
        "name": readable(name),
    }


def current_directory() -> str | None:
    """The working directory; None if it has been removed."""
    try:
        return readable(os.getcwd())
    except OSError:
        return None


def process_name(pid: int) -> str | None:
    """What the system calls process ``pid``; None where it does not tell (only Linux does)."""
    try:
        with open(f"/proc/{pid}/comm", encoding="utf-8", errors="backslashreplace") as file:
            return file.read().removesuffix("\n")
    except OSError:
        return None


def readable(word: str) -> str:
    """A word from the system as Unicode, whatever bytes it was made of."""
    return os.fsencode(word).decode("utf-8", "backslashreplace")
