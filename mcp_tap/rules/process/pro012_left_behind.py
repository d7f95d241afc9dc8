"""PRO012: processes were left behind."""

from __future__ import annotations

from mcp_tap.diagnosis.life import launcher
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.diagnosis.text import plural
from mcp_tap.record.reader import Record


class LeftBehind(Rule):
    """Processes were left behind.

    What it means: when the server's process had ended, other processes that it had started still held
    its output open. If the command is a launcher (npx, uvx, a shell, docker), the process left behind
    is often the server itself.

    Why it matters: clients end the process that they started, and most of them only that one. Its child
    processes live on without a client and pile up.

    Fails:
        ·· start format=1 argv='["npx","-y","notes-server"]'
        3 ·· eof stream=c2s
        3.3 ·· exit code=0 first=client-eof left=1

    Passes:
        3 ·· eof stream=c2s
        3.3 ·· exit code=0 first=client-eof

    What to do: start the server itself instead of the launcher (the path of what npx or uvx has
    installed; `exec` in shell scripts), and have the server exit when its stdin ends.
    """

    id = "PRO012"
    title = "processes were left behind"
    severity = "info"
    culprit = "server"
    next = (
        "start the server itself instead of a launcher (`exec` in scripts), and have it exit when stdin ends"
    )

    def event(self, record: Record) -> None:
        left = record.fields.get("left")
        if record.event != "exit" or not isinstance(left, int) or isinstance(left, bool) or left <= 0:
            return
        name = launcher(self.context.session.start)
        processes = plural(left, "descendant process", "descendant processes")
        were = f"{processes} {'was' if left == 1 else 'were'} still running after"
        if name is not None:
            message = f"the command is a launcher ({name}); {were} it exited"
            self.hit(record, message, key=name, severity="warning", culprit="launcher")
        else:
            self.hit(record, f"{were} the server had exited, and held its output open")
