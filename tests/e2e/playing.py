"""One scenario played twice, bare and through the tap, and the recording of the second time."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

PATIENCE = 60.0
"""Seconds for one play; a client gives up by itself a little earlier and says where it was."""

VARYING = (
    (re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?([+-]\d\d:\d\d|Z)?"), "<time>"),
    (re.compile(r"(Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day"), "<day>"),
    # What Node says whenever a burst of answers is faster than its reader; the hint once only.
    (re.compile(r"\(node:\d+\) MaxListenersExceededWarning: .*? to increase limit\\n"), ""),
    (re.compile(r"\(Use `node --trace-warnings .*? created\)\\n"), ""),
)
"""What differs between two plays of the same scenario without any tap."""


@dataclass(frozen=True)
class Scenario:
    """What a client is to do; it is handed to the client as JSON.

    ``steps`` are made by the functions below. ``answers`` are what the server is answered, by
    method; an answer is offered as the client's capability. ``mode``: "legacy" begins with
    ``initialize``, "auto" (the Python SDK 2.x only) asks for the server's era first.
    """

    command: list[str]
    steps: list[dict[str, Any]]
    answers: dict[str, Any] = field(default_factory=dict)
    mode: str = "legacy"


def listing(what: str) -> dict[str, Any]:
    """List "tools", "resources", "resource_templates" or "prompts"."""
    return {"do": "list", "what": what}


def call(tool: str, *, progress: bool = False, **arguments: Any) -> dict[str, Any]:
    """Call a tool, and follow its progress."""
    return {"do": "call", "tool": tool, "arguments": arguments, "progress": progress}


def cancel(tool: str, **arguments: Any) -> dict[str, Any]:
    """Call a tool and abandon the call at its first progress."""
    return {"do": "cancel", "tool": tool, "arguments": arguments}


def together(*steps: dict[str, Any]) -> dict[str, Any]:
    """Take all ``steps`` at the same time."""
    return {"do": "together", "steps": steps}


def read(uri: str) -> dict[str, Any]:
    """Read a resource."""
    return {"do": "read", "uri": uri}


def get(prompt: str, **arguments: str) -> dict[str, Any]:
    """Get a prompt."""
    return {"do": "get", "prompt": prompt, "arguments": arguments}


def ping() -> dict[str, Any]:
    """Ping the server."""
    return {"do": "ping"}


def arrival(method: str) -> dict[str, Any]:
    """Wait until the server has sent a request or notification of this method."""
    return {"do": "await", "method": method}


@dataclass(frozen=True)
class Played:
    """What the client saw, the same both times, and what was recorded the second time."""

    saw: dict[str, Any]
    recording: Recording

    def result(self, step: int) -> dict[str, Any]:
        """The result of the call that was step number ``step``."""
        result: dict[str, Any] = self.saw["steps"][step]["result"]
        return result

    def text(self, step: int) -> Any:
        """The text of that result: a string, or the length and hash of a long one."""
        return self.result(step)["content"][0]["text"]

    def names(self, step: int, what: str = "tools") -> set[str]:
        """The names in the list that was step number ``step``."""
        return {item["name"] for item in self.saw["steps"][step][what]}


def play_twice(player: list[str], scenario: Scenario, prepare: Callable[[], None], log: Path) -> Played:
    """Play ``scenario`` bare and through the tap, each after ``prepare``, and compare."""
    prepare()
    bare = play(player, scenario, scenario.command)
    prepare()
    tap = [sys.executable, "-m", "mcp_tap", "run", "--log", str(log), "--"]
    tapped = play(player, scenario, [*tap, *scenario.command])
    assert tapped == bare
    # What a client kills cannot say how it ended; what it had seen is on file all the same.
    return Played(bare, Recording.read(log, killed=bare["end"] == -9))


def play(player: list[str], scenario: Scenario, command: list[str]) -> dict[str, Any]:
    """What the client ``player`` observes when it starts ``command`` as its server."""
    done = subprocess.run(
        player,
        input=json.dumps({**vars(scenario), "command": command}),
        capture_output=True,
        encoding="utf-8",
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    observed = done.stdout
    for pattern, instead in VARYING:
        observed = pattern.sub(instead, observed)
    saw: dict[str, Any] = json.loads(observed)
    return saw


@dataclass(frozen=True)
class Recording:
    """The records of one session, as plain JSON: these tests read the file as a stranger would."""

    records: list[dict[str, Any]]
    lines: list[bytes]

    @classmethod
    def read(cls, path: Path, *, killed: bool) -> Recording:
        """Read the file of one session, and hold it against its own promises."""
        lines = path.read_bytes().removesuffix(b"\n").split(b"\n")
        recording = cls([json.loads(line) for line in lines], lines)
        recording.check_order()
        if not killed:
            recording.check_end()
        return recording

    @property
    def exit(self) -> dict[str, Any]:
        """How the session ended."""
        return self.records[-1]

    def check_order(self) -> None:
        """One session from its start on, without a gap."""
        assert [record["seq"] for record in self.records] == list(range(len(self.records)))
        assert len({record["session"] for record in self.records}) == 1
        assert [record["event"] for record in self.records[:2]] == ["start", "spawn"]
        assert self.records[0]["t"] == 0

    def check_end(self) -> None:
        """Complete, and counted right."""
        assert self.exit["event"] == "exit"
        assert self.exit["left"] in (0, None)
        for direction in ("c2s", "s2c"):
            payloads = [line.partition(b'"msg":')[2][:-1] for line in self._lines_of(direction)]
            assert all(payloads), "these servers and clients say nothing that is not JSON"
            assert self.exit["lines"][direction] == len(payloads)
            assert self.exit["bytes"][direction] == sum(len(payload) + 1 for payload in payloads)

    def _lines_of(self, direction: str) -> list[bytes]:
        pairs = zip(self.records, self.lines, strict=True)
        return [line for record, line in pairs if record["dir"] == direction]

    def messages(self, direction: str, method: str | None = None) -> list[dict[str, Any]]:
        """The messages of one direction, of one method."""
        found = [record["msg"] for record in self.records if record["dir"] == direction]
        return [message for message in found if method is None or message.get("method") == method]

    def most_in_flight(self, method: str) -> int:
        """How many of the client's requests of ``method`` waited for their answers at once."""
        waiting: set[Any] = set()
        most = 0
        for record in self.records:
            message = record.get("msg", {})
            if record["dir"] == "c2s" and message.get("method") == method:
                waiting.add(message["id"])
            elif record["dir"] == "s2c" and "method" not in message:
                waiting.discard(message.get("id"))
            most = max(most, len(waiting))
        return most
