"""Where the files of the table are on this machine."""

from __future__ import annotations

import fnmatch
import glob
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from mcp_tap.clients.known import CLIENTS, Client, KnownFiles, Scope, System
from mcp_tap.clients.tree import Format

_FORMS: dict[str, Format] = {".toml": "toml", ".yaml": "yaml", ".yml": "yaml"}
_HOME = re.compile(
    r"(?:/mnt/\w|/var|/export|//[^/]+/[^/]+|[a-z]:)?/(?:home|users)/[^/]+$|/(?:var/)?root$", re.IGNORECASE
)
_MAGIC = re.compile(r"[*?[]")


@dataclass(frozen=True, slots=True)
class Environment:
    """What decides where files lie: the system, the user's home, the project's directory, the environment."""

    system: System
    home: str
    project: str
    variables: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class ConfigLocation:
    """A file that a client reads, and what it looks for there."""

    client: Client
    known: KnownFiles
    path: str

    @property
    def form(self) -> Format:
        """How the file is written."""
        return self.known.form or self.client.form


def this_environment(project: str | None = None) -> Environment:
    """Those of this process; ``project`` is the working directory if none is given."""
    system: System = "windows" if os.name == "nt" else "macos" if os.uname().sysname == "Darwin" else "linux"
    return Environment(
        system, os.path.expanduser("~"), os.path.abspath(project or os.curdir), dict(os.environ)
    )


def find_locations(environment: Environment, clients: tuple[Client, ...] = CLIENTS) -> list[ConfigLocation]:
    """The files of ``clients`` that exist, each map of servers once, for the first client that reads it."""
    found: dict[tuple[str, tuple[str, ...]], ConfigLocation] = {}
    for client in clients:
        for known in client.files:
            if environment.system in known.only:
                for path in existing_files(known, environment):
                    found.setdefault(
                        (os.path.realpath(path), known.keys), ConfigLocation(client, known, path)
                    )
    return list(found.values())


def existing_files(known: KnownFiles, environment: Environment) -> Iterator[str]:
    """Those of the files that are there (or cannot be looked at, which is worth a word)."""
    for template in active_paths(known, environment):
        if template.startswith("{project}"):
            for directory in project_directories(environment.project):
                yield from matching_files(template.removeprefix("{project}/"), directory)
        else:
            base, rest = base_directory(template, environment)
            if base is not None:
                yield from matching_files(rest, base)


def active_paths(known: KnownFiles, environment: Environment) -> tuple[str, ...]:
    """The paths of the files that hold in this environment."""
    for template in known.paths:
        if template.startswith("$") and base_directory(template, environment)[0] is not None:
            return (template,)
    return tuple(template for template in known.paths if not template.startswith("$"))


def base_directory(template: str, environment: Environment) -> tuple[str | None, str]:
    """The directory that a template begins with, None where there is none, and what follows."""
    head, _, rest = template.partition("/")
    home, variables = environment.home, environment.variables
    if head.startswith("$"):
        value = variables.get(head[1:])
        return (value or None), rest
    return {
        "~": home,
        "{config}": variables.get("XDG_CONFIG_HOME") or f"{home}/.config",
        "{appdata}": variables.get("APPDATA") or f"{home}/AppData/Roaming",
        "{localappdata}": variables.get("LOCALAPPDATA") or f"{home}/AppData/Local",
        "{project}": environment.project,
    }[head], rest


def matching_files(rest: str, base: str) -> Iterator[str]:
    """The files below ``base`` whose path is ``rest``, in which "*" is any name."""
    if not rest:
        if os.path.lexists(base):
            yield base
    elif _MAGIC.search(rest):
        yield from sorted(glob.glob(os.path.join(glob.escape(base), rest)))
    else:
        path = os.path.normpath(os.path.join(base, rest))
        if os.path.lexists(path):
            yield path


def project_directories(directory: str) -> Iterator[str]:
    """``directory`` and those above it, up to the root of the repository that it lies in; else it alone."""
    above = [directory]
    while not os.path.exists(os.path.join(above[-1], ".git")):
        parent = os.path.dirname(above[-1])
        if parent == above[-1]:
            return iter([directory])
        above.append(parent)
    return iter(above)


def locations_of_file(
    path: str, environment: Environment, clients: tuple[Client, ...]
) -> list[ConfigLocation]:
    """What ``clients`` look for in the file ``path``, as one of their own, else as one called alike."""
    real = os.path.realpath(path)
    own = [
        location
        for location in find_locations(environment, clients)
        if os.path.realpath(location.path) == real
    ]
    if own:
        return [ConfigLocation(location.client, location.known, path) for location in own]
    plain = os.path.abspath(path).replace("\\", "/")
    found: dict[tuple[str, tuple[str, ...]], tuple[tuple[int, bool], ConfigLocation]] = {}
    for client in clients:
        for known in client.files:
            for tail in filter(None, map(tail_of, known.paths)):
                if fnmatch.fnmatchcase(plain, f"*/{tail}"):
                    above = plain.rsplit("/", tail.count("/") + 1)[0]
                    rank = tail.count("/"), (known.scope == "user") == looks_like_home(above)
                    best = found.setdefault(
                        (client.name, known.keys), (rank, ConfigLocation(client, known, path))
                    )
                    if rank > best[0]:
                        found[client.name, known.keys] = rank, ConfigLocation(client, known, path)
    return [location for _, location in found.values()]


def looks_like_home(directory: str) -> bool:
    """Whether another home directory than this user's, perhaps of another system, is called so.

    A project has files of the same names as a home.
    """
    return _HOME.match(directory) is not None


def tail_of(template: str) -> str:
    """The part of a template by which a file is recognised elsewhere, too; empty where that is too little."""
    return template.partition("/")[2]


def form_of(path: str, client: Client) -> Format:
    """How ``path`` is written: as its name says, else as the client's files are."""
    extension = os.path.splitext(path)[1].lower()
    if extension in _FORMS:
        return _FORMS[extension]
    if client.form in ("toml", "yaml") and extension in (".json", ".jsonc"):
        return "jsonc"
    return client.form


def same_directory(one: str, other: str) -> bool:
    """Whether two names of a directory are alike; Windows has two separators and two cases."""

    def plain(name: str) -> str:
        name = name.replace("\\", "/").rstrip("/")
        return name.casefold() if re.match(r"[A-Za-z]:", name) else name

    return plain(one) == plain(other)


def scopes_of(client: Client) -> tuple[Scope, ...]:
    """The scopes that a client knows, in order."""
    return tuple(dict.fromkeys(known.scope for known in client.files))
