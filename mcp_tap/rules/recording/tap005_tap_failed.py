"""TAP005: the tap could not start the server."""

from __future__ import annotations

from mcp_tap.diagnosis.life import words_of
from mcp_tap.diagnosis.recognise.complaints import brief, masked
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.errors import ExitStatus
from mcp_tap.record.reader import Record


class TapFailed(Rule):
    """The tap could not start the server.

    What it means: the server was not started because the tap itself had no descriptor, process or
    memory left to start it with. There may be nothing wrong with the command.

    Why it matters: without the tap the server might have started: this failure is the recorder's.

    Fails, from the start:
        ·· spawn_failed error="cannot start 'notes-server': Too many open files" code=125
        ·· exit code=125 first=spawn-failed

    Passes, from the start (and PRO001):
        ·· spawn_failed error="cannot start 'notes-server': not found on PATH (/usr/bin)" code=127
        ·· exit code=127 first=spawn-failed

    What to do: check the limits of the client's process (`ulimit -n`, `ulimit -u`), and report this to
    the authors of mcp-tap.
    """

    id = "TAP005"
    title = "the tap could not start the server"
    severity = "error"
    culprit = "tap"
    next = (
        "check the limits of the client's process (ulimit -n, ulimit -u); without the tap the server may "
        "start"
    )

    def event(self, record: Record) -> None:
        if record.event == "spawn_failed" and record.fields.get("code") == ExitStatus.TAP_FAILED:
            words = words_of(self.context.session.start)
            command = f" `{masked(words[0])}`" if words else ""
            error = brief(str(record.fields.get("error")))
            self.hit(record, f"the tap itself could not start the server{command}: {error}", explains=None)
