"""Exit statuses, and the one class of error that a user is meant to read.

Imported before every recorded server is started, so it imports nothing itself
(``enum`` alone would cost two milliseconds of the client's patience).
"""


class ExitStatus:
    """Exit statuses of every verb; ``run`` otherwise gives the server's own.

    The numbers from 125 up are those of POSIX ``env`` and ``nohup`` and of the shell.
    """

    OK = 0
    FINDINGS = 1
    FAILED = 2
    """The verb could not do its work: usage, an unreadable file, a newer format."""
    TAP_FAILED = 125
    """``run``: the tap could not do its part."""
    NOT_EXECUTABLE = 126
    NOT_FOUND = 127
    INTERRUPTED = 130


class TapError(Exception):
    """Something a user can act on: ``str()`` is one sentence, ``status`` the exit status."""

    def __init__(self, sentence: str, status: int = ExitStatus.FAILED) -> None:
        super().__init__(sentence)
        self.status = status


class UsageError(TapError):
    """The command line is wrong: the sentence is printed with the verb's usage line."""


class ServerNotStarted(TapError):
    """The server's command could not be executed: 127 not found, 126 found."""


def one_line(name: str) -> str:
    """A name from outside as part of a sentence: whatever is not printable is escaped."""
    return "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in name)
