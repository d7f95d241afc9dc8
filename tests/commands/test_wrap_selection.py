"""Which entries ``wrap`` and ``unwrap`` take for those that are meant."""

from __future__ import annotations

from pathlib import Path

import pytest

from mcp_tap.clients.known import CLIENTS
from tests.commands.homes import (
    FILES,
    Capture,
    changes,
    contents,
    play,
)


def test_several_places_are_listed_and_nothing_is_done(home: Path, capfd: Capture) -> None:
    before = contents(home)
    status, out, err = play(capfd, "wrap", "notes", "mine")
    assert (status, out) == (2, "")
    assert err.splitlines() == [
        "mcp-tap: 'notes' is configured in 3 places: use --all, or choose one with",
        f"mcp-tap:   --client claude-code   {home}/.claude.json (Claude Code, user)",
        f"mcp-tap:   --client cursor   {home}/.cursor/mcp.json (Cursor, user)",
        f"mcp-tap:   --client codex   {home}/.codex/config.toml (Codex, user)",
    ]
    found = changes(capfd, "wrap", "notes", status=2)
    assert [each["state"] for each in found] == ["refused"] * 3
    assert found[0]["reason"] == (
        "is configured in 3 places: use --client claude-code to choose this one, or --all to choose all of "
        "them"
    )
    assert contents(home) == before
    assert play(capfd, "wrap", "notes", "--client", "codex")[0] == 0
    # What is wrapped in one place only is unwrapped there.
    assert [each["client"] for each in changes(capfd, "unwrap", "notes")] == ["codex"]
    assert contents(home) == before
    assert len(changes(capfd, "wrap", "notes", "--all")) == 3
    assert play(capfd, "unwrap", "notes")[0] == 2
    assert len(changes(capfd, "unwrap", "notes", "--all")) == 3
    assert contents(home) == before


def test_places_of_one_client_are_told_apart_by_scope_and_by_file(home: Path, capfd: Capture) -> None:
    (home / "project/.cursor").mkdir()
    (home / "project/.cursor/mcp.json").write_text('{"mcpServers": {"notes": {"command": "x"}}}')
    _, _, err = play(capfd, "wrap", "notes", "--client", "cursor")
    assert f"  --client cursor --scope user   {home}/.cursor/mcp.json" in err
    assert f"  --client cursor --scope project   {home}/project/.cursor/mcp.json" in err
    assert play(capfd, "wrap", "notes", "--client", "cursor", "--scope", "project")[0] == 0
    for profile in ("a b", "c"):
        path = home / ".config/Code/User/profiles" / profile / "mcp.json"
        path.parent.mkdir(parents=True)
        path.write_text('{"servers": {"twin": {"command": "x"}}}')
    _, _, err = play(capfd, "wrap", "twin")
    assert f"--client vscode --config '{home}/.config/Code/User/profiles/a b/mcp.json'   " in err


def test_a_name_that_is_not_there_is_met_with_those_that_are(home: Path, capfd: Capture) -> None:
    assert (
        play(capfd, "wrap", "nots")[2]
        == "mcp-tap: no server named 'nots' in the 7 files searched (did you mean 'notes' or 'gnotes'?)\n"
    )
    _, _, err = play(capfd, "wrap", "zzz", "--client", "goose")
    assert err == (
        f"mcp-tap: no server named 'zzz' in {home}/.config/goose/config.yaml (found: developer, gnotes)\n"
    )
    _, _, err = play(capfd, "wrap", "far")
    assert err == "mcp-tap: server 'far' is configured only for another project: add --project /elsewhere\n"
    assert changes(capfd, "wrap", "far", "--project", "/elsewhere")[0]["project"] == "/elsewhere"
    _, _, err = play(capfd, "wrap", "x", "--client", "kiro")
    assert err.startswith("mcp-tap: no server named 'x': no configuration file of a known client was found")
    found = changes(capfd, "unwrap", "nots", status=2)
    assert (found[0]["state"], found[0]["client"], found[0]["file"]) == ("refused", None, None)


def test_a_broken_file_is_told_of_where_it_could_matter(home: Path, capfd: Capture) -> None:
    (home / ".gemini").mkdir()
    (home / ".gemini/settings.json").write_text('{"mcpServers": {"a": {broken')
    sentence = f"mcp-tap: {home}/.gemini/settings.json is not valid JSON: "
    assert play(capfd, "wrap", "mine")[2] == ""
    for words in (
        ("wrap", "nots"),
        ("wrap", "--all", "--client", "gemini"),
        ("unwrap", "--all"),
        ("wrapped",),
    ):
        assert sentence in play(capfd, *words)[2]
    status, _, err = play(capfd, "wrap", "a", "--client", "gemini")
    assert (status, err.count("\n"), err.count("settings.json")) == (2, 1, 1)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("wrap",), "specify server names, or use --all"),
        (("unwrap", "--client", "zed"), "specify server names, or use --all"),
        (("wrap", "--all", "--client", "zed"), "no configuration file of a known client was found"),
        (
            ("wrap", "x", "--client", "windsurf", "--scope", "project"),
            "Windsurf has no project scope (available: user)",
        ),
        (("wrap", "x", "--config", ""), "the argument of --config PATH is empty"),
        (
            ("wrap", "x", "--config", "/nowhere/x.json"),
            "cannot read /nowhere/x.json: No such file or directory",
        ),
        (("wrap", "x", "--config", "/etc/claude-code/managed-mcp.json"), "is an administrator's policy"),
        (("wrap", "mine", "--log-dir", ""), "the argument of --log-dir DIR is empty"),
        (("wrap", "mine", "--log-dir", "/x/${HOME}"), "contains '$', which clients may expand or change"),
        (("wrap", "mine", "--log-dir", "/x/\x1b"), r"the log directory /x/\u001b contains '\x1b'"),
        (("wrap", "mine", "--log-dir", "/dev/null/x"), "cannot create the log directory /dev/null/x: Not a"),
        (("wrap", "mine", "--with-secrets"), "--with-secrets works only with --print"),
        (("wrap", "x", "--print", "--dry-run"), "not allowed with argument"),
        (
            ("wrapped", "--scope", "local", "--client", "cursor"),
            "Cursor has no local scope (available: user and project)",
        ),
    ],
)
def test_what_cannot_be_done_is_a_sentence(
    home: Path, capfd: Capture, words: tuple[str, ...], sentence: str
) -> None:
    before = contents(home)
    status, out, err = play(capfd, *words)
    assert (status, out) == (2, "")
    assert sentence in err
    assert contents(home) == before


@pytest.mark.parametrize(
    ("word", "hint"),
    [
        ("curser", "did you mean cursor?"),
        ("Cluade Code", "did you mean claude-code?"),
        ("vs-coed", "did you mean vscode?"),
        ("", f"known: {', '.join(client.name for client in CLIENTS)}"),
        ("emacs", f"known: {', '.join(client.name for client in CLIENTS)}"),
    ],
)
@pytest.mark.parametrize("verb", [("wrap", "x"), ("unwrap", "x"), ("wrapped",)])
def test_an_unknown_client_is_one_line_with_the_nearest_name(
    home: Path, capfd: Capture, verb: tuple[str, ...], word: str, hint: str
) -> None:
    assert play(capfd, *verb, f"--client={word}") == (
        2, "", f"mcp-tap: unknown client '{word}' ({hint})\n",
    )  # fmt: skip


def test_a_client_is_understood_by_what_people_call_it(home: Path, capfd: Capture) -> None:
    for word, client in (("claude", "claude-code"), ("VS Code", "vscode"), ("code", "vscode")):
        found = changes(capfd, "wrap", "--all", "--client", word, "--dry-run")
        assert {each["client"] for each in found} == {client}


def test_a_tilde_that_the_shell_has_left_is_the_home(home: Path, capfd: Capture) -> None:
    words = ("notes", "--config=~/.cursor/mcp.json", "--log-dir=~/logs")
    (change,) = changes(capfd, "wrap", *words)
    assert change["file"] == str(home / ".cursor/mcp.json")
    assert (home / "logs").is_dir()
    changes(capfd, "unwrap", *words[:2])
    (change,) = changes(capfd, "wrap", "mine", "--project=~/project")
    assert change["state"] == "wrapped"
    assert len(changes(capfd, "wrapped", "--project=~/project")) == 1


def test_a_named_file_is_read_as_its_content_or_the_client_says(home: Path, capfd: Capture) -> None:
    cases = {
        "x.json": ('{"mcpServers": {"a": {"command": "x",},},}', None, None),
        "y.json": ('{"context_servers": {"a": {"command": {"path": "x"}}}}', None, "zed"),
        "z.json": ('{"servers": {"a": {"command": "x"}}}', None, "vscode"),
        "o.json": ('{"mcp": {"a": {"command": ["x"]}}}', None, "opencode"),
        "c.toml": ('[mcp_servers.a]\ncommand = "x"\n', None, "codex"),
        "g.yaml": ("extensions:\n  a:\n    cmd: x\n", None, "goose"),
        "l.yaml": ("mcpServers:\n- name: a\n  command: x\n", None, "continue"),
        "m.yml": ("mcpServers:\n  a:\n    command: x\n", None, None),
        "k.conf": ('{"mcpServers": {"a": {"command": "x"}}}', "kiro", "kiro"),
        "n.json": ('{"mcpServers": {"a": {"command": "x"}}}', "continue", "continue"),
    }
    for name, (text, client, told) in cases.items():
        path = home / name
        path.write_text(text)
        words = ["a", "--config", str(path), *(["--client", client] if client else [])]
        (change,) = changes(capfd, "wrap", *words)
        assert (change["client"], change["state"], change["file"]) == (told, "wrapped", str(path))
        assert changes(capfd, "unwrap", *words)[0]["state"] == "unwrapped"
        assert path.read_text() == text
    (home / "no.json").write_text("{}")
    _, _, err = play(capfd, "wrap", "a", "--config", str(home / "no.json"))
    assert err == f"mcp-tap: {home}/no.json has no MCP servers in a form that a known client reads\n"
    (home / "e.json").write_text('{"mcpServers": {}}')
    _, _, err = play(capfd, "wrap", "a", "--config", str(home / "e.json"))
    assert err == f"mcp-tap: no server named 'a': no servers are configured in {home}/e.json\n"
    # A file that its client could not read is not wrapped for it.
    status, _, err = play(capfd, "wrap", "a", "--config", str(home / "x.json"), "--client", "claude-code")
    assert status == 2
    assert "has a trailing comma on line 1, which its client cannot read" in err


@pytest.mark.parametrize("text", ["", " \n", "// nothing yet\n"])
def test_an_empty_file_holds_no_servers_and_is_no_trouble(home: Path, capfd: Capture, text: str) -> None:
    (home / ".cursor/mcp.json").write_text(text)
    assert play(capfd, "wrapped") == (
        0,
        "",
        f"mcp-tap: no wrapped servers in the {len(FILES)} files searched\n",
    )
    status, _, err = play(capfd, "wrap", "x", "--client", "cursor")
    assert (status, err) == (
        2,
        f"mcp-tap: no server named 'x': no servers are configured in {home}/.cursor/mcp.json\n",
    )


@pytest.mark.parametrize(
    ("name", "text", "scope"),
    [
        (".vscode/settings.json", '{"a.b": 1, "mcp": {"servers": {"a": {"command": "x"}}}} // c', "project"),
        ("settings.json", '{"extensions": {}, "mcp": {"servers": {"a": {"command": "x"}}}}', "user"),
        ("my.code-workspace", '{"extensions": {}, "settings": {"mcp": {"servers": {"a": {"command": "x"}}}}}',
         "project"),
        (".devcontainer/devcontainer.json",
         '{"customizations": {"vscode": {"mcp": {"servers": {"a": {"command": "x"}}}}}}', "project"),
    ],
)  # fmt: skip
def test_servers_of_vs_code_are_found_where_it_had_them_before(
    home: Path, capfd: Capture, name: str, text: str, scope: str
) -> None:
    path = home / "project" / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    for client in ((), ("--client", "vscode")):
        (change,) = changes(capfd, "wrap", "a", "--config", name, *client)
        assert (change["client"], change["scope"], change["state"]) == ("vscode", scope, "wrapped")
        changes(capfd, "unwrap", "a", "--config", name)
        assert path.read_text() == text


@pytest.mark.parametrize(
    ("text", "client"),
    [
        ('{"mcp": {"servers": {"type": "local", "command": ["x"]}}}', "opencode"),
        ('{"extensions": {"disabled": []}, "mcpServers": {"servers": {"command": "x"}}}', None),
        ('{"mcpServers": [{"name": "servers", "command": "x"}]}', "continue"),
    ],
)
def test_one_client_s_keys_are_not_taken_for_another_s(
    home: Path, capfd: Capture, text: str, client: str | None
) -> None:
    (home / "x.json").write_text(text)
    assert changes(capfd, "wrap", "servers", "--config", str(home / "x.json"))[0]["client"] == client


def test_a_project_that_is_reached_by_a_link_is_the_same(
    home: Path, capfd: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / "link").symlink_to(home / "project")
    (change,) = changes(capfd, "wrap", "mine", "--project", str(home / "link"), "--dry-run")
    assert change["project"] == str(home / "project")


def test_a_project_of_claude_code_is_the_directory_or_the_repository_around_it(
    home: Path, capfd: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    below = home / "project/a/b"
    below.mkdir(parents=True)
    monkeypatch.chdir(below)
    assert changes(capfd, "wrap", "mine", "--dry-run")[0]["project"] == str(home / "project")
    monkeypatch.chdir(home)
    assert f"add --project {home}/project" in play(capfd, "wrap", "mine")[2]


@pytest.mark.parametrize(
    ("name", "client", "text"),
    [
        (".cursor/mcp.json", "cursor", '{"mcpServers": {"a": {"command": "x"}}}'),
        (".kiro/settings/mcp.json", "kiro", '{"mcpServers": {"a": {"command": "x"}}}'),
        (".gemini/settings.json", "gemini", '{"mcpServers": {"a": {"command": "x"}}}'),
        (".opencode/opencode.json", "opencode", '{"mcp": {"a": {"command": ["x"]}}}'),
        (".codex/config.toml", "codex", '[mcp_servers.a]\ncommand = "x"\n'),
    ],
)
def test_a_project_s_file_that_is_named_from_elsewhere_is_a_project_s(
    home: Path, capfd: Capture, monkeypatch: pytest.MonkeyPatch, name: str, client: str, text: str
) -> None:
    path = home / "project" / name
    path.parent.mkdir(parents=True)
    path.write_text(text)
    monkeypatch.chdir("/")
    for words in ((), ("--client", client)):
        (change,) = changes(capfd, "wrap", "a", "--config", str(path), *words)
        assert (change["client"], change["scope"]) == (client, "project")
        changes(capfd, "unwrap", "a", "--config", str(path))
    _, out, _ = play(capfd, "wrap", "a", "--config", str(path))
    assert "note: the file is part of a project" in out
    assert play(capfd, "wrap", "a", "--config", str(path), "--scope", "user")[0] == 2


def test_servers_under_a_key_that_the_client_does_not_read_are_named(home: Path, capfd: Capture) -> None:
    path = home / "project/.vscode/mcp.json"
    path.write_text('{"mcpServers": {"a": {"command": "x"}}}')
    hint = f'{path} has servers under "mcpServers", which VS Code does not read there: move them to "servers"'
    for words in (("--config", str(path)), ("--client", "vscode")):
        assert play(capfd, "wrap", "a", *words) == (2, "", f"mcp-tap: no server named 'a': {hint}\n")
        assert play(capfd, "wrap", "--all", *words) == (2, "", f"mcp-tap: {hint}\n")
    assert hint in play(capfd, "wrap", "a")[2]
    assert hint in play(capfd, "wrap", "--all")[2]
    assert play(capfd, "wrap", "mine")[2] == ""
    assert hint not in play(capfd, "wrapped")[2]
    cursor = home / ".cursor/mcp.json"
    cursor.write_text(
        '{"mcpServers": {"b": {"command": "x"}}, "servers": {"c": 1},'
        ' "mcp": {"servers": {"a": {"url": "x"}}}}'
    )
    _, _, err = play(capfd, "wrap", "a", "--config", str(cursor))
    assert err.splitlines()[1:] == [
        f'mcp-tap: {cursor} has servers under "mcp.servers", which Cursor does not read there: '
        'move them to "mcpServers"'
    ]
    # Both maps of Claude Code's own file are read.
    assert "has servers under" not in play(capfd, "wrap", "zzz", "--client", "claude-code")[2]
