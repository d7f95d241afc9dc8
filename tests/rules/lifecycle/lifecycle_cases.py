"""What the tests of lifecycle share."""

from __future__ import annotations

from tests.record_cases import Tape
from tests.rules.lifecycle.cases import agreed, offer


def half_begun() -> Tape:
    """initialize is answered, and no more."""
    return Tape().start().client(offer(), 0.1).server(agreed(), 0.2)
