"""What the start record adds to a complaint: its command, a wrapper, PATH, the names of variables."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from mcp_tap.diagnosis.life import launcher, words_of
from mcp_tap.diagnosis.recognise.complaints import Match, masked

WRAPPERS = {
    "docker": "add `-e {}` to `docker run`, before the image",
    "podman": "add `-e {}` to `podman run`, before the image",
    "nerdctl": "add `-e {}` to `nerdctl run`, before the image",
    "ssh": "set {} on the other machine, or before the command there (SendEnv needs the server's consent)",
    "wsl": "add {} to WSLENV in `env`",
    "sudo": "add `--preserve-env={}` to sudo",
    "flatpak": "add `--env={}=…` to `flatpak run`",
    "env": "drop -i, or add `{}=…` after it",
}
"""Commands that do not pass their environment on, and how each is told to."""

NODE_VERSION = re.compile(r"\bv(\d+\.\d+\.\d+)\b")

NODE = frozenset({"node-too-old", "node-version", "native-module"})
"""Complaints about the Node that was started."""


def on_file(match: Match, start: Mapping[str, Any], stderr: Sequence[str]) -> str | None:
    """What to do about ``match`` in view of how the server was started; None where that adds nothing."""
    if match.complaint.name == "unset-variable" and match.what is not None:
        return of_variable(match.what, start)
    if match.complaint.name in NODE:
        return of_node(match, start, stderr)
    tilde = next((word for word in words_of(start)[1:] if word.startswith("~/")), None)
    if match.complaint.name in ("missing-file", "missing-node-module", "usage") and tilde is not None:
        return f"write the whole path instead of `{masked(tilde)}`: without a shell nobody expands the `~`"
    return None


def of_variable(name: str, start: Mapping[str, Any]) -> str | None:
    """What to do about a variable that the program has not got."""
    given, words, wrapper = start.get("env"), words_of(start), wrapper_of(start)
    is_given = isinstance(given, list) and name in given
    if wrapper is not None and any(names_variable(word, name) for word in words):
        return None
    if wrapper is not None and is_given:
        passed_on = WRAPPERS[wrapper].format(name)
        return f"`{name}` was given to {wrapper}, which does not pass it on: {passed_on}"
    if wrapper is not None:
        return f"set `{name}` in the `env` of the server's entry, and {WRAPPERS[wrapper].format(name)}"
    if is_given:
        return f"`{name}` was given to the command: its value may be empty, or something in between drops it"
    return None


def is_given(match: Match, start: Mapping[str, Any]) -> bool:
    """Whether a variable that seems unset was given, and nothing is known that would keep it."""
    given = start.get("env")
    named = match.complaint.name == "unset-variable" and isinstance(given, list) and match.what in given
    return named and wrapper_of(start) is None


def names_variable(word: str, name: str) -> bool:
    """Whether a word of the command passes the variable on."""
    return re.search(rf"(?<![A-Z0-9_]){re.escape(name)}(?![A-Z0-9_])", word) is not None


def wrapper_of(start: Mapping[str, Any]) -> str | None:
    """The command's name, if it is one that keeps its environment to itself."""
    name, words = launcher(start) or program_name(start), words_of(start)
    if name == "env":
        return name if {"-i", "-", "--ignore-environment"} & set(words[1:]) else None
    if name in ("docker", "podman", "nerdctl"):
        return name if runs_container(words) else None
    return name if name in WRAPPERS else None


def program_name(start: Mapping[str, Any]) -> str:
    """The command without its folder."""
    words = words_of(start)
    return re.split(r"[/\\]", words[0])[-1] if words else ""


def of_node(match: Match, start: Mapping[str, Any], stderr: Sequence[str]) -> str | None:
    """Which Node was started, where stderr or PATH tells."""
    banner = next((line for line in reversed(stderr) if line.startswith("Node.js v")), "")
    path = start.get("path")
    found = NODE_VERSION.search(banner)
    if found is None:
        return None
    said = f"Node.js {found[0]} was started"
    if isinstance(path, str) and found[0] in path:
        said += f", which PATH as the client gives it has{' first' if found[0] in path.split(':')[0] else ''}"
    return f"{said}: {match.next}"


CONTAINERS = re.compile(r"(?:^|[/\\])(?:docker|podman|nerdctl)(?:\.exe)?$")

TAKES_WORD = frozenset({"--context", "-c", "--host", "-H", "--config", "--log-level", "-l"})
"""Options of docker that stand before its command and take a word."""


def runs_container(words: Sequence[str]) -> bool:
    """Whether the command is ``docker run``, and not ``docker compose run`` or ``docker mcp gateway run``."""
    if not words or CONTAINERS.search(words[0]) is None:
        return False
    rest = iter(words[1:])
    for word in rest:
        if word in TAKES_WORD:
            next(rest, None)
        elif not word.startswith("-") and word != "container":
            return word == "run"
    return False


def keeps_stdin(words: Sequence[str]) -> bool:
    """Whether ``docker run`` leaves stdin open."""
    return any(
        word.startswith("--interactive") or (re.match(r"-[a-zA-Z]*i", word) is not None) for word in words
    )
