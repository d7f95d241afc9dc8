"""Any bytes, both ways and on stderr, in order and as soon as they arrive."""

from __future__ import annotations

import hashlib
import os

import pytest

from tests.harness import (
    Launcher,
    Reader,
    ended,
    python,
    read_exactly,
    recorded,
    send,
    talk_to,
    wait_status,
)

COPY_TO_BOTH = python("""
while chunk := os.read(0, 65536):
    write(1, chunk); write(2, chunk)
""")

ODD_BYTES = {
    "nul": b"a\0b\n\0\n",
    "invalid utf-8": b"\xff\xfe\n\xc3\n\xed\xa0\x80\n",
    "byte order mark": b'\xef\xbb\xbf{"jsonrpc":"2.0"}\n',
    "utf-16": '{"jsonrpc":"2.0","id":1}\n'.encode("utf-16"),
    "cr": b"one\rtwo\r\rthree\r",
    "crlf": b'{"id":1}\r\n\r\nx\r\n',
    "line separators": "a\u2028b\u0085c\u2029\n".encode(),
    "blank lines": b"\n\n\n",
    "content-length": b'Content-Length: 38\r\n\r\n{"jsonrpc":"2.0","id":1,"result":{}}',
    "last line without newline": b'{"a":1}\n{"b":2}',
    "nothing": b"",
    "json of every spacing": b' {"a" : 1 , "a":2}\t\n[1,\r2]\n1e999\nNaN\n"\\ud800"\n',
    "deep": b"[" * 3000 + b"]" * 3000 + b"\n",
    "every byte": bytes(range(256)) * 300,
}


@pytest.mark.parametrize("data", ODD_BYTES.values(), ids=ODD_BYTES.keys())
def test_any_bytes_pass_unaltered(launcher: Launcher, data: bytes) -> None:
    with ended(launcher.start(COPY_TO_BOTH)) as process:
        out, err, status = talk_to(process, data)
    assert (out, err, status) == (data, data, 0)
    if launcher.log is not None:
        for direction in ("c2s", "s2c", "stderr"):
            assert recorded(launcher.log, direction) == data


def test_a_prompt_without_newline_arrives_before_the_answer_to_it(launcher: Launcher) -> None:
    server = python("write(1, b'name? '); write(1, b'hello ' + line())")
    with ended(launcher.start(server)) as process:
        assert read_exactly(process.stdout, 6) == b"name? "
        send(process, b"Ada\n")
        assert read_exactly(process.stdout, 10) == b"hello Ada\n"


def test_single_bytes_arrive_one_at_a_time_both_ways(launcher: Launcher) -> None:
    server = python("""
while byte := os.read(0, 1):
    write(1, byte); write(2, byte)
""")
    with ended(launcher.start(server)) as process:
        for value in b"\xe4\xb8\xad{\x00\r\n ":
            byte = bytes([value])
            send(process, byte)
            assert read_exactly(process.stdout, 1) == byte
            assert read_exactly(process.stderr, 1) == byte


def test_a_hundred_megabytes_without_a_newline_pass_both_ways(launcher: Launcher) -> None:
    server = python("""
while chunk := os.read(0, 1 << 20):
    write(1, chunk)
""")
    size = 100_000_000
    block = os.urandom(1 << 20).replace(b"\n", b" ")
    sent = (block * (size // len(block) + 1))[:size]
    with ended(launcher.start(server)) as process:
        out = Reader(process.stdout, 1 << 20)
        assert process.stdin is not None
        rest = memoryview(sent)
        while rest:
            rest = rest[os.write(process.stdin.fileno(), rest) :]
        process.stdin.close()
        got = out.all()
        assert wait_status(process) == 0
    assert len(got) == size
    assert hashlib.sha256(got).digest() == hashlib.sha256(sent).digest()
