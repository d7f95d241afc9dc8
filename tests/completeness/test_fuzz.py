"""Random chunks with random pauses both ways: recorded bytes are sent bytes."""

from __future__ import annotations

import json
import os
import random
import threading
from pathlib import Path

import pytest

from tests.harness import LIMIT, Launcher, Reader, ended, python, recorded

PIECES = [
    b"\n", b"\r\n", b"\r", b"\0", b"\xff", b"1}", b'{"a":', b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n',
    "中文笔记\n".encode(), "🎉".encode()[:2], "🎉".encode()[2:], b"x" * 70_000, b"NaN\n",
    b"[]\n", b"\xed\xa0\xbd\n", b"Content-Length: 2\r\n\r\n{}", b'"\\ud800"\n', b" ", b"plain text\n",
]  # fmt: skip

# Random pieces with random pauses on both of its outputs, and whatever comes in to stdout too.
SERVER = python("""
import json, random
pieces = [bytes.fromhex(piece) for piece in json.load(open(sys.argv[2]))]
dice = random.Random(int(sys.argv[1]))
import select
for _ in range(int(sys.argv[3])):
    write(dice.choice([1, 2]), dice.choice(pieces))
    if dice.random() < 0.3: time.sleep(dice.random() * 0.004)  # the pause is the fuzz
    if select.select([0], [], [], 0)[0]:
        write(1, os.read(0, dice.choice([1, 10, 65536])))
while chunk := os.read(0, 65536): write(1, chunk)
""")


@pytest.mark.parametrize("seed", range(12))
def test_random_chunks_with_random_pauses_are_forwarded_and_recorded(
    tap: Launcher, tmp_path: Path, seed: int
) -> None:
    dice = random.Random(seed)
    pieces = tmp_path / "pieces"
    pieces.write_text(json.dumps([piece.hex() for piece in PIECES]))
    sent = b""
    with ended(tap.start([*SERVER, str(seed), str(pieces), "60"])) as process:
        out, err = Reader(process.stdout), Reader(process.stderr)
        assert process.stdin is not None
        pause = threading.Event()
        for _ in range(60):
            piece = dice.choice(PIECES)
            sent += piece
            rest = memoryview(piece)
            while rest:
                rest = rest[os.write(process.stdin.fileno(), rest) :]
            if dice.random() < 0.3:
                pause.wait(dice.random() * 0.004)  # the pause is the fuzz
        process.stdin.close()
        got_out, got_err = out.all(), err.all()
        assert process.wait(LIMIT) == 0
    assert tap.log is not None
    assert recorded(tap.log, "c2s") == sent
    assert recorded(tap.log, "s2c") == got_out
    assert recorded(tap.log, "stderr") == got_err
    # What went in came out again, so nothing was lost on the way through the server either.
    assert len(got_out) + len(got_err) >= len(sent)


def test_an_unfinished_line_is_on_file_after_a_second_of_silence(tap: Launcher, log: Path) -> None:
    from tests.harness import read_exactly, records, wait_until

    server = python("write(1, 'Passwort für 中'.encode()[:-1])\nline(); write(1, b'\\xad!\\n')")
    with ended(tap.start(server)) as process:
        assert len(read_exactly(process.stdout, 16)) == 16

        def segment() -> bool:
            return any(record.get("more") for record in records(log))

        wait_until(segment, "the segment")
        assert process.stdin is not None
        process.stdin.write(b"secret\n")
        assert read_exactly(process.stdout, 3) == b"\xad!\n"
        assert process.wait(LIMIT) == 0
    lines = [
        {key: record[key] for key in ("eol", "more", "text") if key in record}
        for record in records(log)
        if record["dir"] == "s2c"
    ]
    assert lines == [{"eol": "", "more": True, "text": "Passwort für "}, {"text": "中!"}]
