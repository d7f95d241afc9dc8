"""``mcp-tap run --help``."""

from __future__ import annotations

from mcp_tap.commands.examples import examples_of
from mcp_tap.commands.run_options import OPTIONS, USAGE
from mcp_tap.errors import ExitStatus

TEXT = """\
{usage}

Start COMMAND, pass everything between it and the client through unchanged, and record it.
Options end at the first word that is not one, or at "--"; all that follows is the
server's own command line and is left as it is.

options:
{options}

exit status: the server's own, or death by the same signal; 127 if COMMAND is not found,
126 if it cannot be executed, 125 if mcp-tap itself fails

{examples}"""


def help_text() -> str:
    """The help page, from the table of options."""
    width = max(len(f"{name} {value}") for name, (value, _) in OPTIONS.items())
    lines = [f"  {f'{name} {value}':<{width}}  {meaning}" for name, (value, meaning) in OPTIONS.items()]
    return TEXT.format(usage=USAGE, options="\n".join(lines), examples=examples_of("run").removesuffix("\n"))


def print_help() -> int:
    """Print the help page."""
    print(help_text())
    return ExitStatus.OK
