"""The live half: three streams pumped, recorded, and ended in the right order.

* ``recorder``  chunk to line to record, stamped and numbered
* ``stream``    one stream's chunks, cut into the lines that are recorded
* ``pump``      one direction from its source to its sink
* ``session``   the threads that carry a stdio session, from the first moment
* ``serving``   whether a server that has ended is served on by what it has started
* ``stdio``     the task group that owns their end, as soon as anyio is there; ``threads`` what it waits on
* ``begin``     which file a recording goes to, and its first record

Nothing here looks at what a line means.
"""
