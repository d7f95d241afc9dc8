"""What the tests of rules about round trips share."""

from __future__ import annotations

from typing import Any

from tests.diagnosis.checking import rules_of
from tests.record_cases import Tape, modern
from tests.rules.modern.cases import asks_back, complete, spoken

ROUND_TRIPS = rules_of("MOD005", "MOD006", "MOD007", "MOD008", "MOD009", "MOD011")

ELICITATION = {"method": "elicitation/create", "params": {"message": "Which seat?"}}


def asked(state: Any = "s1", id: Any = 5, t: float = 1.0, tape: Tape | None = None, **more: Any) -> Tape:
    """The server asks back in answer to a call (records 4 and 5)."""
    tape = spoken() if tape is None else tape
    tape.client(modern(id, "tools/call", name="book", arguments={"n": 1}), t)
    members = more if state is None else {"requestState": state, **more}
    return tape.server(asks_back(id, **members), t)


def again(tape: Tape, id: Any = 6, t: float = 2.0, **params: Any) -> Tape:
    """The client sends the call again, and it is done (records 6 and 7)."""
    tape.client(modern(id, "tools/call", name="book", arguments={"n": 1}, **params), t)
    return tape.server(complete(id, content=[]), t)
