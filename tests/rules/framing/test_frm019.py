"""FRM019: text that looks double-encoded."""

from __future__ import annotations

from mcp_tap.wire.lines import Segment
from tests.diagnosis.checking import begun, closed, facts
from tests.record_cases import request
from tests.record_cases import told as notified
from tests.rules.framing.encoding_cases import answer, asked
from tests.rules.telling import brief, only


class TestEncodedTwice:
    GARBLED = "cafÃ© crÃ¨me Ã  la Ã®le".encode()

    def test_several_places_in_an_answer_are_a_warning_that_blames_nobody(self) -> None:
        finding = only(closed(asked().server(answer(self.GARBLED), 0.6), 9))
        assert facts([finding]) == [("FRM019", "warning", "undecided", (6,), "s2c")]
        assert finding.certainty == "heuristic"

    def test_two_places_may_be_chance(self) -> None:
        assert brief(closed(asked().server(answer("cafÃ© crÃ¨me".encode()), 0.6), 9)) == []

    def test_places_in_several_lines_count_together(self) -> None:
        tape = begun()
        for number, text in enumerate(("cafÃ©", "crÃ¨me", "Ã®le", "Ã¼ber")):
            tape.server(notified("notifications/message", level="info", data=text), 1 + number)
        finding = only(closed(tape, 9))
        assert (finding.records, finding.count) == ((5, 6, 7, 8), 2)

    def test_what_the_client_said_first_is_not_the_servers(self) -> None:
        tape = begun().client(
            request(1, "tools/call", name="echo", arguments={"x": self.GARBLED.decode()}), 0.5
        )
        finding = only(closed(tape.server(answer(self.GARBLED), 0.6), 9))
        assert (finding.key, finding.records) == ("c2s", (5,))

    def test_text_on_stdout_is_not_looked_at(self) -> None:
        tape = begun().line("s2c", Segment((self.GARBLED,), newline=True), 1)
        assert brief(closed(tape, 9)) == [("FRM001", "warning", "server")]
