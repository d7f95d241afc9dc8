"""What happened to the server's process, as the tap's events show."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from mcp_tap.model.ending import Ending
from mcp_tap.record.patterns import lazy
from mcp_tap.record.reader import Record

ENDING_SIGNALS = frozenset({"SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT", "SIGKILL"})
"""By these a client means the end. The others may mean anything: SIGWINCH, SIGUSR1."""

SIGNALS_KEPT = 20
"""Signals that are remembered; a client that means the end sends three."""

RACE_SECONDS = 0.05
"""Within which two things that the tap's threads have noted may have happened in the other order."""

SIGNAL_NUMBERS = {"SIGHUP": 1, "SIGINT": 2, "SIGQUIT": 3, "SIGABRT": 6, "SIGBUS": 7, "SIGKILL": 9,
                  "SIGSEGV": 11, "SIGPIPE": 13, "SIGTERM": 15}  # fmt: skip
"""On Linux; the codes of shells (128 and the number) are read with these."""


CRASHES = frozenset({"SIGSEGV", "SIGABRT", "SIGBUS", "SIGILL", "SIGFPE", "SIGSYS", "SIGTRAP"})
"""Signals by which a process ends because of what it did itself."""

KILLED_NEXT = (
    "SIGKILL comes from outside the process: look for 'Out of memory' in dmesg or the journal, and at the "
    "memory limit of the container"
)
"""What to do where nobody knows who has sent it."""


@dataclass(slots=True, eq=False)
class Life:
    """The process from its start to its end. Times are the session's seconds."""

    spawned_t: float | None = None
    ends: dict[str, Record] = field(default_factory=dict)
    """The first ``eof`` of each stream."""
    breaks: dict[str, Record] = field(default_factory=dict)
    """The first ``broken_pipe`` of each stream."""
    signals: list[Record] = field(default_factory=list)
    """The signals by which a client means the end."""
    exit: Record | None = None
    failed: Record | None = None
    """Why the process could not be started."""

    def take(self, record: Record) -> None:
        """Note a tap event."""
        event, stream = record.event, record.fields.get("stream")
        if event == "spawn":
            self.spawned_t = record.t
        elif event == "eof" and isinstance(stream, str):
            self.ends.setdefault(stream, record)
        elif event == "broken_pipe" and isinstance(stream, str):
            self.breaks.setdefault(stream, record)
        elif event == "signal" and is_ending(record) and len(self.signals) < SIGNALS_KEPT:
            self.signals.append(record)
        elif event == "exit":
            self.exit = record
        elif event == "spawn_failed":
            self.failed = record

    @property
    def died_t(self) -> float | None:
        """When the server ended, as closely as the recording shows; None while it runs.

        Its end shows first in its stdout: the exit is on record only after the tap has waited for
        the rest of the output.
        """
        if self.exit is None:
            return None
        closed = self.ends.get("s2c")
        return self.exit.t if closed is None else min(closed.t, self.exit.t)

    @property
    def lived(self) -> float:
        """Seconds from the start of the server to its end."""
        return max(0.0, (self.died_t or 0.0) - (self.spawned_t or 0.0))

    def unasked(self, ending: Ending) -> bool:
        """Whether the server has ended, or closed its stdout, before the client meant the end.

        A signal that came at about the same time leaves that open, and so does a death by a
        signal that the client has sent.
        """
        died = self.died_t
        if died is None or ending.by != "server":
            return False
        if "s2c" in self.breaks:
            return False  # its reader was gone: of that it may have died
        return not any(
            signal.t <= died + RACE_SECONDS or name_of(signal) == ending.signal for signal in self.signals
        )


def is_ending(record: Record) -> bool:
    """Whether a signal means the end."""
    name = record.fields.get("name")
    return isinstance(name, str) and name in ENDING_SIGNALS


def has_reached_server(signal: Record) -> bool:
    """Whether the client's signal got to the server: passed on, or sent to both."""
    return bool(signal.fields.get("forwarded") or signal.fields.get("shared"))


def name_of(signal: Record) -> str:
    """What a signal is called."""
    return str(signal.fields.get("name"))


def how_ended(ending: Ending) -> str:
    """``exited 1``, ``was killed by SIGSEGV``, ``closed its stdout``; what a server did."""
    if ending.first == "server-eof":
        return "closed its stdout"
    if ending.signal is not None:
        return f"was killed by {ending.signal}"
    if ending.code is None:
        return "ended"
    return f"exited {ending.code}" if ending.code < 1 << 31 else f"exited 0x{ending.code:X}"


LAUNCHERS = frozenset(
    {
        *("npx", "npm", "pnpm", "pnpx", "yarn", "bun", "bunx", "corepack", "volta", "fnm", "nvm"),
        *("uv", "uvx", "pipx", "poetry", "pdm", "hatch", "rye", "pipenv", "conda", "mamba", "pixi"),
        *("docker", "podman", "nerdctl"),
        *("sh", "bash", "dash", "zsh", "fish", "ksh", "cmd", "powershell", "pwsh"),
        *("env", "make", "just", "mise", "asdf", "nix", "wsl", "ssh", "sudo", "dotnet", "cargo", "go"),
    }
)
"""Commands that start the server as another process."""

INSTALLERS = frozenset(
    {
        *("npx", "npm", "pnpm", "pnpx", "yarn", "bun", "bunx"),
        *("uv", "uvx", "pipx", "poetry", "pdm", "hatch", "rye", "pipenv", "conda", "mamba", "pixi"),
        *("docker", "podman", "nerdctl", "nix", "dotnet", "cargo", "go"),
    }
)
"""Those that may first have to fetch or to build what they are to start."""

_SUFFIX = lazy(r"\.(?:exe|cmd|bat|ps1|com)$")


def words_of(start: Mapping[str, Any]) -> list[str]:
    """The server's command line as recorded; empty where it is none."""
    argv = start.get("argv")
    return [word for word in argv if isinstance(word, str)] if isinstance(argv, list) else []


def program(start: Mapping[str, Any]) -> str:
    """The name of the command without its folder: ``npx`` for ``C:\\node\\npx.cmd``."""
    words = words_of(start)
    return re.split(r"[/\\]", words[0])[-1] if words else ""


def launcher(start: Mapping[str, Any]) -> str | None:
    """The launcher's name if the command is one: ``npx``."""
    name = _SUFFIX.sub("", program(start).lower())
    return name if name in LAUNCHERS else None


def is_windows(start: Mapping[str, Any]) -> bool:
    """Whether the recording was made on Windows."""
    platform, path = start.get("platform"), start.get("path")
    if isinstance(platform, str):
        return platform == "win32"
    return isinstance(path, str) and re.match(r"[A-Za-z]:\\", path) is not None


LAUNCHD_PATH = "/usr/bin:/bin:/usr/sbin:/sbin"
"""What macOS gives a program that was started from the Finder or the Dock."""

PATH_SHOWN = 160
"""Characters of PATH in a sentence."""


def path_given(start: Mapping[str, Any]) -> str | None:
    """PATH as the client gave it, for a sentence; None where the recording does not say."""
    path = start.get("path")
    if not isinstance(path, str):
        return None
    if path.rstrip("/") == LAUNCHD_PATH:
        return f"{path}, the launchd default"
    return path if len(path) <= PATH_SHOWN else path[: PATH_SHOWN - 1] + "…"
