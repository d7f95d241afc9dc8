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


UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
"""Unicode categories that are shown as escapes: controls, formats, surrogates, separators."""


def visible(text: str) -> str:
    """Text from outside, safe in a line for people, for a terminal and for the log of a CI server.

    What could move the cursor, turn the direction of writing or vanish becomes what JSON would write
    (``\\n``, ``\\u001b``), and so does the first sign of ``##[`` or ``##word[``, which a CI server
    obeys anywhere in a line. What must not begin a line is for :func:`no_command`.
    """
    if not text.isprintable():  # which leaves out all that is unseen, and is asked at once
        import unicodedata

        text = "".join(
            escape(letter) if unicodedata.category(letter) in UNSEEN else letter for letter in text
        )
    return text if "##" not in text else without_ci_commands(text)


one_line = visible
"""The same for a name in a sentence."""


def escape(letter: str) -> str:
    """One character as JSON or Python would write it."""
    short = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}.get(letter)
    number = ord(letter)
    return short or (f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}")


def without_ci_commands(text: str) -> str:
    """``text``, also JSON, with the first sign of what a CI server would obey as JSON can escape it."""
    import re

    return re.sub(r"#(?=#\w*\[)", r"\\u0023", text)


def no_command(line: str) -> str:
    """A visible line that does not begin with ``::``, behind blanks or not, as GitHub's commands do."""
    bare = line.lstrip()
    if not bare.startswith("::"):
        return line
    return line[: len(line) - len(bare)] + "\\u003a" + bare[1:]
