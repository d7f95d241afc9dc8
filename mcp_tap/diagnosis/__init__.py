"""Diagnosis: what is wrong in a session, who is at fault, how sure that is, what to do. No I/O.

This is the engine; the rules are in :mod:`mcp_tap.rules`, and nothing here knows one but ``plain`` and
``reading``.

* ``rule``       what a rule is, and the hooks by which it sees a session; ``finding`` what it says
* ``case``       what a rule may look at; ``listing`` what the server has listed
* ``checker``    the rules at work on one session; ``reading`` on a whole recording, fast, by letting
  pass what is ``plain``
* ``causes``     which finding explains which
* ``report``     the verdict and the life line; ``digest`` what is kept to hold sessions against each other
* ``settings``   thresholds and severities; ``config`` and ``baseline`` the files that set them

What rules of several families need:

* ``text``       how a sentence puts a request, a name, a time, a size
* ``asked``      faults that the answer decides; ``pending`` requests without an answer
* ``life``       what happened to the server's process; ``departure`` whether the client left because of it
* ``strays``     lines that are no messages
* ``extensions`` methods of extensions; ``levels`` levels of log messages
* ``json_schema``   questions to the jsonschema library, in bounded time; ``ecma`` patterns, ``misfit`` the
  answers in words
* ``recognise``  what is recognised in text: credentials, phrases, code pages, complaints, broken messages
"""
