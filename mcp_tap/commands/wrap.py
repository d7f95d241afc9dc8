"""``mcp-tap wrap``: the tap put in front of servers in clients' configurations."""

from __future__ import annotations

import os
import shutil
import sys
import sysconfig
import zipfile
from collections.abc import Mapping
from typing import Literal

from mcp_tap.clients import edit
from mcp_tap.clients.entry import COMMAND, MODULE, NOTHING_TO_WRAP, Refusal, base_name, caution, objection
from mcp_tap.clients.search import Found, OpenFile
from mcp_tap.commands.rewriting import (
    Outcome,
    by_file,
    edited_as_far_as_possible,
    report,
    report_unresolved,
    rewrite,
    say_troubles,
)
from mcp_tap.commands.selecting import Selection, change, choose, stale, unfolded
from mcp_tap.errors import TapError, one_line
from mcp_tap.process.own_streams import warn_stderr
from mcp_tap.record.paths import default_directory
from mcp_tap.record.writer import make_private_directory

SECONDS_TO_START = 20.0
"""More than any client waits; it takes a tenth of a second."""

Style = Literal["absolute", "bare", "module"]

EXPANDED = "$%{}"
"""What clients expand in arguments, each some of it: no word of the tap may hold one."""


def wrap(
    selection: Selection,
    *,
    dry_run: bool = False,
    as_json: bool = False,
    log_dir: str | None = None,
    style: Style | None = None,
    even_disabled: bool = False,
) -> int:
    """Put the tap into the entries that ``selection`` names, and say what is to be done next.

    ``log_dir`` (by default the one that the review verbs look into) is written into the entry in any
    case: a client may run in another environment. ``style`` is by default absolute in a user's own
    files, and bare in those of a repository. Returns 1 if an entry was refused, 2 where it is not
    certain what is meant: then nothing was done. Raises :class:`TapError` for a selection that selects
    nothing, and where the tap or its directory cannot be written into a configuration.
    """
    options = run_options(log_dir)
    choice = choose(selection, elsewhere=False)
    if choice.unresolved:
        return report_unresolved(choice, as_json=as_json)
    if not dry_run:
        make_log_directory(options)
    outcome = Outcome(dry_run)
    if not selection.names:
        say_troubles(choice)
    for opened, found in by_file(choice.found):
        tap = tap_command(style or default_style(found[0]))
        chosen = wanted(outcome, found, even_disabled=even_disabled, named=bool(selection.names))
        wrap_file(outcome, opened, chosen, tap, options)
    status = report(outcome, as_json=as_json, advise=True)
    if any(each.state == "wrapped" for each in outcome.changes):
        warn_of_bare_command(outcome, style)
    return status


def wanted(outcome: Outcome, found: list[Found], *, even_disabled: bool, named: bool) -> list[Found]:
    """The entries of one file that can be wrapped; what becomes of the others is noted."""
    chosen: list[Found] = []
    for each in found:
        refusal = refusal_of(each, even_disabled=even_disabled)
        if each.entry.is_wrapped:
            outcome.changes.append(change(each, "already", stale(each)))
        elif refusal is not None:
            outcome.refuse([each], str(refusal))
            outcome.forgivable += not named and refusal.reason in NOTHING_TO_WRAP
        else:
            chosen.append(each)
    return chosen


def refusal_of(found: Found, *, even_disabled: bool) -> Refusal | None:
    """Why an entry is not to be wrapped."""
    entry = found.entry
    if isinstance(entry.seat, Refusal):
        return entry.seat
    return objection(
        entry.node.value,
        entry.seat,
        even_disabled=even_disabled,
        is_file=is_file(entry.seat.argv[0]),
        expands_command=found.spot.client.expands_command,
    )


def is_file(program: str) -> bool:
    """Whether a command, taken as one word, can be found."""
    return os.path.exists(os.path.expanduser(program)) or shutil.which(program) is not None


def wrap_file(
    outcome: Outcome, opened: OpenFile, chosen: list[Found], tap: list[str], options: Mapping[str, str]
) -> None:
    """Put the tap into entries of one file, together."""
    if not chosen:
        return

    def make(entries: list[edit.Entry]) -> edit.Edited:
        return edit.wrap(opened.text, opened.form, entries, tap, options, opened.root)

    chosen, edited = edited_as_far_as_possible(outcome, chosen, make)
    if edited is None:
        return
    for each in chosen:
        clause = caution(each.entry.node.value, options["--log-dir"])
        outcome.cautions += [f"{each.entry.name} {clause}"] if clause else []
    rewrite(outcome, opened, chosen, edited, "wrapped")


def run_options(log_dir: str | None) -> dict[str, str]:
    """The options of ``run`` besides the name. Raises :class:`TapError` for a directory that clients would
    not pass on as it is.
    """
    if log_dir == "":
        raise TapError("the log directory's name is empty: --log-dir DIR")
    directory = os.path.abspath(unfolded(log_dir) if log_dir else default_directory())
    must_be_plain(directory, "the log directory")
    return {"--log-dir": directory}


def must_be_plain(word: str, what: str) -> None:
    """Raises :class:`TapError` for a word that cannot stand in every configuration as it is."""
    bad = next((letter for letter in word if letter in EXPANDED or not letter.isprintable()), None)
    if bad is not None:
        raise TapError(f"{what} {one_line(word)} has a {bad!r} in its name, which clients would change")


def make_log_directory(options: Mapping[str, str]) -> None:
    """Create the log directory now, so that one that is missing later has gone. Raises :class:`TapError`."""
    directory = options["--log-dir"]
    try:
        make_private_directory(directory)
    except OSError as error:
        raise TapError(f"cannot record in {one_line(directory)}: {error.strerror}") from None


def default_style(found: Found) -> Style:
    """A desktop application does not have the user's PATH; a repository is not on the user's machine only."""
    return "bare" if found.spot.place.in_repository else "absolute"


def tap_command(style: Style) -> list[str]:
    """The words that start this very tap. Raises :class:`TapError` where they cannot be written down."""
    if style == "bare":
        return [COMMAND]
    archive = own_archive()
    script = own_script() if style == "absolute" and not archive else None
    module = [archive] if archive else ["-P", "-m", MODULE]
    tap = [script] if script else [os.path.abspath(sys.executable), *module]
    for word in tap:
        must_be_plain(word, "the tap's own program")
    if not script and not starts_anywhere(tap):
        raise TapError(
            f"{' '.join(map(one_line, tap))} starts the tap from here only: install it, and try again"
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

    Raises :class:`TapError` where it is called so that nobody would know it again.
    """
    called = os.path.abspath(sys.argv[0])
    if os.path.splitext(called)[1] == ".exe" or not zipfile.is_zipfile(called):
        return None  # what pip makes on Windows is an archive behind a program
    if base_name(called) != COMMAND:
        raise TapError(f"call the tap's archive {COMMAND}.pyz: {one_line(called)} would not be known again")
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


def warn_of_bare_command(outcome: Outcome, style: Style | None) -> None:
    """A word where the bare command was written, and could not be started from here."""
    styles = {style or default_style(each) for each in outcome.touched}
    if "bare" in styles and shutil.which(COMMAND) is None:
        warn_stderr(
            f"{COMMAND} is not on the PATH here, but its client must find it: or --command-style absolute"
        )
