"""The live half: three streams pumped, recorded, and ended in the right order.

* ``recorder``  chunk to line to record, stamped and numbered
* ``pump``      one direction from its source to its sink
* ``stdio``     the task group that runs a stdio session

Nothing here looks at what a line means.
"""
