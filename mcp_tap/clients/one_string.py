"""Whether a command is a program, or a whole command line that somebody has put in one string: pure.

A file may be that of another system (a Windows application's, edited from WSL), so that looking for the
program on this one proves nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_PATH = re.compile(r"(?:[A-Za-z]:[\\/]|[\\/]|~[\\/]|\.{1,2}[\\/]|\$\{[^}]*\}[\\/]|\$\w+[\\/]|%[^%]+%[\\/])")
"""How a path begins that is not looked for on the PATH, perhaps with a variable that the client fills in."""

_ARGUMENT = re.compile(r"\s(?:-{1,2}\w|/|~[\\/]|[A-Za-z]:[\\/]|\"|')")
"""What no directory's name goes on with behind a blank: an option, another path, a quotation mark."""

_PROGRAM = re.compile(r"(?:\.(?:exe|cmd|bat|com)|\.app/Contents/MacOS/[^/]+)", re.IGNORECASE)


def is_one_string(argv: Sequence[str]) -> bool:
    """Whether the first word of ``argv`` holds arguments, too; it is no file that is known here.

    A path with blanks beside arguments of its own is a program: so are those that nobody adds arguments
    to by mistake. Without arguments it is one if it ends as programs do.
    """
    program = argv[0]
    if not any(letter.isspace() for letter in program):
        return False
    if not _PATH.match(program) or _ARGUMENT.search(program):
        return True
    return len(argv) == 1 and not ends_as_program(program)


def ends_as_program(path: str) -> bool:
    """Whether ``path`` ends with the name of a program, and has no other program's before that."""
    found = _PROGRAM.search(path)
    return found is not None and found.end() == len(path)
