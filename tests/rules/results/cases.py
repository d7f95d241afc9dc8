"""What the tests of results share."""

from __future__ import annotations

from typing import Any

from tests.diagnosis.checking import Told, begun, check, facts, rules_of
from tests.record_cases import Tape, request, result

RULES = rules_of("RES001", "RES002", "RES003", "RES005", "RES006", "RES007")

PNG = "iVBORw0KGgo="


def found(tape: Tape) -> list[Told]:
    """What the rules of this family find."""
    return facts(check(tape, rules=RULES))


def returned(version: str = "2025-11-25", tool: str = "find", /, **members: Any) -> Tape:
    """A call (record 5) and its result (record 6)."""
    tape = begun(version).client(request(5, "tools/call", name=tool, arguments={}), 1)
    return tape.server(result(5, **members), 1.1)


def text(words: str) -> list[dict[str, Any]]:
    """Content of one block of text."""
    return [{"type": "text", "text": words}]


def read(*contents: Any) -> Tape:
    """A resource is read."""
    tape = begun().client(request(5, "resources/read", uri="note://1"), 1)
    return tape.server(result(5, contents=list(contents)), 1.1)


def prompt(block: Any) -> Tape:
    """A prompt with one message."""
    tape = begun().client(request(5, "prompts/get", name="greet"), 1)
    return tape.server(result(5, messages=[{"role": "user", "content": block}, 7]), 1.1)
