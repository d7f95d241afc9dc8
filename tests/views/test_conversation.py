"""A session as one reads a conversation.

The golden outputs are made anew by ``python -m tests.views.test_conversation``; look at the
difference before you commit it.
"""

from __future__ import annotations

import io
import json
import re
import sys
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_tap.commands.show import Shape, show
from mcp_tap.model.filters import Filter
from mcp_tap.model.session import Session
from mcp_tap.model.step import NO_MESSAGE, Step
from mcp_tap.record.reader import Record, SpecialRecord, read_record
from mcp_tap.views.conversation import Look, show_step
from mcp_tap.views.events import agreement, head, stamp
from mcp_tap.views.paint import Piece, fit
from mcp_tap.views.payload import pretty, truncate
from mcp_tap.views.record_json import json_line
from mcp_tap.views.terminal import UNSEEN, columns, visible
from tests.profiles import examples

GOLDEN = Path(__file__).with_name("golden")
RECORDING = GOLDEN / "conversation.jsonl"

OUTPUTS: dict[str, tuple[int, Shape, Filter]] = {
    "short-40.txt": (40, "short", Filter()),
    "short-60.txt": (60, "short", Filter()),
    "short-120.txt": (120, "short", Filter()),
    "errors-120.txt": (120, "short", Filter(errors=True)),
    "full-80.txt": (80, "full", Filter()),
    "raw-80.txt": (80, "raw", Filter()),
    "json.jsonl": (80, "json", Filter()),
}
"""Width, shape and filter of each golden output."""


def output(name: str, monkeypatch: pytest.MonkeyPatch) -> str:
    width, shape, wanted = OUTPUTS[name]
    monkeypatch.setenv("COLUMNS", str(width))
    out = io.StringIO()
    assert show(str(RECORDING), shape=shape, wanted=wanted, out=out) == 0
    return out.getvalue()


@pytest.mark.parametrize("name", OUTPUTS)
def test_the_output_is_the_golden_one(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert output(name, monkeypatch) == (GOLDEN / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["short-40.txt", "short-60.txt", "short-120.txt", "errors-120.txt"])
def test_no_line_is_wider_than_the_terminal(name: str) -> None:
    lines = (GOLDEN / name).read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if columns(line) > OUTPUTS[name][0]] == []
    assert [line for line in lines if line != line.rstrip()] == []


@pytest.mark.parametrize("name", OUTPUTS)
def test_nothing_that_a_terminal_would_obey_is_in_the_output(name: str) -> None:
    text = (GOLDEN / name).read_text(encoding="utf-8").replace("\n", "")
    assert visible(text) == text


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
METHOD = st.sampled_from(
    ["initialize", "server/discover", "tools/list", "tools/call", "sampling/createMessage", "ping",
     "notifications/progress", "notifications/cancelled", "completion/complete", "x\x1b[2J"]
)  # fmt: skip
ID: st.SearchStrategy[Any] = st.sampled_from([0, 1, 2, "1", 1.0, None, True, [], {"a": 1}, 2**70])
MESSAGE = st.fixed_dictionaries(
    {},
    optional={
        "id": ID,
        "method": METHOD | ANYTHING,
        "params": ANYTHING | st.fixed_dictionaries({}, optional={"name": ANYTHING, "requestId": ID}),
        "result": ANYTHING
        | st.fixed_dictionaries(
            {},
            optional={
                "content": ANYTHING,
                "tools": ANYTHING,
                "isError": st.booleans(),
                "capabilities": ANYTHING,
            },
        ),
        "error": ANYTHING | st.fixed_dictionaries({"code": ANYTHING, "message": ANYTHING}),
    },
)
EVENT = st.sampled_from(
    ["start", "spawn", "spawn_failed", "eof", "broken_pipe", "undelivered", "signal", "stall", "flow",
     "gap", "limit", "exit", "new"]
)  # fmt: skip
FIELD = st.sampled_from(
    ["name", "argv", "cwd", "client", "ppid", "pid", "exe", "stream", "records", "bytes", "code", "first",
     "left", "signal", "error", "seconds", "forwarded", "shared", "lines", "format_"]
)  # fmt: skip
BODY = st.one_of(
    st.builds(lambda event, rest: {"dir": "tap", "event": event, **rest}, EVENT | ANYTHING,
              st.dictionaries(FIELD, ANYTHING | st.sampled_from(["c2s", "server-exit", 1]), max_size=4)),
    st.builds(lambda way, text, more: {"dir": way, "text": text, "more": more},
              st.sampled_from(["c2s", "s2c", "stderr"]), st.text(max_size=30), st.booleans()),
    st.builds(lambda way, value, eol: {"dir": way, "eol": eol, "msg": value}, st.sampled_from(["c2s", "s2c"]),
              MESSAGE | ANYTHING | st.lists(MESSAGE, max_size=3), st.sampled_from(["\n", "\r\n", ""])),
)  # fmt: skip
TIME = st.sampled_from(["2026-11-29T18:37:40.123456Z", "", "x\u202e", "2026-11-29T18:37:40"])


def encodable(value: Any) -> bytes:
    """JSON with what orjson itself does not write."""
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass")


@st.composite
def recordings(draw: st.DrawFn) -> list[bytes]:
    """Lines of a recording of two sessions in which everything may be wrong."""
    lines = []
    for number, body in enumerate(draw(st.lists(BODY, min_size=1, max_size=12))):
        seq = draw(st.just(number) | st.integers(-5, 50))
        start = {
            "ts": draw(TIME),
            "t": draw(st.just(number) | st.floats(0, 1e6)),
            "session": draw(st.sampled_from("AB")),
        }
        lines.append(encodable({**start, "seq": seq, **body}) + b"\n")
    return lines


def steps(lines: list[bytes]) -> Iterator[tuple[bytes, Session, Step]]:
    sessions: dict[str, Session] = {}
    for number, line in enumerate(lines, 1):
        record = read_record(line, number)
        if isinstance(record, Record):
            session = sessions.setdefault(record.session, Session(record.session))
            yield line, session, session.add(record)


@given(recordings(), st.sampled_from([40, 41, 60, 72, 200]), st.booleans())
@examples(3)
def test_whatever_is_recorded_is_shown_within_the_width_and_without_controls(
    lines: list[bytes], width: int, tagged: bool
) -> None:
    for line, session, step in steps(lines):
        shown = list(show_step(step, session, Look(width, "short", tagged)))
        shown += head(session, width, file="x.jsonl")
        for pieces in shown:
            text = "".join(piece.text for piece in pieces)
            assert columns(text) <= width
            assert visible(text) == text
        looks: tuple[Look, ...] = (Look(width, "full", tagged), Look(width, "raw", tagged))
        for look in looks:
            for pieces in show_step(step, session, look):
                assert all(visible(piece.text) == piece.text for piece in pieces)
        known = orjson.loads(json_line(line, step))
        original = orjson.loads(line)
        assert {key: known[key] for key in original} == original
        assert (step.message is NO_MESSAGE) == ("kind" not in known) or "kind" in original


@given(recordings())
@examples(2)
def test_every_record_is_shown_once_and_in_order(tmp_path_factory: Any, lines: list[bytes]) -> None:
    path = tmp_path_factory.getbasetemp() / "property.jsonl"
    path.write_bytes(b"".join(lines))
    records = [
        item for number, line in enumerate(lines, 1) if isinstance(item := read_record(line, number), Record)
    ]
    if not records:
        return
    out = io.StringIO()
    assert show(str(path), shape="json", out=out) == 0
    shown = [orjson.loads(line) for line in out.getvalue().splitlines()]
    assert [(each["session"], each["seq"]) for each in shown] == [
        (each.session, each.seq) for each in records
    ]
    text = io.StringIO()
    assert show(str(path), out=text) == 0
    stamped = re.findall(r"^(?:[AB]    )? *[\d.]{5,8} (?:→ |← |2>|··) ", text.getvalue(), re.MULTILINE)
    heads = [line for line in text.getvalue().splitlines() if line.startswith("── ")]
    first = {record.session: record for record in reversed(records)}
    shown_as_head = [record for record in first.values() if record.event == "start"]
    assert len(heads) == len(first)
    assert len(stamped) == len(records) - len(shown_as_head)


@given(st.text(), st.integers(1, 40))
def test_what_is_cut_fits_and_has_nothing_unseen(text: str, width: int) -> None:
    short = truncate(text, width)
    assert columns(short) <= width
    assert visible(short) == short
    if columns(visible(text)) <= width and len(text) <= 8 * width:
        assert short == visible(text)


def test_marks_without_a_width_of_their_own_do_not_go_on_for_ever() -> None:
    assert len(truncate("e" + "\u0301" * 1_000_000, 10)) < 100


@given(ANYTHING)
def test_indented_json_is_the_same_json(value: Any) -> None:
    text = encodable(value).decode("utf-8", "surrogatepass")
    for spelling in (text, json.dumps(value)):
        assert json.loads("\n".join(pretty(spelling))) == value


def test_json_is_indented_as_it_was_spelled() -> None:
    text = '{"a": 1e3,"a":[ ],"b":[1,{"c":"\\u4e2d\\u001b","d":{}}], "n":12345678901234567890123}'
    assert list(pretty(text)) == [
        "{",
        '  "a": 1e3,',
        '  "a": [],',
        '  "b": [',
        "    1,",
        "    {",
        '      "c": "中\\u001b",',
        '      "d": {}',
        "    }",
        "  ],",
        '  "n": 12345678901234567890123',
        "}",
    ]
    assert len(list(pretty("[" * 1000 + "1" + "]" * 1000))) == 2001


@pytest.mark.parametrize(
    ("t", "text"),
    [(0.0, "   0.000"), (9999.9994, "9999.999"), (12345.678, "12345.67"), (123456.0, "123456.0")],
)
def test_times_take_eight_columns(t: float, text: str) -> None:
    record = SpecialRecord(1, "", t, "s", 0, "stderr", {}, payload=b"x")
    ((*pieces,),) = show_step(Step(record), Session("s"), Look(60))
    assert "".join(piece.text for piece in pieces) == f"{text} 2> x"


def test_pieces_are_cut_where_the_width_ends() -> None:
    pieces = (Piece("ab"), Piece("cd"))
    assert ["".join(piece.text for piece in fit(pieces, width)) for width in range(5)] == [
        "", "…", "a…", "abc"[:2] + "…", "abcd",
    ]  # fmt: skip


def test_a_time_that_is_none_is_shown_as_it_is() -> None:
    assert stamp("2026-11-29T18:37:40.123456Z") == "2026-11-29 18:37:40 UTC"
    assert stamp("yesterday\x1b") == "yesterday\\u001b"


def test_what_was_agreed_takes_a_line_a_party_where_it_is_narrow() -> None:
    session = Session("s", protocol="2025-11-25", capabilities={"s2c": {"tools": {}}})
    assert list(agreement(session, 80)) == ["protocol 2025-11-25 · server ? (tools) · client ?"]
    assert list(agreement(session, 30)) == ["protocol 2025-11-25", "server ? (tools)", "client ?"]


def test_every_category_that_is_escaped_is_not_printable() -> None:
    for number in range(sys.maxunicode + 1):
        if chr(number).isprintable():
            assert unicodedata.category(chr(number)) not in UNSEEN


def regenerate() -> None:
    """Write the golden outputs as they are now."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        for name in OUTPUTS:
            (GOLDEN / name).write_text(output(name, monkeypatch), encoding="utf-8")


if __name__ == "__main__":
    regenerate()
