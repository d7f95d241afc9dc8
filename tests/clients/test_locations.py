"""Where the table's files are looked for, on every system."""

from __future__ import annotations

from pathlib import Path

import pytest

from mcp_tap.clients.known import BY_NAME, CLIENTS, SCOPES, KnownFiles, System
from mcp_tap.clients.locations import (
    Environment,
    active_paths,
    base_directory,
    existing_files,
    find_locations,
    form_of,
    locations_of_file,
    same_directory,
    this_environment,
)

NAMES = [
    "claude-code",
    "claude-desktop",
    "cursor",
    "vscode",
    "windsurf",
    "zed",
    "cline",
    "codex",
    "gemini",
    "opencode",
    "copilot",
    "amazon-q",
    "kiro",
    "lm-studio",
    "warp",
    "antigravity",
    "junie",
    "goose",
    "continue",
]


def environment_in(
    tmp_path: Path, system: System = "linux", project: str = "", **environment: str
) -> Environment:
    return Environment(system, str(tmp_path), project or str(tmp_path / "project"), environment)


def make(*paths: Path) -> None:
    for path in paths:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("{}")


def test_the_table_has_the_names_of_the_contract_in_order() -> None:
    assert [client.name for client in CLIENTS] == NAMES


def test_every_row_of_the_table_is_whole() -> None:
    for client in CLIENTS:
        assert client.files
        assert client.shapes
        assert client.next[-1] not in ".!"
        for known in client.files:
            assert known.keys
            assert known.scope in SCOPES
            for template in known.paths:
                assert template.startswith(
                    ("~/", "{config}/", "{appdata}/", "{localappdata}/", "{project}/", "$")
                )
                assert known.in_repository == template.startswith("{project}/")


DESKTOP = "Claude/claude_desktop_config.json"


WHERE: dict[System, dict[str, str]] = {
    "linux": {
        "claude-desktop": ".config/Claude/claude_desktop_config.json",
        "vscode": ".config/Code/User/profiles/x1/mcp.json",
        "zed": ".config/zed/settings.json",
        "goose": ".config/goose/config.yaml",
        "opencode": ".config/opencode/opencode.jsonc",
        "cline": ".config/Cursor/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json",
        "kiro": ".kiro/agents/mine.json",
    },
    "macos": {
        "claude-desktop": "Library/Application Support/Claude/claude_desktop_config.json",
        "vscode": "Library/Application Support/Code/User/mcp.json",
        "zed": ".config/zed/settings.json",
        "goose": ".config/goose/config.yaml",
    },
    "windows": {
        "claude-desktop": f"AppData/Local/Packages/Claude_x/LocalCache/Roaming/{DESKTOP}",
        "vscode": "AppData/Roaming/Code - Insiders/User/mcp.json",
        "zed": "AppData/Roaming/Zed/settings.json",
        "goose": "AppData/Roaming/Block/goose/config/config.yaml",
        "codex": ".codex/config.toml",
    },
}


@pytest.mark.parametrize("system", WHERE)
def test_files_are_found_where_each_system_has_them(tmp_path: Path, system: System) -> None:
    paths = {client: tmp_path / path for client, path in WHERE[system].items()}
    make(*paths.values())
    found = {
        (location.client.name, location.path) for location in find_locations(environment_in(tmp_path, system))
    }
    assert found == {(client, str(path)) for client, path in paths.items()}


@pytest.mark.parametrize(
    ("client", "variable", "file"),
    [
        ("claude-code", "CLAUDE_CONFIG_DIR", ".claude.json"),
        ("codex", "CODEX_HOME", "config.toml"),
        ("copilot", "COPILOT_HOME", "mcp-config.json"),
        ("gemini", "GEMINI_CLI_HOME", ".gemini/settings.json"),
        ("cline", "CLINE_DIR", "data/settings/cline_mcp_settings.json"),
        ("zed", "XDG_CONFIG_HOME", "zed/settings.json"),
        ("goose", "XDG_CONFIG_HOME", "goose/config.yaml"),
        ("opencode", "OPENCODE_CONFIG_DIR", "opencode.jsonc"),
    ],
)
def test_a_variable_moves_a_client_s_file(tmp_path: Path, client: str, variable: str, file: str) -> None:
    moved = tmp_path / "moved" / file
    usual = {
        "claude-code": ".claude.json",
        "codex": ".codex/config.toml",
        "copilot": ".copilot/mcp-config.json",
        "gemini": ".gemini/settings.json",
    }
    make(moved, tmp_path / usual.get(client, "nothing"))
    environment = {variable: str(tmp_path / "moved")}
    here = Environment("linux", str(tmp_path), str(tmp_path / "project"), environment)
    assert {location.path for location in find_locations(here, (BY_NAME[client],))} == {str(moved)}


def test_a_variable_may_name_the_file_itself(tmp_path: Path) -> None:
    make(tmp_path / "own.json", tmp_path / ".config/opencode/opencode.json")
    here = environment_in(
        tmp_path,
        OPENCODE_CONFIG=str(tmp_path / "own.json"),
        CLINE_MCP_SETTINGS_PATH=str(tmp_path / "gone.json"),
    )
    found = [location.path for location in find_locations(here)]
    assert found == [str(tmp_path / "own.json"), str(tmp_path / ".config/opencode/opencode.json")]
    cline = BY_NAME["cline"].files[0]
    assert active_paths(cline, here) == ("$CLINE_MCP_SETTINGS_PATH",)
    assert active_paths(cline, environment_in(tmp_path, CLINE_DIR="/x")) == (
        "$CLINE_DIR/data/settings/cline_mcp_settings.json",
    )
    assert active_paths(cline, environment_in(tmp_path)) == (
        "~/.cline/data/settings/cline_mcp_settings.json",
    )


def test_a_variable_may_name_one_more_directory(tmp_path: Path) -> None:
    files = [tmp_path / "more/opencode.json", tmp_path / "more/opencode.jsonc"]
    usual = [tmp_path / ".config/opencode/opencode.json", tmp_path / ".opencode/opencode.jsonc"]
    make(*files, *usual)
    here = environment_in(tmp_path, OPENCODE_CONFIG_DIR=str(tmp_path / "more"))
    assert [location.path for location in find_locations(here)] == [str(path) for path in (*files, *usual)]


def test_a_project_s_file_is_looked_for_up_to_the_root_of_the_repository(tmp_path: Path) -> None:
    root = tmp_path / "[odd] name"
    make(
        tmp_path / ".mcp.json",
        root / ".mcp.json",
        root / "a/.mcp.json",
        root / "a/.vscode/mcp.json",
        root / "a/.continue/mcpServers/x.yaml",
    )
    (root / ".git").mkdir()
    below = root / "a" / "b"
    below.mkdir()
    found = [location.path for location in find_locations(environment_in(tmp_path, project=str(below)))]
    assert found == [
        str(root / name)
        for name in ("a/.mcp.json", ".mcp.json", "a/.vscode/mcp.json", "a/.continue/mcpServers/x.yaml")
    ]
    # Without a repository nothing above is the project's.
    assert find_locations(environment_in(tmp_path, project=str(tmp_path / "other"))) == []


def test_a_file_that_two_clients_read_is_found_once(tmp_path: Path) -> None:
    make(tmp_path / "project/.mcp.json", tmp_path / ".cursor/mcp.json")
    here = environment_in(tmp_path)
    assert [
        (location.client.name, location.known.scope)
        for location in find_locations(here)
        if location.path.endswith(".mcp.json")
    ] == [("claude-code", "project")]
    assert [location.client.name for location in find_locations(here, (BY_NAME["copilot"],))] == ["copilot"]
    # At home the project's file is the user's own.
    at_home = environment_in(tmp_path, project=str(tmp_path))
    assert [location.known.scope for location in find_locations(at_home, (BY_NAME["cursor"],))] == ["user"]


def test_a_dangling_link_is_found_so_that_it_can_be_told_of(tmp_path: Path) -> None:
    (tmp_path / ".claude.json").symlink_to(tmp_path / "gone")
    assert len(find_locations(environment_in(tmp_path), (BY_NAME["claude-code"],))) == 2


def test_bases_have_their_usual_values_without_the_variables(tmp_path: Path) -> None:
    here = environment_in(tmp_path, "windows", XDG_CONFIG_HOME="")
    bases = [
        base_directory(f"{head}/x", here)[0] for head in ("{config}", "{appdata}", "{localappdata}", "$NONE")
    ]
    assert bases == [f"{tmp_path}/.config", f"{tmp_path}/AppData/Roaming", f"{tmp_path}/AppData/Local", None]
    assert list(existing_files(KnownFiles("user", ("$NONE",), ("x",)), here)) == []


def test_the_environment_is_that_of_this_process(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", "/home/me")
    here = this_environment()
    assert (here.project, here.variables["HOME"]) == (str(tmp_path), "/home/me")
    assert this_environment("x").project == str(tmp_path / "x")


def test_a_file_elsewhere_is_told_by_its_name(tmp_path: Path) -> None:
    def clients(path: str) -> list[str]:
        return [
            location.client.name for location in locations_of_file(path, environment_in(tmp_path), CLIENTS)
        ]

    assert clients("/mnt/home/.claude.json") == ["claude-code", "claude-code"]
    assert clients("/x/.vscode/mcp.json") == ["vscode"]
    assert clients("/x/.codex/config.toml") == ["codex"]
    assert clients("/x/.mcp.json") == ["claude-code", "copilot"]
    assert clients("/x/servers.json") == []


def test_the_form_is_told_by_the_extension_before_the_client() -> None:
    assert form_of("/x/a.toml", BY_NAME["cursor"]) == "toml"
    assert form_of("/x/a.YML", BY_NAME["cursor"]) == "yaml"
    assert form_of("/x/a.json", BY_NAME["continue"]) == "jsonc"
    assert form_of("/x/a.json", BY_NAME["claude-code"]) == "json"
    assert form_of("/x/a", BY_NAME["codex"]) == "toml"


def test_directories_are_compared_as_their_system_does() -> None:
    assert same_directory("C:\\Users\\Me\\p", "c:/users/me/p/")
    assert same_directory("/a/b/", "/a/b")
    assert not same_directory("/a/B", "/a/b")


@pytest.mark.parametrize(
    ("path", "scope"),
    [
        ("/mnt/c/Users/me/.cursor/mcp.json", "user"), ("/home/other/.cursor/mcp.json", "user"),
        ("/root/.cursor/mcp.json", "user"), ("/home/other/project/.cursor/mcp.json", "project"),
        ("/srv/project/.cursor/mcp.json", "project"), ("/mnt/c/Users/me/p/.cursor/mcp.json", "project"),
        ("/home/other/.config/opencode/opencode.json", "user"), ("/srv/p/opencode.json", "project"),
    ],
)  # fmt: skip
def test_a_file_elsewhere_is_a_home_s_or_a_project_s(tmp_path: Path, path: str, scope: str) -> None:
    environment = Environment("linux", str(tmp_path), str(tmp_path), {})
    (location,) = locations_of_file(path, environment, CLIENTS)
    assert location.known.scope == scope
