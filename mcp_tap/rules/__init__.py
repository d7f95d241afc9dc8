"""The rules, a family a folder, a rule a file that is named by its id; its docstring is its help page.

* ``framing``        FRM: lines that are no messages
* ``jsonrpc``        RPC: messages that are not as JSON-RPC and the schema have them
* ``lifecycle``      LIF: the handshake, and waiting for answers
* ``capabilities``   CAP: what was declared, and what was used
* ``utilities``      CAN, PRG: cancellation and progress
* ``tools``          TOL: lists of tools, their schemas, and calls
* ``results``        RES: what is answered
* ``providers``      PRV: what the APIs of models refuse, what clients leave unfinished
* ``modern``         MOD: the era without a handshake
* ``performance``    PRF: slow, or large
* ``process``        PRO: how the server started and ended
* ``recording``      TAP: the tap's own part
* ``security``       SEC: credentials, and text that is meant for the model

``registry`` lists all rules, in order; nothing else imports one. A rule imports :mod:`mcp_tap.diagnosis`,
and the modules of its own family that begin with an underscore: what several of its rules share.
"""
