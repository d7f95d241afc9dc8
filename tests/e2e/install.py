"""Fetches all that is not ours, so that CI can do so beside the tests that need none of it.

``python -m tests.e2e.install``; whatever fails is tried again, and told, by the tests that need it.
"""

from __future__ import annotations

from tests.e2e import environment
from tests.e2e_clients import programs
from tests.windows import test_under_wine

if __name__ == "__main__":
    environment.install()
    test_under_wine.install()
    programs.install()
