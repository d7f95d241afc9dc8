"""The real clients and a server that is wrapped and unwrapped in their own files.

None has an account. What needs one, an answer of their models, is not tested.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable

import pytest

from tests.e2e.environment import INSTALL_TIMEOUT
from tests.e2e_clients.home import NAME, SERVER, Home
from tests.e2e_clients.programs import PROGRAMS

pytestmark = [
    pytest.mark.clients,
    pytest.mark.timeout(2 * INSTALL_TIMEOUT),  # the first one installs all programs
]

MakeHome = Callable[[str], Home]


def test_a_wrapped_server_is_recorded_and_comes_back_byte_for_byte(home: Home) -> None:
    home.configure()
    before = home.file.read_bytes()
    change = home.wrap()
    assert (change["scope"], change["file"]) == ("user", str(home.file))
    assert home.shows(home.tapped)
    home.converse()
    recorded = home.recorded()
    (listed,) = home.changes("wrapped")
    assert (listed["name"], listed["file"], listed["reason"]) == (NAME, str(home.file), None)

    assert home.unwrap()["backup"] is None
    assert home.file.read_bytes() == before
    assert home.shows(SERVER)
    assert home.recorded() == recorded
    assert home.changes("wrapped") == []


def test_what_the_client_has_rewritten_means_the_same_again(home: Home) -> None:
    home.configure()
    before, text = home.entry(), home.file.read_bytes()
    home.wrap()
    wrapped = home.file.read_bytes()
    home.add("other", ["true"])
    rewritten = home.file.read_bytes()
    assert rewritten.count(b"\n") != wrapped.count(b"\n")
    assert home.entry() != before

    backup = home.unwrap()["backup"]
    assert home.entry() == before
    assert b"other" in home.file.read_bytes()
    with open(backup, "rb") as kept:
        assert kept.read() == text


@pytest.mark.parametrize(
    ("client", "variable", "file"),
    [(client.name, variable, file) for client in PROGRAMS for variable, file in client.moved],
)
def test_a_variable_leads_client_and_tap_to_the_same_file(
    make_home: MakeHome, client: str, variable: str, file: str
) -> None:
    home = make_home(client)
    home.configure()
    moved = home.path / "moved" / file if file else home.path / "moved.json"
    moved.parent.mkdir(parents=True, exist_ok=True)
    home.file.rename(moved)
    home.variables[variable] = str(home.path / "moved" if file else moved)
    before = moved.read_bytes()
    assert home.wrap()["file"] == str(moved)
    assert home.shows(home.tapped)
    home.unwrap()
    assert moved.read_bytes() == before


def test_claude_code_has_a_server_for_one_project_alone(make_home: MakeHome) -> None:
    home = make_home("claude-code")
    home.ask("mcp", "add", NAME, "--", *SERVER)
    before = home.file.read_bytes()
    change = home.wrap()
    assert (change["scope"], change["project"]) == ("local", str(home.project))
    assert home.shows(home.tapped)
    home.recorded()
    home.unwrap()
    assert home.file.read_bytes() == before


def test_an_approved_server_of_a_repository_needs_no_new_approval(make_home: MakeHome) -> None:
    home = make_home("claude-code")
    home.ask("mcp", "add", "-s", "project", NAME, "--", *SERVER)
    shared = home.project / ".mcp.json"
    assert "Pending approval" in home.ask("mcp", "list")
    approval = {"hasTrustDialogAccepted": True, "enabledMcpjsonServers": [NAME]}
    document = json.loads(home.file.read_text(encoding="utf-8"))
    document["projects"] = {str(home.project): approval}
    home.file.write_text(json.dumps(document), encoding="utf-8")
    assert home.shows(SERVER)

    before = shared.read_bytes()
    change = home.wrap()
    assert (change["scope"], change["file"]) == ("project", str(shared))
    assert home.shows(["mcp-tap", *home.options, *SERVER])
    home.recorded()
    home.unwrap()
    assert shared.read_bytes() == before


@pytest.mark.parametrize("client", [client.name for client in PROGRAMS if client.asking])
def test_printed_options_start_the_server_through_the_tap(make_home: MakeHome, client: str) -> None:
    home = make_home(client)
    home.configure()
    before = home.file.read_bytes()
    printed = home.tap("wrap", NAME, "--client", client, "--log-dir", str(home.log), "--print")
    home.converse(*shlex.split(printed)[1:])
    home.recorded()
    assert home.file.read_bytes() == before


def test_codex_shows_what_printed_options_say(make_home: MakeHome) -> None:
    home = make_home("codex")
    home.configure()
    printed = home.tap("wrap", NAME, "--client", "codex", "--log-dir", str(home.log), "--print")
    assert home.shows(home.tapped, *shlex.split(printed)[1:])
