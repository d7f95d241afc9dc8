"""PRF: slow answers, slow starts, large messages."""

from __future__ import annotations

from typing import Any

import pytest

from tests.diagnosis.checking import findings_of
from tests.record_cases import RECORDINGS
from tests.rules.performance.cases import RULES


@pytest.mark.parametrize("path", sorted((RECORDINGS / "v1").glob("*.jsonl")), ids=lambda path: path.stem)
def test_no_real_session_has_a_fault_of_this_family(path: Any) -> None:
    assert findings_of(path, RULES) == []
