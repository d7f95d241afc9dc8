"""Runs under Windows: plays servers bare and through the tap, prints what it saw as JSON.

Imports nothing of the tests, which would bring pytest along.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

LIMIT = 60.0
HERE = Path(sys.argv[1])
PYTHON = sys.executable

ODD_WORDS = ["a b", "", 'say "hi"', "back\\slash\\", '\\"', "&|<>^", "ünï"]

SERVERS: dict[str, list[str]] = {
    "copy": [PYTHON, "-c", "import sys; d = sys.stdin.buffer.read(); sys.stdout.buffer.write(d)\n"
             "sys.stderr.buffer.write(d[::-1]); sys.exit(7)"],
    "much": [PYTHON, "-c", "import os\nfor fd in (1, 2):\n d = b'x' * 300000\n"
             " while d: d = d[os.write(fd, d):]\nos._exit(3)"],
    "status": [PYTHON, "-c", "import os; os._exit(0xC0000005 - (1 << 32))"],
    "words": [PYTHON, str(HERE / "words.py"), *ODD_WORDS],
    "batch": [str(HERE / "words.bat"), *ODD_WORDS],
    "bare name of a batch file": ["words", "one", "two words"],
    "environment": [PYTHON, "-c", "import os, json; print(json.dumps(sorted(os.environ.items())))"],
    "not found": ["no-such-server"],
}  # fmt: skip

DATA = b'{"a":1}\r\n\xff\x00\n{"b":2}'


def play(command: list[str]) -> dict[str, Any]:
    """What a client sees of ``command``."""
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    try:
        process = subprocess.Popen(command, **pipes)  # type: ignore[call-overload]
    except OSError as error:
        return {"error": type(error).__name__}
    out, err = process.communicate(DATA, LIMIT)
    return {"out": out.hex(), "err": err.hex(), "status": process.returncode}


def play_with_stdin_open() -> int:
    """The exit status of a server that ends while the client has closed nothing."""
    server = [PYTHON, "-c", "import sys; sys.stdin.readline(); sys.exit(5)"]
    process = subprocess.Popen(
        [*TAP, "--", *server], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
    )
    assert process.stdin is not None
    process.stdin.write(b"go\n")
    return process.wait(LIMIT)


TAP = [PYTHON, "-m", "mcp_tap", "run", "--log", str(HERE / "recording.jsonl")]


def main() -> None:
    """Play everything."""
    os.environ["PATH"] = f"{HERE};{os.environ['PATH']}"
    seen: dict[str, Any] = {}
    for name, server in SERVERS.items():
        seen[name] = {"bare": play(server), "tap": play([*TAP, "--", *server])}
    seen["stdin open"] = play_with_stdin_open()
    seen["demo"] = play([PYTHON, "-m", "mcp_tap", "demo", "--log-dir", str(HERE / "logs")])
    print(json.dumps(seen))


main()
