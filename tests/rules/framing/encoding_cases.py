"""What the tests of encoding share."""

from __future__ import annotations

from tests.diagnosis.checking import begun
from tests.record_cases import Tape, request


def asked(name: str = "read") -> Tape:
    """A session with an open call, whose id is 1."""
    return begun().client(request(1, "tools/call", name=name, arguments={}), 0.5)


def answer(text: bytes) -> bytes:
    """The line of the answer to it."""
    return b'{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"' + text + b'"}]}}'
