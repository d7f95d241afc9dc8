"""What the tests of rules about ids share."""

from __future__ import annotations

from typing import Any

from tests.record_cases import request


def call(id: Any, name: str) -> dict[str, Any]:
    """A tool's call."""
    return request(id, "tools/call", name=name, arguments={})
