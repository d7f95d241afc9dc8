"""FRM006: blank line on the protocol stream."""

from __future__ import annotations

import pytest

from mcp_tap.wire.lines import Segment
from tests.diagnosis.checking import begun, check, closed, facts
from tests.rules.telling import MINE, brief


class TestBlankLine:
    @pytest.mark.parametrize("line", [b"", b"  \t", b"\r"])
    def test_a_blank_line_is_a_warning(self, line: bytes) -> None:
        assert facts(check(closed(begun().client(line, 0.5).client(line, 0.6), 9), rules=MINE)) == [
            ("FRM006", "warning", "client", (5, 6), "c2s")
        ]

    def test_spaces_before_the_end_of_the_stream_are_no_line(self) -> None:
        tape = begun().line("s2c", Segment((b"  ",)), 5).event("eof", 5, stream="s2c")
        assert brief(tape.exit(5, "server-exit")) == []
