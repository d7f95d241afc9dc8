"""Methods of extensions: which are known, which are declared, and which names are one."""

from __future__ import annotations

from mcp_tap.diagnosis.context import SessionContext
from mcp_tap.model.message import Side

NO_NAMESPACE = frozenset({"io", "com", "org", "net", "dev", "ai", "app", "modelcontextprotocol", "mcp"})
"""Parts of an extension's name that name nobody's methods."""

KNOWN_EXTENSIONS: dict[str, tuple[str, ...]] = {
    "io.modelcontextprotocol/tasks": ("tasks/", "notifications/tasks"),
    "io.modelcontextprotocol/skills": ("resources/directory/read", "skills/"),
    "io.modelcontextprotocol/ui": ("ui/", "notifications/ui/"),
}
"""The methods of official extensions whose names do not tell (SEP-2663, SEP-2640, SEP-1865)."""

EXTENSIONS_LOOKED_AT = 100
"""Declared extensions that a method is compared with."""


def declared(context: SessionContext) -> list[str]:
    """The extensions and experimental capabilities that either side has declared."""
    names: list[str] = []
    sides: tuple[Side, Side] = ("c2s", "s2c")
    for side in sides:
        offered = context.session.capabilities.get(side)
        for kind in ("extensions", "experimental"):
            group = offered.get(kind) if isinstance(offered, dict) else None
            names += list(group)[:EXTENSIONS_LOOKED_AT] if isinstance(group, dict) else []
    return names


def is_of_extension(method: str, extension: str) -> bool:
    """Whether ``method`` may belong to an extension: `acme/search` to `com.acme/search`."""
    if method.startswith(KNOWN_EXTENSIONS.get(extension, ("\0",))):
        return True
    bare = method.removeprefix("notifications/").removeprefix("$/").lower()
    if bare.startswith(extension.lower()):
        return True
    namespace = set(bare.replace(".", "/").split("/")[:-1])
    parts = set(extension.lower().replace(".", "/").split("/")) - NO_NAMESPACE
    return not namespace.isdisjoint(parts)


def is_extension(context: SessionContext, method: str) -> bool:
    """Whether a declared extension may have brought ``method``."""
    return any(is_of_extension(method, extension) for extension in declared(context))
