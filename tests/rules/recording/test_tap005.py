"""TAP005: the tap could not do its part."""

from __future__ import annotations

from mcp_tap.rules.registry import RULES as ALL
from tests.diagnosis.checking import check, facts
from tests.record_cases import Tape
from tests.recordings.cases import CASES
from tests.rules.recording.cases import found


def test_a_tap_that_could_not_start_the_server_takes_the_blame() -> None:
    tape = (
        Tape()
        .event("start", argv=["notes"])
        .event("spawn_failed", 0.1, error="cannot start 'notes': Too many open files", code=125)
    )
    assert [each[:3] for each in found(tape.exit(0.1, "spawn-failed", 125))] == [("TAP005", "error", "tap")]
    (finding,) = check(tape, rules=ALL)
    assert [each[0] for each in facts([finding])] == ["TAP005"]
    bare = Tape().event("spawn_failed", 0.1, error="no", code=125)
    assert found(bare)[0][4] == ""


def test_a_command_that_is_not_there_is_not_the_taps_fault() -> None:
    assert found(CASES["A26"]()) == []
