"""The configuration files of MCP clients, and the tap put into them and taken out again, exactly.

* ``known``     a table: each client's files, their form, the shape of an entry, what to do after a change
* ``tree``      a file's text as a tree that knows where everything stands; ``json_text``, ``toml_text`` and
  ``yaml_text`` read it
* ``entry``     the tap in an entry: recognised, put in, taken out; pure, and inverse to each other
* ``edit``      a whole text edited, and proven: nothing else has changed, and the way back is exact
* ``masking``   what of a text may be shown, and a change as a unified diff of that
* ``places``    where the table's files are on this machine
* ``search``    entries found in them
* ``files``     a file read, backed up, and replaced if nobody else has changed it
"""
