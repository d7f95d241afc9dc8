"""The recording file as it is appended to, whatever happens to the disk."""

from __future__ import annotations

import errno
import os
import resource
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from mcp_tap.record.writer import RecordingFile, ends_with_newline, make_private_directory


@contextmanager
def opened(path: str | os.PathLike[str]) -> Iterator[RecordingFile]:
    """An open recording file that is closed afterwards."""
    file = RecordingFile(os.fspath(path))
    file.open()
    try:
        yield file
    finally:
        file.close()


@contextmanager
def no_file_beyond(size: int) -> Iterator[None]:
    """Writes beyond ``size`` bytes of a file are cut short, then refused, as on a full disk."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@contextmanager
def umask(mask: int) -> Iterator[None]:
    before = os.umask(mask)
    try:
        yield
    finally:
        os.umask(before)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.parametrize("mask", [0o000, 0o022, 0o077, 0o277, 0o777])
def test_the_file_is_its_owners_alone_whatever_the_umask(tmp_path: Path, mask: int) -> None:
    path = tmp_path / "a" / "b" / "log.jsonl"
    with umask(mask), opened(path) as file:
        assert file.append(b"{}\n") == 3
    assert mode(path) == 0o600
    assert [mode(path.parent), mode(path.parent.parent)] == [0o700, 0o700]


def test_what_exists_keeps_its_mode(tmp_path: Path) -> None:
    directory = tmp_path / "logs"
    directory.mkdir(mode=0o755)
    path = directory / "log.jsonl"
    path.touch(mode=0o644)
    with opened(path) as file:
        file.append(b"{}\n")
    assert [mode(directory), mode(path)] == [0o755, 0o644]


def test_an_existing_file_is_appended_to(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(b'{"seq":0}\n')
    with opened(path) as file:
        assert file.append(b'{"seq":1}\n') == 10
    assert path.read_bytes() == b'{"seq":0}\n{"seq":1}\n'


def test_a_record_is_in_the_file_when_append_returns(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    with opened(path) as file:
        file.append(b"1\n")
        assert path.read_bytes() == b"1\n"
        file.append(b"2\n3\n")
        assert path.read_bytes() == b"1\n2\n3\n"


def test_two_files_on_one_path_do_not_overwrite_each_other(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    with opened(path) as one, opened(path) as other:
        one.append(b"1\n")
        other.append(b"2\n")
        one.append(b"3\n")
    assert path.read_bytes() == b"1\n2\n3\n"


def test_what_a_crash_has_torn_is_left_on_a_line_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(b'1\n{"ts":"2026')
    with opened(path) as file:
        assert file.append(b"2\n") == 2
        assert file.append(b"3\n") == 2
    assert path.read_bytes() == b'1\n{"ts":"2026\n2\n3\n'


def test_a_relative_path_without_a_directory_is_in_the_working_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with opened("log.jsonl") as file:
        file.append(b"1\n")
    assert (tmp_path / "log.jsonl").read_bytes() == b"1\n"


def test_a_file_that_is_not_open_takes_nothing_and_says_so(tmp_path: Path) -> None:
    file = RecordingFile(str(tmp_path / "log.jsonl"))
    assert not file.is_open
    assert file.append(b"1\n") == 0
    assert file.error is not None
    assert file.error.errno == errno.EBADF
    assert not (tmp_path / "log.jsonl").exists()


def test_a_closed_file_may_be_opened_again(tmp_path: Path) -> None:
    file = RecordingFile(str(tmp_path / "log.jsonl"))
    for number in (b"1\n", b"2\n"):
        file.open()
        assert file.is_open
        assert file.append(number) == 2
        assert file.error is None
        file.close()
        file.close()
        assert not file.is_open
    assert (tmp_path / "log.jsonl").read_bytes() == b"1\n2\n"


def test_a_full_device_takes_nothing_and_the_error_says_why() -> None:
    with opened("/dev/full") as file:
        assert file.append(b"1\n") == 0
        assert file.error is not None
        assert file.error.errno == errno.ENOSPC
        assert file.loss() is None


def test_an_error_is_forgotten_by_the_next_append_that_works(tmp_path: Path) -> None:
    with opened(tmp_path / "log.jsonl") as file:
        with no_file_beyond(0):
            assert file.append(b"1\n") == 0
            assert file.error is not None
            assert file.error.errno == errno.EFBIG
        assert file.append(b"2\n") == 2
        assert file.error is None
    assert (tmp_path / "log.jsonl").read_bytes() == b"2\n"


def test_a_write_that_the_system_cuts_short_is_told_by_its_size(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    with opened(path) as file, no_file_beyond(5):
        assert file.append(b"1\n") == 2
        assert file.append(b"234567\n") == 3
        assert file.error is not None
        assert file.error.errno == errno.EFBIG
    assert path.read_bytes() == b"1\n234"


def test_a_write_that_was_cut_short_for_once_is_continued(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "log.jsonl"
    write = os.write
    with opened(path) as file:
        monkeypatch.setattr(os, "write", lambda fd, data: write(fd, data[:3]))
        assert file.append(b"1234567\n") == 8
        assert file.error is None
        monkeypatch.setattr(os, "write", lambda fd, data: 0)
        assert file.append(b"x\n") == 0
        assert file.error is not None
        monkeypatch.undo()
    assert path.read_bytes() == b"1234567\n"


def test_a_record_that_was_cut_short_is_not_continued_behind_another_taps(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "log.jsonl"
    write = os.write

    def cut_and_let_another_write(fd: int, data: bytes) -> int:
        monkeypatch.undo()
        written = write(fd, data[:3])
        with path.open("ab") as other:
            other.write(b"other\n")
        return written

    with opened(path) as file:
        monkeypatch.setattr(os, "write", cut_and_let_another_write)
        fragment = file.append(b"1234567\n")
        assert fragment == 3
        assert str(file.error) == "[Errno 11] a write was cut short, and another tap has written since"
        file.discard(fragment)
        assert file.append(b"8\n") == 2
    assert path.read_bytes() == b"123other\n\n8\n"


def test_a_discarded_fragment_leaves_no_trace(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    with opened(path) as file:
        with no_file_beyond(5):
            file.append(b"1\n")
            file.discard(file.append(b"234567\n"))
        assert path.read_bytes() == b"1\n"
        assert file.append(b"8\n") == 2
    assert path.read_bytes() == b"1\n8\n"


def test_a_fragment_is_discarded_behind_the_newline_that_a_torn_tail_needed(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(b"torn")
    with opened(path) as file:
        with no_file_beyond(7):
            fragment = file.append(b"234567\n")
            assert fragment == 2
            file.discard(fragment)
        assert file.append(b"8\n") == 2
    assert path.read_bytes() == b"torn\n8\n"


def test_a_newline_is_all_that_fits_behind_a_torn_tail(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(b"torn")
    with opened(path) as file:
        with no_file_beyond(5):
            assert file.append(b"2\n") == 0
        assert file.append(b"3\n") == 2
    assert path.read_bytes() == b"torn\n3\n"


def test_a_torn_tail_is_remembered_while_nothing_can_be_written(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(b"torn")
    with opened(path) as file:
        with no_file_beyond(4):
            assert file.append(b"2\n") == 0
        assert file.append(b"3\n") == 2
    assert path.read_bytes() == b"torn\n3\n"


def test_a_fragment_behind_which_somebody_else_has_written_stays_on_a_line_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    with opened(path) as file, opened(path) as other:
        with no_file_beyond(3):
            fragment = file.append(b"1234\n")
        other.append(b"other\n")
        file.discard(fragment)
        assert path.read_bytes() == b"123other\n"
        assert file.append(b"5\n") == 2
    assert path.read_bytes() == b"123other\n\n5\n"


def test_a_fragment_that_cannot_be_taken_back_ends_with_the_next_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(fd: int, size: int) -> None:
        raise OSError(errno.EPERM, "append-only")

    path = tmp_path / "log.jsonl"
    with opened(path) as file:
        with no_file_beyond(3):
            fragment = file.append(b"1234\n")
        monkeypatch.setattr(os, "ftruncate", refuse)
        file.discard(fragment)
        assert file.append(b"5\n") == 2
    assert path.read_bytes() == b"123\n5\n"


def test_an_unlinked_file_is_known_to_be_removed(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    with opened(path) as file:
        assert file.loss() is None
        path.unlink()
        assert file.loss() == "removed"
        file.close()
        assert file.loss() is None


@pytest.mark.parametrize("size", [0, 3, 5])
def test_a_truncated_file_is_known_to_be(tmp_path: Path, size: int) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(b"0\n")
    with opened(path) as file:
        file.append(b"1\n")
        file.append(b"2\n")
        assert file.loss() is None
        os.truncate(path, size)
        assert file.loss() == "truncated"


def test_a_file_that_was_truncated_and_has_grown_beyond_is_known_by_its_first_record(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    with opened(path) as file, opened(path) as other:
        file.append(b"1\n")
        file.mark(b"1\n")
        os.truncate(path, 0)
        other.append(b"another tap's\n")
        assert file.loss() == "truncated"


def test_a_removed_file_is_created_anew_by_open(tmp_path: Path) -> None:
    path = tmp_path / "logs" / "log.jsonl"
    with opened(path) as file:
        file.append(b"1\n")
        path.unlink()
        path.parent.rmdir()
        file.close()
        file.open()
        file.append(b"2\n")
    assert path.read_bytes() == b"2\n"
    assert [mode(path), mode(path.parent)] == [0o600, 0o700]


def test_a_renamed_file_is_written_on(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    with opened(path) as file:
        path.rename(tmp_path / "old.jsonl")
        assert file.loss() is None
        file.append(b"1\n")
    assert (tmp_path / "old.jsonl").read_bytes() == b"1\n"


def test_a_symbolic_link_leads_to_the_file(tmp_path: Path) -> None:
    (tmp_path / "link.jsonl").symlink_to(tmp_path / "log.jsonl")
    with opened(tmp_path / "link.jsonl") as file:
        file.append(b"1\n")
    assert (tmp_path / "log.jsonl").read_bytes() == b"1\n"
    assert mode(tmp_path / "log.jsonl") == 0o600


OTHER = 65534
"""Another user. CI runs as root, who may give files away."""


def refused(path: Path) -> str:
    """Why the file is not opened."""
    file = RecordingFile(str(path))
    try:
        with pytest.raises(PermissionError) as caught:
            file.open()
    finally:
        file.close()
    return str(caught.value.strerror)


@pytest.mark.parametrize("exists", [True, False])
@pytest.mark.parametrize("steps", [1, 2])
def test_a_link_of_somebody_else_is_not_followed(tmp_path: Path, exists: bool, steps: int) -> None:
    mine = tmp_path / "mine"
    if exists:
        mine.write_bytes(b"mine")
    link = tmp_path / "theirs"
    link.symlink_to(mine)
    os.lchown(link, OTHER, OTHER)
    path = link
    if steps == 2:
        path = tmp_path / "own"
        path.symlink_to("theirs")
    assert refused(path) == "the link belongs to another user"
    assert (mine.read_bytes() if mine.exists() else None) == (b"mine" if exists else None)


def test_a_file_of_somebody_else_is_not_written_to(tmp_path: Path) -> None:
    path = tmp_path / "theirs"
    path.touch(mode=0o666)
    os.chown(path, OTHER, OTHER)
    assert refused(path) == "the file belongs to another user"
    assert path.read_bytes() == b""


def test_a_fifo_of_somebody_else_is_not_written_to(tmp_path: Path) -> None:
    path = tmp_path / "theirs"
    os.mkfifo(path)
    reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    os.chown(path, OTHER, OTHER)
    try:
        assert refused(path) == "the file belongs to another user"
    finally:
        os.close(reader)


@pytest.mark.parametrize("open_to_others", [True, False])
def test_a_second_name_of_a_file_is_taken_for_ones_own_only_in_ones_own_directory(
    tmp_path: Path, open_to_others: bool
) -> None:
    mine, path = tmp_path / "mine", tmp_path / "logs" / "log.jsonl"
    mine.write_bytes(b"mine\n")
    path.parent.mkdir(mode=0o700)
    path.hardlink_to(mine)
    if open_to_others:
        os.chown(path.parent, OTHER, OTHER)
        assert refused(path) == "somebody else may have linked the file to another name"
        assert mine.read_bytes() == b"mine\n"
    else:
        with opened(path) as file:
            file.append(b"1\n")
        assert mine.read_bytes() == b"mine\n1\n"


def test_a_removed_file_is_not_opened_again_through_what_somebody_else_puts_there(tmp_path: Path) -> None:
    directory, mine = tmp_path / "theirs", tmp_path / "mine"
    directory.mkdir()
    os.chown(directory, OTHER, OTHER)
    path = directory / "log.jsonl"
    with opened(path) as file:
        file.append(b"1\n")
        path.unlink()
        path.symlink_to(mine)
        os.lchown(path, OTHER, OTHER)
        file.close()
        assert refused(path) == "the link belongs to another user"
        path.unlink()
        file.open()
        file.append(b"2\n")
    assert (path.read_bytes(), mode(path), mine.exists()) == (b"2\n", 0o600, False)


def test_links_that_lead_in_a_circle_are_an_error(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    with pytest.raises(OSError, match=os.strerror(errno.ELOOP)):
        RecordingFile(str(tmp_path / "a")).open()


@pytest.mark.parametrize("name", ["/dev/fd/{}", "/proc/self/fd/{}"])
def test_a_descriptor_may_be_recorded_to_whoever_owns_it(name: str) -> None:
    reader, writer = os.pipe()
    try:
        os.fchown(writer, OTHER, OTHER)
        with opened(name.format(writer)) as file:
            assert file.append(b"1\n") == 2
        assert os.read(reader, 10) == b"1\n"
    finally:
        os.close(reader)
        os.close(writer)


def test_the_null_device_may_be_recorded_to() -> None:
    with opened("/dev/null") as file:
        assert file.append(b"1\n") == 2


def test_a_fifo_without_a_reader_is_refused_at_once(tmp_path: Path) -> None:
    path = tmp_path / "fifo"
    os.mkfifo(path)
    file = RecordingFile(str(path))
    try:
        with pytest.raises(OSError, match=os.strerror(errno.ENXIO)):
            file.open()
    finally:
        file.close()


def test_a_fifo_with_a_reader_gets_the_records(tmp_path: Path) -> None:
    path = tmp_path / "fifo"
    os.mkfifo(path)
    reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    try:
        with opened(path) as file:
            assert file.append(b"1\n") == 2
            assert os.read(reader, 100) == b"1\n"
            assert file.loss() is None
    finally:
        os.close(reader)


def test_a_fifo_that_nobody_empties_fails_rather_than_waits(tmp_path: Path) -> None:
    path = tmp_path / "fifo"
    os.mkfifo(path)
    reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    try:
        with opened(path) as file:
            record = b"x" * 4095 + b"\n"
            for _ in range(10_000):
                if file.append(record) < len(record):
                    break
            assert file.append(record) == 0
            assert file.error is not None
            assert file.error.errno == errno.EAGAIN
    finally:
        os.close(reader)


def test_a_fifo_whose_reader_has_gone_fails(tmp_path: Path) -> None:
    path = tmp_path / "fifo"
    os.mkfifo(path)
    reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    try:
        with opened(path) as file:
            os.close(reader)
            reader = -1
            assert file.append(b"1\n") == 0
            assert file.error is not None
            assert file.error.errno == errno.EPIPE
    finally:
        if reader >= 0:
            os.close(reader)


def test_a_directory_is_no_recording(tmp_path: Path) -> None:
    with pytest.raises(IsADirectoryError):
        RecordingFile(str(tmp_path)).open()


@pytest.mark.parametrize("below", ["log.jsonl", "logs/log.jsonl"])
def test_a_file_is_no_directory_to_record_in(tmp_path: Path, below: str) -> None:
    (tmp_path / "file").write_bytes(b"mine")
    with pytest.raises((FileExistsError, NotADirectoryError)):
        RecordingFile(str(tmp_path / "file" / below)).open()
    assert (tmp_path / "file").read_bytes() == b"mine"


def test_a_file_that_may_not_be_read_is_appended_to_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    really_open = os.open

    def write_only(path: str, flags: int, mode: int = 0o777) -> int:
        if not flags & os.O_CREAT and flags & os.O_ACCMODE != os.O_WRONLY:
            raise PermissionError(errno.EACCES, "not readable", path)
        return really_open(path, flags, mode)

    path = tmp_path / "log.jsonl"
    path.write_bytes(b"1\n")
    monkeypatch.setattr(os, "open", write_only)
    monkeypatch.setattr(os, "access", lambda path, mode: not mode & os.R_OK)
    with opened(path) as file:
        assert file.append(b"2\n") == 2
    assert path.read_bytes() == b"1\n2\n"


def test_a_directory_that_may_not_be_written_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: str, mode: int = 0o777) -> None:
        raise PermissionError(errno.EACCES, "Permission denied", path)

    monkeypatch.setattr(os, "mkdir", refuse)
    file = RecordingFile(str(tmp_path / "logs" / "log.jsonl"))
    with pytest.raises(PermissionError):
        file.open()
    assert not file.is_open


def test_a_directory_that_somebody_else_has_just_made_will_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    really_make = os.mkdir

    def make_twice(path: str, mode: int = 0o777) -> None:
        really_make(path, 0o755)
        really_make(path, mode)

    monkeypatch.setattr(os, "mkdir", make_twice)
    make_private_directory(str(tmp_path / "logs"))
    assert mode(tmp_path / "logs") == 0o755


@pytest.mark.parametrize(
    ("content", "ended"), [(b"\n", True), (b"a\n", True), (b"a", False), (b"a\nb", False)]
)
def test_the_last_byte_tells_whether_a_line_is_whole(tmp_path: Path, content: bytes, ended: bool) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(content)
    fd = os.open(path, os.O_RDONLY)
    try:
        assert ends_with_newline(fd, len(content)) is ended
    finally:
        os.close(fd)


def test_an_unreadable_last_byte_is_taken_for_a_newline(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(b"a")
    fd = os.open(path, os.O_WRONLY)
    try:
        assert ends_with_newline(fd, 1) is True
    finally:
        os.close(fd)


def test_parts_are_one_record_also_where_they_are_cut_short_or_torn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "log.jsonl"
    writev = os.writev
    with opened(path) as file:
        assert file.append_parts([b"12", b"34", b"\n"]) == 5
        monkeypatch.setattr(os, "writev", lambda fd, parts: writev(fd, [parts[0][:1]]))
        assert file.append_parts([b"56", b"78", b"\n"]) == 5
        monkeypatch.undo()
        with no_file_beyond(12):
            assert file.append_parts([b"90", b"ab", b"\n"]) == 2
            assert file.error is not None
            assert file.error.errno == errno.EFBIG
            assert file.append_parts([b"x"]) == 0
        file.discard(2)
        file._torn = True
        assert file.append_parts([b"90", b"\n"]) == 3
    assert path.read_bytes() == b"1234\n5678\n\n90\n"
    assert RecordingFile(str(path)).append_parts([b"x"]) == 0
