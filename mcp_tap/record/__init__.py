"""The recording file, the contract between the live half and everything that reads.

* ``FORMAT.md``  what is in a recording, for people and for other programs
* ``schema``     the pieces of a record, as bytes
* ``paths``      where recordings lie and what they are called
* ``argv_masking``  which command-line words are masked; ``secret_shapes`` how tokens are written
* ``writer``     the file as it is appended to, whatever happens to the disk
* ``reader``     records back from a file, whatever happened to it; ``brief`` its two ends alone
* ``find``       which recording a user means; ``follow`` what is appended to it; ``locate`` a record's line
* ``patterns``   regular expressions that are compiled when they are first used
"""
