"""``mcp-tap run --help``."""

from __future__ import annotations

from mcp_tap.commands.run_options import OPTIONS, USAGE
from mcp_tap.errors import ExitStatus

TEXT = """\
{usage}

Start COMMAND, forward everything between it and the client unaltered, and record it.
Everything from the first word that is not an option, or from the first "--", is the
server's own command line and is passed on untouched.

options:
{options}

exit status: the server's own, or death by the same signal; 127 COMMAND not found,
126 found but not executable, 125 the tap could not do its part"""


def help_text() -> str:
    """The help page, from the table of options."""
    width = max(len(f"{name} {value}") for name, (value, _) in OPTIONS.items())
    lines = [f"  {f'{name} {value}':<{width}}  {meaning}" for name, (value, meaning) in OPTIONS.items()]
    return TEXT.format(usage=USAGE, options="\n".join(lines))


def print_help() -> int:
    """Print the help page."""
    print(help_text())
    return ExitStatus.OK
