"""``mcp-tap wrapped``: where the tap is, and whether it still works there."""

from __future__ import annotations

import os
import sys

from mcp_tap.clients.locations import this_environment
from mcp_tap.clients.request import WrapRequest
from mcp_tap.clients.search import search
from mcp_tap.commands.selecting import change, nothing_wrapped, stale_reason
from mcp_tap.errors import ExitStatus
from mcp_tap.process.own_streams import warn_stderr
from mcp_tap.views.changes import changes_json, changes_table


def wrapped(request: WrapRequest) -> int:
    """List the entries that have the tap in them, in all known files unless ``request`` says less.

    Returns 1 if one of them is stale: the tap has moved, or its log directory is gone. 2 if a file
    could not be searched, with a sentence for each on stderr; the others are listed.
    """
    result = search(request, this_environment(request.project), everywhere=True, with_remembered=True)
    found = [each for each in result.found if each.entry.is_wrapped]
    changes = [change(each, "wrapped", stale_reason(each)) for each in found]
    if request.as_json:
        sys.stdout.write(changes_json(changes))
    elif changes:
        from mcp_tap.views.terminal import table_width, wants_colour

        home = os.path.expanduser("~")
        sys.stdout.write(changes_table(changes, table_width(), colour=wants_colour(), home=home))
    else:
        warn_stderr(nothing_wrapped(result.searched))
    sys.stdout.flush()
    for sentence in result.problems:
        warn_stderr(sentence)
    if result.problems:
        return ExitStatus.FAILED
    return ExitStatus.FINDINGS if any(each.reason for each in changes) else ExitStatus.OK
