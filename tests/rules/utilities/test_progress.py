"""PRG001-003, PRG005: progress of what is not going on, or goes backwards."""

from __future__ import annotations

from tests.record_cases import Tape, modern, result
from tests.rules.utilities.progress_cases import found, progress


def test_a_session_of_the_new_era_is_held_to_the_same() -> None:
    asked = modern(1, "tools/call", name="export")
    asked["params"]["_meta"] = asked["params"]["_meta"] | {"progressToken": "p"}
    tape = Tape().start().client(asked, 0.1).server(progress("p"), 0.2)
    tape.server(result(1, content=[], resultType="complete"), 0.3).server(progress("p", 2), 0.4)
    assert [each[0] for each in found(tape)] == ["PRG003"]
