"""Servers and clients that we did not write, installed once below ``.e2e/`` in pinned versions.

Nothing here is skipped: a test that cannot get its parts has failed.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2] / ".e2e"

PYTHON_SDK_2 = ("mcp==2.3.0", "mcp-server-git==2026.10.19", "mcp-server-time==2026.10.19")
"""The servers are built on the same SDK, so that they need no environment of their own."""

PYTHON_SDK_1 = ("mcp==1.30.0",)

NODE = {
    "@modelcontextprotocol/sdk": "1.32.2",
    "@modelcontextprotocol/server-everything": "2026.8.31",
    "@modelcontextprotocol/server-filesystem": "2026.8.31",
}

INSTALL_TIMEOUT = 300.0
"""Seconds for one step of an installation: a cold cache and a slow network."""


@dataclass(frozen=True)
class Environment:
    """Where the installed parts are: two interpreters, Node, and the folder of Node's packages."""

    python_2: str
    python_1: str
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
        # Not the link in .bin: on Windows that is a batch file.
        script = self.modules / "@modelcontextprotocol" / f"server-{name}" / "dist" / "index.js"
        return [self.node, str(script)]


def install() -> Environment:
    """The environment, complete; costs nothing if it is there. Raises where it cannot be had."""
    return Environment(
        python_2=install_python("python-sdk-2", PYTHON_SDK_2),
        python_1=install_python("python-sdk-1", PYTHON_SDK_1),
        node=program("node"),
        modules=install_node("node", NODE),
    )


def install_python(name: str, requirements: tuple[str, ...]) -> str:
    """The interpreter of a virtual environment that has ``requirements``."""
    place = ROOT / name
    interpreter = str(place / ("Scripts/python.exe" if os.name == "nt" else "bin/python"))

    def fill() -> None:
        run(sys.executable, "-m", "venv", str(place))
        run(interpreter, "-m", "pip", "install", "--disable-pip-version-check", *requirements)

    once(place, "\n".join([sys.base_prefix, sys.version, *requirements]), fill)
    return interpreter


def install_node(name: str, packages: dict[str, str], *options: str) -> Path:
    """The folder of Node packages that has ``packages``, installed with npm's ``options``."""
    place = ROOT / name
    wanted = json.dumps({"private": True, "dependencies": packages}, indent=1)

    def fill() -> None:
        place.mkdir(parents=True)
        (place / "package.json").write_text(wanted, encoding="utf-8")
        run(program("npm"), "install", "--no-audit", "--no-fund", *options, "--prefix", str(place))

    once(place, wanted, fill)
    return place / "node_modules"


def once(place: Path, wanted: str, fill: Callable[[], None]) -> None:
    """Have ``fill`` make ``place``, unless a stamp says that it did so for what is wanted now."""
    stamp = place / "complete"
    if stamp.exists() and stamp.read_text(encoding="utf-8") == wanted:
        return
    shutil.rmtree(place, ignore_errors=True)
    fill()
    stamp.write_text(wanted, encoding="utf-8")


def program(name: str) -> str:
    """The path of a program that has to be on the machine already."""
    found = shutil.which(name)
    assert found, f"the end-to-end tests need {name} on PATH"
    return found


def run(*command: str) -> None:
    """Run one step of an installation; what it says is shown where it fails."""
    step = subprocess.run(command, capture_output=True, text=True, timeout=INSTALL_TIMEOUT, check=False)
    assert step.returncode == 0, f"{' '.join(command)}\n{step.stdout}{step.stderr}"
