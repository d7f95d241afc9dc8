"""RPC015: notification with an id."""

from __future__ import annotations

from typing import Any

import pytest

from tests.diagnosis.checking import begun, check, closed, facts
from tests.record_cases import told as notified
from tests.rules.telling import MINE


class TestNotificationWithId:
    @pytest.mark.parametrize("id", [1, "a", None, True])
    def test_an_id_makes_a_request_of_it(self, id: Any) -> None:
        tape = begun().client({**notified("notifications/roots/list_changed"), "id": id}, 0.5)
        assert facts(check(closed(tape, 9), rules=MINE)) == [
            ("RPC015", "error", "client", (5,), "c2s notifications/roots/list_changed")
        ]
