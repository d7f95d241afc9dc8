"""TAP004: recording has no exit event."""

from __future__ import annotations

from mcp_tap.diagnosis.life import name_of
from mcp_tap.diagnosis.rule import Rule


class CutShort(Rule):
    """The recording stops before the server has exited.

    What it means: the client had begun to end the session (it closed stdin, or sent a signal), or the
    server had closed its stdout, and no record says how the server ended. The tap was killed together
    with it (SIGKILL leaves no time to write a record), or is still waiting for it.

    Why it matters: it is harmless if a client is merely impatient. It can also mean that a server does
    not exit: clients use SIGKILL when nothing else has worked.

    Fails:
        5 ·· eof stream=c2s
        5.5 ·· signal name=SIGTERM forwarded=true
        ...

    Passes:
        5 → 1 ping
        5.1 ← 1 result
        ...

    What to do: nothing, or check whether the server exits by itself within two seconds after its stdin
    is closed.
    """

    id = "TAP004"
    title = "recording has no exit event"
    severity = "info"
    culprit = "undecided"
    needs_whole = True
    next = "nothing, or check whether the server exits within two seconds after its stdin is closed"

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
                f"no exit event after {what}: the tap was killed with its server, or both are still running",
            )


ENDED = {"c2s": "the client closed stdin", "s2c": "the server closed its stdout"}
