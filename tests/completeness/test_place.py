"""Where recordings lie, who may read them, and what they do not say."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.harness import LIMIT, TAP, Launcher, ended, python, records, talk_to


def run(options: list[str], server: list[str], environment: dict[str, str], **more: Any) -> bytes:
    """One session; returns what came out on stderr."""
    command = [*TAP, *options, "--", *server]
    streams: dict[str, Any] = {"stdin": subprocess.DEVNULL, "capture_output": True}
    process = subprocess.run(command, env=environment, timeout=LIMIT, check=True, **streams, **more)
    return bytes(process.stderr)


@pytest.mark.parametrize("variable", ["XDG_STATE_HOME", "HOME"])
def test_without_an_option_each_run_has_a_private_file_in_the_state_directory(
    tmp_path: Path, variable: str
) -> None:
    environment = {"PATH": os.environ["PATH"], variable: str(tmp_path)}
    previous = os.umask(0)
    try:
        for _ in range(2):
            assert run(["--name", "my notes/é"], python(""), environment) == b""
    finally:
        os.umask(previous)
    state = tmp_path if variable == "XDG_STATE_HOME" else tmp_path / ".local" / "state"
    directory = state / "mcp-tap"
    files = sorted(directory.iterdir())
    assert len(files) == 2
    assert directory.stat().st_mode & 0o777 == 0o700
    starts = []
    for file in files:
        assert re.fullmatch(r"\d{8}T\d{6}\.\d{3}Z-my-notes-é-[0-9a-z]{16}\.jsonl", file.name)
        assert file.stat().st_mode & 0o777 == 0o600
        starts.append(records(file)[0]["ts"])
    assert starts == sorted(starts)


def test_it_works_without_home_and_xdg(tmp_path: Path) -> None:
    # The home directory then comes from the user database; nothing lands in the working directory.
    assert run(["--log-dir", str(tmp_path / "logs")], python(""), {}, cwd=tmp_path) == b""
    assert [path.name for path in tmp_path.iterdir()] == ["logs"]
    probe = [sys.executable, "-c", "from mcp_tap.record.paths import default_directory as d; print(d())"]
    found = subprocess.run(probe, env={}, capture_output=True, text=True, check=True, cwd=tmp_path).stdout
    assert os.path.isabs(found.strip())


def test_the_command_line_is_recorded_without_its_secrets_and_the_environment_by_name(log: Path) -> None:
    server = python("", "--token", "hunter2", "--api-key=hunter2", "DB_PASSWORD=hunter2", "--verbose")
    environment = {"PATH": "/usr/bin", "API_KEY": "hunter2", "HOME": "/home/me"}
    with ended(Launcher(log).start(server, env=environment)) as process:
        assert talk_to(process)[2] == 0
    text = log.read_text()
    assert "hunter2" not in text
    start = json.loads(text.splitlines()[0])
    masked = ["--token", "[masked]", "--api-key=[masked]", "DB_PASSWORD=[masked]", "--verbose"]
    assert start["argv"][-5:] == masked
    assert start["path"] == "/usr/bin"
    assert sorted(name for name in start["env"] if name != "LC_CTYPE") == ["API_KEY", "HOME", "PATH"]


def test_the_records_have_their_keys_in_the_order_of_the_format(log: Path) -> None:
    server = python("""
write(1, b'{"a": 1}\\n'); write(1, b'text\\r\\n'); write(1, b'\\xff\\n'); write(2, b'log'); sys.exit(3)
""")
    with ended(Launcher(log, ["--name", "x"]).start(server)) as process:
        talk_to(process)
    everything = records(log)
    start, spawn, *_ = everything
    common = ["ts", "t", "session", "seq", "dir"]
    assert list(start) == [
        *common, "event", "format", "tap", "argv", "cwd", "pid", "ppid", "client", "platform", "path", "env",
        "name",
    ]  # fmt: skip
    assert (start["format"], start["t"], start["ppid"], start["name"]) == (1, 0, os.getpid(), "x")
    assert list(spawn) == [*common, "event", "pid", "exe"]
    lines = {tuple(record)[5:] for record in everything if record["dir"] != "tap"}
    assert lines == {("msg",), ("eol", "text"), ("b64",)}
    assert list(everything[-1]) == [*common, "event", "code", "signal", "first", "lines", "bytes", "left"]
    assert everything[-1]["bytes"] == {"c2s": 0, "s2c": 17, "stderr": 3}
    assert all(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z", record["ts"]) for record in everything)
    offsets = [record["t"] for record in everything]
    assert offsets == sorted(offsets)
