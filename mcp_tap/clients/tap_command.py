"""The tap's own command line, as it is written into a configuration."""

from __future__ import annotations

import os
import shutil
import sys
import sysconfig
import zipfile

from mcp_tap.clients.known import KnownFiles
from mcp_tap.clients.request import CommandStyle
from mcp_tap.clients.wrapped_command import COMMAND, MODULE, base_name
from mcp_tap.errors import TapError, one_line
from mcp_tap.record.paths import default_directory

SECONDS_TO_START = 20.0
"""More than any client waits; it takes a tenth of a second."""

EXPANDED = "$%{}"
"""What clients expand in arguments, each some of it: no word of the tap may hold one."""


def run_options(log_dir: str | None) -> dict[str, str]:
    """The options of ``run`` besides the name.

    Raises :class:`TapError` for a directory that clients would not pass on as it is.
    """
    directory = os.path.abspath(log_dir or default_directory())
    check_unexpanded(directory, "the log directory")
    return {"--log-dir": directory}


def check_unexpanded(word: str, what: str) -> None:
    """Raises :class:`TapError` for a word that cannot stand in every configuration as it is."""
    bad = next((letter for letter in word if letter in EXPANDED or not letter.isprintable()), None)
    if bad is not None:
        raise TapError(f"{what} {one_line(word)} contains {bad!r}, which clients may expand or change")


def default_style(files: KnownFiles) -> CommandStyle:
    """A desktop application does not have the user's PATH; a repository is not on the user's machine only.

    A bare name that cannot be found even from here would be no command at all.
    """
    return "bare" if files.in_repository and shutil.which(COMMAND) else "absolute"


def tap_command(style: CommandStyle) -> list[str]:
    """The words that start this very tap. Raises :class:`TapError` where they cannot be written down."""
    if style == "bare":
        return [COMMAND]
    archive = own_archive()
    script = own_script() if style == "absolute" and not archive else None
    tap = (
        [script]
        if script
        else [os.path.abspath(sys.executable), *([archive] if archive else ["-P", "-m", MODULE])]
    )
    for word in tap:
        check_unexpanded(word, "the path of mcp-tap")
    if not script and not starts_anywhere(tap):
        raise TapError(
            f"{' '.join(map(one_line, tap))} does not start mcp-tap outside this directory: "
            "install mcp-tap and try again"
        )
    return tap


def starts_anywhere(tap: list[str]) -> bool:
    """Whether ``tap`` starts in another directory too, and without PYTHONPATH: where a client would."""
    import subprocess

    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    try:
        done = subprocess.run(
            [*tap, "--version"], cwd=os.path.abspath(os.sep), env=environment,
            stdin=subprocess.DEVNULL, capture_output=True, timeout=SECONDS_TO_START, check=False,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def own_archive() -> str | None:
    """The archive that this tap runs from (zipapp, shiv, pex); None where it does not.

    Raises :class:`TapError` where it has a name by which ``unwrap`` would not know it.
    """
    called = os.path.abspath(sys.argv[0])
    if os.path.splitext(called)[1] == ".exe" or not zipfile.is_zipfile(called):
        return None  # what pip makes on Windows is an archive behind a program
    if base_name(called) != COMMAND:
        raise TapError(f"rename {one_line(called)} to {COMMAND}.pyz, or unwrap will not recognise it")
    return called


def own_script() -> str | None:
    """The absolute path of the ``mcp-tap`` command; None where there is only the module.

    As the user has called it, links unresolved: a link in ``~/.local/bin`` outlives what it points to.
    What else is called mcp-tap on the PATH may be the other program of that name.
    """
    called = os.path.abspath(sys.argv[0])
    beside = os.path.join(sysconfig.get_path("scripts"), COMMAND + (".exe" if os.name == "nt" else ""))
    for path in (called, beside):
        if base_name(path) == COMMAND and os.path.isfile(path):
            return path
    return None
