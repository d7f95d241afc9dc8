"""Which of the chosen entries can be wrapped, for ``wrap`` and for ``wrap --print``."""

from __future__ import annotations

import os
import shutil

from mcp_tap.clients.entry import NOTHING_TO_WRAP, EntryRefusal, wrap_refusal
from mcp_tap.clients.request import CommandStyle, WrapRequest
from mcp_tap.clients.search import FoundServer
from mcp_tap.clients.wrapped_command import COMMAND
from mcp_tap.commands.rewriting import RewriteSummary
from mcp_tap.commands.selecting import change, stale_reason


def wrappable(
    request: WrapRequest, summary: RewriteSummary, found: list[FoundServer], style: CommandStyle | None = None
) -> list[FoundServer]:
    """Those of ``found`` that can be wrapped; what becomes of the others is noted in ``summary``.

    ``style``: what is stale is to be wrapped once more, with the tap's command in this style.
    """
    chosen: list[FoundServer] = []
    for each in found:
        refusal = refusal_of(request, each)
        if each.entry.is_wrapped:
            stale = stale_reason(each)
            if stale and style and not (style == "bare" and shutil.which(COMMAND) is None):
                chosen.append(each)
            else:
                summary.changes.append(change(each, "already", stale))
        elif refusal is not None:
            summary.refuse([each], str(refusal))
            summary.nothing_to_wrap += not request.names and refusal.reason in NOTHING_TO_WRAP
        else:
            chosen.append(each)
    return chosen


def refusal_of(request: WrapRequest, found: FoundServer) -> EntryRefusal | None:
    """Why an entry is not to be wrapped."""
    entry = found.entry
    if isinstance(entry.slot, EntryRefusal):
        return entry.slot
    return wrap_refusal(
        entry.node.value,
        entry.slot,
        with_disabled=request.with_disabled,
        is_file=is_file(entry.slot.argv[0]),
        expands_command=found.location.client.expands_command,
    )


def is_file(program: str) -> bool:
    """Whether a command, taken as one word, can be found."""
    return os.path.exists(os.path.expanduser(program)) or shutil.which(program) is not None
