"""What records mean. No I/O, no clock: records in, values out.

* ``methods``    the methods of MCP by protocol version, as a table
* ``message``    one line as a JSON-RPC message, or why it is none (``not_json``)
* ``exchange``   a request and what became of it; ``pairing`` finds what answers what
* ``sessions``   the one way from the lines of a recording to its sessions, a ``step`` for each record
* ``session``    handshake, catalogue, and how it ended (``ending``); ``summary`` in a line; ``held``
  lines that are recorded in parts
* ``filters``    which records a user wants to see; ``lookahead`` what answers them
* ``numbers``    counts, latencies and sizes; ``units`` puts a time in words
"""
