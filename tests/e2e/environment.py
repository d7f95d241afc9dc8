"""Servers and clients that we did not write, installed once below ``.e2e/`` in pinned versions.

Nothing here is skipped: a test that cannot get its parts has failed.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

if sys.platform != "win32":
    import fcntl

ROOT = Path(__file__).parents[2] / ".e2e"

PYTHON_SDK_2 = (
    "mcp==2.3.0",
    "mcp-server-fetch==2026.10.19",
    "mcp-server-git==2026.10.19",
    "mcp-server-time==2026.10.19",
)
"""The servers are built on the same SDK, so that they need no environment of their own."""

FASTMCP = ("fastmcp==4.1.6",)
"""On the same SDK, but not beside those servers: they would log in colours, by what it brings along."""

PYTHON_SDK_1 = ("mcp==1.30.0", "mcp-server-calculator==0.2.0", "mcp-server-sqlite==2025.4.25")
"""These servers ask for no major version of the SDK, and start with this one alone."""

NODE = {
    "@eslint/mcp": "0.3.13",
    "@modelcontextprotocol/client": "2.4.0",
    "@modelcontextprotocol/inspector": "2.12.0",
    "@modelcontextprotocol/sdk": "1.32.2",
    "@modelcontextprotocol/server": "2.4.0",
    "@modelcontextprotocol/server-basic-vanillajs": "2.0.3",
    "@modelcontextprotocol/server-everything": "2026.8.31",
    "@modelcontextprotocol/server-filesystem": "2026.8.31",
    "@modelcontextprotocol/server-github": "2025.4.8",
    "@modelcontextprotocol/server-memory": "2026.8.31",
    "@modelcontextprotocol/server-sequential-thinking": "2026.8.31",
    "@playwright/mcp": "0.0.83",
    "@upstash/context7-mcp": "4.1.1",
    "chrome-devtools-mcp": "1.11.0",
    "mcporter": "0.9.0",  # the last one for Node 20
}
NATIVE = {
    "@leanspec/mcp-linux-x64": "0.3.0",
    "mcp-time-linux-x64": "0.4.0",
}
"""Servers in Rust and in Go; npm passes over them on other machines, and their tests fail there."""

INSTALL_TIMEOUT = 300.0
"""Seconds for one step of an installation: a cold cache and a slow network."""


@dataclass(frozen=True)
class Environment:
    """Where the installed parts are: three interpreters, Node, and the folder of Node's packages."""

    python_2: str
    python_1: str
    fastmcp: str
    node: str
    modules: Path

    @property
    def time_server(self) -> list[str]:
        return [self.python_2, "-m", "mcp_server_time", "--local-timezone", "UTC"]

    @property
    def git_server(self) -> list[str]:
        return [self.python_2, "-m", "mcp_server_git"]

    @property
    def everything_server(self) -> list[str]:
        return [*self._npm_server("everything"), "stdio"]

    def filesystem_server(self, directory: Path) -> list[str]:
        return [*self._npm_server("filesystem"), str(directory)]

    def _npm_server(self, name: str) -> list[str]:
        return self.npm_script(f"@modelcontextprotocol/server-{name}/dist/index.js")

    @property
    def sqlite_server(self) -> list[str]:
        return [str(Path(self.python_1).with_name("mcp-server-sqlite"))]

    def npm_script(self, path: str) -> list[str]:
        """The command of a script in an npm package, by its path among the packages."""
        # Not the link in .bin: on Windows that is a batch file.
        return [self.node, str(self.modules / path)]

    def npm_binary(self, path: str) -> list[str]:
        """The command of a program in an npm package, by its path among the packages."""
        return [str(self.modules / path)]


def install() -> Environment:
    """The environment, complete; costs nothing if it is there. Raises where it cannot be had."""
    with ThreadPoolExecutor() as threads:  # mostly they wait, for the network and for the disk
        python_2 = threads.submit(install_python, "python-sdk-2", PYTHON_SDK_2)
        python_1 = threads.submit(install_python, "python-sdk-1", PYTHON_SDK_1)
        fastmcp = threads.submit(install_python, "fastmcp", FASTMCP)
        modules = threads.submit(install_node, "node", NODE, NATIVE)
        return Environment(
            python_2=python_2.result(),
            python_1=python_1.result(),
            fastmcp=fastmcp.result(),
            node=program("node"),
            modules=modules.result(),
        )


def install_python(name: str, requirements: tuple[str, ...]) -> str:
    """The interpreter of a virtual environment that has ``requirements``."""
    place = ROOT / name
    interpreter = str(place / ("Scripts/python.exe" if os.name == "nt" else "bin/python"))

    def fill() -> None:
        # Neither a pip of its own nor what is never imported compiled: half of the time goes there.
        run(sys.executable, "-m", "venv", "--without-pip", str(place))
        pip = [sys.executable, "-m", "pip", "--python", interpreter, "install", "--no-compile"]
        run(*pip, "--disable-pip-version-check", *requirements)

    once(place, "\n".join([sys.base_prefix, sys.version, *requirements]), fill)
    return interpreter


def install_node(name: str, packages: dict[str, str], native: dict[str, str] | None = None) -> Path:
    """The folder of Node packages that has ``packages``, and those of ``native`` that fit the machine."""
    native = native or {}
    place = ROOT / name
    wanted = json.dumps({"private": True, "dependencies": packages, "optionalDependencies": native}, indent=1)

    def fill() -> None:
        place.mkdir(parents=True)
        (place / "package.json").write_text(wanted, encoding="utf-8")
        # Their scripts would fetch browsers and build web interfaces, which no test needs.
        options = ("--no-audit", "--no-fund", "--ignore-scripts")
        run(program("npm"), "install", *options, "--prefix", str(place))
        # npm keeps modes as they were packed, and one of these is made executable by its script.
        for package in native:
            for file in (place / "node_modules" / package).rglob("*mcp*"):
                file.chmod(0o755)

    once(place, wanted, fill)
    return place / "node_modules"


def once(place: Path, wanted: str, fill: Callable[[], None]) -> None:
    """Have ``fill`` make ``place``, unless a stamp says that it did so for what is wanted now.

    Whoever comes while another process does so waits for it.
    """
    stamp = place / "complete"
    with locked(place.with_suffix(".lock")):
        if stamp.exists() and stamp.read_text(encoding="utf-8") == wanted:
            return
        shutil.rmtree(place, ignore_errors=True)
        fill()
        stamp.write_text(wanted, encoding="utf-8")


@contextlib.contextmanager
def locked(path: Path) -> Iterator[None]:
    """Alone with what ``path`` stands for among all processes, those that are killed not counted."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "w") as lock:
        if sys.platform != "win32":
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def program(name: str) -> str:
    """The path of a program that has to be on the machine already."""
    found = shutil.which(name)
    assert found, f"the end-to-end tests need {name} on PATH"
    return found


def run(*command: str) -> None:
    """Run one step of an installation; what it says is shown where it fails."""
    step = subprocess.run(command, capture_output=True, text=True, timeout=INSTALL_TIMEOUT, check=False)
    assert step.returncode == 0, f"{' '.join(command)}\n{step.stdout}{step.stderr}"
