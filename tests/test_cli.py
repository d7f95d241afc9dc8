"""What a user meets: verbs, help, bad input, and never a traceback."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import mcp_tap.commands.cat
from mcp_tap import __version__, cli
from mcp_tap.commands.examples import EXAMPLES, examples_of
from mcp_tap.commands.run_options import read_run_options
from mcp_tap.views.terminal import columns
from tests.harness import LIMIT

MCP_TAP = [sys.executable, "-m", "mcp_tap"]


def run(*words: str, environment: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*MCP_TAP, *words], capture_output=True, text=True, timeout=LIMIT, check=False,
        env={**os.environ, **(environment or {})}, stdin=subprocess.DEVNULL,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("words", "status", "sentence"),
    [
        (("--colour",), 2, "the following arguments are required: VERB"),
        (("cat",), 2, "the following arguments are required: --dir"),
        (("cat", "--dir", "up"), 2, "invalid choice: 'up'"),
        (("cat", "--dir", "c2s", "/nowhere/x"), 2, "/nowhere/x is not a file, a directory, the id of"),
        (("sessions", "-n", "0"), 2, "usage: mcp-tap sessions "),
        (("sessions", "-n", "0"), 2, "0 is not a number of sessions"),
        (("cat", "--dir", "c2s", ""), 2, "the recording's name is empty"),
        (("cat", "--dir", "c2s", "--log-dir", "/dev/null"), 2, "/dev/null for recordings: Not a directory"),
        (("demo", "--log-dir", "/dev/null/x"), 2, "cannot record in /dev/null/x: Not a directory"),
        (("run",), 125, "mcp-tap: run needs the command that starts the server"),
        (("run", "--"), 125, "mcp-tap: run needs the command that starts the server"),
        (("run", "--colour", "x"), 125, "mcp-tap: run has no option --colour"),
        (("run", "--log"), 125, "mcp-tap: --log needs a value: --log FILE"),
        (("run", "--max-log-size", "many", "x"), 125, "must be a size such as 500M or 2G, not 'many'"),
        (("run", "--on-log-error", "panic", "x"), 125, "must be continue or stop, not 'panic'"),
    ],
)  # fmt: skip
def test_bad_input_is_one_sentence_and_the_usage(words: tuple[str, ...], status: int, sentence: str) -> None:
    done = run(*words)
    assert (done.returncode, done.stdout) == (status, "")
    assert sentence in done.stderr
    assert "Traceback" not in done.stderr
    if not any(word in ("/nowhere/x", "", "/dev/null", "/dev/null/x") for word in words):
        assert "usage: mcp-tap" in done.stderr


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("fly",), "fly is no verb of mcp-tap; mcp-tap help lists the verbs"),
        (("shwo", "--json"), "shwo is no verb of mcp-tap: did you mean show?"),
        (("x\x1b[2J",), "x\\u001b[2J is no verb of mcp-tap; mcp-tap help lists the verbs"),
        (("help", "statz"), "statz is no verb of mcp-tap: did you mean stats?"),
        (("--colour", "show"), "mcp-tap has no option --colour; mcp-tap --help lists what there is"),
        (("demo", "--nonsense"), "demo has no option --nonsense; mcp-tap demo --help lists what there is"),
        (("show", "--folow"), "show has no option --folow: did you mean --follow?"),
        (("check", "--disabel=FRM001"), "check has no option --disabel=FRM001: did you mean --disable?"),
        (("show", "a", "b"), "show takes no further argument: b; mcp-tap show --help lists what there is"),
    ],
)
def test_what_is_mistyped_is_one_line_with_the_nearest_name(words: tuple[str, ...], sentence: str) -> None:
    done = run(*words)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"mcp-tap: {sentence}\n")


def test_who_does_not_know_what_to_type_gets_the_verbs() -> None:
    top = run("--help")
    assert top.stdout.endswith(examples_of(""))
    for words in ((), ("help",)):
        done = run(*words)
        assert (done.returncode, done.stdout, done.stderr) == (0, top.stdout, "")


@pytest.mark.parametrize("verb", [verb for verb in EXAMPLES if verb])
def test_each_help_ends_with_two_examples_that_the_verb_understands(
    verb: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run("help", verb).stdout == run(verb, "--help").stdout
    assert run(verb, "--help").stdout.endswith(examples_of(verb))
    for line, _ in EXAMPLES[verb]:
        program, first, *words = shlex.split(line)
        assert (program, first) == ("mcp-tap", verb)
        if verb == "run":
            assert read_run_options(words)[1]  # the server's command is left
        else:
            assert cli.make_parser(verb).parse_args([verb, *words]).command


def test_every_verb_has_examples() -> None:
    assert set(EXAMPLES) == {"", "run", *cli.VERBS}


def test_help_and_version_go_to_stdout() -> None:
    assert run("--version").stdout == f"mcp-tap {__version__} (mcp-tap-recorder)\n"
    top = run("--help")
    assert (top.returncode, top.stderr) == (0, "")
    verbs = ("run", "sessions", "show", "stats", "cat", "demo", "wrap", "unwrap", "wrapped")
    assert all(f"    {verb} " in top.stdout for verb in verbs)
    of_run = run("run", "--help")
    assert (of_run.returncode, of_run.stderr) == (0, "")
    assert of_run.stdout.startswith("usage: mcp-tap run [options] [--] COMMAND [ARG...]\n")
    assert "  --max-log-size SIZE  " in of_run.stdout
    assert run("run", "--help", environment={"PYTHONINSPECT": "1"}).stdout == of_run.stdout


def test_an_unexpected_error_is_one_sentence_and_its_traceback_is_for_those_who_ask(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def fail(*_: object, **__: object) -> int:
        raise ZeroDivisionError("by zero")

    monkeypatch.setattr(mcp_tap.commands.cat, "cat", fail)
    assert cli.main(["cat", "--dir", "c2s"]) == 2
    assert capfd.readouterr().err == (
        "mcp-tap: unexpected error; please report it with the output of MCP_TAP_DEBUG=1: "
        "ZeroDivisionError: by zero\n"
    )
    monkeypatch.setenv("MCP_TAP_DEBUG", "1")
    assert cli.main(["cat", "--dir", "c2s"]) == 2
    assert "Traceback" in capfd.readouterr().err


def test_a_failing_system_is_a_sentence_with_the_place(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def fail(*_: object, **__: object) -> int:
        raise OSError(28, "No space left on device", "/x")

    monkeypatch.setattr(mcp_tap.commands.cat, "cat", fail)
    assert cli.main(["cat", "--dir", "c2s"]) == 2
    assert capfd.readouterr().err == "mcp-tap: cannot continue: No space left on device: /x\n"
    monkeypatch.setattr(sys, "stdout", None)
    assert cli.main(["cat", "--dir", "c2s"]) == 2
    assert capfd.readouterr().err == "mcp-tap: cannot write: stdout is closed\n"


def test_an_interrupted_verb_says_nothing_and_exits_130(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object, **__: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(mcp_tap.commands.cat, "cat", interrupt)
    assert cli.main(["cat", "--dir", "c2s"]) == 130


def test_a_closed_pipe_ends_a_verb_quietly(tmp_path: Path) -> None:
    log = tmp_path / "x.jsonl"
    line = '{"ts":"x","t":0,"session":"s","seq":0,"dir":"s2c","text":"' + "y" * 1000 + '"}\n'
    log.write_text(line * 1000)
    process = subprocess.Popen(
        [*MCP_TAP, "cat", str(log), "--dir", "s2c"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None
    assert process.stderr is not None
    with process.stdout, process.stderr:
        assert process.stdout.read(10) == b"y" * 10
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(LIMIT) == 0


@pytest.mark.parametrize("width", [40, 72, 200])
def test_the_demo_prints_the_conversation_and_where_it_is_recorded(tmp_path: Path, width: int) -> None:
    done = run("demo", "--log-dir", str(tmp_path), environment={"COLUMNS": str(width)})
    assert (done.returncode, done.stderr) == (0, "")
    conversation, _, rest = done.stdout.partition("\n\n")
    lines = [line.strip().partition(" ")[2] for line in conversation.splitlines()]
    expected = [
        "→  0 initialize", "←  0 result", "→  notifications/init", "→  2 tools/list", "←  2 result",
        "→  3 tools/call", "←  3 result", "→  4 tools/call", "←  4 result", "→  5 tools/call",
        "←  5 isError", "→  6 notes/delete", "←  6 error", "→  7 ping", "←  7 result",
    ]  # fmt: skip
    spoken = [line for line in lines if line[:1] in ("→", "←")]
    assert len(spoken) == len(expected)
    assert all(line.startswith(start) for line, start in zip(spoken, expected, strict=True))
    assert any(line.startswith("2> notes server") for line in lines)
    assert all(columns(line) <= width for line in conversation.splitlines())
    (recording,) = tmp_path.iterdir()
    assert rest.startswith("Diagnosis:\n\nnotes-demo  ")
    assert re.search(r"^  RPC021  at fault: client  #\d+$", rest, re.MULTILINE)
    assert f"\n\nRecorded in {recording}\n" in rest
    again = run("cat", "--dir", "s2c", "--log-dir", str(tmp_path))
    assert again.returncode == 0
    assert again.stdout.count("\n") == 7


def test_the_demo_says_what_is_wrong_when_its_server_fails(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "executable", "/bin/false")
    assert cli.main(["demo", "--log-dir", str(tmp_path)]) == 2
    error = capfd.readouterr().err
    assert error.startswith("mcp-tap: the demo's server did not answer initialize")
    assert error.count("\n") == 1
