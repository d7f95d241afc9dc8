"""The reference servers from PyPI: time and git, on the Python SDK 2.x, which speaks both eras."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.e2e.conftest import PlayTwice
from tests.e2e.environment import Environment
from tests.e2e.playing import Scenario, call, listing

# The function alone: the first test of all waits for the installation.
pytestmark = [pytest.mark.e2e, pytest.mark.timeout(120, func_only=True)]


def time_steps() -> list[dict[str, object]]:
    return [
        listing("tools"),
        call("get_current_time", timezone="Europe/Berlin"),
        call("convert_time", source_timezone="Asia/Tokyo", time="12:00", target_timezone="UTC"),
        call("convert_time", source_timezone="Nowhere/Land", time="12:00", target_timezone="UTC"),
    ]


def test_the_time_server_answers_as_without_the_tap(
    client: str, installed: Environment, play_twice_by: PlayTwice
) -> None:
    played = play_twice_by(client, Scenario(installed.time_server, time_steps()))

    assert played.names(0) == {"get_current_time", "convert_time"}
    assert "Europe/Berlin" in played.text(1)
    assert '"time_difference": "-9.0h"' in played.text(2)
    assert played.result(3)["isError"] is True
    assert played.saw["end"] == 0
    recording = played.recording
    assert recording.messages("c2s")[0]["method"] == "initialize"
    assert len(recording.messages("c2s", "tools/call")) == 3
    assert recording.exit["code"] == 0
    assert recording.exit["first"] == "client-eof"


def test_the_time_server_agrees_on_the_newest_protocol_as_without_the_tap(
    installed: Environment, play_twice_by: PlayTwice
) -> None:
    played = play_twice_by("python-sdk-2", Scenario(installed.time_server, time_steps(), mode="auto"))

    assert played.saw["connected"]["protocolVersion"] == "2026-07-28"
    assert '"time_difference": "-9.0h"' in played.text(2)
    assert played.recording.messages("c2s")[0]["method"] == "server/discover"
    assert played.recording.messages("c2s", "initialize") == []


def test_the_git_server_reads_a_repository_as_without_the_tap(
    client: str, installed: Environment, play_twice_by: PlayTwice, tmp_path: Path
) -> None:
    repository = tmp_path / "repository"
    path = str(repository)
    steps = [
        listing("tools"),
        call("git_status", repo_path=path),
        call("git_log", repo_path=path),
        call("git_add", repo_path=path, files=["new"]),
        call("git_status", repo_path=path),
        call("git_show", repo_path=path, revision="no-such-revision"),
    ]

    def prepare() -> None:
        make_repository(repository)

    command = [*installed.git_server, "--repository", path]
    played = play_twice_by(client, Scenario(command, steps), prepare)

    assert {"git_status", "git_log", "git_add", "git_diff"} <= played.names(0)
    assert "Untracked files" in played.text(1)
    assert "Fähre über den Fluß" in played.text(2)
    assert "new file:   new" in played.text(4)
    assert played.result(5)["isError"] is True
    assert played.saw["end"] == 0
    assert "Fähre über den Fluß".encode() in b"".join(played.recording.lines)
    assert played.recording.exit["first"] == "client-eof"


def make_repository(place: Path) -> None:
    """A repository that is the same whenever it is made, down to the hashes."""
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    (place / "old").write_text("old\n", encoding="utf-8")
    moment = "2026-01-02T03:04:05+0000"
    surroundings = {
        **os.environ,
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_AUTHOR_DATE": moment,
        "GIT_COMMITTER_DATE": moment,
    }
    who = ["-c", "user.name=A. U. Thor", "-c", "user.email=author@example.org"]
    for words in (
        ["init", "-q", "-b", "main"],
        ["add", "old"],
        ["commit", "-q", "-m", "Fähre über den Fluß"],
    ):
        subprocess.run(["git", *who, *words], cwd=place, env=surroundings, capture_output=True, check=True)
    (place / "new").write_text("new\n", encoding="utf-8")
