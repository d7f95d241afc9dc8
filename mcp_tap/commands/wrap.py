"""``mcp-tap wrap``: the tap put in front of servers in clients' configurations."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping

from mcp_tap.clients import edit
from mcp_tap.clients.entry import wrap_warning
from mcp_tap.clients.open_file import OpenFile
from mcp_tap.clients.request import CommandStyle, WrapRequest
from mcp_tap.clients.search import FoundServer
from mcp_tap.clients.tap_command import default_style, run_options, tap_command
from mcp_tap.clients.wrapped_command import COMMAND, read_wrapped
from mcp_tap.commands.rewriting import (
    RewriteSummary,
    by_file,
    print_problems,
    report,
    report_unresolved,
    rewrite,
)
from mcp_tap.commands.selecting import resolve
from mcp_tap.commands.wrappable import wrappable
from mcp_tap.errors import TapError, one_line
from mcp_tap.process.own_streams import warn_stderr
from mcp_tap.record.writer import make_private_directory


def wrap(request: WrapRequest) -> int:
    """Put the tap into the entries that ``request`` names, and say what is to be done next.

    The log directory is written into the entry in any case: a client may run in another environment.
    Returns 1 if an entry was refused, 2 where it is not certain what is meant: then nothing was done.
    Raises :class:`TapError` for a request that names nothing, and where the tap or its directory cannot be
    written into a configuration.
    """
    options = run_options(request.log_dir)
    resolution = resolve(request)
    if resolution.unresolved:
        return report_unresolved(request, resolution)
    if not request.dry_run:
        make_log_directory(options)
    summary = RewriteSummary(request.dry_run)
    print_problems(request, summary, resolution)
    for opened, found in by_file(resolution.found):
        wrap_file(request, summary, opened, found, options)
    status = report(request, summary, notes=True)
    if any(each.state == "wrapped" for each in summary.changes):
        warn_of_bare_command({style_of(request, each) for each in summary.touched})
    return status


def wrap_file(
    request: WrapRequest,
    summary: RewriteSummary,
    opened: OpenFile,
    found: list[FoundServer],
    options: Mapping[str, str],
) -> None:
    """Put the tap into entries of one file, together; one that no longer works is replaced."""
    style = style_of(request, found[0])
    tap = tap_command(style)
    chosen = wrappable(request, summary, found, style)
    own = {
        each.entry.path: options_again(request, each.entry, options)
        for each in chosen
        if each.entry.is_wrapped
    }

    def put_in(entries: list[edit.ServerEntry]) -> edit.EditedText:
        return edit.rewrap(opened.text, opened.form, entries, tap, options, opened.root, own)

    for each in rewrite(summary, opened, chosen, put_in, "wrapped"):
        clause = wrap_warning(each.entry.node.value, options["--log-dir"])
        summary.warnings += [f"{each.entry.name} {clause}"] if clause else []


def options_again(
    request: WrapRequest, entry: edit.ServerEntry, options: Mapping[str, str]
) -> dict[str, str]:
    """The options of a tap that takes another's place: those that it had, and a directory that is there."""
    wrapped = read_wrapped(entry.sure_slot.argv)
    given = {key: value for key, value in wrapped.options.items() if value} if wrapped else {}
    if request.log_dir is None and ("--log" in given or os.path.isdir(given.get("--log-dir", ""))):
        return given
    given.pop("--log", None)
    return {**given, **options}


def style_of(request: WrapRequest, found: FoundServer) -> CommandStyle:
    """How the tap's command is written into the file of an entry."""
    return request.command_style or default_style(found.location.known)


def make_log_directory(options: Mapping[str, str]) -> None:
    """Create the log directory now, so that one that is missing later has gone. Raises :class:`TapError`."""
    directory = options["--log-dir"]
    try:
        make_private_directory(directory)
    except OSError as error:
        raise TapError(f"cannot create the log directory {one_line(directory)}: {error.strerror}") from None


def warn_of_bare_command(styles: set[CommandStyle]) -> None:
    """A word where the bare command was written, and could not be started from here."""
    if "bare" in styles and shutil.which(COMMAND) is None:
        warn_stderr(
            f"{COMMAND} is not on the PATH: make sure that the client finds it, or use "
            "--command-style absolute"
        )
