"""``mcp-tap demo``: the whole thing in one go, offline."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from pathlib import Path

import anyio

from mcp_tap import api
from mcp_tap.clients.wrapped_command import COMMAND, base_name
from mcp_tap.commands.show_output import TextOutput
from mcp_tap.commands.showing import Showing, show_all
from mcp_tap.demo.client import play
from mcp_tap.errors import ExitStatus, TapError, one_line
from mcp_tap.model.filters import Filter
from mcp_tap.record.find import RecordingLocation, recordings_in
from mcp_tap.record.paths import default_directory
from mcp_tap.record.writer import make_private_directory
from mcp_tap.views.findings import print_report
from mcp_tap.views.paint import Painter
from mcp_tap.views.terminal import terminal_width, wants_colour


def demo(log_dir: str | None) -> int:
    """Record a session of the bundled server, print it, and say where the recording lies.

    Raises :class:`TapError` if the session fails.
    """
    directory = os.path.abspath(log_dir or default_directory())
    try:
        make_private_directory(directory)
    except OSError as error:
        raise TapError(f"cannot record in {one_line(directory)}: {error.strerror}") from None
    before = set(recordings_in(directory))
    # -P: a file in the working directory that is named like a module must not be taken for it.
    # What PYTHONPATH and the user's packages have is left out by own_environment().
    python = [sys.executable, "-P", "-m"]
    server = [*python, "mcp_tap.demo.server"]
    tap = [*python, "mcp_tap", "run", "--log-dir", directory, "--name", "notes-demo"]
    status = anyio.run(play, [*tap, "--", *server], own_environment())
    if status != 0:
        raise TapError(f"the demo's server ended with exit status {status}")
    new = [path for path in recordings_in(directory) if path not in before]
    if not new:
        raise TapError(f"the session was not recorded: no new recording in {directory}")
    width, colour = terminal_width(), wants_colour()
    output = TextOutput(sys.stdout, width, colour, "short", filtered=False)
    show_all(Showing(output, Filter(), None, looks_ahead=True), [RecordingLocation(new[-1])])
    print("\nDiagnosis:\n", flush=True)
    print_report(api.diagnose(new[-1]), Painter(sys.stdout, colour), width)
    print(f"\nRecorded in {new[-1]}")
    tap_here = typed_command(sys.argv[0])
    print(f"With full payloads: {tap_here} show --full" + where(log_dir))
    print(f"Statistics: {tap_here} stats" + (f" {shlex.quote(log_dir)}" if log_dir else ""))
    print(f"Diagnose another recording: {tap_here} check RECORDING")
    print(f"To record your own server, put this in front of its command: {tap_here} run --")
    return ExitStatus.OK


def own_environment() -> dict[str, str]:
    """The environment in which the demo's two programs find the tap, and nothing of a project's."""
    own = str(Path(__file__).resolve().parents[2])
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    if own in map(os.path.abspath, os.environ.get("PYTHONPATH", "").split(os.pathsep)):
        environment["PYTHONPATH"] = own
    return environment


def typed_command(program: str) -> str:
    """How this very tap can be typed here, given how it was started (``sys.argv[0]``).

    Its bare name where the shell would find this one, else its path; where it was started as a
    module, that.
    """
    found = shutil.which(COMMAND)
    if base_name(program) != COMMAND:
        return f"{shlex.quote(sys.executable)} -m mcp_tap"
    if found is not None and os.path.realpath(found) == os.path.realpath(program):
        return COMMAND
    return shlex.quote(program)


def where(log_dir: str | None) -> str:
    """The option that finds the recording again."""
    return f" --log-dir {shlex.quote(log_dir)}" if log_dir else ""
