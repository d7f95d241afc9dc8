"""A home for one test, with a client and the tap in it, both run as a user runs them."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import sysconfig
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mcp_tap.clients.formats import parse
from mcp_tap.clients.known import BY_NAME
from tests.e2e.environment import program as on_path
from tests.e2e_clients.programs import Program

NAME = "notes"
SERVER = [sys.executable, str(Path(__file__).parent / "server.py")]
TAP = str(Path(sysconfig.get_path("scripts")) / "mcp-tap")

PATIENCE = 60.0
"""Seconds for one run of a client: the slowest takes five on an idle machine."""

_COLOUR = re.compile(r"\x1b\[[\d;]*m")


@dataclass
class Home:
    """``client`` is found below ``modules``; ``model`` is the URL of one that never answers anything."""

    client: Program
    modules: Path
    path: Path
    model: str
    variables: dict[str, str] = field(default_factory=dict)

    @property
    def file(self) -> Path:
        """The client's own file."""
        return self.path / self.client.own

    @property
    def project(self) -> Path:
        """The working directory."""
        return self.path / "project"

    @property
    def log(self) -> Path:
        """Where recordings are to go."""
        return self.path / "log"

    def run(self, words: Iterable[str], *, status: int = 0) -> subprocess.CompletedProcess[str]:
        """Run a program in nothing but this home, and expect its exit status."""
        done = subprocess.run(
            list(words),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            cwd=self.project,
            env=self.environment(),
            timeout=PATIENCE,
            check=False,
        )
        assert done.returncode == status, f"{done.args}\n{done.stdout}{done.stderr}"
        return done

    def environment(self) -> dict[str, str]:
        """What all programs get: of this one's own only where programs are found."""
        directories = [os.path.dirname(TAP), os.path.dirname(on_path("node")), "/usr/bin", "/bin"]
        mine = {"HOME": str(self.path), "PATH": os.pathsep.join(directories), "TERM": "dumb"}
        return {**mine, **self.client.environment(self.model), **self.variables}

    def ask(self, *words: str, status: int = 0) -> str:
        """What the client says to ``words``, in one line and without colours; Gemini CLI does on stderr.

        One that hangs is started once more: Copilot CLI does so at times, one time in twenty.
        """
        command = [*self.client.start(self.modules), *words]
        try:
            done = self.run(command, status=status)
        except subprocess.TimeoutExpired:
            done = self.run(command, status=status)
        return " ".join(_COLOUR.sub("", done.stdout + done.stderr).split())

    def tap(self, *words: str) -> str:
        """What the tap says to ``words``."""
        return self.run([TAP, *words]).stdout

    def changes(self, *words: str) -> list[dict[str, Any]]:
        """What ``wrap`` and its like say of entries."""
        changes: list[dict[str, Any]] = json.loads(self.tap(*words, "--json"))["changes"]
        return changes

    def wrap(self, *words: str) -> dict[str, Any]:
        """Wrap the server, and return what is said of it."""
        (change,) = self.changes(
            "wrap", NAME, "--client", self.client.name, "--log-dir", str(self.log), *words
        )
        assert change["state"] == "wrapped"
        return change

    def unwrap(self) -> dict[str, Any]:
        """Unwrap the server wherever it is, and return what is said of it."""
        (change,) = self.changes("unwrap", NAME)
        assert change["state"] == "unwrapped"
        return change

    def configure(self) -> None:
        """Give the client a server."""
        if not self.client.written:
            self.add(NAME, SERVER)
            return
        self.file.parent.mkdir(parents=True, exist_ok=True)
        python, script = SERVER
        text = self.client.written.replace("PYTHON", python).replace("SERVER", script)
        self.file.write_text(text, encoding="utf-8")

    def add(self, name: str, command: list[str]) -> None:
        """Have the client itself add a server."""
        words = [name if word == "NAME" else word for word in self.client.adding]
        self.ask(*words, *command)

    def entry(self) -> Any:
        """What the client's file says of the server."""
        text, known = self.file.read_text(encoding="utf-8"), BY_NAME[self.client.name]
        value: Any = tomllib.loads(text) if known.form == "toml" else parse(text, known.form).value
        for key in (*known.files[0].keys, NAME):
            value = value[key]
        return value

    def shows(self, command: list[str], *options: str) -> bool:
        """Whether the client, asked what it has, shows that it starts (and reaches, if it says so) this."""
        said = self.ask(*options, *self.client.listing)
        shown = self.client.shown.replace("NAME", NAME).replace("COMMAND", " ".join(command))
        assert shown in said
        return True

    @property
    def tapped(self) -> list[str]:
        """The server's command with the tap in front, as it is in a user's file."""
        return [TAP, *self.options, *SERVER]

    @property
    def options(self) -> list[str]:
        """The words between the tap and the server's command."""
        return ["run", "--name", NAME, "--log-dir", str(self.log), "--"]

    def converse(self, *options: str) -> None:
        """Have the client, if it can, start its servers for a talk to a model, which refuses."""
        if self.client.asking:
            self.ask(*options, *self.client.asking(self.model), status=1)

    def sessions(self) -> list[dict[str, Any]]:
        """What has been recorded."""
        said = self.tap("sessions", "--json", "--log-dir", str(self.log))
        return [json.loads(line) for line in said.splitlines()]

    def recorded(self) -> set[str]:
        """The sessions that are on file; all are of this client with the server, and at least one is.

        Those in which the client left at once have nothing of the server.
        """
        sessions = self.sessions()
        name, version = self.client.calls_itself
        assert sessions
        for session in sessions:
            assert session["name"] == NAME
            assert session["client"] == {"name": name, "version": version}
            if session["messages"]["s2c"]:
                assert session["server"] == {"name": "plain", "version": "1"}
                assert session["kind"] == "session"
            else:  # a client that has nobody to talk to may be gone before the server is up
                assert session["ending"]["first"] in ("client-eof", "client-signal", "client-gone")
        return {session["session"] for session in sessions}
