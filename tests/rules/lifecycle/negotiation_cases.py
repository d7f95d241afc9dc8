"""What the tests of rules about versions share."""

from __future__ import annotations

from typing import Any

from tests.record_cases import Tape, modern
from tests.rules.lifecycle.cases import INITIALIZED, agreed, offer


def answered(version: Any, offered: Any = "2025-11-25") -> Tape:
    """initialize, answered with another version."""
    return Tape().start().client(offer(version=offered), 0.1).server(agreed(version=version), 0.2)


def probed() -> Tape:
    return Tape().start().client(modern(1, "server/discover"), 0.1)


def begins(tape: Tape, t: float) -> Tape:
    """The handshake, at last."""
    return tape.client(offer(), t).server(agreed(), t + 0.1).client(INITIALIZED, t + 0.1)
