"""What several families need to know, and what is too much for one file; no rules.

* ``life``          what happened to the server's process; ``departure`` whether the client left because of it
* ``pending``       requests without an answer; ``asked`` faults that the answer decides; ``questions`` of a
  server in 2026-07-28, and ``proof`` that it speaks that version
* ``strays``        lines that are no messages; ``kinds`` and ``faulty`` what they may have been
* ``known_tools``   the list of tools as long as it is sure to hold; ``shape_table`` what messages consist of
* ``json_schema``   questions to the jsonschema library, in bounded time; ``ecma`` patterns, ``misfit`` the
  answers in words, ``sampler`` which values are looked at
* ``credentials``, ``phrases``, ``codepages``, ``complaints``   what is recognised in text
* ``wording``       words for names and sizes
"""
