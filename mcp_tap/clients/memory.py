"""Which files hold the tap, wherever they lie, for ``unwrap --all`` and ``wrapped`` to find them all.

A file of its own for each map of servers, in the user's state directory, so that several processes never
write the same one, and one that cannot be read takes nothing with it. Nothing here fails a verb.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Iterable
from typing import Any, get_args

from mcp_tap.clients.files import TEMPORARY, read_config, write_in_one_step
from mcp_tap.clients.known import BY_NAME, SCOPES, UNKNOWN, KnownFiles
from mcp_tap.clients.locations import ConfigLocation
from mcp_tap.clients.tree import ConfigError, Format
from mcp_tap.record.paths import default_directory

MEMORY = "wrapped"
"""The directory of these files, beside the recordings and the backups."""


def remember(locations: Iterable[ConfigLocation]) -> None:
    """Keep in mind where the tap is about to be put."""
    from mcp_tap.record.writer import make_private_directory

    with contextlib.suppress(OSError):
        make_private_directory(memory_directory())
    for each in locations:
        record = {
            "path": os.path.abspath(each.path),
            "client": each.client.name,
            "scope": each.known.scope,
            "keys": list(each.known.keys),
            "form": each.form,
        }
        keys = hashlib.sha256(json.dumps(record["keys"]).encode()).hexdigest()[:8]
        name = f"{prefix_of(each.path)}{keys}.json"
        with contextlib.suppress(OSError):
            path = os.path.join(memory_directory(), name)
            write_in_one_step(path, json.dumps(record).encode() + b"\n", os.fsync)


def forget(path: str) -> None:
    """The tap is not in the file ``path`` any more."""
    for name in names():
        if name.startswith(prefix_of(path)):
            with contextlib.suppress(OSError):
                os.unlink(os.path.join(memory_directory(), name))


def remembered() -> list[ConfigLocation]:
    """Where the tap was put, as far as these files are still there."""
    found = [location_in(os.path.join(memory_directory(), name)) for name in names()]
    return [each for each in found if each and os.path.lexists(each.path)]


def location_in(path: str) -> ConfigLocation | None:
    """What one of the files says; None where that is nothing that was ever written there."""
    try:
        record: Any = json.loads(read_config(path).data)
        name, keys, scope, form = (record[key] for key in ("path", "keys", "scope", "form"))
        if not os.path.isabs(name) or "\0" in name or scope not in SCOPES or form not in get_args(Format):
            return None
        if not keys or not all(isinstance(key, str) for key in keys):
            return None
        client = BY_NAME.get(record["client"], UNKNOWN)
        return ConfigLocation(client, KnownFiles(scope, (), tuple(keys), form=form), name)
    except (OSError, ConfigError, ValueError, TypeError, KeyError, RecursionError):
        return None


def names() -> list[str]:
    """The files, in an order that stays."""
    try:
        return sorted(name for name in os.listdir(memory_directory()) if not name.endswith(TEMPORARY))
    except OSError:
        return []


def memory_directory() -> str:
    """Where the files are."""
    return os.path.join(default_directory(), MEMORY)


def prefix_of(path: str) -> str:
    """How the names begin of what is known of one file."""
    return hashlib.sha256(os.fsencode(os.path.realpath(path))).hexdigest()[:16] + "-"
