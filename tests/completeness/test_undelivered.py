"""What the client has said is on file though the server was gone before it could hear it."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from tests.harness import (
    LIMIT,
    Launcher,
    ended,
    events,
    python,
    read_line,
    recorded,
    records,
    send,
    wait_status,
)

HELLO = b'{"jsonrpc":"2.0","id":0,"method":"initialize"}\n'


@pytest.mark.parametrize("closed", [False, True], ids=["stdin open", "stdin closed"])
def test_a_server_that_dies_at_once_leaves_the_clients_first_words_on_file(
    tmp_path: Path, closed: bool
) -> None:
    for number in range(6):
        log = tmp_path / f"{number}.jsonl"
        with ended(Launcher(log).start(["false"])) as process:
            send(process, HELLO + b"and ha")
            if closed:
                assert process.stdin is not None
                process.stdin.close()
            assert process.wait(LIMIT) == 1
        assert recorded(log, "c2s") == HELLO + b"and ha"
        (event,) = events(log, "undelivered")
        assert (event["stream"], event["lines"], event["bytes"]) == ("c2s", 2, len(HELLO) + 6)
        lines = [record["seq"] for record in records(log) if record["dir"] == "c2s"]
        assert len(lines) == 2
        assert min(lines) > event["seq"]
        assert records(log)[-1]["bytes"]["c2s"] == len(HELLO) + 6


def test_first_words_in_a_socket_are_on_file_too(tap: Launcher) -> None:
    ours, theirs = socket.socketpair()
    with ended(tap.start(["false"], stdin=theirs)) as process, ours:
        theirs.close()
        ours.sendall(HELLO)
        assert process.wait(LIMIT) == 1
    assert tap.log is not None
    assert recorded(tap.log, "c2s") == HELLO
    assert events(tap.log, "undelivered")[0]["lines"] == 1


def test_a_file_keeps_what_a_server_that_is_gone_has_not_read(tap: Launcher, tmp_path: Path) -> None:
    # Whoever reads on from the file's description finds it as the server has left it.
    (tmp_path / "in").write_bytes(b"one\n" * 3)
    with (tmp_path / "in").open("rb") as file, ended(tap.start(["false"], stdin=file)) as process:
        assert process.wait(LIMIT) == 1
        left = len(os.read(file.fileno(), 100))
    assert tap.log is not None
    assert left + len(recorded(tap.log, "c2s")) == 12
    assert events(tap.log, "undelivered") == []


def test_what_was_delivered_is_not_called_undelivered(tap: Launcher) -> None:
    server = python("write(1, b'got ' + line()); os._exit(3)")
    with ended(tap.start(server)) as process:
        send(process, b"words\n")
        assert read_line(process.stdout) == b"got words\n"
        assert wait_status(process) == 3
    assert tap.log is not None
    assert events(tap.log, "undelivered") == []
