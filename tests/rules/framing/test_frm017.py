"""FRM017: coloured log lines on stdout."""

from __future__ import annotations

from tests.diagnosis.checking import begun, closed
from tests.record_cases import request
from tests.rules.telling import messages


class TestColouredLines:
    def test_a_client_that_leaves_at_once_makes_it_an_error(self) -> None:
        tape = begun().client(request(1, "tools/list"), 0.5).server(b"\x1b[33mWARN\x1b[0m x", 0.6)
        (message,) = messages(closed(tape, 0.9))
        assert message == (
            "server wrote 1 line with terminal colour codes to stdout: 'WARN x'; the client closed stdin "
            "0.30 s "
            "later, with tools/list unanswered"
        )
