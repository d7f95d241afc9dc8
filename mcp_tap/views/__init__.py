"""Values to text; no decisions.

* ``terminal``      what may reach a terminal, and how wide it is; ``paint`` its colours
* ``conversation``  a session as one reads a conversation: ``events`` and ``payload`` in words
* ``record_json``   a record as JSON; ``JSON.md`` says what all verbs print under ``--json``
* ``tables``        lists of sessions and of numbers; ``grid`` rows of cells that fit the terminal,
  ``figures`` what stands in them
* ``findings``      a diagnosis as text; ``findings_json``, ``sarif``, ``junit`` and ``github`` as other
  programs read it
* ``changes``       what ``wrap``, ``unwrap`` and ``wrapped`` have done or found
* ``links``         where the project lives on the web
"""
