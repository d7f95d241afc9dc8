"""Chunk to line to record, with a log that works, fails, fills up and disappears."""

from __future__ import annotations

import base64
import errno
import itertools
import json
import os
import resource
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_tap.record.schema import STREAMS, Stream
from mcp_tap.record.writer import RecordingFile
from mcp_tap.tap import recorder as module
from mcp_tap.tap.recorder import LogRefused, Recorder
from mcp_tap.tap.stream import SILENCE, StreamRecorder
from mcp_tap.wire.lines import LineSplitter, Segment
from tests.profiles import examples

SESSION = "01k3v9x6n4q80000"
WALL = 1_795_977_460_123_456_789
"""2026-11-29T18:37:40.123456Z"""

BOUND = 30.0
"""Seconds after which a thread that should have ended counts as stuck."""

FULL = OSError(errno.ENOSPC, "No space left on device")


class FileWithKnobs(RecordingFile):
    """A real file, whose failures are set by the test."""

    def __init__(self, path: str) -> None:
        super().__init__(path)
        self.refuse: OSError | None = None
        """What every ``append`` fails with."""
        self.refuse_open: OSError | None = None
        self.cut_next: int | None = None
        """Bytes that the next ``append`` takes, without an error."""
        self.before_append: Callable[[], None] = lambda: None
        self.opens = 0

    def open(self) -> None:
        self.opens += 1
        if self.refuse_open is not None:
            raise self.refuse_open
        super().open()

    def append(self, data: bytes) -> int:
        self.before_append()
        if self.refuse is not None:
            self.error = self.refuse
            return 0
        if self.cut_next is not None:
            data, self.cut_next = data[: self.cut_next], None
        return super().append(data)

    def append_parts(self, parts: list[bytes]) -> int:
        knobs = self.refuse is not None or self.cut_next is not None
        return self.append(b"".join(parts)) if knobs else super().append_parts(parts)


class Memory(RecordingFile):
    """A file that is a list of appends."""

    def __init__(self) -> None:
        super().__init__("memory")
        self.appends: list[bytes] = []

    @property
    def is_open(self) -> bool:
        return True

    def loss(self) -> str | None:
        return None

    def append(self, data: bytes) -> int:
        self.error = None
        self.appends.append(data)
        return len(data)


class Bench:
    """A recorder on a file with knobs, and what it has complained of."""

    def __init__(self, path: Path, **wishes: Any) -> None:
        self.path = path
        self.file = FileWithKnobs(str(path))
        self.complaints: list[str] = []
        self.recorder = Recorder(
            self.file,
            session=SESSION,
            wall_ns=WALL,
            monotonic_ns=time.monotonic_ns(),
            complain=self.complaints.append,
            **wishes,
        )
        self.c2s = StreamRecorder(self.recorder, "c2s")

    def start(self) -> None:
        self.recorder.start({"format": 1})

    @property
    def records(self) -> list[dict[str, Any]]:
        return read(self.path.read_bytes())

    def outline(self) -> list[tuple[int, Any]]:
        """Number and content of every record on file."""
        return [(record["seq"], content(record)) for record in self.records]


def read(data: bytes) -> list[dict[str, Any]]:
    """The records of a file in which every line is whole."""
    assert data.endswith(b"\n") or not data
    return [json.loads(line) for line in data.split(b"\n")[:-1]]


def content(record: dict[str, Any]) -> Any:
    return next(record[key] for key in ("event", "msg", "text", "b64") if key in record)


def stream_bytes(data: bytes, stream: str) -> bytes:
    """One stream's bytes back from a recording, by the words of FORMAT.md alone."""
    result = b""
    for line in data.split(b"\n")[:-1]:
        record = json.loads(line)
        if record["dir"] != stream:
            continue
        if "msg" in record:
            result += line[line.index(b'"msg":') + len(b'"msg":') : line.rindex(b"}")]
        elif "text" in record:
            result += record["text"].encode()
        else:
            result += base64.b64decode(record["b64"], validate=True)
        result += record.get("eol", "\n").encode()
    return result


@pytest.fixture
def benches(tmp_path: Path) -> Iterator[Callable[..., Bench]]:
    """Makes benches, and closes their files."""
    made: list[Bench] = []

    def make(path: Path = tmp_path / "log.jsonl", **wishes: Any) -> Bench:
        made.append(Bench(path, **wishes))
        return made[-1]

    yield make
    for bench in made:
        bench.recorder.close()


@pytest.fixture
def bench(benches: Callable[..., Bench]) -> Bench:
    return benches()


@pytest.fixture
def always_look(monkeypatch: pytest.MonkeyPatch) -> None:
    """The recorder looks after its file before every record instead of once a second."""
    monkeypatch.setattr(module, "CHECK_EVERY_NS", 0)


@contextmanager
def no_file_beyond(size: int) -> Iterator[None]:
    """Writes beyond ``size`` bytes of a file are cut short, then refused, as on a full disk."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def finish(threads: list[threading.Thread]) -> None:
    """Run threads to their end, in bounded time."""
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(BOUND)
    assert [thread.name for thread in threads if thread.is_alive()] == []


# What is written


def test_records_have_the_keys_of_the_contract_in_their_order(bench: Bench) -> None:
    bench.start()
    bench.recorder.event("spawn", pid=7)
    bench.c2s.feed(b'{"id": 1}\r\nhello\n\xff\n')
    assert [list(record) for record in bench.records] == [
        ["ts", "t", "session", "seq", "dir", "event", "format"],
        ["ts", "t", "session", "seq", "dir", "event", "pid"],
        ["ts", "t", "session", "seq", "dir", "eol", "msg"],
        ["ts", "t", "session", "seq", "dir", "text"],
        ["ts", "t", "session", "seq", "dir", "b64"],
    ]
    assert {record["session"] for record in bench.records} == {SESSION}
    assert [record["dir"] for record in bench.records] == ["tap", "tap", "c2s", "c2s", "c2s"]


def test_the_start_record_is_of_the_moment_the_session_began(bench: Bench) -> None:
    bench.start()
    assert bench.path.read_bytes() == (
        b'{"ts":"2026-11-29T18:37:40.123456Z","t":0.000000,"session":"01k3v9x6n4q80000","seq":0,'
        b'"dir":"tap","event":"start","format":1}\n'
    )


def test_an_event_may_be_of_an_earlier_moment(bench: Bench) -> None:
    bench.start()
    _, begun = bench.recorder._begun
    bench.recorder.event("spawn", at=(WALL + 2_000_000_000, begun + 1_500_000_000), pid=7)
    assert bench.records[1]["ts"] == "2026-11-29T18:37:42.123456Z"
    assert bench.records[1]["t"] == 1.5


def test_numbers_follow_the_order_of_the_file_and_stamps_never_go_back(bench: Bench) -> None:
    bench.start()
    streams = [StreamRecorder(bench.recorder, name) for name in STREAMS]
    for number in range(50):
        streams[number % 3].feed(b"%d\n{}\n" % number)
        bench.recorder.event("x")
    records = bench.records
    assert [record["seq"] for record in records] == list(range(151))
    stamps = [record["t"] for record in records]
    assert stamps == sorted(stamps)


def test_the_offset_runs_on_the_monotonic_clock(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    bench.start()
    _, begun = bench.recorder._begun
    monkeypatch.setattr(time, "time_ns", lambda: WALL - 3_600_000_000_000)
    monkeypatch.setattr(time, "monotonic_ns", lambda: begun + 250_000_999)
    bench.c2s.feed(b"{}\n")
    assert bench.records[1]["ts"] == "2026-11-29T17:37:40.123456Z"
    assert bench.records[1]["t"] == 0.25


def test_lines_of_one_chunk_are_one_write(bench: Bench) -> None:
    bench.start()
    appends: list[None] = []
    bench.file.before_append = lambda: appends.append(None)
    bench.c2s.feed(b"{}\n[]\nx\n")
    assert len(appends) == 1
    assert bench.outline() == [(0, "start"), (1, {}), (2, []), (3, "x")]


def test_a_record_is_on_file_when_feed_returns_and_not_before_its_line_ends(bench: Bench) -> None:
    bench.start()
    bench.c2s.feed(b'{"a"')
    assert bench.outline() == [(0, "start")]
    bench.c2s.feed(b":1}\n")
    assert bench.outline() == [(0, "start"), (1, {"a": 1})]


def test_json_on_stderr_is_text(bench: Bench) -> None:
    bench.start()
    StreamRecorder(bench.recorder, "stderr").feed(b"{}\n[]\r\n")
    assert [(record["text"], record.get("eol")) for record in bench.records[1:]] == [
        ("{}", None),
        ("[]", "\r\n"),
    ]


# Lines and silence


def test_an_unfinished_line_is_watched_until_it_was_recorded(bench: Bench) -> None:
    bench.start()
    assert bench.c2s.patience is None
    bench.c2s.feed(b"Password: ")
    assert bench.c2s.patience == SILENCE
    bench.c2s.silence()
    assert bench.c2s.patience is None
    bench.c2s.feed(b"x")
    assert bench.c2s.patience == SILENCE
    bench.c2s.feed(b"y\n")
    assert bench.c2s.patience is None
    assert [(r["text"], r.get("eol"), r.get("more")) for r in bench.records[1:]] == [
        ("Password: ", "", True),
        ("xy", None, None),
    ]


def test_silence_between_lines_is_not_recorded(bench: Bench) -> None:
    bench.start()
    bench.c2s.feed(b"{}\n")
    bench.c2s.silence()
    assert bench.outline() == [(0, "start"), (1, {})]


def test_silence_within_a_character_is_not_watched_for_ever(bench: Bench) -> None:
    bench.start()
    bench.c2s.feed(b"\xe2\x82")
    bench.c2s.silence()
    assert bench.c2s.patience is None
    assert bench.outline() == [(0, "start")]
    bench.c2s.end()
    assert bench.records[1]["b64"] == "4oI="


@pytest.mark.parametrize(
    ("chunks", "lines"),
    [
        ([], 0),
        ([b"a\nb\n"], 2),
        ([b"\n\n"], 2),
        ([b"a\nb"], 2),
        ([b"a", None, b"b\n"], 1),
        ([b"a", None, b"b"], 1),
        ([b"a", None], 1),
        ([b"a", b"\n", None], 1),
        ([b"aaaaaaaaaa\n"], 1),
    ],
)
def test_a_line_counts_once_where_it_ends(
    bench: Bench, chunks: list[bytes | None], lines: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mcp_tap.tap.stream.LineSplitter", partial(LineSplitter, 4))
    stream = StreamRecorder(bench.recorder, "s2c")
    bench.start()
    for chunk in chunks:
        if chunk is None:
            stream.silence()
        else:
            stream.feed(chunk)
    stream.end()
    assert stream.line_count == lines
    assert stream.byte_count == sum(len(chunk) for chunk in chunks if chunk is not None)
    assert stream_bytes(bench.path.read_bytes(), "s2c") == b"".join(filter(None, chunks))


def test_lines_and_bytes_count_while_nothing_is_recorded(benches: Callable[..., Bench]) -> None:
    bench = benches(max_size=1)
    bench.start()
    bench.file.refuse = FULL
    bench.c2s.feed(b"{}\n{}\n")
    bench.c2s.feed(b"abc")
    bench.c2s.end()
    assert (bench.c2s.line_count, bench.c2s.byte_count) == (3, 9)


FRAGMENTS = st.sampled_from(
    [b"\n", b"\r\n", b"\r", b'{"a":1}', b'{"msg":"}"}', b"{}", b" ", b"NaN", b'"', b"\\", b"}",
     b"\xef\xbb\xbf", "é".encode(), b"\xe2\x82", b"\xac", b"\xff", b"\0", b"Password: "]
)  # fmt: skip
CHUNKS = st.lists(
    st.tuples(
        st.sampled_from(STREAMS),
        st.none() | st.lists(FRAGMENTS | st.binary(max_size=5), max_size=6).map(b"".join),
    ),
    max_size=25,
)


@examples(1.5)
@given(CHUNKS, st.sampled_from([4, 7, 1000]))
def test_any_bytes_in_any_chunks_come_back_from_the_recording(
    chunks: list[tuple[Stream, bytes | None]], limit: int
) -> None:
    file = Memory()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("mcp_tap.tap.stream.LineSplitter", partial(LineSplitter, limit))
        recorder = Recorder(file, session=SESSION, wall_ns=0, monotonic_ns=0, complain=pytest.fail)
        streams = {name: StreamRecorder(recorder, name) for name in STREAMS}
    recorder.start({})
    for name, chunk in chunks:
        if chunk is None:
            streams[name].silence()
        else:
            streams[name].feed(chunk)
    for name in STREAMS:
        streams[name].end()
    data = b"".join(file.appends)
    assert {name: stream_bytes(data, name) for name in STREAMS} == {
        name: b"".join(chunk for at, chunk in chunks if at == name and chunk) for name in STREAMS
    }
    assert [record["seq"] for record in read(data)] == list(range(data.count(b"\n")))
    assert all(append.endswith(b"\n") for append in file.appends)


# Large messages

LARGE = b'{"id":1,"text":"' + b"x" * 200_000 + b'"}'


def test_a_large_message_is_recorded_as_a_small_one_is(bench: Bench) -> None:
    bench.start()
    for chunk in (LARGE[:100_000], LARGE[100_000:] + b"\n", b'{"id":2}\n', LARGE + b"\r\n", LARGE + b"}\n"):
        bench.c2s.feed(chunk)
    kinds = [sorted({"msg", "text", "eol"} & record.keys()) for record in bench.records[1:]]
    assert kinds == [["msg"], ["msg"], ["eol", "msg"], ["text"]]
    assert stream_bytes(bench.path.read_bytes(), "c2s") == (
        LARGE + b'\n{"id":2}\n' + LARGE + b"\r\n" + LARGE + b"}\n"
    )


def test_a_large_message_that_the_log_does_not_take_is_told(bench: Bench) -> None:
    bench.start()
    bench.file.refuse = FULL
    bench.c2s.feed(LARGE + b"\n")
    bench.file.refuse, bench.file.cut_next = None, 10
    bench.recorder._checked = 0
    bench.c2s.feed(LARGE + b"\n")
    bench.c2s.feed(LARGE + b"\n")
    assert bench.records[-1]["msg"]["id"] == 1
    lost = sum(record["records"] for record in bench.records if record.get("event") == "gap")
    assert lost == 2


def test_a_large_message_does_not_pass_the_size_limit(benches: Callable[..., Bench]) -> None:
    bench = benches(max_size=100_000)
    bench.start()
    bench.c2s.feed(LARGE + b"\n")
    bench.c2s.feed(b"{}\n")
    assert [record.get("event") for record in bench.records] == ["start", "limit"]


# A log that fails


def test_what_could_not_be_logged_is_said_before_the_next_record(bench: Bench) -> None:
    bench.start()
    bench.c2s.feed(b"1\n")
    bench.file.refuse = FULL
    bench.c2s.feed(b"2\n3\n")
    bench.recorder.event("lost")
    bench.c2s.feed(b"4\n")
    bench.file.refuse = None
    bench.c2s.feed(b"5\n")
    assert bench.outline() == [(0, "start"), (1, 1), (6, "gap"), (7, 5)]
    gap = bench.records[2]
    assert gap["dir"] == "tap"
    assert gap["records"] == 4
    assert gap["reason"] == "No space left on device"


def test_a_gap_says_how_many_bytes_of_records_are_missing(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench.start()
    _, begun = bench.recorder._begun
    monkeypatch.setattr(time, "monotonic_ns", lambda: begun + 500_000_000)
    bench.c2s.feed(b"1\n")
    size = len(bench.path.read_bytes().split(b"\n")[1]) + 1
    bench.file.refuse = FULL
    bench.c2s.feed(b"2\n3\n")
    bench.file.refuse = None
    bench.c2s.feed(b"4\n")
    assert bench.records[2]["bytes"] == 2 * size


def test_each_failure_has_its_own_gap(bench: Bench) -> None:
    bench.start()
    for refusal in (FULL, None, OSError(errno.EIO, "Input/output error"), None):
        bench.file.refuse = refusal
        bench.c2s.feed(b"{}\n")
    assert bench.outline() == [(0, "start"), (2, "gap"), (3, {}), (5, "gap"), (6, {})]
    gaps = [(r["records"], r["bytes"], r["reason"]) for r in bench.records if r.get("event") == "gap"]
    size = len(bench.path.read_bytes().split(b"\n")[2]) + 1
    assert gaps == [(1, size, "No space left on device"), (1, size, "Input/output error")]


def test_a_gap_that_could_not_be_written_takes_no_number(bench: Bench) -> None:
    bench.start()
    bench.file.refuse = FULL
    for _ in range(3):
        bench.c2s.feed(b"1\n")
    bench.file.refuse = None
    bench.file.cut_next = 10  # the gap record itself is cut short
    bench.c2s.feed(b"2\n")
    bench.c2s.feed(b"3\n")
    assert bench.outline() == [(0, "start"), (5, "gap"), (6, 3)]
    assert bench.records[1]["records"] == 4


def test_an_event_too_comes_after_the_gap(bench: Bench) -> None:
    bench.start()
    bench.file.refuse = FULL
    bench.c2s.feed(b"1\n")
    bench.file.refuse = None
    bench.recorder.event("eof", stream="c2s")
    assert bench.outline() == [(0, "start"), (2, "gap"), (3, "eof")]


def test_a_failing_log_is_complained_of_once(bench: Bench) -> None:
    bench.start()
    for refusal in (FULL, FULL, None, FULL, OSError(errno.EIO, "Input/output error")):
        bench.file.refuse = refusal
        bench.c2s.feed(b"1\n")
        bench.recorder.event("x")
    assert bench.complaints == [
        f"cannot record to {bench.path}: No space left on device; the session continues unrecorded"
    ]


def test_a_log_that_works_is_not_complained_of(bench: Bench) -> None:
    bench.start()
    bench.c2s.feed(b"1\n{}\n\xff\n")
    bench.c2s.end()
    assert bench.complaints == []


def test_of_a_batch_that_a_full_disk_cuts_the_whole_records_stay(bench: Bench) -> None:
    bench.start()
    bench.c2s.feed(b"1\n")
    start, first, _ = bench.path.read_bytes().split(b"\n")
    room = len(start) + 1 + 2 * (len(first) + 1)
    with no_file_beyond(room):
        bench.c2s.feed(b"2\n3\n4\n")
    bench.c2s.feed(b"5\n")
    assert bench.outline() == [(0, "start"), (1, 1), (2, 2), (5, "gap"), (6, 5)]
    assert (bench.records[3]["records"], bench.records[3]["reason"]) == (2, os.strerror(errno.EFBIG))
    assert len(bench.complaints) == 1


def test_a_disk_with_room_for_half_a_record_is_complained_of(bench: Bench) -> None:
    bench.start()
    with no_file_beyond(bench.path.stat().st_size + 20):
        bench.c2s.feed(b"1\n")
        assert len(bench.complaints) == 1
    bench.c2s.feed(b"2\n")
    assert bench.outline() == [(0, "start"), (2, "gap"), (3, 2)]
    gap = bench.records[1]
    assert gap["records"] == 1
    assert bench.complaints == [
        f"cannot record to {bench.path}: {gap['reason']}; the session continues unrecorded"
    ]


def test_a_disk_without_room_for_the_start_record_is_complained_of(bench: Bench) -> None:
    with no_file_beyond(20):
        bench.start()
        assert len(bench.complaints) == 1
    bench.c2s.feed(b"1\n")
    assert bench.outline() == [(0, "start"), (1, 1)]


# A log that may not fail


def test_under_stop_a_line_that_cannot_be_recorded_is_refused(benches: Callable[..., Bench]) -> None:
    bench = benches(stop=True)
    bench.start()
    bench.file.refuse = FULL
    with pytest.raises(LogRefused) as caught:
        bench.c2s.feed(b"1\n")
    what = f"cannot record to {bench.path}: No space left on device"
    assert str(caught.value) == what
    with pytest.raises(LogRefused):
        bench.c2s.feed(b"2\n")
    assert bench.complaints == [f"{what}; ending the session because of --on-log-error stop"]


def test_under_stop_a_disk_with_room_for_half_a_record_is_refused(benches: Callable[..., Bench]) -> None:
    bench = benches(stop=True)
    bench.start()
    with no_file_beyond(bench.path.stat().st_size + 20), pytest.raises(LogRefused):
        bench.c2s.feed(b"1\n")


@pytest.mark.parametrize("room", [0, 20])
def test_under_stop_a_session_does_not_start_without_its_start_record(
    benches: Callable[..., Bench], room: int
) -> None:
    bench = benches(stop=True)
    with no_file_beyond(room), pytest.raises(LogRefused):
        bench.start()
    assert bench.path.read_bytes() == b""
    assert bench.complaints == []  # whoever starts the session says why it did not start


def test_under_stop_a_session_does_not_start_where_no_file_can_be(
    benches: Callable[..., Bench], tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    bench = benches(tmp_path / "file" / "log.jsonl", stop=True)
    with pytest.raises(LogRefused):
        bench.start()


def test_under_stop_an_event_that_cannot_be_recorded_raises_nothing(benches: Callable[..., Bench]) -> None:
    bench = benches(stop=True)
    bench.start()
    bench.file.refuse = FULL
    bench.recorder.event("eof", stream="c2s")
    with pytest.raises(LogRefused):
        bench.c2s.feed(b"1\n")


# A log that comes late, or goes


def test_a_log_that_can_be_opened_late_tells_what_is_missing(bench: Bench, always_look: None) -> None:
    bench.file.refuse_open = OSError(errno.EROFS, "Read-only file system")
    bench.start()
    bench.c2s.feed(b"1\n2\n")
    assert not bench.path.exists()
    bench.file.refuse_open = None
    bench.c2s.feed(b"3\n")
    assert bench.outline() == [(0, "start"), (3, "gap"), (4, 3)]
    assert (bench.records[1]["records"], bench.records[1]["reason"]) == (2, "Read-only file system")
    assert bench.complaints == [
        f"cannot record to {bench.path}: Read-only file system; the session continues unrecorded"
    ]


def test_a_log_that_can_be_opened_before_anything_is_missing_has_no_gap(
    bench: Bench, always_look: None
) -> None:
    bench.file.refuse_open = OSError(errno.EROFS, "Read-only file system")
    bench.start()
    bench.file.refuse_open = None
    bench.c2s.feed(b"1\n")
    assert bench.outline() == [(0, "start"), (1, 1)]


def test_opening_is_tried_again_once_a_second(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    _, begun = bench.recorder._begun
    now = [begun]
    monkeypatch.setattr(time, "monotonic_ns", lambda: now[0])
    bench.file.refuse_open = OSError(errno.EROFS, "Read-only file system")
    bench.start()
    opens = []
    for seconds in (0.1, 0.999, 1.0, 1.5, 2.0):
        now[0] = begun + int(seconds * 1e9)
        bench.c2s.feed(b"1\n")
        opens.append(bench.file.opens)
    assert opens == [1, 1, 2, 2, 3]


def test_a_removed_recording_is_begun_anew(bench: Bench, always_look: None) -> None:
    bench.start()
    bench.c2s.feed(b"1\n2\n")
    bench.path.unlink()
    bench.c2s.feed(b"3\n")
    bench.c2s.feed(b"4\n")
    assert bench.outline() == [(0, "start"), (3, "gap"), (4, 3), (5, 4)]
    assert bench.records[1]["reason"] == "the recording was removed"
    assert bench.complaints == [f"the recording {bench.path} was removed; starting a new one"]


@pytest.mark.parametrize("size", [0, 40])
def test_a_truncated_recording_is_begun_anew_on_a_line_of_its_own(
    bench: Bench, always_look: None, size: int
) -> None:
    bench.start()
    bench.c2s.feed(b"1\n2\n")
    os.truncate(bench.path, size)
    bench.c2s.feed(b"3\n")
    bench.c2s.feed(b"4\n")
    fragment, rest = bench.path.read_bytes()[:size], bench.path.read_bytes()[size:].lstrip(b"\n")
    assert b"\n" not in fragment
    records = read(rest)
    assert [(record["seq"], content(record)) for record in records] == [
        (0, "start"), (3, "gap"), (4, 3), (5, 4),
    ]  # fmt: skip
    assert (records[1]["records"], records[1]["reason"]) == (2, "the recording was truncated")
    assert bench.complaints == [f"the recording {bench.path} was truncated; starting it again"]


def test_under_stop_a_truncated_recording_ends_the_session(
    benches: Callable[..., Bench], always_look: None
) -> None:
    bench = benches(stop=True)
    bench.start()
    os.truncate(bench.path, 0)
    with pytest.raises(LogRefused, match="the recording was truncated"):
        bench.c2s.feed(b"1\n")


def test_the_gap_of_a_removed_recording_counts_the_numbers_that_are_missing(
    bench: Bench, always_look: None
) -> None:
    bench.start()
    start = bench.path.stat().st_size
    bench.c2s.feed(b"1\n2\n")
    missing = bench.path.stat().st_size - start
    bench.path.unlink()
    bench.c2s.feed(b"3\n")
    # The start record is on the new file again: 1 and 2 are what a reader does not find.
    assert (bench.records[1]["seq"], bench.records[1]["records"]) == (3, 2)
    assert bench.records[1]["bytes"] == missing


def test_a_recording_is_begun_anew_each_time_it_is_removed(bench: Bench, always_look: None) -> None:
    bench.start()
    bench.c2s.feed(b"{}\n")
    for number in range(3):
        bench.path.unlink()
        bench.c2s.feed(b"%d\n" % number)
    assert bench.outline() == [(0, "start"), (6, "gap"), (7, 2)]
    assert len(bench.complaints) == 1


def test_a_recording_is_begun_anew_with_its_directory(
    benches: Callable[..., Bench], tmp_path: Path, always_look: None
) -> None:
    bench = benches(tmp_path / "logs" / "log.jsonl")
    bench.start()
    bench.c2s.feed(b"1\n")
    bench.path.unlink()
    bench.path.parent.rmdir()
    bench.c2s.feed(b"2\n")
    assert bench.outline() == [(0, "start"), (2, "gap"), (3, 2)]


@examples(0.6)
@given(
    st.lists(st.sampled_from(["line", "two lines", "event", "fail", "work", "remove", "cut"]), max_size=20)
)
def test_every_jump_of_the_numbers_is_explained_by_a_gap_of_that_size(steps: list[str]) -> None:
    with pytest.MonkeyPatch.context() as patch, TemporaryDirectory() as directory:
        patch.setattr(module, "CHECK_EVERY_NS", 0)
        bench = Bench(Path(directory) / "log.jsonl")
        bench.start()
        for step in [*steps, "work", "event"]:
            if step == "fail":
                bench.file.refuse = FULL
            elif step == "work":
                bench.file.refuse = bench.file.cut_next = None
            elif step == "cut":
                bench.file.cut_next = 30
            elif step == "remove":
                bench.path.unlink(missing_ok=True)
            elif step == "event":
                bench.recorder.event("x")
            else:
                bench.c2s.feed(b"{}\n" * (2 if step == "two lines" else 1))
        bench.recorder.close()
        records = bench.records
    assert records[0]["event"] == "start"
    assert [record["seq"] for record in records] == sorted({record["seq"] for record in records})
    for before, record in itertools.pairwise(records):
        missing = record["seq"] - before["seq"] - 1
        assert (record["records"] if record.get("event") == "gap" else 0) == missing


# The size limit


def test_at_the_limit_lines_are_no_longer_recorded_and_events_still_are(
    benches: Callable[..., Bench],
) -> None:
    bench = benches(max_size=330)
    bench.start()
    for number in range(5):
        bench.c2s.feed(b"%d\n" % number)
    bench.recorder.event("eof", stream="c2s")
    assert bench.outline() == [(0, "start"), (1, 0), (2, "limit"), (3, "eof")]
    assert bench.records[2]["bytes"] == 330
    assert bench.complaints == []
    assert bench.c2s.line_count == 5


def test_of_the_batch_that_reaches_the_limit_the_first_records_are_kept(
    benches: Callable[..., Bench],
) -> None:
    bench = benches(max_size=430)
    bench.start()
    bench.c2s.feed(b"1\n2\n3\n4\n")
    bench.recorder.event("exit")
    assert bench.outline() == [(0, "start"), (1, 1), (2, 2), (3, "limit"), (4, "exit")]


def test_records_that_fit_the_limit_exactly_are_recorded(
    benches: Callable[..., Bench], tmp_path: Path
) -> None:
    trial = benches(tmp_path / "trial.jsonl")
    trial.start()
    trial.c2s.feed(b"1\n")
    bench = benches(max_size=trial.path.stat().st_size)
    bench.start()
    bench.c2s.feed(b"1\n")
    assert bench.outline() == [(0, "start"), (1, 1)]
    bench.c2s.feed(b"2\n")
    assert bench.outline() == [(0, "start"), (1, 1), (2, "limit")]


def test_of_a_batch_the_records_that_fit_the_limit_exactly_are_kept(
    benches: Callable[..., Bench], tmp_path: Path
) -> None:
    trial = benches(tmp_path / "trial.jsonl")
    trial.start()
    trial.c2s.feed(b"1\n2\n")
    bench = benches(max_size=trial.path.stat().st_size)
    bench.start()
    bench.c2s.feed(b"1\n2\n3\n")
    assert bench.outline() == [(0, "start"), (1, 1), (2, 2), (3, "limit")]


def test_without_a_limit_everything_is_recorded(bench: Bench) -> None:
    bench.start()
    for _ in range(100):
        bench.c2s.feed(b"{}\n" * 10)
    assert [record["seq"] for record in bench.records] == list(range(1001))


class AnnouncedLock:
    """A lock that tells when somebody is about to wait for it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.wanted_by: set[str] = set()
        self.wanted = threading.Event()

    def __enter__(self) -> None:
        self.wanted_by.add(threading.current_thread().name)
        if "other" in self.wanted_by:
            self.wanted.set()
        assert self._lock.acquire(timeout=BOUND)

    def __exit__(self, *_: object) -> None:
        self._lock.release()


def test_the_limit_is_recorded_once_when_two_streams_reach_it_at_once(
    benches: Callable[..., Bench], monkeypatch: pytest.MonkeyPatch
) -> None:
    bench = benches(max_size=330)
    bench.start()
    bench.c2s.feed(b"1\n")
    lock = AnnouncedLock()
    monkeypatch.setattr(bench.recorder, "_lock", lock)
    s2c = StreamRecorder(bench.recorder, "s2c")
    other = threading.Thread(target=s2c.feed, args=(b"3\n",), name="other", daemon=True)
    really = bench.recorder._within_limit

    def while_the_other_waits(records: list[bytes], limit: int) -> list[bytes]:
        if threading.current_thread() is not other:
            other.start()
            assert lock.wanted.wait(BOUND)
        return really(records, limit)

    monkeypatch.setattr(bench.recorder, "_within_limit", while_the_other_waits)
    bench.c2s.feed(b"2\n")
    other.join(BOUND)
    assert not other.is_alive()
    assert bench.outline() == [(0, "start"), (1, 1), (2, "limit")]


# Several threads, several taps


def test_three_threads_share_the_numbers_and_tear_no_line(bench: Bench) -> None:
    bench.start()
    ready = threading.Barrier(3, timeout=BOUND)

    def pump(name: Stream) -> None:
        stream = StreamRecorder(bench.recorder, name)
        ready.wait()
        for number in range(200):
            stream.feed(b'{"n":%d}\n' % number + b"x" * (number % 7) + b"\n")

    finish([threading.Thread(target=pump, args=(name,), name=name, daemon=True) for name in STREAMS])
    records = bench.records
    assert [record["seq"] for record in records] == list(range(1 + 3 * 400))
    stamps = [record["t"] for record in records]
    assert stamps == sorted(stamps)
    expected = b"".join(b'{"n":%d}\n' % number + b"x" * (number % 7) + b"\n" for number in range(200))
    data = bench.path.read_bytes()
    assert {name: stream_bytes(data, name) for name in STREAMS} == dict.fromkeys(STREAMS, expected)


def test_two_taps_on_one_file_tear_no_line(benches: Callable[..., Bench]) -> None:
    taps = [benches(), benches()]
    taps[1].recorder.session = "01k3v9x6n4q80001"
    taps[1].c2s = StreamRecorder(taps[1].recorder, "c2s")
    ready = threading.Barrier(2, timeout=BOUND)

    def record(bench: Bench) -> None:
        bench.start()
        ready.wait()
        for number in range(200):
            bench.c2s.feed(b'{"n":%d}\n' % number * (1 + number % 3))

    finish([threading.Thread(target=record, args=(tap,), daemon=True) for tap in taps])
    records = taps[0].records
    for tap in taps:
        mine = [record["seq"] for record in records if record["session"] == tap.recorder.session]
        assert mine == list(range(1 + sum(1 + number % 3 for number in range(200))))


# What ended the session


def test_the_first_ending_counts(bench: Bench) -> None:
    assert bench.recorder.first is None
    bench.recorder.ended_by("client-eof")
    bench.recorder.ended_by("server-exit")
    assert bench.recorder.first == "client-eof"


@pytest.mark.parametrize(
    ("apparent", "after", "first"),
    [
        ("server-eof", 0.5, "server-exit"),
        ("server-eof", 1.5, "server-eof"),
        ("client-eof", 0.5, "client-eof"),
    ],
)
def test_what_looked_like_one_ending_can_turn_out_as_another_for_a_while(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, apparent: Any, after: float, first: str
) -> None:
    now = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    bench.recorder.ended_by(apparent)
    now[0] += after
    bench.recorder.settle("server-eof", "server-exit", 1.0)
    assert bench.recorder.first == first


def test_a_segment_is_recorded_as_what_it_is(bench: Bench) -> None:
    bench.start()
    bench.recorder.lines([Segment((b"{}",), more=True), b"{}", Segment((b"{}",))], True, b',"dir":"s2c",')
    data = bench.path.read_bytes().split(b"\n")[1:-1]
    assert [line.partition(b'"dir":')[2] for line in data] == [
        b'"s2c","eol":"","more":true,"text":"{}"}',
        b'"s2c","msg":{}}',
        b'"s2c","eol":"","text":"{}"}',
    ]
