"""What verbs are added to."""

from __future__ import annotations

import argparse
from typing import NoReturn, TypeAlias

from mcp_tap.errors import visible

Verbs: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"


class Parser(argparse.ArgumentParser):
    """A parser that repeats what was typed in a form that is safe to print."""

    def error(self, message: str) -> NoReturn:
        """Say what is wrong with the command line, and exit."""
        super().error(visible(message))
