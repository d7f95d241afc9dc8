"""Healthy sessions of many real servers, driven by many real clients, as the tap records them.

Two tables say who there is: :func:`servers`, with what each one offers and is asked, and
:func:`clients`. A pair of them is one session, or two where the client probes in a process of its own.
What is odd about a pair, and true, is in the tables at the end, each with the reason.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from mcp_tap.api import diagnose
from mcp_tap.diagnosis.finding import Finding
from mcp_tap.model.session import Session
from tests.e2e.environment import Environment
from tests.e2e.playing import PATIENCE, Scenario, call, get, listing, read
from tests.e2e.test_python_servers import make_repository
from tests.record_cases import Read

T = TypeVar("T")

HERE = Path(__file__).parent
ALL_LISTS = ("tools", "resources", "resource_templates", "prompts")

SERVERS = (
    "everything",
    "filesystem",
    "time",
    "git",
    "memory",
    "sequential-thinking",
    "fetch",
    "sqlite",
    "calculator",
    "fastmcp",
    "typescript-sdk-2",
    "basic-app",
    "playwright",
    "chrome-devtools",
    "context7",
    "eslint",
    "leanspec",
    "go-time",
    "github",
)
CLIENTS = ("py1", "py2", "py2-auto", "ts", "ts2-auto", "fastmcp", "inspector", "mcporter")

BY_ALL = ("time", "typescript-sdk-2")
"""Servers that every client drives; all pairs that there are would take two minutes and more."""

ALWAYS = ("py1", "py2-auto", "ts")
IN_TURN = ("inspector", "ts2-auto", "fastmcp", "mcporter")
"""Clients of every server, and those of which each server gets one."""

Pair = tuple[str, str]
"""A server and a client, by their names."""


def pairs() -> list[Pair]:
    """Who meets whom in the end-to-end tests."""
    found = []
    for number, server in enumerate(SERVERS):
        some = (*ALWAYS, IN_TURN[number % len(IN_TURN)])
        found += [(server, client) for client in (CLIENTS if server in BY_ALL else some)]
    return found


@dataclass(frozen=True)
class Server:
    """How a server is started, what of it can be listed, and what it is asked besides."""

    command: list[str]
    lists: tuple[str, ...]
    asks: tuple[dict[str, Any], ...] = ()

    @property
    def steps(self) -> list[dict[str, Any]]:
        """All that a client with a program does."""
        return [*(listing(what) for what in self.lists), *self.asks]

    @property
    def call(self) -> dict[str, Any] | None:
        """The one call that a client without a program makes."""
        return next((step for step in self.asks if step["do"] == "call"), None)


@dataclass(frozen=True)
class Order:
    """What is run in place of a client: its command, and what it reads from stdin."""

    argv: list[str]
    stdin: str = ""


Client = Callable[[list[str], Server], Order]
"""A client: what is run to have it talk to a server that is started by a command."""


class Place:
    """A home directory for the clients and servers, with what they work on in it.

    They must not find the configuration of the person who runs the tests, nor leave files there.
    """

    def __init__(self, home: Path) -> None:
        self.home = home
        self.notes = home / "notes"
        self.repository = home / "repository"
        self.database = home / "stock.db"
        self.script = self.notes / "sum.js"

    def fill(self) -> None:
        """Make all of it anew."""
        shutil.rmtree(self.home, ignore_errors=True)
        self.notes.mkdir(parents=True)
        (self.notes / "shopping.txt").write_text("Brot, Käse, 茶\n", encoding="utf-8")
        self.script.write_text("export const sum = (a, b) => a + b;\n", encoding="utf-8")
        (self.notes / "eslint.config.js").write_text("export default [];\n", encoding="utf-8")
        make_repository(self.repository)


def servers(installed: Environment, place: Place) -> dict[str, Server]:
    """All servers by their names. Of those that need an account or a browser, the lists alone."""
    npm, repository = installed.npm_script, str(place.repository)
    last: dict[str, Any] = {"nextThoughtNeeded": False, "thoughtNumber": 1, "totalThoughts": 1}
    table = {
        "everything": Server(
            installed.everything_server,
            ALL_LISTS,
            (
                call("echo", message="Grüße, 世界 \U0001f600"),
                call("get-sum", a=2, b=3),
                get("simple-prompt"),
                read("demo://resource/dynamic/text/1"),
            ),
        ),
        "filesystem": Server(
            installed.filesystem_server(place.notes),
            ("tools",),
            (
                call("read_text_file", path=str(place.notes / "shopping.txt")),
                call("list_directory", path=str(place.notes)),
            ),
        ),
        "time": Server(
            installed.time_server,
            ("tools",),
            (
                call("get_current_time", timezone="Europe/Berlin"),
                call("convert_time", source_timezone="Asia/Tokyo", time="12:00", target_timezone="UTC"),
            ),
        ),
        "git": Server(
            [*installed.git_server, "--repository", repository],
            ("tools",),
            (call("git_status", repo_path=repository), call("git_log", repo_path=repository)),
        ),
        "memory": Server(
            npm("@modelcontextprotocol/server-memory/dist/index.js"),
            ("tools", "resources", "resource_templates"),
            (call("read_graph"), call("search_nodes", query="ferry")),
        ),
        "sequential-thinking": Server(
            npm("@modelcontextprotocol/server-sequential-thinking/dist/index.js"),
            ("tools",),
            (call("sequentialthinking", thought="One step is enough.", **last),),
        ),
        "fetch": Server([installed.python_2, "-m", "mcp_server_fetch"], ("tools", "prompts")),
        "sqlite": Server(
            [*installed.sqlite_server, "--db-path", str(place.database)],
            ("tools", "resources", "prompts"),
            (
                call("list_tables"),
                call("read_query", query="SELECT 6 * 7 AS answer"),
                get("mcp-demo", topic="ferries"),
                read("memo://insights"),
            ),
        ),
        "calculator": Server(
            [installed.python_1, "-m", "mcp_server_calculator"],
            ALL_LISTS,
            (call("calculate", expression="6 * 7"),),
        ),
        "fastmcp": Server(
            [installed.fastmcp, str(HERE / "servers" / "fastmcp_server.py")],
            ALL_LISTS,
            (
                call("tide", port="Kiel", hours=3),
                call("berths"),
                read("harbour://rules"),
                get("arrival", ship="Adler"),
            ),
        ),
        "typescript-sdk-2": Server(
            [installed.node, str(HERE / "servers" / "typescript_sdk_2.mjs"), str(installed.modules)],
            ALL_LISTS,
            (call("count", shelf="oak"), read("shelf://index"), get("recommend", topic="ferries")),
        ),
        "basic-app": Server(
            [*npm("@modelcontextprotocol/server-basic-vanillajs/dist/index.js"), "--stdio"],
            ("tools", "resources", "resource_templates"),
            (call("get-time"),),
        ),
        "playwright": Server(npm("@playwright/mcp/cli.js"), ("tools",)),
        "chrome-devtools": Server(
            [
                *npm("chrome-devtools-mcp/build/src/bin/chrome-devtools-mcp.js"),
                "--no-usage-statistics",
                "--no-performance-crux",
            ],
            ("tools",),
        ),
        "context7": Server(npm("@upstash/context7-mcp/dist/index.js"), ALL_LISTS),
        "eslint": Server(
            npm("@eslint/mcp/src/mcp-cli.js"),
            ("tools",),
            (call("lint-files", filePaths=[str(place.script)]),),
        ),
        "leanspec": Server(
            installed.npm_binary("@leanspec/mcp-linux-x64/leanspec-mcp"), ("tools",), (call("get_schema"),)
        ),
        "go-time": Server(
            installed.npm_binary("mcp-time-linux-x64/bin/mcp-time"),
            ("tools",),
            (call("convert_timezone", time="2026-01-02T03:04:05Z", output_timezone="Asia/Tokyo"),),
        ),
        "github": Server(npm("@modelcontextprotocol/server-github/dist/index.js"), ("tools",)),
    }
    assert tuple(table) == SERVERS
    return table


def clients(installed: Environment) -> dict[str, Client]:
    """All clients by their names. "auto" asks for the server's era first; fastmcp always does."""
    modules, python_sdk = str(installed.modules), str(HERE / "clients" / "python_sdk.py")

    def scripted(*player: str, mode: str = "legacy") -> Client:
        def order(command: list[str], server: Server) -> Order:
            return Order(list(player), json.dumps(vars(Scenario(command, server.steps, mode=mode))))

        return order

    def inspector(command: list[str], server: Server) -> Order:
        tool, words = server.call, ["--method", "tools/list"]
        if tool is not None:
            given = [f"{name}={plain(value)}" for name, value in tool["arguments"].items()]
            words = ["--method", "tools/call", "--tool-name", tool["tool"]]
            words += ["--tool-arg", *given] if given else []
        script = installed.npm_script("@modelcontextprotocol/inspector/clients/launcher/build/index.js")
        return Order([*script, "--cli", *words, "--", *command])

    def mcporter(command: list[str], server: Server) -> Order:
        tool, words = server.call, ["list", "--schema"]
        if tool is not None:
            words = ["call", "--tool", tool["tool"], "--args", json.dumps(tool["arguments"])]
        script = installed.npm_script("mcporter/dist/cli.js")
        return Order([*script, *words, "--stdio", shlex.join(command)])

    table = {
        "py1": scripted(installed.python_1, python_sdk),
        "py2": scripted(installed.python_2, python_sdk),
        "py2-auto": scripted(installed.python_2, python_sdk, mode="auto"),
        "ts": scripted(installed.node, str(HERE / "clients" / "typescript_sdk.mjs"), modules),
        "ts2-auto": scripted(
            installed.node, str(HERE / "clients" / "typescript_sdk_2.mjs"), modules, mode="auto"
        ),
        "fastmcp": scripted(installed.fastmcp, str(HERE / "clients" / "fastmcp_client.py")),
        "inspector": inspector,
        "mcporter": mcporter,
    }
    assert tuple(table) == CLIENTS
    return table


def plain(value: Any) -> str:
    """A value as it is written on a command line: text as it is, everything else as JSON."""
    return value if isinstance(value, str) else json.dumps(value)


class Fleet:
    """Plays any pair of them, each in a home of its own below ``place``."""

    def __init__(self, installed: Environment, place: Path) -> None:
        self.installed = installed
        self.place = place
        self.clients = clients(installed)

    def home(self, server: str, client: str) -> Path:
        """Where a pair lives."""
        return self.place / f"{server}-{client}"

    def play(self, server: str, client: str) -> Path:
        """Have ``client`` do all that it can with ``server``; the file that the tap has recorded.

        Raises AssertionError where the client fails, or a step of it, unless it may refuse the server.
        """
        place = Place(self.home(server, client))
        place.fill()
        log = self.place / f"{server}-{client}.jsonl"
        played = servers(self.installed, place)[server]
        tap = [sys.executable, "-m", "mcp_tap", "run", "--log", str(log), "--", *played.command]
        order = self.clients[client](tap, played)
        done = subprocess.run(
            order.argv,
            input=order.stdin,
            capture_output=True,
            encoding="utf-8",
            cwd=place.notes,
            env={**os.environ, "HOME": str(place.home)},
            timeout=PATIENCE,
            check=False,
        )
        if (server, client) in REFUSES:
            return log
        assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
        if order.stdin:
            saw = json.loads(done.stdout)
            assert [step for step in (saw["connected"], *saw["steps"]) if step and "failed" in step] == []
        return log


# --- what a session must be like ------------------------------------------------------------------------

ANY = "*"
"""Any server, or any client."""

REFUSES: dict[Pair, str] = {
    ("leanspec", "inspector"): "the server answers notifications/initialized, at which the client leaves,"
    " unless the next answer is as fast",
}
"""Clients that may fail with a server, and why: what a diagnosis is to tell them."""

IMPATIENT: dict[Pair, str] = {
    ("fastmcp", ANY): "it needs half a second to exit, and on a busy machine more than its client's two",
    (ANY, "mcporter"): "SIGTERM comes 0.7 s after stdin was closed; a server in Python may need longer",
    ("everything", "inspector"): "the client closes before the server asks for its roots, 0.35 s after the"
    " handshake, and the server waits for them",
}
"""Pairs that may end by SIGTERM, as fast as the machine is."""

UNANSWERED: dict[Pair, set[str]] = {("everything", "inspector"): {"roots/list"}}
"""Requests that may stay open, for the same reason."""


def of(table: Mapping[Pair, T], server: str, client: str) -> list[T]:
    """What a table says of a pair, of its server with any client, and of its client with any server."""
    return [table[pair] for pair in ((server, client), (server, ANY), (ANY, client)) if pair in table]


def complaints(recording: Path, server: str, client: str) -> list[str]:
    """What is not as it should be in the recording of a pair, by the model alone; nothing if healthy."""
    read = Read(recording)
    sessions = list(read.sessions.by_id.values())
    found = [f"{read.sessions.skips} lines are no records"] if read.sessions.skips else []
    if [is_probe(session) for session in sessions] != ([True, False] if client == "ts2-auto" else [False]):
        found.append(f"sessions: {[sorted(session.methods) for session in sessions]}")
    for session in sessions:
        found += whole(session) + ended(session, impatient=bool(of(IMPATIENT, server, client)))
    # Whoever does not know what the client asks before the handshake says so.
    failed = [each for each in read.exchanges if each.outcome != "result"]
    may_fail = {"server/discover"}.union(*of(UNANSWERED, server, client))
    found += [f"{each.outcome}: {each.method}" for each in failed if each.method not in may_fail]
    if sessions and sessions[-1].protocol is None:
        found.append("no version was agreed on")
    return found


def is_probe(session: Session) -> bool:
    """Whether the client only asked what the server speaks; ``kind`` says so of quick ones alone."""
    return session.methods == {"server/discover"}


def whole(session: Session) -> list[str]:
    """Whether everything that passed is there, and is a message."""
    found = [f"{session.missing} records are missing"] if session.missing else []
    if any(session.foreign.values()):
        found.append(f"lines that are no messages: {session.foreign}")
    if session.exit is None:
        return [*found, "it has no end"]
    if (session.exit["lines"], session.exit["bytes"]) != (session.lines, session.bytes):
        found.append("its counts do not fit")
    return found


def ended(session: Session, *, impatient: bool) -> list[str]:
    """Whether the client ended it, and the server left of its own accord."""
    ending = session.ending
    found = [] if ending.by == "client" else [f"ended by {ending.by}"]
    signals = (None, "SIGTERM") if impatient or is_probe(session) else (None,)
    if ending.code not in (0, None) or ending.signal not in signals:
        found.append(ending.sentence)
    return found


# --- what check says of it --------------------------------------------------------------------------------


def findings(recording: Path) -> list[Finding]:
    """What ``mcp-tap check`` finds in a recording."""
    return list(diagnose(recording).findings)


Known = list[tuple[str, str]]
"""Rules, each with the reason why it is right."""

KNOWN: dict[Pair, Known] = {
    ("leanspec", ANY): [("RPC031", "it answers notifications/initialized, with null and without an id")],
}
"""True findings of severity error or warning, which a pair always has."""

SOMETIMES: dict[Pair, Known] = {
    ("fastmcp", ANY): [("PRO006", "on a busy machine it takes more than two seconds to leave")],
    ("everything", "inspector"): [("PRO006", "with a client that has roots it does not leave on EOF")],
}
"""Those that depend on how fast the machine is. The impatience of ``mcporter`` is no fault of a server."""


def rules(table: Mapping[Pair, Known], server: str, client: str) -> set[str]:
    """The rules that a table names for a pair."""
    return {rule for known in of(table, server, client) for rule, _reason in known}
