"""PRO001: the command could not be started."""

from __future__ import annotations

from mcp_tap.diagnosis.life import is_windows, path_given, words_of
from mcp_tap.diagnosis.recognise.complaints import brief, masked
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.errors import ExitStatus
from mcp_tap.record.patterns import lazy
from mcp_tap.record.reader import Record


class NotStarted(Rule):
    """The command could not be started.

    What it means: the operating system did not run the server's command: there is no such file on the
    PATH given by the client, or it is not executable, or its interpreter is missing.

    Why it matters: nothing of the server has run. Clients show "failed to connect", "spawn ENOENT" or
    "Connection closed". Desktop applications have a shorter PATH than your terminal: what nvm, pyenv,
    Homebrew or uv add to it in shell start-up files is missing.

    Fails, from the start:
        ·· spawn_failed error="cannot start 'notes-server': not found on PATH (/usr/bin)" code=127
        ·· exit code=127 first=spawn-failed

    Passes, from the start (and PRO002):
        → 0 initialize …
        2> env: node: No such file or directory
        ·· exit code=127 first=server-exit

    What to do: use the absolute path of the command (`which npx` in a terminal prints it), or set PATH
    in the `env` of the server's entry. On Windows, start npx and other .cmd files with `cmd /c npx …`.
    """

    id = "PRO001"
    title = "the command could not be started"
    severity = "error"
    culprit = "environment"
    next = (
        "use the absolute path of the command, or set PATH in the `env` of the server's entry in the "
        "client's configuration"
    )

    def event(self, record: Record) -> None:
        if record.event != "spawn_failed" or record.fields.get("code") == ExitStatus.TAP_FAILED:
            return
        start = self.context.session.start
        words = words_of(start)
        command = f"command `{masked(words[0])}`" if words else "the server's command"
        line = command_line(words)
        if line is not None:
            self.hit(
                record,
                f"{command} was not found: it is a whole command line in one string",
                next=f"put only `{masked(line)}` in `command`, and each of the other words in `args`",
                culprit="client",
                key="one string",
                explains=None,
            )
            return
        missing = record.fields.get("code") != ExitStatus.NOT_EXECUTABLE
        self.hit(
            record,
            self._sentence(command, missing, record),
            next=windows_next(words) if missing and is_windows(start) else None,
            key="not found" if missing else "not executable",
            explains=None,
        )

    def _sentence(self, command: str, missing: bool, record: Record) -> str:
        error = brief(str(record.fields.get("error")))
        if not missing:
            return f"{command} cannot be executed: {error}"
        if "/" in command or "\\" in command:
            return f"{command} was not found: there is no such file"
        path = path_given(self.context.session.start)
        if path is None:
            return f"{command} was not found: {error}"
        return f"{command} was not found on the PATH given by the client ({path})"


def command_line(words: list[str]) -> str | None:
    """The program, where the command is a line of several words in one string."""
    found = COMMAND_LINE.match(words[0]) if len(words) == 1 else None
    return found[1] if found is not None else None


COMMAND_LINE = lazy(
    r"(?i)([^\s/\\]+(?=\s)|\S+(?=\s+(?:-|/|~|@|\S+\.[mc]?[jt]s|\S+\.py))|.+?\.(?:exe|cmd|bat)(?=\s))"
)
"""A name or a path, and something after it that is no part of it."""


def windows_next(words: list[str]) -> str:
    """What to do where a command is not found on Windows."""
    command = words[0] if words else "npx"
    return (
        f"start it as `cmd /c {masked(command)} …` (npx and similar commands are .cmd files and need a "
        "shell), or use the absolute path"
    )
