"""Shapes that people reported as failures: what is found, and that the healthy twins are silent."""

from __future__ import annotations

import pytest

from tests.diagnosis.checking import Told, diagnosed, facts
from tests.record_cases import RECORDINGS

FIELD = "not a primitive (string, number, integer, boolean)"

FOUND: dict[str, tuple[Told, list[str]]] = {
    "18-next-cursor-null": (
        ("RPC025", "error", "server", (5, 6), "tools/list: `nextCursor` is null, not a string"),
        [],
    ),
    "20-capability-array": (
        ("RPC025", "error", "server", (2, 3), "initialize: `capabilities.tools` is an array, not an object"),
        [],
    ),
    "41-php-properties-array": (
        (
            *("RPC025", "error", "server", (5, 6)),
            "tools/list: `tools[].inputSchema.properties` is an array, not an object",
        ),
        [],
    ),
    "47-elicitation-nested": (
        (
            *("RPC024", "error", "server", (8,)),
            f'elicitation/create: `requestedSchema.properties.address.type` is "object", {FIELD}, '
            f'`requestedSchema.properties.tags.type` is "array", {FIELD}',
        ),
        ["RPC026", "RES006"],
    ),
    "48-log-level-warn": (
        (
            *("RPC024", "warning", "server", (7,)),
            'notifications/message: `level` is "warn", not one of debug, info, notice, warning, error, '
            "critical, alert, emergency",
        ),
        [],
    ),
    "60-tool-result-wrapper": (("RES001", "error", "server", (8,), "kv_list"), []),
}
"""By recording, the one finding in it, and the rules of what follows from that."""


@pytest.mark.parametrize("name", FOUND)
def test_a_reported_shape_is_one_finding(name: str) -> None:
    (report,) = diagnosed((RECORDINGS / "reported" / f"{name}.jsonl").read_bytes().splitlines(keepends=True))
    expected, following = FOUND[name]
    assert facts(report.findings) == [expected]
    assert [each.rule for finding in report.findings for each in finding.consequences] == following
    assert not report.verdict.startswith("Healthy")


@pytest.mark.parametrize("name", FOUND)
def test_its_healthy_twin_is_silent(name: str) -> None:
    lines = (RECORDINGS / "reported" / f"{name}.ok.jsonl").read_bytes().splitlines(keepends=True)
    (report,) = diagnosed(lines)
    assert list(report.findings) == []
    assert report.verdict.startswith("Healthy: ")
