"""Values to text; no decisions.

* ``terminal``      what may reach a terminal, and how wide it is
* ``conversation``  a session as one reads a conversation
* ``tables``        lists of sessions and of numbers
"""
