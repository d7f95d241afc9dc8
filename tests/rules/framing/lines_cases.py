"""What the tests of rules about line ends share."""

from __future__ import annotations

from tests.diagnosis.checking import begun
from tests.record_cases import Tape, request

WHOLE = b'{"jsonrpc":"2.0","id":1,"result":{}}'


def asked() -> Tape:
    """A session with an open request."""
    return begun().client(request(1, "tools/list"), 0.5)


def server_ends(tape: Tape, t: float, code: int | None = 1, signal: str | None = None) -> Tape:
    """The server leaves of its own accord."""
    return tape.event("eof", t, stream="s2c").exit(t, "server-exit", code, signal)
