"""Entries found in the configuration files that a request means."""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace

from mcp_tap.clients.edit import ServerEntry, entries
from mcp_tap.clients.entry import EntryRefusal
from mcp_tap.clients.forbidden import forbidden
from mcp_tap.clients.identify import location_by_content, location_for_client, unread_keys
from mcp_tap.clients.known import BY_NAME
from mcp_tap.clients.locations import (
    ConfigLocation,
    Environment,
    find_locations,
    locations_of_file,
    project_directories,
    same_directory,
    scopes_of,
)
from mcp_tap.clients.memory import remembered
from mcp_tap.clients.open_file import OpenFile, open_file
from mcp_tap.clients.request import WrapRequest
from mcp_tap.clients.tree import ConfigError, Format
from mcp_tap.errors import TapError, one_line


@dataclass(frozen=True, slots=True)
class FoundServer:
    """An entry, and where it was found."""

    location: ConfigLocation
    opened: OpenFile
    entry: ServerEntry

    @property
    def project(self) -> str | None:
        """The directory for which alone the entry holds, in a file that has such."""
        keys = self.location.known.keys
        return str(self.entry.path[keys.index("*")]) if "*" in keys else None

    @property
    def identity(self) -> tuple[str, tuple[str | int, ...], str]:
        """Equal for two entries of one name in one map, which is for their refusal to say."""
        keys = tuple(key for key in self.entry.path if isinstance(key, str))
        return self.location.path, keys, self.entry.name


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The servers found, a sentence about each file that could not be searched, and all files' names."""

    found: list[FoundServer]
    problems: list[str]
    searched: list[str]
    hints: list[str] = field(default_factory=list)
    """A sentence about each map of servers that its client does not read."""


def search(
    request: WrapRequest,
    environment: Environment,
    *,
    everywhere: bool = False,
    with_remembered: bool = False,
) -> SearchResult:
    """All servers where ``request`` looks. ``everywhere``: of other projects too, if a user's file has them.
    ``with_remembered``: and in any files that the tap was put into, unless one file or project is asked for.

    A known file that cannot be read is a problem in the result, since the others are no worse for it.
    Raises :class:`TapError` for a client without such a scope, and as :func:`search_file` does.
    """
    if request.client and request.scope:
        client = BY_NAME[request.client]
        if request.scope not in scopes_of(client):
            available = " and ".join(scopes_of(client))
            raise TapError(f"{client.title} has no {request.scope} scope (available: {available})")
    if request.config is not None:
        return search_file(request, os.path.abspath(request.config), environment)
    locations = find_locations(environment, request.clients)
    if with_remembered and request.project is None:
        locations += remembered_elsewhere(request, locations)
    result = read_servers(within_scope(request, locations))
    if everywhere:
        return result
    projects = {each.project for each in result.found if each.project is not None}
    here = nearest(environment, projects)
    kept = [each for each in result.found if each.project is None or each.project == here]
    return replace(result, found=kept)


def remembered_elsewhere(request: WrapRequest, known: Sequence[ConfigLocation]) -> list[ConfigLocation]:
    """Where else the tap was put, in files of the clients that are asked for."""
    there = {(os.path.realpath(each.path), each.known.keys) for each in known}
    return [
        each
        for each in remembered()
        if (os.path.realpath(each.path), each.known.keys) not in there
        and (request.client is None or each.client.name == request.client)
    ]


def search_file(request: WrapRequest, path: str, environment: Environment) -> SearchResult:
    """The servers in one file that the user names.

    How it is to be read is told by the request's client; else by the file's name, if a client has such a
    file; else by what is in it. Raises :class:`TapError` where it is to be left alone, cannot be read, or
    holds no servers.
    """
    if (what := forbidden(path)) is not None:
        raise TapError(f"{one_line(path)} {what}")
    locations = locations_of_file(path, environment, request.clients)
    if not locations:
        client = BY_NAME[request.client] if request.client else None
        locations = [location_for_client(path, client) if client else location_by_content(path)]
    first = locations[0].client  # several read one .mcp.json
    result = read_servers(within_scope(request, [each for each in locations if each.client is first]))
    if result.problems:
        raise TapError(result.problems[0])
    return result


def within_scope(request: WrapRequest, locations: Sequence[ConfigLocation]) -> list[ConfigLocation]:
    """Those of ``locations`` that are of the request's scope."""
    return [each for each in locations if request.scope in (None, each.known.scope)]


def nearest(environment: Environment, projects: Collection[str]) -> str | None:
    """The one of ``projects`` in whose directory the user is, or in whose repository."""
    for directory in project_directories(environment.project):
        for project in projects:
            if same_directory(project, directory):
                return project
    real = {os.path.realpath(project): project for project in projects}
    for directory in project_directories(environment.project):
        if (reached := real.get(os.path.realpath(directory))) is not None:
            return reached
    return None


def read_servers(locations: Sequence[ConfigLocation]) -> SearchResult:
    """The servers at ``locations``; each file is read once for each form in which it is to be read."""
    files: dict[tuple[str, Format], OpenFile | str] = {}
    hints: dict[int, list[str]] = {}
    result = SearchResult([], [], list(dict.fromkeys(each.path for each in locations)))
    for location in locations:
        key = os.path.realpath(location.path), location.form
        if key not in files:
            files[key] = opened = open_file(location.path, location.form)
            if isinstance(opened, str):
                result.problems.append(opened)
        opened = files[key]
        if isinstance(opened, OpenFile):
            try:
                there = entries_at(location, opened)
            except ConfigError as error:
                result.problems.append(f"{one_line(location.path)} {error}")
            else:
                result.found.extend(FoundServer(location, opened, entry) for entry in there)
                hints.setdefault(id(opened), hints_on(location, opened))
    result.hints.extend(hint for each in hints.values() for hint in each)
    return result


def hints_on(location: ConfigLocation, opened: OpenFile) -> list[str]:
    """Where else in a file servers are, which whoever has written them believes to be read."""
    client, own = location.client, location.known.keys
    read = {own, *(known.keys for known in client.files)}
    who = f"which {client.title} does not read there" if client.name else "which are not read"
    return [
        f"{one_line(location.path)} has servers under {quoted_keys(keys)}, {who}: move them to "
        f"{quoted_keys(own)}"
        for keys in unread_keys(opened.root, read)
    ]


def quoted_keys(keys: Sequence[str]) -> str:
    """A path of keys in a sentence."""
    return f'"{".".join(keys)}"'


def entries_at(location: ConfigLocation, opened: OpenFile) -> list[ServerEntry]:
    """The entries at a location, all refused where the file must not be changed. Raises ConfigError."""
    there = entries(opened.root, location.known.keys, location.client)
    what = forbidden(location.path)
    if what is None:
        return there
    return [replace(each, slot=EntryRefusal("managed", f"is in a file that {what}")) for each in there]
