"""What records mean. No I/O, no clock: records in, values out.

* ``methods``   the methods of MCP by protocol version, as a table
* ``message``   one line as a JSON-RPC message, or why it is none
* ``not_json``  why a line is not JSON
* ``exchange``  requests paired with their answers, both ways
* ``session``   handshake, catalogue, and how it ended
* ``numbers``   counts, latencies and sizes
"""
