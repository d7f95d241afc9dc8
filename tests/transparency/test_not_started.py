"""A server that cannot be started: one sentence, the shell's exit status, a record."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.harness import Launcher, ended, events, python, records, talk_to


def failure(tap: Launcher, command: list[str], **options: object) -> tuple[str, int]:
    """What a client sees: stderr and the exit status; nothing on stdout."""
    with ended(tap.start(command, **options)) as process:
        out, err, status = talk_to(process)
    assert out == b""
    assert err.count(b"\n") == 1
    assert tap.log is not None
    event = events(tap.log, "spawn_failed")[0]
    assert event["code"] == status
    assert err.decode() == f"mcp-tap: {event['error']}\n"
    assert [record["event"] for record in records(tap.log)] == ["start", "spawn_failed"]
    return err.decode(), status


def test_a_command_that_is_not_on_the_path(tap: Launcher) -> None:
    environment = {"PATH": "/nowhere:/usr/bin"}
    sentence, status = failure(tap, ["no-such-server", "x"], env=environment)
    assert sentence == "mcp-tap: cannot start 'no-such-server': not found on PATH (/nowhere:/usr/bin)\n"
    assert status == 127


def test_a_file_that_does_not_exist(tap: Launcher, tmp_path: Path) -> None:
    sentence, status = failure(tap, [f"{tmp_path}/server"])
    assert sentence == f"mcp-tap: cannot start '{tmp_path}/server': no such file\n"
    assert status == 127


def test_an_empty_command(tap: Launcher) -> None:
    assert failure(tap, [""])[1] == 127


def test_a_file_that_is_not_executable(tap: Launcher, tmp_path: Path) -> None:
    script = tmp_path / "server"
    script.write_text("#!/bin/sh\n")
    sentence, status = failure(tap, [str(script)])
    assert "is not executable (try chmod +x)" in sentence
    assert status == 126


def test_a_file_on_the_path_that_is_not_executable(tap: Launcher, tmp_path: Path) -> None:
    (tmp_path / "server").write_text("#!/bin/sh\n")
    sentence, status = failure(tap, ["server"], env={"PATH": f"{tmp_path}:/usr/bin"})
    assert f"{tmp_path}/server (found on PATH {tmp_path}:/usr/bin): it is not executable" in sentence
    assert status == 126


def test_a_directory(tap: Launcher, tmp_path: Path) -> None:
    sentence, status = failure(tap, [str(tmp_path)])
    assert "it is a directory" in sentence
    assert status == 126


def test_a_script_whose_interpreter_does_not_exist(tap: Launcher, tmp_path: Path) -> None:
    script = tmp_path / "server"
    script.write_text("#!/no/such/interpreter\n")
    script.chmod(0o755)
    sentence, status = failure(tap, [str(script)])
    assert "its interpreter (named in the script's first line) or its loader does not exist" in sentence
    assert status == 126


def test_a_program_that_the_system_cannot_execute(tap: Launcher, tmp_path: Path) -> None:
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    sentence, status = failure(tap, [str(loop)])
    assert status in (126, 127)
    assert "cannot start" in sentence


def test_no_descriptor_left_is_the_taps_failure(tap: Launcher) -> None:
    import resource

    def few() -> None:
        resource.setrlimit(resource.RLIMIT_NOFILE, (6, 6))

    with ended(tap.start(python(""), preexec_fn=few)) as process:
        out, err, status = talk_to(process)
    assert (out, status) == (b"", 125)
    assert err.decode().splitlines()[0].startswith("mcp-tap: cannot start")
    assert b"Traceback" not in err


def test_a_script_without_an_interpreter_line_runs_in_the_shell_as_execvp_has_it(
    tap: Launcher, tmp_path: Path
) -> None:
    script = tmp_path / "server"
    script.write_text('echo "$0 $1"\n')
    script.chmod(0o755)
    with ended(tap.start([str(script), "word"])) as process:
        assert talk_to(process) == (f"{script} word\n".encode(), b"", 0)


def test_the_path_is_searched_in_order_and_unusable_entries_are_passed_over(
    launcher: Launcher, tmp_path: Path
) -> None:
    for name, mode in (("a", 0o644), ("b", 0o755), ("c", 0o755)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "server").write_text(f"#!/bin/sh\necho {name}\n")
        (tmp_path / name / "server").chmod(mode)
    (tmp_path / "file").write_text("")
    path = ":".join(str(tmp_path / name) for name in ("file", "missing", "a", "b", "c"))
    # The client itself looks the bare command up in the environment that it gives.
    with ended(launcher.start(["server"], env={"PATH": path})) as process:
        assert talk_to(process) == (b"b\n", b"", 0)
    if launcher.log is not None:
        assert events(launcher.log, "spawn")[0]["exe"] == f"{tmp_path}/b/server"


@pytest.mark.parametrize("element", ["", "."])
def test_an_empty_path_element_is_the_working_directory(tap: Launcher, tmp_path: Path, element: str) -> None:
    (tmp_path / "server").write_text("#!/bin/sh\necho here\n")
    (tmp_path / "server").chmod(0o755)
    with ended(tap.start(["server"], env={"PATH": f"/nowhere:{element}"}, cwd=tmp_path)) as process:
        assert talk_to(process) == (b"here\n", b"", 0)


def test_a_working_directory_that_was_removed_is_no_obstacle(launcher: Launcher, tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()

    def vanish() -> None:
        os.rmdir(gone)

    with ended(launcher.start(python("write(1, b'ok')"), cwd=gone, preexec_fn=vanish)) as process:
        assert talk_to(process) == (b"ok", b"", 0)


def test_a_relative_log_without_a_working_directory_fails_as_any_log_does(tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()

    def vanish() -> None:
        os.rmdir(gone)

    with ended(Launcher(Path("x.jsonl")).start(python(""), cwd=gone, preexec_fn=vanish)) as process:
        out, err, status = talk_to(process)
    assert (out, status) == (b"", 0)
    assert err.startswith(
        b"mcp-tap: cannot record to x.jsonl: No such file or directory; the session continues"
    )
