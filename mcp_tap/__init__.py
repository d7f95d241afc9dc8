"""mcp-tap, the flight recorder for MCP.

The packages, in the order in which bytes pass through them:

* ``process``  bytes in and out of processes; the only place that knows the operating system
* ``wire``     bytes to lines; no I/O, no clock
* ``record``   the recording file: its format, where it lies, writing and reading it
* ``tap``      the live half: streams pumped, recorded, and ended in the right order
* ``clients``  the configuration files of MCP clients, and the tap put into them and taken out
* ``demo``     a small notes server and a client for it, to show all of this offline
* ``commands`` one verb each; ``cli`` dispatches to them

This module imports nothing: it is loaded before every recorded server is started.
"""

__version__ = "0.1.0"
