"""Every verb's options in one place, the dispatch, and the one boundary for errors.

``run`` is read by hand and everything else by ``argparse``: the client waits for ``run``, and
``argparse`` would drop the server's own "--" and cost 6 ms before the server could start.
"""

from __future__ import annotations

import os
import sys

from mcp_tap.errors import ExitStatus, TapError, UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one verb; returns the exit status, raises nothing a user could see."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    if words[:1] == ["run"]:
        from mcp_tap.commands.run import run_command

        return guarded(ExitStatus.TAP_FAILED, run_command, words[1:])
    return guarded(ExitStatus.FAILED, review_command, words)


def guarded(status: int, command, words):
    return command(words)


def review_command(words):
    return 2
