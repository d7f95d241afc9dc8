"""Records the fixtures of the current format version anew, from real servers and clients.

Usage: python -m tests.recordings.record FOLDER

Needs what the end-to-end tests need. A set that has been released is never edited; this makes the
set of the next version, or shows what today's servers and clients do.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from tests.e2e import environment
from tests.e2e.playing import Scenario, arrival, call, cancel, listing, ping, play, together
from tests.e2e.test_everything_server import ANSWERS, LONG_RUN
from tests.e2e.test_python_servers import make_repository, time_steps
from tests.recordings.sanitise import Places, personal, sanitise

CLIENTS = Path(environment.__file__).parent / "clients"
VERSION_KEY = "io.modelcontextprotocol/protocolVersion"
LARGEST = 60_000
"""Bytes of a fixture at most."""


class Workshop:
    """Makes recordings below ``place``, a temporary folder that is not there in what is kept."""

    def __init__(self, place: Path) -> None:
        self.place = place
        self.installed = environment.install()
        self.shared = place / "notes"
        self.repository = place / "repository"

    @property
    def places(self) -> Places:
        """What of this machine is replaced by what."""
        installed = self.installed
        return [
            (str(self.place), "/home/me"),
            (installed.python_2, "/home/me/.venv/bin/python"),
            (installed.python_1, "/home/me/.venv/bin/python"),
            (str(installed.modules), "/home/me/node_modules"),
            (os.path.realpath(installed.python_2), "/usr/bin/python3"),
            (os.path.realpath(installed.node), "/usr/bin/node"),
            (installed.node, "/usr/bin/node"),
        ]

    def player(self, client: str) -> list[str]:
        """The command of a client."""
        installed = self.installed
        return {
            "py2": [installed.python_2, str(CLIENTS / "python_sdk.py")],
            "py1": [installed.python_1, str(CLIENTS / "python_sdk.py")],
            "ts": [installed.node, str(CLIENTS / "typescript_sdk.mjs"), str(installed.modules)],
        }[client]

    def through_tap(self, log: Path, command: list[str]) -> list[str]:
        return [sys.executable, "-m", "mcp_tap", "run", "--log", str(log), "--", *command]

    def play(self, log: Path, client: str, command: list[str], steps: list[Any], **more: Any) -> None:
        """Have ``client`` take ``steps`` with the server ``command``."""
        scenario = Scenario(command, steps, **more)
        play(self.player(client), scenario, self.through_tap(log, command))

    def fill(self) -> None:
        shutil.rmtree(self.shared, ignore_errors=True)
        self.shared.mkdir()
        (self.shared / "shopping.txt").write_text("Brot, Käse, 茶\n", encoding="utf-8")

    def probe(self, log: Path) -> None:
        """What the TypeScript SDK 2.x does to find out what a server speaks, in a process of its own."""
        meta = {VERSION_KEY: "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}
        meta["io.modelcontextprotocol/clientInfo"] = {"name": "prober", "version": "2"}
        request = {"jsonrpc": "2.0", "id": 0, "method": "server/discover", "params": {"_meta": meta}}
        command = self.through_tap(log, self.installed.time_server)
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as server:
            assert server.stdin is not None
            assert server.stdout is not None
            server.stdin.write(json.dumps(request).encode() + b"\n")
            server.stdin.flush()
            assert server.stdout.readline()
            server.send_signal(signal.SIGTERM)
            server.stdin.close()

    def two_at_once(self, log: Path) -> None:
        """Two clients with a server each, and one file."""
        with ThreadPoolExecutor() as threads:
            for client in ("py2", "ts"):
                threads.submit(self.play, log, client, self.installed.time_server, time_steps())

    def recordings(self) -> dict[str, Callable[[Path], None]]:
        """How each fixture is made, by its name."""
        time, everything = self.installed.time_server, self.installed.everything_server
        files = self.installed.filesystem_server(self.shared)
        git = [*self.installed.git_server, "--repository", str(self.repository)]
        note = str(self.shared / "note.txt")
        file_steps = [
            call("write_file", path=note, content="Ein Gruß\u2028\r\nnext\x00line\n"),
            call("read_text_file", path=note),
            call("read_text_file", path=str(self.place / "forbidden")),
        ]
        git_steps = [
            call("git_status", repo_path=str(self.repository)),
            call("git_log", repo_path=str(self.repository)),
            call("git_show", repo_path=str(self.repository), revision="no-such-revision"),
        ]
        lists = [listing("tools"), listing("resources"), listing("prompts")]
        echo = call("echo", message="Grüße, 世界 \U0001f600")
        asking = [
            listing("tools"),
            arrival("roots/list"),
            arrival("notifications/message"),
            call("trigger-sampling-request", prompt="Say something.", maxTokens=7),
            call("trigger-elicitation-request"),
        ]
        progress = call(LONG_RUN, progress=True, duration=1, steps=5)
        at_once = [call(LONG_RUN, progress=True, duration=1, steps=2 + number) for number in range(3)]
        abandoned = [cancel(LONG_RUN, duration=300, steps=3000), echo, ping()]
        root = {"roots/list": {"roots": [{"uri": self.shared.as_uri(), "name": "notes"}]}}
        missing = self.installed.filesystem_server(self.place / "missing")

        def by(client: str, command: list[str], steps: list[Any], **more: Any) -> Callable[[Path], None]:
            return lambda log: self.play(log, client, command, steps, **more)

        return {
            "time-py1": by("py1", time, time_steps()),
            "time-py2": by("py2", time, time_steps()),
            "time-ts": by("ts", time, time_steps()),
            "time-py2-modern": by("py2", time, time_steps(), mode="auto"),
            "time-probe": self.probe,
            "time-two-sessions": self.two_at_once,
            "git-py1": by("py1", git, git_steps),
            "git-py2-modern": by("py2", git, [listing("tools"), *git_steps], mode="auto"),
            "filesystem-ts": by("ts", files, file_steps),
            "filesystem-py2-roots": by("py2", files, [arrival("roots/list"), ping()], answers=root),
            "filesystem-py1-refused": by("py1", missing, [listing("tools")]),
            "everything-ts": by("ts", everything, [*lists, echo, call("get-sum", a="none"), ping()]),
            "everything-py2-fallback": by("py2", everything, [echo], mode="auto"),
            "everything-py2-asks": by("py2", everything, asking, answers=ANSWERS),
            "everything-ts-asks": by("ts", everything, asking, answers=ANSWERS),
            "everything-py1-progress": by("py1", everything, [progress]),
            "everything-ts-at-once": by("ts", everything, [together(*at_once, echo)]),
            "everything-py1-cancelled": by("py1", everything, abandoned),
            "everything-py2-cancelled": by("py2", everything, abandoned),
            "everything-ts-cancelled": by("ts", everything, abandoned),
        }


def record_all(folder: Path, only: list[str]) -> None:
    """Make every recording, or those named, and put it into ``folder`` without personal details."""
    with tempfile.TemporaryDirectory() as temporary:
        workshop = Workshop(Path(temporary).resolve())
        for name, make in workshop.recordings().items():
            if only and name not in only:
                continue
            workshop.fill()
            make_repository(workshop.repository)
            log = workshop.place / f"{name}.jsonl"
            make(log)
            keep(log, workshop.places, folder)


def keep(log: Path, places: Places, folder: Path) -> None:
    """Put a recording into ``folder`` without personal details."""
    with log.open("rb") as lines:
        data = b"".join(sanitise(lines, places))
    assert not personal(data), (log.stem, personal(data))
    assert len(data) < LARGEST, (log.stem, len(data))
    (folder / log.name).write_bytes(data)
    print(f"{len(data):>6} {log.stem}", flush=True)


if __name__ == "__main__":
    record_all(Path(sys.argv[1]), sys.argv[2:])
