"""The server as a child process: started, waited for, signalled, and imitated in its end.

One face for both systems; ``_posix`` and ``_windows`` hold what differs.
"""

import os

if os.name == "posix":
    from mcp_tap.process._posix import Child, Signals, die_by, exit_status, spawn
else:
    from mcp_tap.process._windows import (  # type: ignore[assignment] # the same names, the other system
        Child,
        Signals,
        die_by,
        exit_status,
        spawn,
    )

__all__ = ["Child", "Signals", "die_by", "exit_status", "spawn"]
