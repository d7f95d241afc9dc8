"""PRO004: the exit was not clean."""

from __future__ import annotations

from mcp_tap.diagnosis.life import CRASHES, how_ended, is_windows
from mcp_tap.diagnosis.pending import explain
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.rules.process._base import add_evidence, exit_number, is_failure, last_words, records_between


class NonZeroExit(Rule):
    """The server did not exit cleanly when the client closed its stdin.

    What it means: the client ended the session the regular way, by closing stdin, and sent no
    signal; the server answered that by an exit code that says failure, or crashed.

    Why it matters: clients and supervisors show it as a failure of the server at each end of a
    session, and it hides real ones. What the server meant to save at its end may be lost.

    Fails:
        2 ·· eof stream=c2s
        2.1 ·· exit code=1 first=client-eof

    Passes:
        2 ·· eof stream=c2s
        3 ·· signal name=SIGTERM forwarded=true
        3.1 ·· exit code=143 first=client-eof

    What to do: treat the end of stdin as the end of the session: leave the read loop, exit 0.
    """

    id = "PRO004"
    title = "the exit was not clean"
    severity = "warning"
    culprit = "server"
    needs_whole = True
    next = "treat the end of stdin as the regular end: leave the read loop and exit 0"
    spec = "2025-11-25/basic/lifecycle#shutdown"

    def end(self) -> None:
        context = self.context
        ending, life = context.session.ending, context.life
        closed = life.ends.get("c2s")
        if ending.first not in ("client-eof", "client-gone") or life.signals:
            return
        if ending.signal not in CRASHES and not is_failure(ending.code):
            return
        if (
            closed is not None
            and (life.died_t or 0.0) - closed.t >= PATIENCE_SECONDS
            and (ending.code == 1 and is_windows(context.session.start))
        ):
            return
        last = exit_number(context)
        when = "after the client had closed stdin" if closed is not None else "after the client was gone"
        said = why.quoted if (why := last_words(context)) is not None else "nothing on stderr"
        hit = self.hit(
            [*([closed.seq] if closed is not None else []), last],
            f"server {how_ended(ending)} {when}; {said}",
            key=ending.signal or f"exit {ending.code}",
        )
        explain(hit, records_between(0 if closed is None else closed.seq, last))
        add_evidence(hit, context)


PATIENCE_SECONDS = 1.9
"""After so long clients use force. On Windows what is ended by force exits with 1, and there is no signal."""
