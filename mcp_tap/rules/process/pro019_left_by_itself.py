"""PRO019: the server ended without being asked."""

from __future__ import annotations

from mcp_tap.diagnosis.life import how_ended
from mcp_tap.diagnosis.pending import explain
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.diagnosis.text import seconds
from mcp_tap.model.ending import FROM_ELSEWHERE
from mcp_tap.rules.process._base import (
    add_evidence,
    blamed,
    crash,
    exit_number,
    last_words,
    open_at_death,
    records_between,
    spoke_and_left,
)


class LeftByItself(Rule):
    """The server ended without being asked.

    What it means: the process ended while the client was connected and waited for nothing. Exit
    code 0 looks intended: some servers leave after a time without work. SIGTERM and its like, if the
    tap has not passed them on, were sent to the server directly, some clients do that at their end;
    both are information.

    Why it matters: the client loses all tools of the server, some of them without a word, and
    starts it anew at best.

    Fails:
        300 2> fatal: lost the database
        300 ·· eof stream=s2c
        300 ·· exit code=1 first=server-exit

    Passes:
        300 ·· eof stream=c2s
        300.1 ·· eof stream=s2c
        300.1 ·· exit code=0 first=client-eof

    What to do: look at the end of stderr. A stdio server should live until its stdin ends.
    """

    id = "PRO019"
    title = "the server ended without being asked"
    severity = "error"
    culprit = "server"
    needs_whole = True
    next = "look at the end of stderr; a stdio server should live until its stdin ends"
    spec = "2025-11-25/basic/lifecycle#shutdown"

    def end(self) -> None:
        context = self.context
        ending = context.session.ending
        if not spoke_and_left(context) or ending.first == "server-eof" or open_at_death(context):
            return
        if crash(context) is not None:
            return
        intended = (ending.code == 0 and ending.signal is None) or ending.signal in FROM_ELSEWHERE
        why = last_words(context)
        said = f"; {why.quoted}" if why is not None and not intended else ""
        told = why.told if why is not None and not intended else None
        last = exit_number(context)
        hit = self.hit(
            last,
            f"server {how_ended(ending)} after {seconds(context.life.lived)} while the client was connected, "
            f"with no request open{said}",
            key=ending.signal or f"exit {ending.code}",
            severity="info" if intended else None,
            culprit=blamed(context),
            next=told.next if told is not None else None,
        )
        if not intended:
            explain(hit, records_between(last - LAST_RECORDS, last))
            add_evidence(hit, context)


LAST_RECORDS = 50
"""Records before an end that may be about it: a traceback."""
