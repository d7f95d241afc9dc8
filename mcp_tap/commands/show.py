"""``mcp-tap show``: a session as a readable conversation, or as JSON Lines.

Streams: what is kept of a recording is its open exchanges and a bounded look-ahead.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Literal, TextIO

from mcp_tap.commands.reading import pause, what_to_follow
from mcp_tap.commands.show_output import JsonOutput, Output, TextOutput
from mcp_tap.commands.showing import Showing, show_all
from mcp_tap.errors import TapError
from mcp_tap.model.filters import Filter
from mcp_tap.record.find import find_recordings
from mcp_tap.record.follow import NewLine
from mcp_tap.views.terminal import terminal_width, wants_colour

Shape = Literal["short", "full", "raw", "json"]

EVERYTHING = Filter()


def show(
    what: str | None,
    *,
    shape: Shape = "short",
    wanted: Filter = EVERYTHING,
    session: str | None = None,
    log_dir: str | None = None,
    following: bool = False,
    out: TextIO | None = None,
    wait: Callable[[], bool] | None = None,
) -> int:
    """Print the records of the recordings that ``what`` names.

    ``session`` is the beginning or the end of a session's id. ``following`` goes on until
    KeyboardInterrupt, or until ``wait``, which is called when there is nothing new, returns
    False. Returns 0, or 2 if a file could not be read (which was said on stderr). Raises
    :class:`TapError` where there is nothing to show.
    """
    stream = out or sys.stdout
    output: Output
    if shape == "json":
        output = JsonOutput(stream)
    else:
        filtered = not wanted.takes_everything
        output = TextOutput(stream, terminal_width(), wants_colour() and out is None, shape, filtered)
    showing = Showing(output, wanted, session, looks_ahead=not following)
    if following:
        follow_all(showing, what, log_dir, wait or (lambda: pause(stream)))
    else:
        show_all(showing, find_recordings(what, log_dir))
    stream.flush()
    return showing.status


def follow_all(showing: Showing, what: str | None, log_dir: str | None, wait: Callable[[], bool]) -> None:
    """Print what there is, and then what is appended.

    With a directory, or nothing, a session that starts later there is printed too; a file or a
    session is followed alone.
    """
    refused: set[str] = set()
    meant = what_to_follow(what, log_dir)
    for news in meant.news(wait):
        if news.path in refused:
            continue
        showing.begin(news.path, meant.only, several=meant.directory is not None)
        if not isinstance(news, NewLine):
            showing.restart()
            continue
        try:
            showing.take(news.data, news.number)
        except TapError as error:
            showing.fail(str(error))
            refused.add(news.path)
