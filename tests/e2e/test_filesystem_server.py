"""The reference filesystem server from npm, large contents among it."""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path

import pytest

from tests.e2e.conftest import PlayTwice
from tests.e2e.environment import Environment
from tests.e2e.playing import Scenario, arrival, call, listing, ping

# The function alone: the first test of all waits for the installation.
pytestmark = [pytest.mark.e2e, pytest.mark.timeout(120, func_only=True)]

LARGE = "0123456789ab\n" * (12_000_000 // 13 + 1)
"""More than the 10 MiB that the TypeScript SDK buffers of one line."""

BELOW_THE_LIMIT = "ä" * 1_500_000
"""3 MB as bytes; the server sends contents twice (text and structured), so a line of 6 MB."""


def identified(text: str) -> dict[str, object]:
    """How a client reports a long string."""
    return {"length": len(text), "sha256": hashlib.sha256(text.encode()).hexdigest()}


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    return tmp_path / "shared"


def refill(directory: Path) -> None:
    shutil.rmtree(directory, ignore_errors=True)
    directory.mkdir()
    (directory / "large.txt").write_bytes(LARGE.encode())


def test_files_are_written_read_and_listed_as_without_the_tap(
    client: str, installed: Environment, play_twice_by: PlayTwice, directory: Path
) -> None:
    note = str(directory / "note.txt")
    steps = [
        listing("tools"),
        call("write_file", path=note, content="Ein Gruß\u2028\r\nnext\x00line\n"),
        call("read_text_file", path=note),
        call("list_directory", path=str(directory)),
        call("read_text_file", path=str(directory.parent / "forbidden")),
    ]
    scenario = Scenario(installed.filesystem_server(directory), steps)

    played = play_twice_by(client, scenario, lambda: refill(directory))

    assert {"read_text_file", "write_file", "list_directory"} <= played.names(0)
    assert played.text(2) == "Ein Gruß\u2028\r\nnext\x00line\n"
    assert played.text(3) == "[FILE] large.txt\n[FILE] note.txt"
    assert played.result(4)["isError"] is True
    assert "Secure MCP Filesystem Server running on stdio" in played.saw["stderr"]
    assert played.saw["end"] == 0
    recording = played.recording
    assert recording.messages("c2s")[0]["method"] == "initialize"
    recorded = [record["text"] for record in recording.records if record["dir"] == "stderr"]
    assert "\n".join([*recorded, ""]) == played.saw["stderr"]
    assert recording.exit["first"] == "client-eof"


def test_megabytes_pass_both_ways_as_without_the_tap(
    client: str, installed: Environment, play_twice_by: PlayTwice, directory: Path
) -> None:
    copy = str(directory / "copy.txt")
    steps = [
        call("write_file", path=copy, content=BELOW_THE_LIMIT),
        call("read_text_file", path=copy),
    ]
    scenario = Scenario(installed.filesystem_server(directory), steps)

    played = play_twice_by(client, scenario, lambda: refill(directory))

    assert played.text(1) == identified(BELOW_THE_LIMIT)
    (written,) = played.recording.messages("c2s", "tools/call")[:1]
    assert written["params"]["arguments"]["content"] == BELOW_THE_LIMIT


@pytest.mark.parametrize("python_client", ["python-sdk-2", "python-sdk-1"])
def test_a_result_of_12_mb_arrives_as_without_the_tap(
    python_client: str, installed: Environment, play_twice_by: PlayTwice, directory: Path
) -> None:
    steps = [listing("tools"), call("read_text_file", path=str(directory / "large.txt"))]
    scenario = Scenario(installed.filesystem_server(directory), steps)

    played = play_twice_by(python_client, scenario, lambda: refill(directory))

    assert played.text(1) == identified(LARGE)
    assert played.recording.messages("s2c")[-1]["result"]["content"][0]["text"] == LARGE


def test_a_result_of_12_mb_ends_the_typescript_client_as_without_the_tap(
    installed: Environment, play_twice_by: PlayTwice, directory: Path
) -> None:
    steps = [listing("tools"), call("read_text_file", path=str(directory / "large.txt"))]
    scenario = Scenario(installed.filesystem_server(directory), steps)

    played = play_twice_by("typescript-sdk-1", scenario, lambda: refill(directory))

    failure = played.saw["steps"][1]["failed"]
    assert failure["code"] == -32000
    assert "Connection closed" in failure["text"]
    # The client has given up, the recording has not: this is what one wants to find in it.
    assert played.recording.messages("s2c")[-1]["result"]["content"][0]["text"] == LARGE


def test_the_roots_of_the_client_replace_the_directories_as_without_the_tap(
    client: str, installed: Environment, play_twice_by: PlayTwice, directory: Path
) -> None:
    root = directory / "root"

    def prepare() -> None:
        refill(directory)
        root.mkdir()

    answers = {"roots/list": {"roots": [{"uri": root.as_uri(), "name": "root"}]}}
    steps = [arrival("roots/list"), ping()]
    scenario = Scenario(installed.filesystem_server(directory), steps, answers)

    played = play_twice_by(client, scenario, prepare)

    assert [asked["method"] for asked in played.saw["asked"]] == ["roots/list"]
    # Said after the last answer that the client waits for: it must not be lost at the end either.
    assert "Updated allowed directories from MCP roots: 1 valid directories" in played.saw["stderr"]
    assert len(played.recording.messages("s2c", "roots/list")) == 1


def test_a_server_that_refuses_to_start_fails_as_without_the_tap(
    client: str, installed: Environment, play_twice_by: PlayTwice, directory: Path
) -> None:
    scenario = Scenario(installed.filesystem_server(directory / "missing"), [listing("tools")])

    played = play_twice_by(client, scenario, lambda: refill(directory))

    assert "failed" in played.saw["connected"]
    assert "None of the specified directories are accessible" in played.saw["stderr"]
    assert played.saw["end"] == 1
    assert played.recording.exit["code"] == 1
    assert played.recording.exit["first"] in ("server-exit", "server-eof")
