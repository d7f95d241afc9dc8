"""The configuration files of MCP clients, and the tap put into them and taken out again, exactly.

* ``known``     a table: each client's files, their form, the shape of an entry, what to do after a change
* ``aliases``   what people call the clients
* ``request``   what the user asks for: one value for all verbs
* ``tree``      a file's text as a tree that knows where everything stands; ``json_text``, ``toml_text`` and
  ``yaml_text`` read it, ``formats`` says which reads what
* ``wrapped_command`` a command line with the tap in it; ``tap_command`` that of this very tap
* ``one_string`` a program with blanks in its path told from a command line in one string
* ``entry``     the tap in an entry: recognised, put in, taken out; pure, and inverse to each other
* ``edit``      a whole text edited, and proven: nothing else has changed, and the way back is exact
* ``masking``   what of a text may be shown, and a change as a unified diff of that
* ``locations`` where the table's files are on this machine; ``forbidden`` which files are left alone
* ``identify``  whose a file is that lies elsewhere
* ``memory``    files that hold the tap, wherever they lie
* ``search``    entries found in them
* ``files``     a file read, backed up, and replaced if nobody else has changed it; ``open_file``
  reads and parses
"""
