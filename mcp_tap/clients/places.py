"""Where the files of the table are on this machine."""

from __future__ import annotations

import fnmatch
import glob
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from mcp_tap.clients.known import CLIENTS, FORBIDDEN, Client, Place, Scope, System
from mcp_tap.clients.tree import Format

_FORMS: dict[str, Format] = {".toml": "toml", ".yaml": "yaml", ".yml": "yaml"}
_MAGIC = re.compile(r"[*?[]")


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What decides where files lie: the system, the user's home, the project's directory, the environment."""

    system: System
    home: str
    project: str
    environment: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Spot:
    """A file that a client reads, and what it looks for there."""

    client: Client
    place: Place
    path: str

    @property
    def form(self) -> Format:
        """How the file is written."""
        return self.place.form or self.client.form


def surroundings(project: str | None = None) -> Surroundings:
    """Those of this process; ``project`` is the working directory if none is given."""
    system: System = "windows" if os.name == "nt" else "macos" if os.uname().sysname == "Darwin" else "linux"
    return Surroundings(
        system, os.path.expanduser("~"), os.path.abspath(project or os.curdir), dict(os.environ)
    )


def spots(around: Surroundings, clients: tuple[Client, ...] = CLIENTS) -> list[Spot]:
    """The files of ``clients`` that exist, each with a place in it once: the first client that reads it."""
    found: dict[tuple[str, tuple[str, ...]], Spot] = {}
    for client in clients:
        for place in client.places:
            if around.system in place.only:
                for path in existing(place, around):
                    found.setdefault((os.path.realpath(path), place.keys), Spot(client, place, path))
    return list(found.values())


def existing(place: Place, around: Surroundings) -> Iterator[str]:
    """The files of a place that are there (or cannot be looked at, which is worth a word)."""
    for template in in_force(place, around):
        if template.startswith("{project}"):
            for directory in up_to_the_root(around.project):
                yield from matching(template.removeprefix("{project}/"), directory)
        else:
            base, rest = based(template, around)
            if base is not None:
                yield from matching(rest, base)


def in_force(place: Place, around: Surroundings) -> tuple[str, ...]:
    """The paths of a place that hold in this environment."""
    for template in place.paths:
        if template.startswith("$") and based(template, around)[0] is not None:
            return (template,)
    return tuple(template for template in place.paths if not template.startswith("$"))


def based(template: str, around: Surroundings) -> tuple[str | None, str]:
    """The directory that a template begins with, None where there is none, and what follows."""
    head, _, rest = template.partition("/")
    home, environment = around.home, around.environment
    if head.startswith("$"):
        value = environment.get(head[1:])
        return (value or None), rest
    return {
        "~": home,
        "{config}": environment.get("XDG_CONFIG_HOME") or f"{home}/.config",
        "{appdata}": environment.get("APPDATA") or f"{home}/AppData/Roaming",
        "{localappdata}": environment.get("LOCALAPPDATA") or f"{home}/AppData/Local",
        "{project}": around.project,
    }[head], rest


def matching(rest: str, base: str) -> Iterator[str]:
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


def up_to_the_root(directory: str) -> Iterator[str]:
    """``directory`` and those above it, up to the root of the repository that it lies in; else it alone."""
    above = [directory]
    while not os.path.exists(os.path.join(above[-1], ".git")):
        parent = os.path.dirname(above[-1])
        if parent == above[-1]:
            return iter([directory])
        above.append(parent)
    return iter(above)


def forbidden(path: str) -> str | None:
    """What a file is that is never to be changed, as a clause that follows its name; else None."""
    for name in {path, os.path.realpath(path)}:
        plain = name.replace("\\", "/").lower()
        for pattern, what in FORBIDDEN:
            if fnmatch.fnmatchcase(plain, pattern):
                return f"is {what}"
    return None


def spots_of_file(path: str, around: Surroundings, clients: tuple[Client, ...]) -> list[Spot]:
    """What ``clients`` look for in the file ``path``, as one of their own, else as one called alike."""
    real = os.path.realpath(path)
    own = [spot for spot in spots(around, clients) if os.path.realpath(spot.path) == real]
    if own:
        return [Spot(spot.client, spot.place, path) for spot in own]
    plain = os.path.abspath(path).replace("\\", "/")
    found: dict[tuple[str, tuple[str, ...]], Spot] = {}
    for client in clients:
        for place in client.places:
            if any(fnmatch.fnmatchcase(plain, f"*/{tail}") for tail in map(tail_of, place.paths) if tail):
                found.setdefault((client.name, place.keys), Spot(client, place, path))
    return list(found.values())


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
    return tuple(dict.fromkeys(place.scope for place in client.places))
