"""How Windows is told a command line, as text; pure, so that every system can test it.

Windows hands a program one string. A ``.cmd`` or ``.bat`` file (``npx`` is one) cannot be
executed at all: ``cmd.exe`` reads it, and reads the string by rules of its own.
"""

from __future__ import annotations

import re
import subprocess

BATCH_SUFFIXES = (".cmd", ".bat")

_BACKSLASHES = re.compile(r'(\\+)("|$)')
_UNQUOTED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789#$*+-./:?@\\_")


def windows_command_line(exe: str, argv: list[str], shell: str) -> str:
    """The string that starts ``exe`` with the words of ``argv`` kept apart as given.

    A batch file goes through ``shell`` (``cmd.exe``) with ``/d`` (no AutoRun commands),
    ``/s /c`` (strip exactly the outer quotes), ``/e:ON`` and ``/v:OFF`` (what the escape for "%"
    relies on). Raises ValueError for a word with a newline or NUL in front of a batch file,
    which cannot be expressed.
    """
    # Windows drops trailing dots and spaces from a file's name (CVE-2024-43402).
    if not exe.lower().rstrip(". ").endswith(BATCH_SUFFIXES):
        return subprocess.list2cmdline(argv)
    script = exe.replace("%", "%%cd:~,%")
    words = " ".join([f'"{script}"', *map(batch_word, argv[1:])])
    return f'"{shell}" /e:ON /v:OFF /d /s /c "{words}"'


def batch_word(word: str) -> str:
    """One argument of a batch file, as ``cmd.exe`` and then the C runtime have to read it.

    A quote is doubled, and so are the backslashes before it, which the C runtime halves; "%"
    gets an empty expansion after it, so that ``%PATH%`` stays what it is. As Rust's standard
    library does since CVE-2024-24576.
    """
    if any(character in word for character in "\r\n\0"):
        raise ValueError(f"a batch file cannot be given an argument with a line break: {word!r}")
    if word and set(word) <= _UNQUOTED and not word.endswith("\\"):
        return word
    escaped = _BACKSLASHES.sub(r"\1\1\2", word).replace('"', '""').replace("%", "%%cd:~,%")
    return f'"{escaped}"'
