"""PRO005: the server crashed or was killed."""

from __future__ import annotations

from mcp_tap.diagnosis.life import KILLED_NEXT
from mcp_tap.diagnosis.pending import explain
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.diagnosis.text import plural, seconds
from mcp_tap.rules.process._base import (
    add_evidence,
    crash,
    exit_number,
    last_words,
    named_few,
    open_at_death,
    records_between,
    spoke_and_left,
)


class Crashed(Rule):
    """The server crashed or was killed.

    What it means: the process was ended by a signal that neither the client has sent nor the tap
    has passed on. SIGSEGV, SIGBUS, SIGABRT and their like come from the program itself; SIGKILL
    comes from outside, most often from the system when memory has run out.

    Why it matters: the session is over at once, open calls are lost, and there is often nothing on
    stderr.

    Fails:
        3.2 ·· eof stream=s2c
        3.2 ·· exit signal=SIGSEGV first=server-exit

    Passes:
        3.2 ·· eof stream=c2s
        3.3 ·· signal name=SIGTERM forwarded=true
        3.3 ·· exit signal=SIGTERM first=client-eof

    What to do: SIGKILL: look for "Out of memory" in `dmesg` or the journal, and at the memory limit
    of the container. SIGSEGV and its like: a native module is broken; SIGABRT with "heap out of
    memory" on stderr: give Node more memory (--max-old-space-size).
    """

    id = "PRO005"
    title = "the server crashed or was killed"
    severity = "error"
    culprit = "server"
    needs_whole = True
    next = "look for a core dump and for broken native modules"

    def end(self) -> None:
        context = self.context
        what = crash(context)
        if what is None or not spoke_and_left(context):
            return
        pending, last, why = open_at_death(context), exit_number(context), last_words(context)
        with_open = f", with {plural(len(pending), 'request')} open ({named_few(pending)})" if pending else ""
        said = f"; {why.quoted}" if why is not None else ""
        killed = context.session.ending.signal == "SIGKILL"
        told = why.told if why is not None else None
        hit = self.hit(
            [*(each.seq for each in pending), last],
            f"server {what} after {seconds(context.life.lived)}{with_open}, and the client had not asked it "
            f"to end{said}",
            key=context.session.ending.signal or f"exit {context.session.ending.code}",
            next=told.next if told is not None else KILLED_NEXT if killed else None,
            culprit="undecided" if killed else None,
        )
        explain(hit, records_between(pending[0].seq if pending else last, last))
        add_evidence(hit, context)
