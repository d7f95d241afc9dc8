"""PRV010: placeholder that nobody replaced."""

from __future__ import annotations

from typing import Any

import pytest

from tests.diagnosis.checking import begun, check, closed
from tests.record_cases import Tape, error, request, result
from tests.rules.providers.cases import called, found, loud

ME = {"name": "editor", "version": "2"}
OFFER = request(0, "initialize", protocolVersion="2025-11-25", capabilities={}, clientInfo=ME)


def started(*words: str, env: list[str] | None = None) -> Tape:
    """A session with this command line, up to the start."""
    return Tape().start(argv=["server", *words], env=env or ["HOME", "PATH"])


def prompted(*listed: str, **arguments: Any) -> Tape:
    """A prompt is asked for (record 7), after a list of prompts if there is one."""
    tape = begun().client(request(1, "prompts/list"), 0.3)
    prompt = {"name": "wins", "arguments": [{"name": each} for each in listed]}
    tape.server(result(1, prompts=[prompt]), 0.4)
    tape.client(request(5, "prompts/get", name="wins", arguments=arguments), 1)
    return tape.server(result(5, messages=[]), 1.1)


@pytest.mark.parametrize(
    "word",
    [
        "${input:org}",
        "--url=${env:API_URL}",
        "${workspaceFolder}/src",
        "${API_TOKEN_FILE}",
        "${PORT:-3000}",
        "$HOME/notes",
        "--dir=$HOME/notes",
        "%APPDATA%\\notes",
        "${user_config.folder}",
        "{{project}}",
        "$env:USERPROFILE",
        "{{env.TOKEN}}",
        "${env.TOKEN}",
        "$(pwd):/work",
        "${localWorkspaceFolder}:/work",
    ],
)
def test_a_placeholder_in_the_command_line_is_told(word: str) -> None:
    assert found(started(word)) == [("PRV010", "warning", "client", (0,), "command line")]


@pytest.mark.parametrize(
    "words",
    [
        ["/home/dev/$weird", "100%", "50%-60%", "a$b", "US$", "$5"],
        ["--format", "${name}-{date}.log", "{{.Names}}"],
        ["-c", "console.log(`${HOME}`)"],
        ["--query", "$(document).ready", "^\\$[A-Z]+$", "https://a.test/a%20b%2F%41B%"],
        ["--header", "Authorization:${AUTH_HEADER}"],
    ],
)
def test_other_words_of_a_command_line_are_silent(words: list[str]) -> None:
    assert found(started(*words, env=["AUTH_HEADER", "PATH"])) == []


@pytest.mark.parametrize("shell", ["bash", "/bin/sh", "C:\\Windows\\System32\\cmd.exe", "pwsh", "ssh"])
def test_what_a_shell_expands_is_silent(shell: str) -> None:
    tape = Tape().start(argv=[shell, "-c", "exec server ${HOME}/notes %APPDATA% $HOME/x"], env=["HOME"])
    assert found(tape) == []


def test_a_header_that_names_a_variable_that_is_not_there_is_told() -> None:
    assert loud(started("--header", "Authorization:${AUTH_HEADER}")) == [("PRV010", "command line")]


def test_a_server_that_dies_of_it_makes_it_an_error_and_its_death_follows() -> None:
    tape = started("--root", "${workspaceFolder}").client(request(0, "initialize"), 0.1)
    tape.stderr("ERROR: '${workspaceFolder}' is not a directory", 0.2)
    tape.event("eof", 0.2, stream="s2c").exit(0.2, "server-exit", 1)
    worst = check(tape)[0]
    assert (worst.rule, worst.severity, worst.culprit) == ("PRV010", "error", "client")
    assert "PRO002" in [each.rule for each in worst.consequences]


@pytest.mark.parametrize("argv", [["${workspaceFolder}/server"], ["srv", "--org", "${input:org}"]])
def test_a_server_that_was_not_started_or_refused_the_handshake_for_it_makes_it_an_error(
    argv: list[str],
) -> None:
    if argv[0] == "srv":
        tape = Tape().start(argv=argv).client(OFFER, 0.1)
        closed(tape.server(error(0, -32603, "organisation '${input:org}' unknown"), 0.2), 1)
        follows = "LIF009"
    else:
        tape = (
            Tape()
            .start(argv=argv)
            .event("spawn_failed", 0.1, error=f"command not found: {argv[0]}", code=127)
        )
        tape.exit(0.1, "spawn-failed", 127)
        follows = "PRO001"
    (finding,) = [each for each in check(tape) if each.rule in ("PRV010", follows)]
    assert (finding.rule, finding.severity, finding.culprit) == ("PRV010", "error", "client")
    assert follows in [each.rule for each in finding.consequences]


def test_a_server_that_dies_of_something_else_is_told_for_itself() -> None:
    tape = started("--root", "${workspaceFolder}").client(request(0, "initialize"), 0.1)
    tape.stderr("KeyError: 'DEMO_TOKEN'", 0.2).event("eof", 0.2, stream="s2c").exit(0.2, "server-exit", 1)
    assert [(each.rule, each.severity) for each in check(tape) if each.rule[:3] in ("PRO", "PRV")] == [
        ("PRO002", "error"),
        ("PRV010", "warning"),
    ]


def test_a_placeholder_in_the_environment_is_heard_from_the_server() -> None:
    assert found(begun().stderr("Invalid URL: ${env:API_URL}", 0.3)) == [
        ("PRV010", "warning", "client", (5,), "environment")
    ]
    tape = begun().client(request(5, "tools/call", name="find", arguments={}), 1)
    tape.server(error(5, -32000, "organisation '${input:org}' not found"), 1.1)
    (finding,) = [each for each in check(closed(tape, 2)) if each.severity != "info"]
    assert (finding.rule, finding.records) == ("PRV010", (6,))
    assert [each.rule for each in finding.consequences] == ["RPC026"]


@pytest.mark.parametrize(
    "line",
    [
        "${workspaceFolder} is /home/dev",
        "costs $5, 10%",
        "usage: server ${options}",
        "${HOME} is not set",
        "{{x}}",
    ],
)
def test_other_lines_of_stderr_are_silent(line: str) -> None:
    assert found(begun().stderr(line, 0.3)) == []


@pytest.mark.parametrize(
    "value", ["${input:org}", "${workspaceFolder}/src", "${API_URL}", ["${env:A}"], {"a": "${cwd}"}]
)
def test_a_placeholder_as_an_argument_of_a_tool_is_told(value: Any) -> None:
    assert [(each[0], each[3]) for each in found(called("index", folder=value))] == [("PRV010", (5,))]


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("write_file", {"path": "launch.json", "content": "${workspaceFolder}"}),
        ("replaceInFile", {"by": "${A}"}),
        ("rename", {"pattern": "(a)", "replacement": "${A}"}),
        ("pay", {"price": "$1", "other": "$2"}),
        ("fetch", {"headers": {"Authorization": "Bearer ${API_TOKEN}"}}),
        ("index", {"folder": "/home/dev/${date}", "note": "use ${workspaceFolder} here", "n": 3}),
        ("bash", {"args": "echo $HOME"}),
    ],
)
def test_arguments_that_are_text_and_values_are_silent(tool: str, arguments: dict[str, Any]) -> None:
    assert found(called(tool, **arguments)) == []


def test_a_refusal_follows_from_the_argument() -> None:
    tape = begun().client(request(5, "tools/call", name="index", arguments={"folder": "${cwd}"}), 1)
    tape.server(result(5, content=[{"type": "text", "text": "'${cwd}': no such folder"}], isError=True), 1.1)
    (finding,) = check(closed(tape, 2))
    assert (finding.rule, finding.key) == ("PRV010", "index folder")
    assert [each.rule for each in finding.consequences] == ["RES006"]


@pytest.mark.parametrize("value", ["$1", "${1}", "$ARGUMENTS", "${input:site}", "{{site}}", "${site}"])
def test_a_placeholder_as_an_argument_of_a_prompt_is_told(value: str) -> None:
    assert loud(prompted("site", site=value)) == [("PRV010", "wins site")]


def test_a_position_that_the_prompt_has_is_told_though_other_arguments_are_left_out() -> None:
    assert loud(prompted("site", "limit", limit="$2")) == [("PRV010", "wins limit")]


@pytest.mark.parametrize("value", ["$5", "costs $15.com", "$1.50", "$10", "a $1 b", "", "100 %"])
def test_amounts_and_sentences_in_a_prompt_are_silent(value: str) -> None:
    assert found(prompted("site", site=value)) == []
