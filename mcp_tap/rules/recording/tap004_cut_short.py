"""TAP004: the end is not on file."""

from __future__ import annotations

from mcp_tap.diagnosis.life import name_of
from mcp_tap.diagnosis.rule import Rule


class CutShort(Rule):
    """The recording stops in the middle of the end.

    What it means: the client had begun to end the session (it closed stdin, or sent a signal), or
    the server had closed its stdout, and no record tells how the server ended. The tap was killed
    together with it (SIGKILL leaves no time for a record), or is still waiting for it.

    Why it matters: it is harmless where a client is impatient. It also shows a server that does not
    leave: clients use SIGKILL where nothing else has helped.

    Fails:
        5 ·· eof stream=c2s
        5.5 ·· signal name=SIGTERM forwarded=true
        ...

    Passes:
        5 → 1 ping
        5.1 ← 1 result
        ...

    What to do: nothing, or see whether the server ends by itself within two seconds after its stdin
    is closed.
    """

    id = "TAP004"
    title = "the end is not on file"
    severity = "info"
    culprit = "undecided"
    needs_whole = True
    next = "nothing, or see whether the server leaves within two seconds after its stdin is closed"

    def end(self) -> None:
        context = self.context
        if context.over:
            return
        ways = [context.life.ends.get("c2s"), context.life.ends.get("s2c"), *context.life.signals[-1:]]
        steps = sorted((record for record in ways if record is not None), key=lambda record: record.seq)
        if steps:
            last = steps[-1]
            what = name_of(last) if last.event == "signal" else ENDED.get(str(last.fields.get("stream")), "")
            self.hit(
                [record.seq for record in steps],
                f"no end is on file after {what}: the tap was killed with its server, or both still run",
            )


ENDED = {"c2s": "the client closed stdin", "s2c": "the server closed its stdout"}
