"""Making a link: what the system can do decides its kind.

Waiting on several descriptors at once, or a thread that blocks on one.
"""

from __future__ import annotations

import os
from typing import Literal

from mcp_tap.process.link import Link, OnStall

LinkKind = Literal["polled", "threaded"]


def join(source: int, sink: int, on_stall: OnStall, *, kind: LinkKind | None = None) -> Link:
    """A link between two descriptors, which it owns from now on.

    Descriptors 0 to 2 may be shared with other processes: nothing is changed on them that
    others could see.
    """
    if kind is None:
        kind = "polled" if os.name == "posix" else "threaded"
    if kind == "polled":
        from mcp_tap.process._polled import PolledLink

        return PolledLink(source, sink, on_stall)
    from mcp_tap.process._threaded import ThreadedLink

    return ThreadedLink(source, sink)
