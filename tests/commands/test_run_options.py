"""The command line of ``run``."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_tap.commands.run_help import help_text
from mcp_tap.commands.run_options import (
    DEFAULT_MAX_LOG_SIZE,
    OPTIONS,
    RunOptions,
    read_run_options,
    read_size,
)
from mcp_tap.errors import UsageError
from tests.profiles import examples

DEFAULTS: dict[str, Any] = {
    "log": None,
    "log_dir": None,
    "name": None,
    "stop_on_log_error": False,
    "max_log_size": 1024**3,
    "help": False,
}


def changed(options: RunOptions) -> dict[str, Any]:
    """The options that are not what they are by default."""
    return {name: value for name, value in vars(options).items() if value != DEFAULTS[name]}


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ([], {}),
        (["--log", "a.jsonl"], {"log": "a.jsonl"}),
        (["--log=a.jsonl"], {"log": "a.jsonl"}),
        (["--log=a=b"], {"log": "a=b"}),
        (["--log", "-"], {"log": "-"}),
        (["--log-dir", "logs"], {"log_dir": "logs"}),
        (["--log-dir=logs"], {"log_dir": "logs"}),
        (["--name", "my notes"], {"name": "my notes"}),
        (["--name=notes"], {"name": "notes"}),
        (["--name", "a", "--name", "b"], {"name": "b"}),
        (["--on-log-error", "stop"], {"stop_on_log_error": True}),
        (["--on-log-error=stop"], {"stop_on_log_error": True}),
        (["--on-log-error", "continue"], {}),
        (["--on-log-error=stop", "--on-log-error=continue"], {}),
        (["--max-log-size", "5M"], {"max_log_size": 5 * 1024**2}),
        (["--max-log-size=0"], {"max_log_size": None}),
        (["--max-log-size=1G"], {}),
        (
            ["--log", "a", "--name=n", "--on-log-error", "stop", "--max-log-size=1k"],
            {"log": "a", "name": "n", "stop_on_log_error": True, "max_log_size": 1024},
        ),
    ],
)
@pytest.mark.parametrize("separator", [[], ["--"]])
def test_options_come_before_the_command(
    words: list[str], expected: dict[str, Any], separator: list[str]
) -> None:
    options, argv = read_run_options([*words, *separator, "server", "--log", "x", "--", "-y"])
    assert changed(options) == expected
    assert argv == ["server", "--log", "x", "--", "-y"]


@pytest.mark.parametrize(
    ("words", "argv"),
    [
        (["server"], ["server"]),
        (["npx", "-y", "x"], ["npx", "-y", "x"]),
        (["--", "server"], ["server"]),
        (["--", "--server"], ["--server"]),
        (["--", "--", "server"], ["--", "server"]),
        (["--name=n", "--", "--name", "m"], ["--name", "m"]),
        (["server", "--"], ["server", "--"]),
        (["server", "--", "--", "x"], ["server", "--", "--", "x"]),
        (["server", "--help"], ["server", "--help"]),
        (["--", "--help"], ["--help"]),
        (["server", ""], ["server", ""]),
        (["", "x"], ["", "x"]),
        (["server", "--log=x", "--log-dir=y"], ["server", "--log=x", "--log-dir=y"]),
        (["--log", "a", "--log-dir"], None),
    ],
)
def test_the_servers_command_line_is_left_as_it_was(words: list[str], argv: list[str] | None) -> None:
    if argv is None:
        with pytest.raises(UsageError, match="--log-dir needs a value"):
            read_run_options(words)
    else:
        assert read_run_options(words)[1] == argv


@examples(1)
@given(
    st.lists(st.sampled_from(["--name=n", "--log=l", "--max-log-size=1", "--on-log-error=stop"]), max_size=3),
    st.lists(st.text(max_size=5) | st.sampled_from(["--", "-", "--log", "--help", "-h"]), min_size=1),
)
def test_whatever_follows_two_dashes_is_passed_on(options: list[str], command: list[str]) -> None:
    assert read_run_options([*options, "--", *command])[1] == command


@pytest.mark.parametrize("words", [["--help"], ["-h"], ["--name=n", "--help"], ["--help", "--nonsense"]])
def test_help_needs_no_command(words: list[str]) -> None:
    options, argv = read_run_options(words)
    assert options.help
    assert argv == []


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ([], "run needs the command that starts the server"),
        (["--"], "run needs the command that starts the server"),
        (["--name=n"], "run needs the command that starts the server"),
        (["--name", "n", "--"], "run needs the command that starts the server"),
        (["--verbose", "server"],
         "run has no option --verbose; put the server's own options after its command"),
        (["--verbose=1", "server"],
         "run has no option --verbose; put the server's own options after its command"),
        (["-y", "server"], "run has no option -y; put the server's own options after its command"),
        (["-", "server"], "run has no option -; put the server's own options after its command"),
        (["--lo", "x", "server"],
         "run has no option --lo; put the server's own options after its command"),
        (["--help=x", "server"],
         "run has no option --help; put the server's own options after its command"),
        (["--log"], "--log needs a value: --log FILE"),
        (["--log="], "--log needs a value: --log FILE"),
        (["--log", "", "server"], "--log needs a value: --log FILE"),
        (["--log", "--", "server"], "--log needs a value: --log FILE"),
        (["--log-dir"], "--log-dir needs a value: --log-dir DIR"),
        (["--name"], "--name needs a value: --name NAME"),
        (["--name=", "server"], "--name needs a value: --name NAME"),
        (["--on-log-error"], "--on-log-error needs a value: --on-log-error continue|stop"),
        (["--on-log-error", "server"], "--on-log-error must be continue or stop, not 'server'"),
        (["--on-log-error=STOP", "server"], "--on-log-error must be continue or stop, not 'STOP'"),
        (["--max-log-size"], "--max-log-size needs a value: --max-log-size SIZE"),
        (["--max-log-size", "server"], "--max-log-size must be a size such as 500M or 2G, not 'server'"),
        (["--log", "a", "--log-dir", "b", "server"],
         "--log and --log-dir cannot be combined: give a file or a directory"),
        (["--log-dir=b", "--log=a", "server"],
         "--log and --log-dir cannot be combined: give a file or a directory"),
    ],
)  # fmt: skip
def test_a_wrong_command_line_is_explained_with_the_taps_own_status(words: list[str], sentence: str) -> None:
    with pytest.raises(UsageError) as caught:
        read_run_options(words)
    assert str(caught.value) == sentence
    assert caught.value.status == 125


@pytest.mark.parametrize(
    ("value", "size"),
    [
        ("0", None),
        ("0G", None),
        ("1", 1),
        ("4096", 4096),
        ("100b", 100),
        ("1k", 1024),
        ("1K", 1024),
        ("1kB", 1024),
        ("1KiB", 1024),
        ("500M", 500 * 1024**2),
        ("500MB", 500 * 1024**2),
        ("2g", 2 * 1024**3),
        ("1.5GiB", 3 * 1024**3 // 2),
        ("0.5k", 512),
        ("1T", 1024**4),
    ],
)
def test_a_size_is_in_powers_of_1024(value: str, size: int | None) -> None:
    assert read_size(value) == size


@pytest.mark.parametrize(
    "value", ["", "M", "k", "-1", "-5M", "1P", "1kk", "1kM", "1bb", "5 apples", "1,5G", "nan", "inf", "1e999",
              "1e308T", "0x10", "M5", "0.5", "0.0001k"]
)  # fmt: skip
def test_what_is_no_size_is_refused(value: str) -> None:
    with pytest.raises(UsageError) as caught:
        read_size(value)
    assert str(caught.value) == f"--max-log-size must be a size such as 500M or 2G, not {value!r}"
    assert caught.value.status == 125


def test_a_session_may_record_one_gibibyte_by_default() -> None:
    assert DEFAULT_MAX_LOG_SIZE == 1024**3
    assert changed(RunOptions()) == {}


@pytest.mark.parametrize("name", OPTIONS)
def test_the_help_page_has_every_option(name: str) -> None:
    value, meaning = OPTIONS[name]
    lines = [line for line in help_text().splitlines() if line.startswith(f"  {name} {value} ")]
    assert [line.endswith(f"  {meaning}") for line in lines] == [True]
