"""The ids of requests and answers: what is told of those that do not fit; and garbage of any kind."""

from __future__ import annotations

from typing import Any

import orjson
from hypothesis import given
from hypothesis import strategies as st

from mcp_tap.wire.lines import Segment
from tests.diagnosis.checking import check
from tests.profiles import examples
from tests.record_cases import Tape
from tests.rules.telling import MINE

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=4),
    max_leaves=6,
)
MEMBERS = st.dictionaries(
    st.sampled_from(["jsonrpc", "id", "method", "params", "result", "error", "x"]),
    JSON
    | st.sampled_from(
        ["2.0", 1, "1", "tools/list", "notifications/cancelled", {"requestId": 1}, {"code": -32700}]
    ),
)
PIECES = st.sampled_from(
    [
        b"{",
        b"}",
        b'"a":1',
        b"Content-Length: 3",
        b"",
        b"\r",
        b"\xef\xbb\xbf{}",
        b"\xff",
        b"{} {}",
        b"\x1b[2m",
        b"{\0",
        b'{"jsonrpc":"2.0","id":1,',
        b'"result":{}}',
        b'x {"jsonrpc":"2.0"}',
        b'{"x":NaN}',
        b'"\\ud83d"',
        b"\xed\xa0\xbd",
    ]
)
LINES = PIECES | st.binary(max_size=20) | (MEMBERS | st.lists(MEMBERS, max_size=3)).map(orjson.dumps)
TOLD = frozenset({"stream", "name", "code", "first", "signal"})
EVENTS = st.sampled_from(["eof", "signal", "broken_pipe", "gap", "limit", "exit", "spawn", "start"])


@examples(3)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(["c2s", "s2c"]), LINES.filter(lambda line: b"\n" not in line), st.integers(0, 3)
        )
        | st.tuples(EVENTS, JSON, st.integers(0, 1)),
        max_size=30,
    )
)
def test_no_sequence_of_records_makes_these_rules_fail(steps: list[tuple[str, Any, int]]) -> None:
    tape = Tape()
    for number, (what, value, how) in enumerate(steps):
        if what not in ("c2s", "s2c"):
            fields = value if isinstance(value, dict) else {"stream": value, "name": value, "code": value}
            tape.event(what, number, **{f"_{key}" if key not in TOLD else key: fields[key] for key in fields})
        elif how == 3:
            tape.line(what, Segment((value,), more=True), number)
        elif how == 2:
            tape.line(what, Segment((value,), newline=True), number)
        else:
            tape.seq += how
            tape.line(what, value or b" ", number)
    for finding in check(tape, rules=MINE):
        assert finding.message
        assert finding.next
        assert not finding.message.endswith(".")
