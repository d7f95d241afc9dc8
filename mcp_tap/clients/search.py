"""Entries found in the files of clients, and files that say of themselves whose they are."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace

from mcp_tap.clients.edit import Entry, entries
from mcp_tap.clients.entry import Refusal
from mcp_tap.clients.files import ConfigFile, read_config
from mcp_tap.clients.formats import parse
from mcp_tap.clients.known import BY_NAME, CLIENTS, UNKNOWN, Client, Place, Scope
from mcp_tap.clients.places import (
    Spot,
    Surroundings,
    forbidden,
    form_of,
    same_directory,
    spots,
    spots_of_file,
    up_to_the_root,
)
from mcp_tap.clients.tree import Broken, Built, Empty, Format, Node, member_of, walk
from mcp_tap.errors import TapError, one_line

_TELLING: tuple[tuple[tuple[str, ...], str], ...] = (
    (("context_servers",), "zed"),
    (("mcp_servers",), "codex"),
    (("mcpServers",), ""),
    (("mcp", "servers"), "vscode"),  # settings.json, until VS Code moves them to mcp.json
    (("settings", "mcp", "servers"), "vscode"),  # *.code-workspace
    (("customizations", "vscode", "mcp", "servers"), "vscode"),  # devcontainer.json
    (("servers",), "vscode"),
    (("mcp",), "opencode"),
    (("extensions",), "goose"),
)
"""Where a map of servers tells whose file it is in, the surest ones first; "" is nobody's in particular."""

_SHARED = frozenset({".vscode", ".devcontainer", "devcontainer.json", ".devcontainer.json", ".roo"})

_DESCRIPTIONS = (
    (("manifest_version", "server"), "is the manifest of an extension, which its next update would "
     "overwrite: give the client an entry of its own for that server, and wrap that"),
    (("$schema", "packages"), "describes a server to a registry: wrap the entry that a client has for it"),
    (("source", "deployment"), "describes a server to fastmcp: wrap the entry that runs fastmcp with it"),
    (("source", "environment"), "describes a server to fastmcp: wrap the entry that runs fastmcp with it"),
    (("command",), "holds a server, and no map of servers with their names: write it into one"),
)  # fmt: skip
"""Files that hold no entry of a client's, by their keys."""


@dataclass(frozen=True, slots=True)
class OpenFile:
    """A file and what is in it."""

    file: ConfigFile
    text: str
    form: Format
    root: Node = field(repr=False)


@dataclass(frozen=True, slots=True)
class Found:
    """An entry, and where it was found."""

    spot: Spot
    opened: OpenFile
    entry: Entry

    @property
    def project(self) -> str | None:
        """The directory for which alone the entry holds, in a file that has such."""
        keys = self.spot.place.keys
        return str(self.entry.path[keys.index("*")]) if "*" in keys else None


@dataclass(frozen=True, slots=True)
class Findings:
    """What a search has found, and the sentences about files that could not be looked into."""

    found: list[Found]
    troubles: list[str]
    looked_into: list[str]


def search(
    around: Surroundings, *, client: str | None = None, scope: Scope | None = None, everywhere: bool = False
) -> Findings:
    """All servers in the known files. ``everywhere``: of other projects too, as far as a file names them.

    A file that cannot be read is a sentence, for the others are no worse for it.
    """
    clients = (BY_NAME[client],) if client else CLIENTS
    wanted = [spot for spot in spots(around, clients) if scope in (None, spot.place.scope)]
    findings = look_into(wanted)
    if not everywhere:
        projects = {each.project for each in findings.found if each.project is not None}
        here = nearest(around, projects)
        kept = [each for each in findings.found if each.project is None or each.project == here]
        return Findings(kept, findings.troubles, findings.looked_into)
    return findings


def nearest(around: Surroundings, projects: Collection[str]) -> str | None:
    """The one of ``projects`` in whose directory the user is, or in whose repository."""
    for directory in up_to_the_root(around.project):
        for project in projects:
            if same_directory(project, directory):
                return project
    real = {os.path.realpath(project): project for project in projects}
    for directory in up_to_the_root(around.project):
        if (reached := real.get(os.path.realpath(directory))) is not None:
            return reached
    return None


def look_into(wanted: Sequence[Spot]) -> Findings:
    """The servers at ``wanted``; each file is read once for each form in which it is to be read."""
    files: dict[tuple[str, Format], OpenFile | str] = {}
    findings = Findings([], [], list(dict.fromkeys(spot.path for spot in wanted)))
    for spot in wanted:
        key = os.path.realpath(spot.path), spot.form
        if key not in files:
            files[key] = opened = open_file(spot.path, spot.form)
            if isinstance(opened, str):
                findings.troubles.append(opened)
        opened = files[key]
        if isinstance(opened, OpenFile):
            not_ours = forbidden(spot.path)
            try:
                below = entries(opened.root, spot.place.keys, spot.client)
            except Broken as error:
                findings.troubles.append(f"{one_line(spot.path)} {error}")
                continue
            if not_ours is not None:
                refusal = Refusal("managed", f"is in a file that {not_ours}")
                below = [replace(entry, seat=refusal) for entry in below]
            findings.found.extend(Found(spot, opened, entry) for entry in below)
    return findings


def open_file(path: str, form: Format) -> OpenFile | str:
    """A file, or the sentence that says why it cannot be used."""
    try:
        file = read_config(path)
        text = file.text
        return OpenFile(file, text, form, parsed(text, form))
    except Broken as error:
        return f"{one_line(path)} {error}"
    except OSError as error:
        return f"cannot read {one_line(path)}: {error.strerror}"


def parsed(text: str, form: Format) -> Node:
    """The tree of a file, which holds no servers where it is empty. Raises :class:`Broken`."""
    try:
        return parse(text, form)
    except Empty:
        return Built("map", 0, 0, {})


def search_file(path: str, around: Surroundings, *, client: str | None, scope: Scope | None) -> Findings:
    """The servers in one file that the user names.

    How it is to be read is told by ``client``; else by its name, if a client has such a file; else by what
    is in it. Raises :class:`TapError` where it is to be left alone, cannot be read, or holds no servers.
    """
    if not path:
        raise TapError("the name of the file is empty: --config PATH")
    path = os.path.abspath(path)
    what = forbidden(path)
    if what is not None:
        raise TapError(f"{one_line(path)} {what}")
    wanted = spots_of_file(path, around, (BY_NAME[client],) if client else CLIENTS)
    if not wanted:
        wanted = [spots_by_client(path, BY_NAME[client])] if client else [spot_by_content(path)]
    if not client:
        first = wanted[0].client
        wanted = [spot for spot in wanted if spot.client is first]  # several read one .mcp.json
    findings = look_into([spot for spot in wanted if scope in (None, spot.place.scope)])
    if findings.troubles:
        raise TapError(findings.troubles[0])
    return findings


def spots_by_client(path: str, client: Client) -> Spot:
    """A file that has the form of ``client``, wherever it lies."""
    form = form_of(path, client)
    opened = open_file(path, form)
    if isinstance(opened, OpenFile):
        with contextlib.suppress(Broken, TapError):
            told = told_by(opened.root, form, path)
            if told.client is client:
                return told
    place = next(place for place in client.places if "*" not in place.keys)
    return Spot(client, Place(place.scope, (), place.keys, form=form), path)


def spot_by_content(path: str) -> Spot:
    """A file of which nothing but the content says whose it may be. Raises :class:`TapError`."""
    form = form_of(path, UNKNOWN)
    opened = open_file(path, form)
    if isinstance(opened, str):
        raise TapError(opened)
    try:
        return told_by(opened.root, form, path)
    except Broken as error:
        raise TapError(f"{one_line(path)} {error}") from None


def scope_of(path: str) -> Scope:
    """Whether a file that no client is known by is one that people share."""
    parts = os.path.abspath(path).replace("\\", "/").split("/")
    return "project" if _SHARED.intersection(parts) or parts[-1].endswith(".code-workspace") else "user"


def told_by(root: Node, form: Format, path: str) -> Spot:
    """Whose file it may be that has these keys. Raises :class:`TapError`, and :class:`Broken`."""
    for keys, name in _TELLING:
        for _, node in walk(root, keys):
            if node.kind == "list" and keys == ("mcpServers",):
                name = "continue"
            if node.kind == "map" and member_of(node, "command"):
                continue  # OpenCode's server that is called "servers"
            return Spot(BY_NAME.get(name, UNKNOWN), Place(scope_of(path), (), keys, form=form), path)
    there = {member.key for member in root.members()}
    for keys, what in _DESCRIPTIONS:
        if there.issuperset(keys):
            raise TapError(f"{one_line(path)} {what}")
    raise TapError(f"{one_line(path)} has no map of MCP servers that a known client would read")
