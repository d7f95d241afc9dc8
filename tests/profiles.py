"""How often the suite tries what chance decides: a factor in the test, the scale in the profile.

``quick`` is for a developer who waits, ``ci`` (the default where the variable CI is set) for what must
hold before a change lands, ``deep`` for a night:
``python -m pytest -n auto --timeout=0 --hypothesis-profile=deep``.
"""

from __future__ import annotations

import os
from typing import Final

from hypothesis import HealthCheck, settings

SCALE: Final = {"quick": 20, "ci": 50, "deep": 5000}
"""How often a factor of 1 is tried: in a minute, in CI's five, in a night."""


def register() -> None:
    """Make the profiles known, and load the one that holds unless pytest is told another."""
    for name, scale in SCALE.items():
        settings.register_profile(
            name,
            max_examples=scale,
            # How fast an example is made and run depends on what else the machine does.
            deadline=None,
            suppress_health_check=[HealthCheck.too_slow],
            # A change must not fail for an example that the one before did not meet; exploring is for
            # the runs of those who can look at what was found.
            derandomize=name == "ci",
        )
    settings.load_profile("ci" if os.environ.get("CI") else "quick")


def times(factor: float) -> int:
    """How often the profile tries what is worth ``factor``, for modules that pytest imports later."""
    return max(1, round(factor * settings().max_examples))


def examples(factor: float) -> settings:
    """Decorates a property that needs ``factor`` times the examples of others."""
    return settings(max_examples=times(factor))
