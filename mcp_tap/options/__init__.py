"""Every verb's options, but those of ``run``, which is read by hand: ``commands.run_options``.

Each ``add_VERB`` gives the parser of verbs one more, and sets ``command`` to a function of the parsed
options that returns the exit status. What a verb needs is imported when it is run.

* ``parser``     what verbs are added to
* ``reading``    ``sessions``, ``show``, ``stats``, ``cat``, ``demo``
* ``checking``   ``check``
* ``wrapping``   ``wrap``, ``unwrap``, ``wrapped``
"""
