"""mcp-tap, the flight recorder for MCP.

For programs: :func:`read` gives the sessions of a recording, :func:`diagnose` what is wrong in them. What
is not in ``__all__`` is private.

The packages, in the order in which bytes pass through them:

* ``process``    bytes in and out of processes; the only place that knows the operating system
* ``wire``       bytes to lines; no I/O, no clock
* ``record``     the recording file: its format, where it lies, writing and reading it
* ``tap``        the live half: streams pumped, recorded, and ended in the right order
* ``model``      what records mean: messages, exchanges, sessions; one reader for every verb
* ``diagnosis``  the engine of the rules; it knows none of them
* ``rules``      nothing but rules, one a file, by family
* ``api``        what a program may use
* ``views``      values to text: tables, conversations, findings, JSON, SARIF, JUnit
* ``clients``    the configuration files of MCP clients, and the tap put into them and taken out
* ``demo``       a small notes server and a client for it, to show all of this offline
* ``commands``   one verb each; ``options`` what each understands; ``cli`` dispatches to them
* ``errors``     exit statuses, and the one class of error that a user is meant to read

This module imports nothing until it is asked for a name: it is loaded before every recorded server is
started.
"""

__version__ = "0.1.0"

TYPE_CHECKING = False
if TYPE_CHECKING:
    from mcp_tap.api import (
        Event,
        Exchange,
        Line,
        Notification,
        RecordedSession,
        Report,
        SessionReport,
        TapError,
        diagnose,
        read,
    )

__all__ = [
    "Event",
    "Exchange",
    "Line",
    "Notification",
    "RecordedSession",
    "Report",
    "SessionReport",
    "TapError",
    "diagnose",
    "read",
]


def __getattr__(name: str) -> object:
    """The public names, from :mod:`mcp_tap.api` when first asked for."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from mcp_tap import api

    return getattr(api, name)
