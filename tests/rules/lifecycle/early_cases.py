"""What the tests of rules about what comes too early share."""

from __future__ import annotations

from tests.record_cases import Tape
from tests.rules.lifecycle.cases import agreed, offer


def handshake_without_the_end() -> Tape:
    return Tape().start().client(offer(), 0.1).server(agreed(), 0.2)
