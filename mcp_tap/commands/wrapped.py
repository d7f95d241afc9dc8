"""``mcp-tap wrapped``: where the tap is, and whether it still works there."""

from __future__ import annotations

import os
import sys

from mcp_tap.clients.places import surroundings
from mcp_tap.commands.selecting import Selection, change, findings_of, stale, unfolded
from mcp_tap.errors import ExitStatus
from mcp_tap.process.own_streams import warn_stderr
from mcp_tap.views.changes import changes_json, changes_table


def nowhere(files: int) -> str:
    """The sentence where there is no tap."""
    if not files:
        return "no configuration of a known client was found here: name the file with --config"
    return (
        f"the tap is in none of the {files} files looked into" if files > 1 else "the tap is not in the file"
    )


def wrapped(selection: Selection, *, as_json: bool = False) -> int:
    """List the entries that have the tap in them, in all known files unless ``selection`` says less.

    Returns 1 if one of them is stale: the tap has moved, or its log directory is gone. 2 if a file
    could not be looked into, with a sentence for each on stderr; the others are listed.
    """
    findings = findings_of(
        selection, surroundings(selection.project and unfolded(selection.project)), everywhere=True
    )
    found = [each for each in findings.found if each.entry.is_wrapped]
    changes = [change(each, "wrapped", stale(each)) for each in found]
    if as_json:
        sys.stdout.write(changes_json(changes))
    elif changes:
        from mcp_tap.views.terminal import terminal_width, wants_colour

        home = os.path.expanduser("~")
        sys.stdout.write(changes_table(changes, terminal_width(), colour=wants_colour(), home=home))
    else:
        warn_stderr(nowhere(len(findings.looked_into)))
    sys.stdout.flush()
    for sentence in findings.troubles:
        warn_stderr(sentence)
    if findings.troubles:
        return ExitStatus.FAILED
    return ExitStatus.FINDINGS if any(each.reason for each in changes) else ExitStatus.OK
