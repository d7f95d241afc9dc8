"""PRO003: the server died in the middle of a call."""

from __future__ import annotations

from mcp_tap.diagnosis.life import how_ended
from mcp_tap.diagnosis.pending import explain
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.diagnosis.text import plural, seconds, subject
from mcp_tap.rules.process._base import (
    add_evidence,
    blamed,
    exit_number,
    last_words,
    named_few,
    open_at_death,
    records_between,
    spoke_and_left,
)


class DiedInACall(Rule):
    """The server died in the middle of a call.

    What it means: the process ended, or closed its stdout, of its own accord while requests of the
    client were open. They were never answered.

    Why it matters: the client reports "Connection closed" (-32000) for each of them, all tools are
    gone, and what the call has done so far is unknown.

    Fails:
        1 → 5 tools/call {"name":"export","arguments":{}}
        1.2 2> panic: index out of range
        1.2 ·· eof stream=s2c
        1.2 ·· exit code=2 first=server-exit

    Passes:
        1 → 5 tools/call {"name":"export","arguments":{}}
        1.5 ·· signal name=SIGINT forwarded=true
        1.6 ·· exit code=130 first=client-signal

    What to do: look at the end of stderr, and call the same tool with the same arguments again.
    Let handlers catch what goes wrong and answer with an error or `isError`.
    """

    id = "PRO003"
    title = "the server died in the middle of a call"
    severity = "error"
    culprit = "server"
    needs_whole = True
    next = "look at the end of stderr; repeat the call with the same arguments"

    def end(self) -> None:
        context = self.context
        if not spoke_and_left(context):
            return
        pending = open_at_death(context)
        if not pending:
            return
        ending, life, why = context.session.ending, context.life, last_words(context)
        said = f"; {why.quoted}" if why is not None else "; nothing on stderr"
        last = exit_number(context)
        told = why.told if why is not None else None
        hit = self.hit(
            [*(each.seq for each in pending), last],
            f"server {how_ended(ending)} after {seconds(life.lived)} with {plural(len(pending), 'request')} "
            f"open: {named_few(pending)}{said}",
            key=subject(pending[-1]),
            next=told.next if told is not None else None,
            culprit=blamed(context),
        )
        explain(hit, records_between(pending[0].seq, last))
        add_evidence(hit, context)
