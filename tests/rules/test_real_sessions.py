"""Real sessions: what is found in them is true, and listed here one by one."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.diagnosis.checking import diagnosed
from tests.record_cases import RECORDINGS

REAL = sorted([*RECORDINGS.glob("v1/*.jsonl"), *RECORDINGS.glob("fleet/*.jsonl")])

TRUE: dict[str, list[tuple[str, str]]] = {
    "v1/filesystem-py1-refused": [
        ("PRO002 error", "it was started on a directory that is not there, and left with 1")
    ],
    "fleet/everything-inspector": [
        ("PRO006 warning", "server-everything does not leave on EOF if its client has roots")
    ],
    "fleet/leanspec-py2-auto": [
        ("RPC031 warning", "leanspec answers notifications/initialized, with null and without an id")
    ],
    "fleet/leanspec-inspector": [
        ("RPC031 error", "the same, upon which this client left within 10 ms"),
    ],
}
"""Everything of severity error or warning, with the reason why it is right."""


@pytest.mark.parametrize("path", REAL, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_nothing_is_found_in_a_healthy_session(path: Path) -> None:
    told = [
        f"{finding.rule} {finding.severity}"
        for report in diagnosed(path.read_bytes().splitlines(keepends=True))
        for finding in report.findings
        if finding.severity != "info"
    ]
    assert told == [known for known, _reason in TRUE.get(f"{path.parent.name}/{path.stem}", [])]


def test_the_sessions_are_of_twelve_servers_or_more_and_four_clients_or_more() -> None:
    names = [path.stem.replace("typescript-sdk-2", "sdk2").replace("sequential-thinking", "sequential")
             for path in REAL]  # fmt: skip
    assert len({name.split("-")[0] for name in names}) >= 12
    assert {"py1", "py2", "ts", "ts2", "fastmcp", "inspector", "mcporter"} <= {
        part for name in names for part in name.split("-")[1:]
    }
