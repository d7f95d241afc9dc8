"""PRO011: stdout closed while the server keeps running."""

from __future__ import annotations

from mcp_tap.diagnosis.rule import Rule
from mcp_tap.diagnosis.text import seconds


class ClosedStdout(Rule):
    """The server closed its stdout and kept running.

    What it means: the server's stdout ended while its process went on for a second or more.

    Why it matters: nothing it does can reach the client any more; clients treat the connection as
    closed, and the process may be left behind.

    Fails:
        3 ·· eof stream=s2c
        3.1 ·· eof stream=c2s
        6 ·· exit code=0 first=server-eof

    Passes:
        3 ·· eof stream=s2c
        3.1 ·· exit code=0 first=server-exit

    What to do: find out what closes or replaces stdout: a redirected descriptor 1, a daemon that
    detaches itself, or a launcher that exits while the server runs elsewhere.
    """

    id = "PRO011"
    title = "stdout closed while the server keeps running"
    severity = "warning"
    culprit = "server"
    next = "find out what closes descriptor 1: a redirection, a process that detaches itself, or a launcher"

    def end(self) -> None:
        context = self.context
        life, ending = context.life, context.session.ending
        closed = life.ends.get("s2c")
        if closed is None or life.exit is None or ending.first != "server-eof" or not life.unasked(ending):
            return
        on = life.exit.t - closed.t
        self.hit(
            (closed.seq, life.exit.seq),
            f"server closed its stdout after {seconds(life.lived)} and kept running for {seconds(on)}",
        )
