"""Diagnosis: what is wrong in a session, who is at fault, how sure that is, what to do. No I/O.

This is the engine; the rules are in :mod:`mcp_tap.rules`, and nothing here knows one.

* ``rule``       what a rule is, and the hooks by which it sees a session; ``interest`` what a hook declares
  that it looks at, ``finding`` what a rule says
* ``context``    what a rule may look at; ``listing`` what the server has listed
* ``dispatch``   the rules at work on one session; ``recording`` on a whole recording
* ``causality``  which finding explains which
* ``report``     the verdict and the life line; ``conclude`` those of all sessions, held against each other
  by their ``session_digest``
* ``settings``   thresholds and severities; ``config`` and ``baseline`` the files that set them

What rules of several families need:

* ``text``       how a sentence puts a request, a name, a time, a size
* ``content``    what lists of tools and results hold
* ``bounded``    what is remembered, within bounds
* ``asked``      faults that the answer decides; ``pending`` requests without an answer
* ``life``       what happened to the server's process; ``departure`` whether the client left because of it
* ``circumstances`` what the start record adds to a complaint on stderr
* ``era_proof``  whether a server speaks 2026-07-28
* ``invalid_lines`` lines that are no messages
* ``extensions`` methods of extensions; ``levels`` levels of log messages
* ``json_schema``   questions to the jsonschema library, in bounded time; ``ecma`` patterns, ``misfit`` the
  answers in words
* ``recognise``  what is recognised in text: credentials, phrases, code pages, complaints, broken messages
"""
