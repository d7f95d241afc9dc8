"""The tap's own descriptors."""

from __future__ import annotations

import os

import pytest

from mcp_tap.process import own_streams
from mcp_tap.process.own_streams import OwnStreams, close_for_good, open_descriptors, warn_stderr


def test_what_is_inherited_beyond_stderr_is_known_and_let_go() -> None:
    reader, writer = os.pipe()
    os.set_inheritable(writer, True)
    own = OwnStreams.take()
    assert writer in own.extra
    assert reader not in own.extra
    assert own.closed == frozenset()
    only = OwnStreams(own.closed, (writer, 987))
    only.let_go_of_extra()
    assert only.extra == ()
    assert os.read(reader, 1) == b""
    os.close(reader)


def test_where_the_system_does_not_list_descriptors_none_are_known(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(path: str) -> list[str]:
        raise OSError

    monkeypatch.setattr(os, "listdir", fail)
    assert open_descriptors() == []
    assert not own_streams.is_inherited(987)


def test_a_standard_descriptor_is_replaced_not_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    reader, writer = os.pipe()
    monkeypatch.setattr(own_streams, "STDERR", writer)
    close_for_good(writer)
    assert os.read(reader, 1) == b""
    assert os.path.samestat(os.fstat(writer), os.stat(os.devnull))
    os.close(reader)
    os.close(writer)


def test_talk_is_one_line_and_never_waits_and_never_raises(monkeypatch: pytest.MonkeyPatch) -> None:
    reader, writer = os.pipe()
    monkeypatch.setattr(own_streams, "STDERR", writer)
    warn_stderr("a sentence with \udcff in it")
    assert os.read(reader, 100) == b"mcp-tap: a sentence with \\udcff in it\n"
    os.set_blocking(writer, False)
    try:
        while True:
            os.write(writer, b"x" * 4096)
    except BlockingIOError:
        os.set_blocking(writer, True)
    warn_stderr("nobody listens")
    os.close(reader)
    warn_stderr("nobody is there")
    os.close(writer)
    warn_stderr("nothing is there")
