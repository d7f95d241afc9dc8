"""Bytes in and out of processes: the only package that knows the operating system.

* ``child``        starts the server with exactly the tap's own surroundings
* ``command_line`` how Windows is told a command line, as text
* ``own_streams``  the tap's own descriptors: which are open, and a warning that cannot block
* ``signals``      the client's signals, waited for and passed on if the server has not got them
* ``limits``       which limit of the system's was met
* ``link``         one direction: the source it is read from and the sink it is written to
* ``sentinel``     a process beside the server: which signals its group got; the server's guardian
* ``join``         two descriptors made a link, of the kind that the system can do

``_posix`` and ``_windows`` hold what differs, ``_descriptors`` what a shared descriptor allows.
``child``, ``own_streams``, ``sentinel`` and ``_posix`` are imported before the server is started: they
import nothing that costs time.
"""
