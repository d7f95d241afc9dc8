"""What ``wrap``, ``unwrap`` and ``wrapped`` have done or found, as sentences, as a table, and as JSON."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from mcp_tap.views.grid import Cell, Column, render
from mcp_tap.views.payload import json_text
from mcp_tap.views.terminal import no_command, visible

ChangeState = Literal["wrapped", "already", "unwrapped", "not-wrapped", "refused"]

QUIET = "dim"
TROUBLE = "bold red"


@dataclass(frozen=True, slots=True)
class Change:
    """What has become of one entry. ``title`` is the client's name for people.

    ``reason`` is a clause: why it was refused, or what is wrong with it though it is wrapped.
    """

    name: str
    state: ChangeState
    client: str | None = None
    title: str = ""
    scope: str | None = None
    file: str | None = None
    project: str | None = None
    reason: str | None = None
    backup: str | None = None

    @property
    def where(self) -> str:
        """``/home/me/.claude.json (Claude Code, user)``."""
        if self.file is None:
            return ""
        project = f" for {visible(self.project)}" if self.project else ""
        return f"{visible(self.file)} ({self.title}, {self.scope}{project})"


_VERBS: dict[ChangeState, tuple[str, str]] = {
    "already": (" is already wrapped", " are already wrapped"),
    "not-wrapped": (" is not wrapped", " are not wrapped"),
}
_WOULD: dict[ChangeState, str] = {"wrapped": "would wrap", "unwrapped": "would unwrap"}


NAMES_SHOWN = 10
"""Names in a line; a file may have thousands."""


def sentences(changes: Sequence[Change], *, dry_run: bool = False) -> list[str]:
    """Lines for people: one for all that has become of a file, and one for all that one reason refuses."""
    groups: dict[tuple[str | None, ...], list[Change]] = {}
    for each in changes:
        place = None if each.state == "refused" else each.where
        groups.setdefault((each.state, place, each.reason), []).append(each)
    return [_sentence(group, dry_run=dry_run) for group in groups.values()]


def _sentence(group: Sequence[Change], *, dry_run: bool) -> str:
    """One line for what is alike in state and reason."""
    state, reason = group[0].state, visible(group[0].reason or "")
    places: dict[str, list[str]] = {}
    for each in group:
        places.setdefault(each.where, []).append(each.name)
    text = "; ".join(
        f"{_names(names)}{_VERBS.get(state, ('', ''))[len(names) > 1]} in {where}"
        for where, names in places.items()
    )
    if state == "refused":
        return f"skipped {text}: {'it' if len(group) == 1 else 'each'} {reason}"
    if state not in _VERBS:
        text = f"{_WOULD[state] if dry_run else state} {text}"
    return f"{text}: {reason}" if reason else text


def _names(names: Sequence[str]) -> str:
    shown = [visible(name) for name in names[:NAMES_SHOWN]]
    if more := len(names) - len(shown):
        return f"{', '.join(shown)} and {more:,} more"
    return " and ".join(filter(None, (", ".join(shown[:-1]), shown[-1])))


def folded(text: str, width: int | None) -> str:
    """A sentence in lines of at most ``width`` columns; what has no space in it is not broken."""
    lines = [text]
    if width is not None:
        lines = textwrap.wrap(
            text, width, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False
        )
    return "\n".join(map(no_command, lines))


def changes_table(changes: Sequence[Change], width: int, *, colour: bool, home: str) -> str:
    """A line for each wrapped entry, and below, what is wrong with those that are stale.

    What is below ``home`` is shown below ``~``.
    """
    table = [
        Column("NAME", [Cell(visible(each.name)) for each in changes], least=8),
        Column("CLIENT", [Cell(each.client or "-") for each in changes], 2),
        Column("SCOPE", [Cell(each.scope or "-", QUIET) for each in changes], 1),
        Column("STATE", [state_of(each) for each in changes]),
        Column("FILE", [Cell(file_of(each, home)) for each in changes], least=16),
    ]
    stale = [
        folded(f"{visible(each.name)} in {each.where}: {visible(each.reason)}", width) + "\n"
        for each in changes
        if each.reason
    ]
    return render(table, width, colour=colour) + "".join(["\n", *stale] if stale else [])


def file_of(change: Change, home: str) -> str:
    """The file, and the project in it."""
    project = f" [{below_tilde(change.project, home)}]" if change.project else ""
    return below_tilde(change.file or "-", home) + project


def below_tilde(path: str, home: str) -> str:
    """A path as it is shown, with ``~`` for ``home``."""
    if home and path.startswith((f"{home}/", f"{home}\\")):
        path = f"~{path[len(home) :]}"
    return visible(path)


def state_of(change: Change) -> Cell:
    """Whether it works as it is."""
    return Cell("stale", TROUBLE) if change.reason else Cell("ok", QUIET)


def changes_json(changes: Sequence[Change], **more: Any) -> str:
    """The document, with ``more`` keys behind ``changes``."""
    document = {"changes": [change_json(each) for each in changes], **more}
    return json_text(document, indent=2) + "\n"


def change_json(change: Change) -> dict[str, Any]:
    """One of ``changes``. A contract: keys may be added, none is taken away.

    ``client`` (null for a file that no known client is known to read), ``scope``, ``file``, ``name``,
    ``state``; ``reason`` why it was refused or is stale; ``backup`` where the file as it was before is
    kept; ``project`` the directory that an entry in a user's file is for. Null is what there is not.
    """
    return {
        "client": change.client or None,
        "scope": change.scope,
        "file": change.file,
        "name": change.name,
        "state": change.state,
        "reason": change.reason,
        "backup": change.backup,
        "project": change.project,
    }
