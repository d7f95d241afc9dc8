"""What the user asks of ``wrap``, ``unwrap`` and ``wrapped``: one value from the options to the search."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from mcp_tap.clients.known import BY_NAME, CLIENTS, Client, Scope

CommandStyle = Literal["absolute", "bare", "module"]
"""How the tap's own command is written: by its path, as a word on the PATH, or as a module of Python's."""


@dataclass(frozen=True, slots=True)
class WrapRequest:
    """Which servers are meant, where they are looked for, and what is to be done with them.

    What is None, empty or False was not asked for; a verb ignores what it has no option for.
    """

    names: Sequence[str] = ()
    all_servers: bool = False
    """All servers; with ``names``, every entry of these names."""

    client: str | None = None
    scope: Scope | None = None
    config: str | None = None
    """The one file to search, whichever client reads it."""
    project: str | None = None
    """The project's directory; by default the working directory."""

    with_disabled: bool = False
    log_dir: str | None = None
    """By default the directory that the review verbs search."""
    command_style: CommandStyle | None = None
    """By default absolute in a user's own files, and bare in a repository's if it is on the PATH."""

    dry_run: bool = False
    as_json: bool = False
    with_secrets: bool = False

    @property
    def clients(self) -> tuple[Client, ...]:
        """The clients whose files are searched."""
        return (BY_NAME[self.client],) if self.client else CLIENTS
