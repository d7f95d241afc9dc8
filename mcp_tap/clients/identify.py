"""Which client reads a file that lies where no known client would look for it."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Collection
from typing import Any

from mcp_tap.clients.known import BY_NAME, UNKNOWN, Client, KnownFiles, Scope
from mcp_tap.clients.locations import ConfigLocation, form_of
from mcp_tap.clients.open_file import OpenFile, open_file
from mcp_tap.clients.tree import ConfigError, Format, Node, member_of, walk
from mcp_tap.errors import TapError, one_line

_CLIENT_BY_KEYS: tuple[tuple[tuple[str, ...], str], ...] = (
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
"""Where a map of servers tells which client reads the file, the surest ones first; "" is no one client."""

_SHARED = frozenset({".vscode", ".devcontainer", "devcontainer.json", ".devcontainer.json", ".roo"})

_NO_CONFIGURATION = (
    (("manifest_version", "server"), "is the manifest of an extension, and its next update would undo the "
     "change: add an entry of your own for that server to the client's configuration, and wrap that"),
    (("$schema", "packages"), "describes a server for a registry: wrap the client's entry for it instead"),
    (("source", "deployment"), "describes a server for fastmcp: wrap the entry that runs fastmcp instead"),
    (("source", "environment"), "describes a server for fastmcp: wrap the entry that runs fastmcp instead"),
    (("command",), "holds one server without a name: put it in a map of servers, such as mcpServers"),
)  # fmt: skip
"""Files that hold no entry of a client's, by their keys."""


def location_for_client(path: str, client: Client) -> ConfigLocation:
    """A file that has the form of ``client``, wherever it lies."""
    form = form_of(path, client)
    opened = open_file(path, form)
    if isinstance(opened, OpenFile):
        with contextlib.suppress(ConfigError, TapError):
            location = location_by_keys(opened.root, form, path)
            if location.client is client:
                return location
    known = next(known for known in client.files if "*" not in known.keys)
    return ConfigLocation(client, KnownFiles(known.scope, (), known.keys, form=form), path)


def location_by_content(path: str) -> ConfigLocation:
    """A file of which nothing but the content says whose it may be. Raises :class:`TapError`."""
    form = form_of(path, UNKNOWN)
    opened = open_file(path, form)
    if isinstance(opened, str):
        raise TapError(opened)
    try:
        return location_by_keys(opened.root, form, path)
    except ConfigError as error:
        raise TapError(f"{one_line(path)} {error}") from None


def location_by_keys(root: Node, form: Format, path: str) -> ConfigLocation:
    """Whose file it may be that has these keys. Raises :class:`TapError`, and :class:`ConfigError`."""
    for keys, name in _CLIENT_BY_KEYS:
        for _, node in walk(root, keys):
            if node.kind == "list" and keys == ("mcpServers",):
                name = "continue"
            if node.kind == "map" and member_of(node, "command"):
                continue  # OpenCode's server that is called "servers"
            files = KnownFiles(scope_of(path), (), keys, form=form)
            return ConfigLocation(BY_NAME.get(name, UNKNOWN), files, path)
    there = {member.key for member in root.members()}
    for keys, what in _NO_CONFIGURATION:
        if there.issuperset(keys):
            raise TapError(f"{one_line(path)} {what}")
    raise TapError(f"{one_line(path)} has no MCP servers in a form that a known client reads")


_COMMANDS = ("command", "cmd", "url", "httpUrl", "serverUrl")


def unread_keys(root: Node, read: Collection[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """Where maps of servers are that are not at one of ``read``, nor within or around such."""
    found: list[tuple[str, ...]] = []
    for keys, _ in _CLIENT_BY_KEYS:
        near = any(keys[: len(each)] == each[: len(keys)] for each in [*read, *found])
        with contextlib.suppress(ConfigError):
            if not near and any(_holds_servers(node.value) for _, node in walk(root, keys)):
                found.append(keys)
    return found


def _holds_servers(value: Any) -> bool:
    inside = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return any(isinstance(each, dict) and any(map(each.get, _COMMANDS)) for each in inside)


def scope_of(path: str) -> Scope:
    """Whether a file that no client is known by is one that people share."""
    parts = os.path.abspath(path).replace("\\", "/").split("/")
    return "project" if _SHARED.intersection(parts) or parts[-1].endswith(".code-workspace") else "user"
