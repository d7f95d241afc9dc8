"""Which entries ``wrap``, ``unwrap`` and ``wrapped`` are about, and what all three say of them."""

from __future__ import annotations

import difflib
import os
import shlex
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from mcp_tap.clients.entry import CommandSlot
from mcp_tap.clients.locations import Environment, this_environment
from mcp_tap.clients.request import WrapRequest
from mcp_tap.clients.search import FoundServer, SearchResult, search
from mcp_tap.clients.wrapped_command import COMMAND, base_name, read_wrapped
from mcp_tap.errors import TapError, one_line
from mcp_tap.process.own_streams import warn_stderr
from mcp_tap.views.changes import Change, ChangeState

SUGGESTIONS = 4
"""Names that are suggested where the one asked for is not there."""

ALIKE = 0.5
"""How similar a name must be to be meant, as :mod:`difflib` counts: "nots" for "gnotes" is."""

NO_FILES = "no configuration file of a known client was found: specify a file with --config"


@dataclass(frozen=True, slots=True)
class Unresolved:
    """A name that is nowhere, or one of the entries of that name; ``options`` would choose that one."""

    change: Change
    options: str = ""


@dataclass(frozen=True, slots=True)
class Resolution:
    """Entries that are meant, and names of which it is not certain what is meant: then nothing is done."""

    found: list[FoundServer]
    unresolved: list[Unresolved]
    problems: list[str]
    searched: list[str]
    """All files that were looked into."""
    hints: list[str]
    """What is in them where their clients do not look."""


def resolve(
    request: WrapRequest, *, prefer: Callable[[FoundServer], bool] | None = None, elsewhere: bool = False
) -> Resolution:
    """The entries that ``request`` names. Raises :class:`TapError` for a request that names nothing.

    Of several entries of a name, those that ``prefer`` holds for are meant. ``elsewhere``: all servers are
    those of other projects too, and any of files elsewhere that the tap was put into.
    """
    if not request.names and not request.all_servers:
        raise TapError("specify server names, or use --all")
    environment = this_environment(request.project)
    result = search(
        request, environment, everywhere=elsewhere and not request.names, with_remembered=elsewhere
    )
    if not request.names:
        if not result.found:
            raise TapError(nothing_found(result))
        return Resolution(result.found, [], result.problems, result.searched, result.hints)
    found: list[FoundServer] = []
    unresolved: list[Unresolved] = []
    for name in dict.fromkeys(request.names):
        named = [each for each in result.found if each.entry.name == name]
        meant = [each for each in named if prefer(each)] if prefer else []
        candidates = {each.identity: each for each in meant or named}
        if not candidates:
            reason = not_found(name, request, result, environment)
            unresolved.append(Unresolved(Change(name, "refused", reason=reason)))
        elif not request.all_servers and len(candidates) > 1:
            unresolved += [ambiguous(each, [*candidates.values()]) for each in candidates.values()]
        else:
            found += candidates.values()
    return Resolution(found, unresolved, result.problems, result.searched, result.hints)


def nothing_found(result: SearchResult) -> str:
    """The sentence where there is no server at all."""
    if result.problems:
        return result.problems[0]
    if result.hints:
        return "; ".join(result.hints)
    if result.searched:
        return f"no servers are configured in {', '.join(map(one_line, result.searched))}"
    return NO_FILES


def nothing_wrapped(searched: list[str]) -> str:
    """The sentence where there is no tap."""
    if not searched:
        return NO_FILES
    where = one_line(searched[0]) if len(searched) == 1 else f"the {len(searched)} files searched"
    return f"no wrapped servers in {where}"


def not_found(name: str, request: WrapRequest, result: SearchResult, environment: Environment) -> str:
    """The sentence where there is no server of that name: what there is instead."""
    shown = quoted(name)
    if not result.found:
        return f"no server named {shown}: {nothing_found(result)}"
    if request.config is None:
        others = search(request, environment, everywhere=True).found
        project = next((each.project for each in others if each.entry.name == name and each.project), None)
        if project:
            option = f"--project {shell_line([project])}"
            return f"server {shown} is configured only for another project: add {option}"
    files = result.searched
    where = one_line(files[0]) if len(files) == 1 else f"the {len(files)} files searched"
    return f"no server named {shown} in {where} ({suggestion(name, result)})"


def suggestion(name: str, result: SearchResult) -> str:
    """Names that may have been meant, else some of those that there are."""
    names = sorted({each.entry.name for each in result.found})
    if near := difflib.get_close_matches(name, names, SUGGESTIONS, ALIKE):
        return f"did you mean {' or '.join(map(quoted, near))}?"
    more = ", …" if len(names) > SUGGESTIONS else ""
    return f"found: {', '.join(map(one_line, names[:SUGGESTIONS]))}{more}"


def quoted(name: str) -> str:
    """A name in a sentence."""
    return f"'{one_line(name)}'"


def ambiguous(one: FoundServer, candidates: Sequence[FoundServer]) -> Unresolved:
    """One of several entries of a name, with the options that would choose it."""
    location = one.location
    same_client = [each for each in candidates if each.location.client is location.client]
    same_scope = [each for each in same_client if each.location.known.scope == location.known.scope]
    options = f"--client {location.client.name}" if location.client.name else ""
    if len(same_scope) > 1 or not options:
        options = f"{options} --config {shell_line([location.path])}".strip()
    elif len(same_client) > 1:
        options += f" --scope {location.known.scope}"
    places = f"is configured in {len(candidates)} places"
    reason = f"{places}: use {options} to choose this one, or --all to choose all of them"
    return Unresolved(change(one, "refused", reason), options)


def shell_line(words: list[str]) -> str:
    """Words to be pasted into the shell of this system."""
    if os.name == "nt":
        import subprocess

        return subprocess.list2cmdline(words)
    return shlex.join(words)


def change(
    found: FoundServer, state: ChangeState, reason: str | None = None, backup: str | None = None
) -> Change:
    """What has become of an entry."""
    location = found.location
    return Change(
        found.entry.name, state, location.client.name, location.client.title, location.known.scope,
        location.path, found.project, reason, backup,
    )  # fmt: skip


def print_unresolved(unresolved: Sequence[Unresolved]) -> None:
    """Why nothing was done, on stderr: a sentence a name, and a line for each entry it could mean."""
    for name in dict.fromkeys(each.change.name for each in unresolved):
        of_name = [each for each in unresolved if each.change.name == name]
        if of_name[0].change.file is None:
            warn_stderr(str(of_name[0].change.reason))
            continue
        warn_stderr(f"{quoted(name)} is configured in {len(of_name)} places: use --all, or choose one with")
        for each in of_name:
            warn_stderr(f"  {each.options}   {each.change.where}")


def stale_reason(found: FoundServer) -> str | None:
    """What is wrong with a wrapped entry, as a sentence; None where nothing is."""
    slot = found.entry.slot
    wrapped = read_wrapped(slot.argv) if isinstance(slot, CommandSlot) else None
    if wrapped is None:
        return None
    program = wrapped.tap[0]
    for word in wrapped.tap:
        if os.path.isabs(word) and not os.path.exists(word):
            return f"mcp-tap is no longer at {word}: wrap it again"
    if base_name(program) == COMMAND and not os.path.isabs(program) and shutil.which(program) is None:
        return f"{program} is not on the PATH"
    directory = wrapped.options.get("--log-dir")
    if directory and not os.path.isdir(directory):
        return f"the log directory {directory} no longer exists"
    return None
