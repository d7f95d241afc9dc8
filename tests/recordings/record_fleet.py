"""Records the fixtures of many servers and clients anew: healthy sessions, and what is odd about them.

Usage: python -m tests.recordings.record_fleet FOLDER [SERVER-CLIENT ...]

Needs what the end-to-end tests need, and plays what they play.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

from tests.e2e import environment
from tests.e2e.environment import Environment
from tests.e2e.fleet import CLIENTS, HERE, SERVERS, Fleet, Pair
from tests.recordings.record import keep
from tests.recordings.sanitise import Places

BY_ALL = ("time", "typescript-sdk-2")
"""Servers whose sessions with every client are kept."""

BY_SOME = {
    "everything": ("inspector", "ts2-auto"),
    "filesystem": ("inspector",),
    "git": ("fastmcp",),
    "memory": ("ts",),
    "sequential-thinking": ("mcporter",),
    "fetch": ("py2-auto",),
    "sqlite": ("ts2-auto",),
    "calculator": ("mcporter", "py1"),
    "fastmcp": ("mcporter", "ts2-auto"),
    "basic-app": ("py1",),
    "playwright": ("ts",),
    "chrome-devtools": ("inspector",),
    "context7": ("fastmcp",),
    "eslint": ("py2",),
    "leanspec": ("inspector", "py2-auto"),
    "go-time": ("ts2-auto",),
    "github": ("mcporter",),
}


def kept() -> list[Pair]:
    """The pairs whose sessions are kept."""
    return [
        (server, client)
        for server in SERVERS
        for client in (CLIENTS if server in BY_ALL else BY_SOME[server])
    ]


def places(installed: Environment, home: Path) -> Places:
    """What of this machine is replaced by what."""
    pythons = (installed.python_2, installed.python_1, installed.fastmcp)
    return [
        (str(home), "/home/me"),
        (str(installed.modules), "/home/me/node_modules"),
        *((str(Path(python).parents[1]), "/home/me/.venv") for python in pythons),
        (str(HERE), "/home/me"),
        (os.path.realpath(installed.python_2), "/usr/bin/python3"),
        (os.path.realpath(installed.node), "/usr/bin/node"),
        (installed.node, "/usr/bin/node"),
    ]


def record_all(folder: Path, only: list[str]) -> None:
    """Make every recording, or those named, and put it into ``folder`` without personal details."""
    with tempfile.TemporaryDirectory() as temporary:
        fleet = Fleet(environment.install(), Path(temporary).resolve())
        for server, client in kept():
            if not only or f"{server}-{client}" in only:
                log = fleet.play(server, client)
                keep(log, places(fleet.installed, fleet.home(server, client)), folder)


if __name__ == "__main__":
    record_all(Path(sys.argv[1]), sys.argv[2:])
