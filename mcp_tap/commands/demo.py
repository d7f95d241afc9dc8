"""``mcp-tap demo``: the whole thing in one go, offline."""

from __future__ import annotations

import json
import os
import shutil
import sys
import unicodedata
from typing import Any

import anyio

from mcp_tap.demo.client import play
from mcp_tap.errors import ExitStatus, TapError, one_line
from mcp_tap.record.find import recordings_in
from mcp_tap.record.paths import default_directory
from mcp_tap.record.reader import Record, read_records
from mcp_tap.record.writer import make_private_directory

NARROWEST = 40
"""Columns below which lines are not shortened any further."""

ARROWS = {"c2s": "→", "s2c": "←", "stderr": "2>", "tap": "··"}
QUIET_EVENTS = frozenset({"start", "eof"})


def demo(log_dir: str | None) -> int:
    """Record a session of the bundled server, print it, and say where the recording lies.

    Raises :class:`TapError` if the session fails.
    """
    directory = os.path.abspath(log_dir or default_directory())
    try:
        make_private_directory(directory)
    except OSError as error:
        raise TapError(f"cannot record in {one_line(directory)}: {error.strerror}") from None
    before = set(recordings_in(directory))
    # -P: a file in the working directory that is named like a module must not be taken for it.
    python = [sys.executable, "-P", "-m"]
    server = [*python, "mcp_tap.demo.server"]
    tap = [*python, "mcp_tap", "run", "--log-dir", directory, "--name", "notes-demo"]
    status = anyio.run(play, [*tap, "--", *server])
    if status != 0:
        raise TapError(f"the demo's server ended with exit status {status}")
    new = [path for path in recordings_in(directory) if path not in before]
    if not new:
        raise TapError(f"the session was not recorded: nothing new lies in {directory}")
    print_conversation(new[-1], shutil.get_terminal_size((100, 24)).columns)
    print(f"\nRecorded in {new[-1]}")
    print("The server's side of it, byte for byte: mcp-tap cat --dir s2c" + where(log_dir))
    print("To record a server of your own, put this in front of its command: mcp-tap run --")
    return ExitStatus.OK


def where(log_dir: str | None) -> str:
    """The option that finds the recording again."""
    return f" --log-dir {log_dir}" if log_dir else ""


def print_conversation(path: str, width: int) -> None:
    """One line a record: time, direction, and the record's line as far as the width allows."""
    with open(path, "rb") as file:
        for item in read_records(file):
            if isinstance(item, Record) and item.event not in QUIET_EVENTS:
                start = f"{item.t:7.3f}  {ARROWS[item.dir]} "
                print(start + shorten(visible(what_it_says(item)), max(width, NARROWEST) - columns(start)))


def what_it_says(record: Record) -> str:
    """A record's message, line or event in words."""
    if record.event == "spawn":
        return f"server started, process {record.fields['pid']}"
    if record.event == "exit":
        return f"server ended, exit status {record.fields['code']} (first: {record.fields['first']})"
    if isinstance(record.value, dict):
        return describe(record.value)
    return record.event or record.payload.decode("utf-8", "backslashreplace")


def describe(message: dict[str, Any]) -> str:
    """A JSON-RPC message as number, method or outcome, and the rest as JSON."""
    number = f"{message['id']} " if "id" in message else ""
    if "method" in message:
        return f"{number}{message['method']} {compact(message.get('params'))}".rstrip()
    if "error" in message:
        return f"{number}error {compact(message['error'])}"
    result = message.get("result")
    outcome = "isError" if isinstance(result, dict) and result.get("isError") else "result"
    return f"{number}{outcome} {compact(result)}"


def compact(value: object) -> str:
    """``value`` as JSON; nothing for nothing."""
    return "" if value is None else json.dumps(value, ensure_ascii=False)


def visible(text: str) -> str:
    """``text`` with everything that could move the cursor or change direction made visible."""
    return "".join(
        character
        if unicodedata.category(character) not in ("Cc", "Cf", "Zl", "Zp", "Cs")
        else f"\\u{ord(character):04x}"
        for character in text
    )


def columns(text: str) -> int:
    """Terminal columns that ``text`` takes."""
    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in text)


def shorten(text: str, width: int) -> str:
    """``text``, cut with an ellipsis so that it fits in ``width`` columns."""
    if columns(text) <= width:
        return text
    while columns(text) > width - 1:
        text = text[: min(len(text) - 1, width)]
    return text + "…"
