"""LIF005, LIF006, LIF008, LIF014: who may say what when a session begins."""

from __future__ import annotations

from tests.diagnosis.checking import closed
from tests.record_cases import Tape, modern, result
from tests.rules.lifecycle.cases import INITIALIZED, found


def test_the_modern_era_knows_neither_handshake_nor_its_rules() -> None:
    tape = Tape().start().client(modern(1, "tools/list"), 0.1)
    tape.server(result(1, tools=[], resultType="complete"), 0.2).server(INITIALIZED, 0.3)
    assert found(closed(tape, 1)) == []
