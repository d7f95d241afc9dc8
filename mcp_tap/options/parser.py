"""What verbs are added to."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import NoReturn, TypeAlias

from mcp_tap.commands.examples import examples_of
from mcp_tap.errors import ExitStatus, TapError, visible

Verbs: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"


class Parser(argparse.ArgumentParser):
    """A parser that repeats what was typed in a form that is safe to print, and knows what is near it."""

    def error(self, message: str) -> NoReturn:
        """Say what is wrong with the command line, and exit."""
        super().error(visible(message))

    def format_help(self) -> str:
        """The help page, which ends with examples."""
        return f"{super().format_help()}\n{examples_of(self.verb)}"

    @property
    def verb(self) -> str:
        """The verb whose options these are; empty for the list of verbs."""
        return self.prog.partition(" ")[2]

    def parse_known_args(  # type: ignore[override]
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> tuple[argparse.Namespace, list[str]]:
        """Parse; what no option or argument has taken is refused here, where the verb's options are known."""
        parsed, unknown = super().parse_known_args(args, namespace)
        if unknown:
            self._refuse(unknown[0])
        return parsed, unknown

    def _refuse(self, word: str) -> NoReturn:
        what = self.verb or self.prog
        near = nearest(word.partition("=")[0], self._option_string_actions)
        if not word.startswith("-"):
            what, near = f"{what} takes no further argument: {visible(word)}", ""
        else:
            what += f" has no option {visible(word)}"
        raise TapError(what + (near or f"; {self.prog} --help lists what there is"), ExitStatus.FAILED)


def unknown_verb(word: str, verbs: Iterable[str]) -> TapError:
    """There is no such verb."""
    near = nearest(word, verbs) or "; mcp-tap help lists the verbs"
    return TapError(f"{visible(word)} is no verb of mcp-tap{near}", ExitStatus.FAILED)


def nearest(word: str, known: Iterable[str]) -> str:
    """``: did you mean X?``, or nothing where nothing is near."""
    near = get_close_matches(word, list(known), n=1)
    return f": did you mean {near[0]}?" if near else ""
