"""FRM002: not JSON on stdin."""

from __future__ import annotations

from tests.diagnosis.checking import begun, check, closed, facts
from tests.record_cases import error
from tests.rules.telling import MINE


class TestTextOnStdin:
    def test_a_line_of_the_client_is_an_error_of_the_client(self) -> None:
        assert facts(
            check(closed(begun().client(b"hello", 0.5).client(b"\x1b[31mx", 0.6), 9), rules=MINE)
        ) == [("FRM002", "error", "client", (5, 6), "c2s")]

    def test_the_servers_parse_error_explains_itself_by_it(self) -> None:
        tape = begun().client(b"hello", 0.5).server(error(None, -32700, "Parse error"), 0.6)
        found = check(closed(tape, 9))
        assert [(each.rule, [one.rule for one in each.consequences]) for each in found] in (
            [("FRM002", [])],
            [("FRM002", ["RPC030"])],
        )
