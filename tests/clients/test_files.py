"""A configuration is replaced whole, kept as it was otherwise, and never over somebody else's change."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from mcp_tap.clients import files
from mcp_tap.clients.files import (
    BOM,
    ChangedMeanwhile,
    ConfigFile,
    back_up,
    backup_path,
    drop_backup,
    locked,
    read_config,
    replace_file,
)
from mcp_tap.clients.tree import ConfigError


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return tmp_path / "state" / "mcp-tap"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "etc" / "config.json"
    path.parent.mkdir()
    path.write_bytes(b"old\r\n")
    return path


def read(path: Path) -> ConfigFile:
    return read_config(str(path))


def test_only_the_content_changes(path: Path) -> None:
    os.chmod(path, 0o640)
    replace_file(read(path), "new\r\nünï")
    assert path.read_bytes() == "new\r\nünï".encode()
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert os.listdir(path.parent) == ["config.json"]


def test_the_owner_stays(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[tuple[int, int]] = []
    monkeypatch.setattr(os, "fchown", lambda _, user, group: given.append((user, group)))
    replace_file(read(path), "new")
    assert given == [(path.stat().st_uid, path.stat().st_gid)]

    def refuse(*_: int) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "fchown", refuse)
    replace_file(read(path), "newer")
    assert path.read_text() == "newer"


def test_a_byte_order_mark_is_no_text_and_stays(path: Path) -> None:
    path.write_bytes(BOM + b"old")
    file = read(path)
    assert file.text == "old"
    replace_file(file, "new")
    assert path.read_bytes() == BOM + b"new"


def test_a_link_stays_a_link(path: Path, tmp_path: Path) -> None:
    link = tmp_path / "link.json"
    link.symlink_to(path)
    replace_file(read(link), "new")
    assert link.is_symlink()
    assert path.read_text() == "new"


def test_another_s_change_between_reading_and_replacing_is_not_lost(path: Path) -> None:
    file = read(path)
    path.write_text("theirs")
    with pytest.raises(ChangedMeanwhile):
        replace_file(file, "new")
    assert path.read_text() == "theirs"
    assert os.listdir(path.parent) == ["config.json"]


def test_another_s_change_while_the_new_file_is_written_is_not_lost(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interfere(descriptor: int) -> None:
        path.write_text("theirs")

    monkeypatch.setattr(os, "fsync", interfere)
    with pytest.raises(ChangedMeanwhile):
        replace_file(read(path), "new")
    assert path.read_text() == "theirs"
    assert os.listdir(path.parent) == ["config.json"]


@pytest.mark.parametrize("how", ["gone", "another file", "a directory"])
def test_a_file_that_is_something_else_now_is_let_be(path: Path, tmp_path: Path, how: str) -> None:
    link = tmp_path / "link.json"
    link.symlink_to(path)
    file = read(link)
    link.unlink()
    if how == "another file":
        (tmp_path / "other.json").write_bytes(path.read_bytes())
        link.symlink_to(tmp_path / "other.json")
    elif how == "a directory":
        link.mkdir()
    with pytest.raises(ChangedMeanwhile):
        replace_file(file, "new")
    assert path.read_bytes() == b"old\r\n"


def test_a_read_only_file_stays_as_it_is_even_for_root(path: Path) -> None:
    os.chmod(path, 0o444)
    with pytest.raises(ConfigError, match="is read-only"):
        replace_file(read(path), "new")
    assert path.read_bytes() == b"old\r\n"


def test_a_failing_disk_leaves_the_old_file(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    for name in ("fsync", "replace"):
        with monkeypatch.context() as patch:
            patch.setattr(os, name, fail)
            with pytest.raises(OSError, match="No space left"):
                replace_file(read(path), "new")
            with pytest.raises(OSError, match="No space left"):
                back_up(read(path), is_first=True)
    assert path.read_bytes() == b"old\r\n"
    assert os.listdir(path.parent) == ["config.json"]
    assert os.listdir(os.path.dirname(backup_path(read(path)))) == []


def test_what_is_no_text_file_is_a_clause(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path.write_bytes(b'{"a": "\xff"}')
    with pytest.raises(ConfigError, match=r"is not valid UTF-8 \(byte 7\)"):
        _ = read(path).text
    with pytest.raises(ConfigError, match="is not a regular file"):
        read_config("/dev/null")
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(ConfigError, match="is not a regular file"):
        read(tmp_path / "pipe")
    with pytest.raises(IsADirectoryError):
        read(tmp_path)
    monkeypatch.setattr(files, "LARGEST", 3)
    with pytest.raises(ConfigError, match="is larger than"):
        read(path)


def test_the_backup_is_private_and_not_beside_the_file(path: Path, state: Path) -> None:
    backup = Path(back_up(read(path), is_first=True))
    assert backup.parent == state / "backups"
    assert backup.name.endswith("-config.json")
    assert backup.read_bytes() == b"old\r\n"
    assert stat.S_IMODE(backup.stat().st_mode) == 0o600
    assert stat.S_IMODE(backup.parent.stat().st_mode) == 0o700
    assert stat.S_IMODE(state.stat().st_mode) == 0o700


def test_there_is_one_backup_from_before_the_tap(path: Path) -> None:
    first = back_up(read(path), is_first=True)
    path.write_text("wrapped")
    assert back_up(read(path), is_first=False) == first
    assert Path(first).read_bytes() == b"old\r\n"
    path.write_text("another beginning")
    assert back_up(read(path), is_first=True) == first
    assert Path(first).read_text() == "another beginning"


def test_files_of_one_name_have_backups_of_their_own(path: Path, tmp_path: Path) -> None:
    other = tmp_path / "config.json"
    other.write_text("other")
    assert back_up(read(path), is_first=True) != back_up(read(other), is_first=True)


def test_a_backup_goes_when_the_file_is_that_again(path: Path) -> None:
    path.write_bytes(BOM + b"x")
    backup = back_up(read(path), is_first=True)
    assert drop_backup(read(path), "y") == backup
    assert os.path.exists(backup)
    assert drop_backup(read(path), "x") is None
    assert not os.path.exists(backup)
    assert drop_backup(read(path), "x") is None
    os.mkdir(backup)
    assert drop_backup(read(path), "x") == backup


def test_a_system_without_directories_that_can_be_synced_is_no_matter(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files.sync_directory(str(path / "none"))
    with monkeypatch.context() as patch:
        patch.setattr(os, "name", "nt")
        files.sync_directory(str(path / "none"))


def test_a_file_of_several_names_is_let_be(path: Path, tmp_path: Path) -> None:
    os.link(path, tmp_path / "other name")
    with pytest.raises(ConfigError, match="several hard links"):
        replace_file(read(path), "new")
    assert os.stat(path).st_nlink == 2


def test_a_file_that_could_not_stay_its_owner_s_is_let_be(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = read(path)
    there = os.stat(path)

    def of_somebody_else(name: str) -> os.stat_result:
        return os.stat_result([*there[:4], there.st_uid + 1, *there[5:]])

    def refuse(*_: int) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "fchown", refuse)
    with monkeypatch.context() as patch:
        patch.setattr(os, "stat", of_somebody_else)
        with pytest.raises(ConfigError, match="belongs to another user"):
            replace_file(file, "new")
    assert path.read_bytes() == file.data
    assert os.listdir(path.parent) == [path.name]


def test_attributes_stay(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[tuple[str, bytes]] = []

    def take(_: int, name: str, value: bytes) -> None:
        given.append((name, value))
        raise OSError  # as where only root may

    monkeypatch.setattr(os, "listxattr", lambda _: ["user.a", "user.b"], raising=False)
    monkeypatch.setattr(os, "getxattr", lambda _, name: name.encode(), raising=False)
    monkeypatch.setattr(os, "setxattr", take, raising=False)
    replace_file(read(path), "new")
    assert given == [("user.a", b"user.a"), ("user.b", b"user.b")]
    assert path.read_text() == "new"


def killed_at(step: str, work: Callable[[], object]) -> None:
    """Do ``work`` in a process that dies when it calls ``step`` of :mod:`os`."""
    pid = os.fork()
    if pid == 0:  # pragma: no cover
        setattr(os, step, lambda *_: os._exit(9))
        try:
            work()
        finally:
            os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 9


@pytest.mark.parametrize("step", ["fchown", "fchmod", "fsync", "replace"])
def test_whoever_is_killed_leaves_a_whole_file_and_the_next_one_tidies_up(path: Path, step: str) -> None:
    file = read(path)
    for _ in range(3):
        killed_at(step, lambda: replace_file(file, "new"))
        assert path.read_bytes() == file.data
        assert len(os.listdir(path.parent)) == 2
    replace_file(file, "new")
    assert os.listdir(path.parent) == [path.name]


@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_whoever_is_killed_over_a_backup_leaves_no_second_one(path: Path, step: str) -> None:
    file = read(path)
    for _ in range(3):
        killed_at(step, lambda: back_up(file, is_first=True))
    backup = back_up(file, is_first=True)
    assert os.listdir(os.path.dirname(backup)) == [os.path.basename(backup)]


def test_what_only_looks_like_a_leftover_stays(path: Path) -> None:
    others = [path.parent / name for name in (f".{path.name}.bak", f"{path.name}.x.mcp-tap", ".x.y.mcp-tap")]
    for other in others:
        other.write_text("")
    replace_file(read(path), "new")
    assert all(other.exists() for other in others)


def test_two_taps_are_not_at_one_file_together(path: Path) -> None:
    file = read(path)
    with locked(file), pytest.raises(ChangedMeanwhile), locked(file):
        pass
    with locked(file):  # and it is free again
        replace_file(file, "new")
    with pytest.raises(ChangedMeanwhile), locked(file):
        pass


def test_a_file_system_without_locks_is_no_matter(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import fcntl

    def refuse(*_: object) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(fcntl, "flock", refuse)
    with locked(read(path)):
        pass
