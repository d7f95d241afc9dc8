"""FRM017: coloured log lines on stdout."""

from __future__ import annotations

from tests.diagnosis.checking import begun, closed
from tests.record_cases import request
from tests.rules.telling import brief, keys


class TestColouredLines:
    def test_a_client_that_leaves_at_once_makes_it_an_error(self) -> None:
        tape = begun().client(request(1, "tools/list"), 0.5).server(b"\x1b[33mWARN\x1b[0m x", 0.6)
        assert keys(closed(tape, 0.9)) == [("FRM017", "s2c")]
        assert brief(closed(tape, 0.9)) == [("FRM017", "error", "server")]
