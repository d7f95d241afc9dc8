"""Whether the server came up, and what its stderr says about it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from mcp_tap.diagnosis.finding import Finding
from mcp_tap.diagnosis.recognise.complaints import COMPLAINTS, FIRST_LOOK, brief, read_complaint, reason
from mcp_tap.rules.process.pro008_known_complaint import LINES_EXAMINED
from mcp_tap.wire.lines import Segment
from tests.diagnosis.checking import check, findings_of, names, rules_of
from tests.record_cases import RECORDINGS, Tape, error, request, result, told
from tests.recordings.cases import CASES, agreed, begun, call, closed, offer, said

RULES = rules_of("PRO001", "PRO002", "PRO008", "PRO009", "PRO014")

LAUNCHD = "/usr/bin:/bin:/usr/sbin:/sbin"


def found(tape: Tape) -> list[tuple[str, str, str, tuple[int, ...], str]]:
    """What this family finds: rule, severity, culprit, records, message."""
    return [
        (each.rule, each.severity, each.culprit, each.records, each.message)
        for each in check(tape, rules=RULES)
    ]


def one(tape: Tape) -> Finding:
    """The one finding of this family."""
    (finding,) = check(tape, rules=RULES)
    return finding


def consequences(finding: Finding) -> list[str]:
    return [each.rule for each in finding.consequences]


def refused(error: str, code: int = 127, **start: Any) -> Tape:
    """A command that could not be started."""
    fields: dict[str, Any] = {"format": 1, "argv": ["npx", "-y", "notes"], "name": "notes", **start}
    tape = Tape().event("start", **fields).event("spawn_failed", 0.002, error=error, code=code)
    return tape.exit(0.003, "spawn-failed", code)


def died(
    *stderr: str, code: int | None = 1, signal: str | None = None, t: float = 0.4, **start: object
) -> Tape:
    """A server that says something on stderr and ends before it answers."""
    tape = Tape().start(**start).client(offer(), 0.1)
    for line in stderr:
        tape.stderr(line, t)
    return tape.event("eof", t, stream="s2c").exit(t, "server-exit", code, signal)


def gave_up(*stderr: str, argv: tuple[str, ...] = ("npx", "-y", "notes"), t: float = 30.1) -> Tape:
    """A client that closes stdin since nothing comes."""
    tape = Tape().start(argv=list(argv)).client(offer(), 0.1)
    for line in stderr:
        tape.stderr(line, 2)
    return tape.event("eof", t, stream="c2s").event("eof", t + 0.1, stream="s2c").exit(t + 0.1, "client-eof")


# PRO001


def test_a_command_that_is_not_on_the_path_is_named_with_the_path() -> None:
    tape = refused("cannot start 'npx': not found on PATH (/usr/bin)", path="/usr/bin", platform="linux")
    assert found(tape) == [
        (
            "PRO001",
            "error",
            "environment",
            (1,),
            "command `npx` was not found on the PATH that the client gave (/usr/bin)",
        )
    ]
    assert "absolute path" in one(tape).next


def test_the_path_of_macos_is_called_by_its_name() -> None:
    assert f"({LAUNCHD}, the launchd default)" in one(refused("not found", path=LAUNCHD)).message


def test_a_long_path_is_shortened() -> None:
    message = one(refused("not found", path="/some/folder:" * 100)).message
    assert message.endswith("…)")
    assert len(message) < 260


def test_on_windows_the_next_step_is_a_shell() -> None:
    expected = "start it as `cmd /c npx …`"
    assert one(refused("no", platform="win32", path="C:\\")).next.startswith(expected)
    assert one(CASES["A26"]()).next.startswith(expected)


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["/opt/notes"], "command `/opt/notes` was not found: there is no such file"),
        ([r"C:\notes.exe"], r"command `C:\notes.exe` was not found: there is no such file"),
        (["notes"], "command `notes` was not found: no such thing"),
        ([], "the server's command was not found: no such thing"),
        ("notes", "the server's command was not found: no such thing"),
    ],
)
def test_without_a_path_the_error_is_told(argv: object, message: str) -> None:
    assert one(refused("no such thing", argv=argv)).message == message


def test_what_is_found_and_cannot_be_executed_is_another_finding() -> None:
    finding = one(refused("it is not executable (chmod +x would make it so)", 126, path="/bin"))
    assert (
        finding.message
        == "command `npx` cannot be executed: it is not executable (chmod +x would make it so)"
    )
    assert finding.key == "not executable"


def test_a_failure_of_the_tap_is_not_the_commands() -> None:
    assert found(refused("cannot start 'npx': Too many open files", 125)) == []


# PRO002


def test_a_server_that_dies_at_its_start_is_told_with_its_last_words() -> None:
    tape = CASES["A28"]()
    assert found(tape) == [
        (
            "PRO002",
            "error",
            "environment",
            (2, 7),
            "server exited 1 after 0.40 s, before answering initialize; last stderr line: "
            "KeyError: 'DEMO_TOKEN'",
        )
    ]
    assert one(tape).next.startswith("set `DEMO_TOKEN` in the `env`")
    assert consequences(one(tape)) == ["PRO008", "PRO009"]
    assert one(tape).evidence[-1] == "KeyError: 'DEMO_TOKEN'"


def test_a_missing_program_is_named_with_the_path_that_the_client_gave() -> None:
    tape = CASES["A27"]()
    assert found(tape) == [
        (
            "PRO002",
            "error",
            "environment",
            (2, 5),
            "server exited 127 after 0.02 s, before answering initialize; stderr says that the command "
            f"`node` is missing; PATH given by the client is {LAUNCHD}, the launchd default",
        )
    ]
    assert "absolute path of `node`" in one(tape).next


def test_exit_127_without_a_word_still_points_at_the_path() -> None:
    finding = one(died(code=127, path="/bin"))
    assert finding.message.endswith("nothing on stderr; PATH given by the client is /bin")
    assert finding.culprit == "environment"
    assert finding.next.startswith("exit code 127")
    assert one(died("boom", code=126)).next.startswith("exit code 126")


def test_a_recording_of_a_real_refusal_gives_one_error() -> None:
    tape = Tape("01m8mnb0kx5exfam")
    tape.lines = (RECORDINGS / "v1" / "filesystem-py1-refused.jsonl").read_bytes().splitlines(keepends=True)
    assert found(tape) == [
        (
            "PRO002",
            "error",
            "environment",
            (2, 8),
            "server exited 1 after 0.26 s, before answering initialize; last stderr line: Error: None of the "
            "specified directories are accessible",
        )
    ]


def test_the_reason_is_found_above_the_stack() -> None:
    finding = one(
        died(
            "node:internal/modules/cjs/loader:1143",
            "Error: Cannot find module '/opt/notes/dist/index.js'",
            "    at Module._resolveFilename (node:internal/modules/cjs/loader:1140:15)",
            "  code: 'MODULE_NOT_FOUND',",
            "}",
            "",
            "Node.js v20.20.2",
        )
    )
    assert finding.message.endswith("last stderr line: Error: Cannot find module '/opt/notes/dist/index.js'")
    assert finding.key == "missing-node-module"


def test_an_unknown_reason_is_quoted_and_the_server_is_at_fault() -> None:
    finding = one(died("thread main stopped: no sails", "    at sea"))
    assert finding.message.endswith("; last stderr line: thread main stopped: no sails")
    assert (finding.culprit, finding.key) == ("server", "exited 1")
    assert finding.next.startswith("run the same command in a terminal")


def test_a_complaint_that_is_not_the_last_word_is_quoted_as_such() -> None:
    assert "; stderr: Error: A_TOKEN is not set" in one(died("Error: A_TOKEN is not set", "bye")).message


def test_a_variable_that_the_client_has_set_is_not_what_is_missing() -> None:
    finding = one(died("KeyError: 'DEMO_TOKEN'", env=["PATH", "DEMO_TOKEN"]))
    assert (finding.culprit, finding.key) == ("server", "exited 1")


def test_secrets_in_last_words_are_masked() -> None:
    finding = one(died("fatal: API_KEY=abcdef123456 is refused, password: hunter22 too"))
    assert "abcdef" not in finding.message + str(finding.evidence)
    assert "hunter" not in finding.message + str(finding.evidence)


def test_a_signal_and_a_closed_stdout_are_ends_too() -> None:
    assert "was killed by SIGSEGV after 0.40 s" in one(died(code=None, signal="SIGSEGV")).message
    tape = Tape().start().event("eof", 0.4, stream="s2c").exit(3, "server-eof", 0)
    assert one(tape).message == (
        "server closed its stdout after 0.40 s, before its first message; nothing on stderr"
    )
    assert "exited 0xC0000005" in one(died(code=0xC0000005)).message
    assert "server ended after" in one(died(code=None)).message


def test_what_was_printed_to_stdout_stands_in_for_stderr() -> None:
    tape = Tape().start().client(offer(), 0.1).server(b"cannot start", 0.2)
    tape.event("eof", 0.4, stream="s2c").exit(0.4, "server-exit", 1)
    assert one(tape).message.endswith("before answering initialize; last line on stdout: cannot start")


@pytest.mark.parametrize(
    ("argv", "hint"),
    [
        (["docker", "run", "notes"], True),
        (["docker", "run", "-i", "notes"], False),
        (["docker", "run", "-ti", "notes"], False),
        (["docker", "run", "--interactive", "notes"], False),
        (["docker", "start", "notes"], False),
        (["notes"], False),
    ],
)
def test_docker_without_stdin_is_told_what_it_lacks(argv: list[str], hint: bool) -> None:
    assert one(died(code=0, argv=argv)).next.startswith("add -i") is hint


@pytest.mark.parametrize(
    "tape",
    [
        closed(Tape().start().client(offer(), 0.1).stderr("KeyError: 'A'", 0.2), 3),
        begun().event("eof", 1, stream="s2c").exit(1, "server-exit", 1),
        Tape().start().client(offer(), 0.1).server(error(0, -1), 0.2).exit(0.3, "server-exit", 1),
        Tape().start().client(offer(), 0.1).event("signal", 0.3, name="SIGINT", forwarded=True)
        .event("eof", 0.4, stream="s2c").exit(0.4, "server-exit", 1),
        Tape().start().client(offer(), 0.1).exit(0.4, "server-exit", None, "SIGTERM")
        .event("signal", 0.5, name="SIGTERM", forwarded=False),
        Tape().start().client(offer(), 0.1).event("broken_pipe", 0.4, stream="s2c")
        .exit(0.4, "server-exit", 1),
        Tape().start().client(offer(), 0.1).event("eof", 0.3, stream="s2c"),
    ],
    ids=["client left", "said something", "refused", "signalled", "killed", "client gone", "no end"],
)  # fmt: skip
def test_an_end_that_is_not_the_servers_own_start_is_silent(tape: Tape) -> None:
    assert "PRO002" not in names(check(tape, rules=RULES))


@pytest.mark.parametrize("event", ["gap", "limit"])
def test_what_the_tap_did_not_record_may_have_been_an_answer(event: str) -> None:
    tape = Tape().start().client(offer(), 0.1).event(event, 0.2, records=1, bytes=9, reason="full")
    assert found(tape.exit(0.4, "server-exit", 1)) == []


def test_missing_records_a_missing_start_and_half_a_line_prove_nothing() -> None:
    tape = Tape().start().client(offer(), 0.1)
    tape.seq += 1
    assert found(tape.exit(0.4, "server-exit", 1)) == []
    headless = Tape().client(offer(), 0.1)
    assert found(headless.exit(0.4, "server-exit", 1)) == []
    half = Tape().start().client(offer(), 0.1).line("s2c", Segment((b'{"jsonrpc"',), more=True), 0.2)
    assert found(half.exit(0.4, "server-exit", 1)) == []


# PRO008, PRO009


def test_a_complaint_in_a_session_that_works_is_information() -> None:
    tape = closed(begun().stderr("Error: listen EADDRINUSE: address already in use :::3000", 1), 2)
    assert found(tape) == [
        (
            "PRO008",
            "info",
            "undecided",
            (5,),
            "stderr has a line that looks like a known complaint, a port is in use: Error: listen "
            "EADDRINUSE: address already in use :::3000",
        )
    ]
    assert one(tape).certainty == "heuristic"


def test_stderr_is_neutral_otherwise() -> None:
    tape = begun().stderr("error: this is fine", 1).stderr("ready, no problem", 1).stderr("", 1)
    assert found(closed(tape, 2)) == []


def test_only_so_many_lines_are_examined() -> None:
    tape = begun()
    for _ in range(LINES_EXAMINED):
        tape.stderr("ready", 1)
    assert found(closed(tape.stderr("KeyError: 'DEMO_TOKEN'", 1), 2)) == []


SAID = {
    "missing-program": ["env: node: No such file or directory",
                        "/usr/bin/env: ‘node’: No such file or directory",
                        "sh: 1: node: not found", "bash: line 1: node: command not found",
                        "zsh:1: command not found: node", "Error: spawn node ENOENT",
                        "'node' is not recognized as an internal or external command,"],
    "missing-python-module": ["ModuleNotFoundError: No module named 'mcp'", "python3: No module named notes"],
    "import-failed": ["ImportError: cannot import name 'x' from 'y'"],
    "missing-node-module": ["Error: Cannot find module '/x/y.js'", "Error [ERR_MODULE_NOT_FOUND]: no"],
    "port-in-use": ["OSError: [Errno 98] Address already in use"],
    "unset-variable": ["KeyError: 'DEMO_TOKEN'", "Error: BRAVE_API_KEY environment variable is required",
                       "Missing required environment variable: FOO_BAR", "GITHUB_TOKEN is not set"],
    "missing-credential": ["API key missing", "No API key provided"],
    "out-of-memory": ["FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory"],
    "python-version": ["error: notes requires Python >=3.12", "ERROR: Package requires a different Python"],
    "node-version": ["error notes@1.0.0: The engine \"node\" is incompatible with this module."],
    "uv-failed": ["  × No solution found when resolving dependencies:", "error: Failed to spawn: `notes`"],
    "npm-failed": ["npm ERR! code E404", "npm error code E404"],
    "docker": ["Cannot connect to the Docker daemon at unix:///var/run/docker.sock."],
    "permission": ["PermissionError: [Errno 13] Permission denied: '/x'"],
    "syntax-error": ["SyntaxError: Unexpected token '?'"],
    "network": ["Error: getaddrinfo ENOTFOUND registry.example"],
    "usage": ["Usage: mcp-server-filesystem [allowed-directory]"],
    "missing-file": ["FileNotFoundError: [Errno 2] No such file or directory: 'x'"],
}  # fmt: skip
"""What programs say, by the complaint that it is."""


@pytest.mark.parametrize(("name", "line"), [(name, line) for name, lines in SAID.items() for line in lines])
def test_a_known_complaint_is_recognised(name: str, line: str) -> None:
    told = read_complaint(line)
    assert told is not None
    assert told.complaint.name == name
    assert "{}" not in told.title + told.next


def test_every_complaint_of_the_table_has_an_example_and_passes_the_first_look() -> None:
    assert set(SAID) == {each.name for each in COMPLAINTS}
    assert all(word == word.lower() for word in FIRST_LOOK)


@pytest.mark.parametrize(
    "line",
    ["Secure MCP Filesystem Server running on stdio", "2026-11-29 INFO set LOG_LEVEL to debug",
     "Session opened without credentials", "KeyError: 'name'", "API token loaded", ""],
)  # fmt: skip
def test_a_harmless_line_is_no_complaint(line: str) -> None:
    assert read_complaint(line) is None


def test_nothing_on_stderr_is_no_reason_and_frames_alone_are_quoted() -> None:
    assert reason([]) is None
    assert reason(["", "  "]) is None
    only = reason(["    at sea"])
    assert only is not None
    assert only.quoted == "last stderr line: at sea"


def test_a_long_line_is_shortened_in_a_sentence() -> None:
    assert len(brief("x" * 1000)) == 140


def test_a_python_traceback_is_told_with_its_last_line() -> None:
    tape = begun().stderr("Traceback (most recent call last):", 1).stderr('  File "x", line 1', 1)
    tape.stderr("ValueError: no such note", 1).stderr("ready", 1)
    assert found(closed(tape, 2)) == [
        ("PRO009", "info", "server", (5,), "1 Python stack trace on stderr of: ValueError: no such note")
    ]


def test_javascript_tells_what_the_stack_is_of_before_it() -> None:
    tape = begun()
    for number in range(2):
        tape.stderr(f"Error: no such note {number}", 1).stderr("    at find (notes.js:1:1)", 1)
        tape.stderr("    at main (notes.js:9:9)", 1).stderr("on we go", 1)
    assert found(closed(tape, 2)) == [
        (
            "PRO009",
            "info",
            "server",
            (6, 10),
            "2 JavaScript stack traces on stderr, the first of: Error: no such note 0",
        )
    ]


def test_other_languages_are_known_too_and_a_thread_is_no_panic() -> None:
    tape = begun().stderr("panic: index out of range", 1).stderr("thread 'main' started", 1)
    tape.stderr("thread 'main' panicked at src/main.rs:1", 1).stderr("Traceback (most recent call last):", 1)
    assert [each.message for each in check(closed(tape, 2), rules=RULES)] == [
        "1 Go stack trace on stderr of: panic: index out of range",
        "1 Rust stack trace on stderr of: thread 'main' panicked at src/main.rs:1",
        "1 Python stack trace on stderr",
    ]


# PRO014


def test_a_client_that_gives_up_during_an_installation_is_told_so() -> None:
    tape = CASES["A21"]()
    assert found(tape) == [
        (
            "PRO014",
            "error",
            "launcher",
            (2, 3),
            "no byte from the server in 30.0 s, then the client gave up; launcher `npx -y` was still "
            "installing (stderr: npm http fetch GET 200 https://registry.example/notes-server 812ms)",
        )
    ]


@pytest.mark.parametrize(
    ("argv", "line"),
    [
        (("uvx", "notes"), "Downloading numpy (16.0MiB)"),
        (("docker", "run", "-i", "notes"), "Unable to find image 'notes:latest' locally"),
        ((r"C:\node\npx.cmd", "notes"), "npm warn deprecated glob@7"),
        (("uv", "run", "notes"), "   Building notes @ file:///notes"),
    ],
)
def test_each_installer_is_known_by_what_it_says(argv: tuple[str, ...], line: str) -> None:
    assert one(gave_up(line, argv=argv)).rule == "PRO014"


@pytest.mark.parametrize(
    "tape",
    [
        gave_up(),
        gave_up("notes: warming up"),
        gave_up("Downloading the model", argv=("notes",)),
        gave_up("npm http fetch GET 200", t=2.1),
        Tape().start(argv=["npx", "notes"]).stderr("npm http fetch", 1).event("eof", 30, stream="c2s"),
        Tape().start(argv=["npx", "notes"]).client(offer(), 0.1).stderr("npm http fetch", 1),
        closed(Tape().start(argv=["npx", "notes"]).client(offer(), 0.1).stderr("npm http fetch", 1)
               .server(agreed(), 20).client(told("notifications/initialized"), 20), 40),
        Tape().start(argv=["npx", "notes"]).client(offer(), 0.1).stderr("npm http fetch", 1)
        .event("gap", 2, records=1, bytes=9, reason="full").event("eof", 30, stream="c2s"),
    ],
    ids=["no word", "another word", "no launcher", "soon", "not asked", "still waiting", "answered", "gap"],
)  # fmt: skip
def test_without_an_installation_in_the_way_nothing_is_said(tape: Tape) -> None:
    assert "PRO014" not in names(check(tape, rules=RULES))


def test_a_launcher_that_prints_to_stdout_has_sent_bytes_but_no_message() -> None:
    tape = Tape().start(argv=["npx", "notes"]).client(offer(), 0.1).stderr("npm http fetch", 1)
    tape.server(b"> notes@1.0.0 start", 2).event("eof", 30.1, stream="c2s").exit(30.2, "client-eof")
    assert one(tape).message.startswith("no message from the server in 30.0 s")


# All of them


@pytest.mark.parametrize("case", [name for name in CASES if name not in ("A05", "A21", "A26", "A27", "A28")])
def test_the_failures_of_others_are_none_of_a_start(case: str) -> None:
    assert [each for each in found(CASES[case]()) if each[1] != "info"] == []


@pytest.mark.parametrize("path", sorted((RECORDINGS / "v1").glob("*.jsonl")), ids=lambda path: str(path.stem))
def test_a_healthy_recording_has_no_fault_of_this_family(path: Path) -> None:
    loud = [each.rule for each in findings_of(path, RULES) if each.severity != "info"]
    # The server refuses its arguments and exits 1: that is what the recording is of.
    assert loud == (["PRO002"] if "refused" in str(path) else [])


def test_a_call_that_fails_later_is_no_failed_start() -> None:
    tape = begun().client(call(1, "x"), 1).server(said(1, "ok"), 1.1)
    assert found(closed(tape.client(request(2, "ping"), 2).server(result(2), 2.1), 3)) == []
