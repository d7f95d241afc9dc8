"""What the tests of envelope share."""

from __future__ import annotations

from typing import Any

from tests.diagnosis.checking import begun
from tests.record_cases import Tape, request


def asked(method: str = "tools/list", **params: Any) -> Tape:
    """A session with an open request, whose id is 1."""
    return begun().client(request(1, method, **params), 0.5)
