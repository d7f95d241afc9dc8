"""Which entries ``wrap``, ``unwrap`` and ``wrapped`` are about, and what all three say of them."""

from __future__ import annotations

import difflib
import os
import shlex
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from mcp_tap.clients.entry import COMMAND, Seat, base_name, read_tapped
from mcp_tap.clients.known import BY_NAME, Scope
from mcp_tap.clients.places import Surroundings, scopes_of, surroundings
from mcp_tap.clients.search import Findings, Found, search, search_file
from mcp_tap.errors import TapError, one_line
from mcp_tap.process.own_streams import warn_stderr
from mcp_tap.views.changes import Change, State

SUGGESTIONS = 4
"""Names that are suggested where the one asked for is not there."""


@dataclass(frozen=True, slots=True)
class Selection:
    """What the user has asked for. ``everything``: all servers, or with ``names`` all places of these."""

    names: tuple[str, ...] = ()
    client: str | None = None
    scope: Scope | None = None
    config: str | None = None
    everything: bool = False
    project: str | None = None


@dataclass(frozen=True, slots=True)
class Unresolved:
    """A name that is nowhere, or one of the places where it is; ``options`` would choose that one."""

    change: Change
    options: str = ""


@dataclass(frozen=True, slots=True)
class Choice:
    """Entries that are meant, and names of which it is not certain what is meant: then nothing is done."""

    found: list[Found]
    unresolved: list[Unresolved]
    troubles: list[str]


def choose(selection: Selection, *, prefer: Callable[[Found], bool] | None = None, elsewhere: bool) -> Choice:
    """The entries that ``selection`` names. Raises :class:`TapError` for a selection that selects nothing.

    Of several places of a name, those that ``prefer`` holds for are meant. ``elsewhere``: all servers are
    those of other projects too.
    """
    if not selection.names and not selection.everything:
        raise TapError("name the servers, or take all with --all")
    around = surroundings(selection.project and unfolded(selection.project))
    findings = findings_of(selection, around, everywhere=elsewhere and not selection.names)
    if not selection.names:
        if not findings.found:
            raise TapError(nothing_found(findings))
        return Choice(findings.found, [], findings.troubles)
    found: list[Found] = []
    unresolved: list[Unresolved] = []
    for name in dict.fromkeys(selection.names):
        places = [each for each in findings.found if each.entry.name == name]
        meant = [each for each in places if prefer(each)] if prefer else []
        places = meant or places
        if not places:
            reason = not_found(name, selection, findings, around)
            unresolved.append(Unresolved(Change(name, "refused", reason=reason)))
        elif not selection.everything and len(set(map(place_of, places))) > 1:
            unresolved += [ambiguous(each, places) for each in places]
        else:
            found += {place_of(each): each for each in places}.values()
    return Choice(found, unresolved, findings.troubles)


def place_of(found: Found) -> tuple[str, tuple[str | int, ...], str]:
    """Where an entry is: the same where a map has it twice, which is for its refusal to say."""
    return found.spot.path, tuple(key for key in found.entry.path if isinstance(key, str)), found.entry.name


def findings_of(selection: Selection, around: Surroundings, *, everywhere: bool) -> Findings:
    """All servers that the selection leaves. Raises :class:`TapError` for a client without such a scope."""
    if selection.client and selection.scope and selection.scope not in scopes_of(BY_NAME[selection.client]):
        client = BY_NAME[selection.client]
        scopes = " and ".join(scopes_of(client))
        raise TapError(f"{client.title} has no scope {selection.scope}: it has {scopes}")
    if selection.config is not None:
        return search_file(unfolded(selection.config), around, client=selection.client, scope=selection.scope)
    return search(around, client=selection.client, scope=selection.scope, everywhere=everywhere)


def nothing_found(findings: Findings) -> str:
    """The sentence where there is no server at all."""
    if findings.troubles:
        return findings.troubles[0]
    if findings.looked_into:
        return f"no server is configured in {', '.join(map(one_line, findings.looked_into))}"
    return "no configuration of a known client was found here: name the file with --config"


def not_found(name: str, selection: Selection, findings: Findings, around: Surroundings) -> str:
    """The clause where there is no server of that name: what there is instead."""
    if not findings.found:
        return f"was not found: {nothing_found(findings)}"
    if selection.config is None:
        others = search(around, client=selection.client, scope=selection.scope, everywhere=True).found
        project = next((each.project for each in others if each.entry.name == name and each.project), None)
        if project:
            return f"is configured for another project only: add --project {shell_line([project])}"
    names = sorted({each.entry.name for each in findings.found})
    near = difflib.get_close_matches(name, names, SUGGESTIONS, 0.5) or names[:SUGGESTIONS]
    more = ", …" if len(near) < len(names) else ""
    files = len(findings.looked_into)
    where = "the file" if files == 1 else f"any of {files} files"
    there = ", ".join(one_line(each) or repr(each) for each in near)
    return f"is not in {where} looked into; there is {there}{more}"


def ambiguous(one: Found, places: Sequence[Found]) -> Unresolved:
    """One of several places, with the options that would choose it."""
    spot = one.spot
    same_client = [each for each in places if each.spot.client is spot.client]
    same_scope = [each for each in same_client if each.spot.place.scope == spot.place.scope]
    options = f"--client {spot.client.name}"
    if len(same_scope) > 1:
        options += f" --config {shell_line([spot.path])}"
    elif len(same_client) > 1:
        options += f" --scope {spot.place.scope}"
    reason = f"is in {len(places)} places: choose this one with {options}, or all with --all"
    return Unresolved(change(one, "refused", reason), options)


def unfolded(path: str) -> str:
    """``path`` with a "~" that the shell has left as it is: it does in ``--config=~/x``."""
    return os.path.expanduser(path) if path.startswith("~") and not os.path.lexists(path) else path


def shell_line(words: list[str]) -> str:
    """Words to be pasted into the shell of this system."""
    if os.name == "nt":
        import subprocess

        return subprocess.list2cmdline(words)
    return shlex.join(words)


def change(found: Found, state: State, reason: str | None = None, backup: str | None = None) -> Change:
    """What has become of an entry."""
    spot = found.spot
    return Change(
        found.entry.name, state, spot.client.name, spot.client.title, spot.place.scope, spot.path,
        found.project, reason, backup,
    )  # fmt: skip


def say_unresolved(unresolved: Sequence[Unresolved]) -> None:
    """Why nothing was done, on stderr: a sentence a name, and a line for each place it could mean."""
    for name in dict.fromkeys(each.change.name for each in unresolved):
        of_name = [each for each in unresolved if each.change.name == name]
        if of_name[0].change.file is None:
            warn_stderr(f"{one_line(name)} {of_name[0].change.reason}")
            continue
        warn_stderr(f"{one_line(name)} is in {len(of_name)} places: choose one of these, or all with --all")
        for each in of_name:
            warn_stderr(f"  {each.options}   {each.change.where}")


def stale(found: Found) -> str | None:
    """What is wrong with a wrapped entry, as a clause; None where nothing is."""
    seat = found.entry.seat
    tapped = read_tapped(seat.argv) if isinstance(seat, Seat) else None
    if tapped is None:
        return None
    program = tapped.tap[0]
    for word in tapped.tap:
        if os.path.isabs(word) and not os.path.exists(word):
            return f"the tap is not at {word} any more: unwrap and wrap again"
    if base_name(program) == COMMAND and not os.path.isabs(program) and shutil.which(program) is None:
        return f"{program} is not on the PATH here"
    directory = tapped.options.get("--log-dir")
    if directory and not os.path.isdir(directory):
        return f"the log directory {directory} is gone"
    return None
