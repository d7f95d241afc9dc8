"""For how long there has to be nothing until that says something."""

from __future__ import annotations

LATE_SECONDS = 1.0
"""Age of the oldest request that makes answers read at once a burst."""

QUIET_SECONDS = 10.0
"""Silence that is none of a server at work for a moment."""

LONG_SECONDS = 10.0
"""From which on an open request is more than work in progress; quick methods take milliseconds, and a
client that leaves earlier has hardly given up."""
