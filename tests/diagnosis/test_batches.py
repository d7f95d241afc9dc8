"""What a batch costs: its line is looked at as a whole a fixed number of times, however long it is."""

from __future__ import annotations

import json
from typing import Any, SupportsIndex

import pytest

from mcp_tap.record.reader import Record
from mcp_tap.wire.lines import Segment
from tests.diagnosis.checking import examined
from tests.record_cases import Tape

VERSION = {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}


class Watched(bytes):
    """A line that counts how many of its bytes are looked at or copied in one go."""

    looked_at = 0

    def __contains__(self, what: SupportsIndex | bytes) -> bool:  # type: ignore[override]
        Watched.looked_at += len(self)
        return super().__contains__(what)

    def __getitem__(self, at: Any) -> Any:
        part = super().__getitem__(at)
        Watched.looked_at += len(part) if isinstance(at, slice) else 1
        return part

    def __radd__(self, before: bytes) -> bytes:
        Watched.looked_at += len(self)
        return before + bytes(self)

    def decode(self, encoding: str = "utf-8", errors: str = "strict") -> str:
        Watched.looked_at += len(self)
        return super().decode(encoding, errors)


def called(number: int) -> dict[str, Any]:
    params = {"name": "t", "arguments": {"token": "x"}, "requestState": f"s{number}", "_meta": VERSION}
    return {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}


def asked_back(number: int) -> dict[str, Any]:
    result = {"resultType": "input_required", "requestState": f"s{number}", "inputRequests": {}}
    return {"jsonrpc": "2.0", "id": number, "result": result}


def told(number: int) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "info", "data": number}}


MEMBERS = {
    "requests and questions": (called, asked_back),
    "requests that come back": (lambda number: called(number // 2), asked_back),
    "notifications": (told, told),
    "no messages": (lambda number: "x" * 40, lambda number: {"jsonrpc": "2.0", "foo": number}),
}


def batches(made: Any, members: int, in_parts: bool) -> Tape:
    """A session in which each side sends a batch, the client a second time what it has sent."""
    tape = Tape().start()
    for stream, member in (("c2s", made[0]), ("s2c", made[1]), ("c2s", made[0])):
        line = json.dumps([member(number) for number in range(members)]).encode()
        if in_parts:
            tape.line(stream, Segment((line[:-9],), more=True), 1)
            tape.line(stream, Segment((line[-9:],), newline=True), 1)
        else:
            tape.line(stream, line, 1)
    return tape.exit(2, "client-eof")


def work(made: Any, members: int, in_parts: bool) -> int:
    """Bytes that the rules look at in the batches."""
    records: list[Record] = []
    for record in batches(made, members, in_parts).records():
        record.payload = Watched(record.payload)
        records.append(record)
    Watched.looked_at = 0
    examined(records)
    return Watched.looked_at


@pytest.mark.parametrize("in_parts", [False, True], ids=("one record", "several records"))
@pytest.mark.parametrize("made", MEMBERS.values(), ids=MEMBERS)
def test_the_work_for_a_batch_grows_as_its_length_does(made: Any, in_parts: bool) -> None:
    once, thrice = work(made, 300, in_parts), work(made, 900, in_parts)
    assert 0 < thrice < 4 * once
