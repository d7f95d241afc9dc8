"""PRO011: stdout closed while the server lives."""

from __future__ import annotations

from tests.recordings.cases import begun
from tests.rules.process.exits_cases import found


def test_a_server_that_closes_stdout_and_lives_on_is_told() -> None:
    tape = begun().event("eof", 3, stream="s2c").event("eof", 3.1, stream="c2s")
    assert found(tape.exit(6, "server-eof", 0)) == [("PRO011", "warning", "server", (5, 7), "")]
