"""What is known of each client: where its configuration lies, how it is written, what to do after a change.

Facts of November 2026. Run here: Claude Code 2.1.197, Codex 0.171.0, Gemini CLI 0.61.0, OpenCode 1.18.33,
Copilot CLI 1.0.102 (Linux). Read in their source: VS Code, Zed, Cline, Goose, Continue, Amazon Q. From
documentation and reports: the others, and everything about macOS and Windows.

A path begins with ``~``, ``{config}`` (XDG_CONFIG_HOME), ``{appdata}`` or ``{localappdata}``; or with
``$NAME`` for what a variable of the environment names: where that is set, later paths of the same files
do not hold. ``{project}`` is the project's directory, and each above it up to the repository's root: Claude
Code, Codex and OpenCode read all of them. "*" is any name.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from mcp_tap.clients.tree import Format  # every verb's help names the clients, and needs no more

System = Literal["linux", "macos", "windows"]
Scope = Literal["user", "local", "project"]

SCOPES: tuple[Scope, ...] = ("user", "local", "project")


@dataclass(frozen=True, slots=True)
class EntryShape:
    """How an entry holds its command line.

    The keys of the program and of its arguments, in the entry itself or in its member ``inside``; without
    ``args`` the member ``command`` is a list that holds both.
    """

    command: str = "command"
    args: str | None = "args"
    inside: str | None = None

    @property
    def holder(self) -> tuple[str, ...]:
        """The path from the entry to what holds these keys."""
        return (self.inside,) if self.inside else ()


FLAT = EntryShape()
NESTED_COMMAND = EntryShape("path", inside="command")
NESTED_TRANSPORT = EntryShape(inside="transport")
CMD = EntryShape("cmd")
ARGV = EntryShape(args=None)


@dataclass(frozen=True, slots=True)
class KnownFiles:
    """Files of one scope, and the path of the map of servers in them."""

    scope: Scope
    paths: tuple[str, ...]
    keys: tuple[str, ...]
    only: tuple[System, ...] = ("linux", "macos", "windows")
    form: Format | None = None
    """Where it is not the client's."""
    note: str = ""

    @property
    def in_repository(self) -> bool:
        """Whether the file is one that people share."""
        return self.scope == "project"


@dataclass(frozen=True, slots=True)
class Client:
    """A client. ``by_name``: its servers are a list, and each says its own name."""

    name: str
    title: str
    form: Format
    files: tuple[KnownFiles, ...]
    next: str
    notes: tuple[str, ...] = ()
    shapes: tuple[EntryShape, ...] = (FLAT,)
    by_name: bool = False
    expands_command: bool = False
    """Expands ``~`` and ``$NAME`` in the command, and not in what would become an argument."""
    reference: str | None = None
    """How a value of ``env`` refers to a variable called NAME."""


MAP = ("mcpServers",)
CLINE_BEFORE = "globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json"
EVERYWHERE: tuple[System, ...] = ("linux", "macos", "windows")


def user(*paths: str, keys: tuple[str, ...] = MAP, only: tuple[System, ...] = EVERYWHERE) -> KnownFiles:
    """A user's own files."""
    return KnownFiles("user", paths, keys, only)


def project(*paths: str, keys: tuple[str, ...] = MAP) -> KnownFiles:
    """Files of a project."""
    return KnownFiles("project", tuple(f"{{project}}/{path}" for path in paths), keys)


CODE = ("Code", "Code - Insiders", "VSCodium")
FORKS = ("Cursor", "Windsurf")


def user_of_code(
    *tails: str, keys: tuple[str, ...] = MAP, editors: tuple[str, ...] = CODE
) -> tuple[KnownFiles, ...]:
    """Files in the user directories of VS Code and its other editions."""
    bases: tuple[tuple[System, str], ...] = (
        ("linux", "{config}"), ("macos", "~/Library/Application Support"), ("windows", "{appdata}"),
    )  # fmt: skip
    return tuple(
        user(*(f"{base}/{each}/User/{tail}" for each in editors for tail in tails), keys=keys, only=(system,))
        for system, base in bases
    )


CLIENTS: tuple[Client, ...] = (
    Client(
        "claude-code", "Claude Code", "json",
        (
            user("$CLAUDE_CONFIG_DIR/.claude.json", "~/.claude.json"),
            KnownFiles("local", ("$CLAUDE_CONFIG_DIR/.claude.json", "~/.claude.json"),
                       ("projects", "*", *MAP)),
            KnownFiles("project", ("{project}/.mcp.json",), MAP,
                       note="Copilot CLI and VS Code's agents also read .mcp.json, and so use the tap too"),
        ),
        "in a running Claude Code, run /mcp, select the server and choose Reconnect (2.1.139 or later); or "
        "restart Claude Code",
        ("rules of an administrator that name the exact serverCommand (allowedMcpServers, deniedMcpServers) "
         "no longer match",),
        reference="${NAME}",
    ),
    Client(
        "claude-desktop", "Claude Desktop", "json",
        (
            # The package from Microsoft's store has an AppData of its own, and reads nothing else.
            user("{localappdata}/Packages/Claude_*/LocalCache/Roaming/Claude/claude_desktop_config.json",
                 "{appdata}/Claude/claude_desktop_config.json", only=("windows",)),
            user("~/Library/Application Support/Claude/claude_desktop_config.json", only=("macos",)),
            user("{config}/Claude/claude_desktop_config.json", only=("linux",)),
        ),
        "quit Claude Desktop completely (also in the menu bar or tray), check with mcp-tap wrapped that the "
        "entry is still there, and start it again",
        ("Claude Desktop rewrites its file when it starts, and occasionally loses entries, as users report",),
    ),
    Client(
        "cursor", "Cursor", "jsonc", (user("~/.cursor/mcp.json"), project(".cursor/mcp.json")),
        "turn the server off and on in Cursor's MCP settings, unless it has already reconnected",
        reference="${env:NAME}",
    ),
    Client(
        "vscode", "VS Code", "jsonc",
        (
            *user_of_code("mcp.json", "profiles/*/mcp.json", keys=("servers",)),
            user("~/.vscode-server/data/User/mcp.json", "~/.vscode-server-insiders/data/User/mcp.json",
                 keys=("servers",)),
            project(".vscode/mcp.json", keys=("servers",)),
        ),
        "in VS Code, run MCP: List Servers, select the server and choose Restart",
        ("VS Code asks again whether you trust a workspace's server, because its definition has changed",),
        reference="${env:NAME}",
    ),
    Client(
        "windsurf", "Windsurf", "jsonc",
        (user("~/.codeium/windsurf/mcp_config.json", "~/.codeium/mcp_config.json"),),
        "click Refresh in Windsurf's list of MCP servers",
        ("team allowlists that compare the command and every argument no longer match",),
        reference="${env:NAME}",
    ),
    Client(
        "zed", "Zed", "jsonc",
        (
            user("{config}/zed/settings.json", keys=("context_servers",), only=("linux",)),
            user("~/.config/zed/settings.json", keys=("context_servers",), only=("macos",)),
            user("{appdata}/Zed/settings.json", keys=("context_servers",), only=("windows",)),
            project(".zed/settings.json", keys=("context_servers",)),
        ),
        "nothing to do: Zed reloads its settings and restarts the server",
        shapes=(FLAT, NESTED_COMMAND),
    ),
    Client(
        "cline", "Cline", "json",
        (
            user("$CLINE_MCP_SETTINGS_PATH", "$CLINE_DIR/data/settings/cline_mcp_settings.json",
                 "~/.cline/data/settings/cline_mcp_settings.json"),
            *user_of_code(CLINE_BEFORE, editors=CODE + FORKS),
            user(f"~/.vscode-server/data/User/{CLINE_BEFORE}"),
        ),
        "nothing to do: Cline watches its file and reconnects",
        ("on Windows, Cline cannot start a program whose path contains a space",),
        shapes=(FLAT, NESTED_TRANSPORT),
        reference="${env:NAME}",
    ),
    Client(
        "codex", "Codex", "toml",
        (
            user("$CODEX_HOME/config.toml", "~/.codex/config.toml", keys=("mcp_servers",)),
            KnownFiles("project", ("{project}/.codex/config.toml",), ("mcp_servers",),
                       note="Codex reads a project's file only if you trust the project"),
        ),
        "restart Codex",
    ),
    Client(
        "gemini", "Gemini CLI", "json with comments",
        (
            user("$GEMINI_CLI_HOME/.gemini/settings.json", "~/.gemini/settings.json"),
            project(".gemini/settings.json"),
        ),
        "restart Gemini CLI",
        reference="${NAME}",
    ),
    Client(
        "opencode", "OpenCode", "jsonc",
        (
            user("$OPENCODE_CONFIG", keys=("mcp",)),
            user("$OPENCODE_CONFIG_DIR/opencode.json", keys=("mcp",)),
            user("$OPENCODE_CONFIG_DIR/opencode.jsonc", keys=("mcp",)),
            user("{config}/opencode/opencode.json", "{config}/opencode/opencode.jsonc",
                 "{config}/opencode/config.json", "~/.opencode/opencode.json",
                 "~/.opencode/opencode.jsonc", keys=("mcp",)),
            project("opencode.json", "opencode.jsonc", keys=("mcp",)),
            project(".opencode/opencode.json", ".opencode/opencode.jsonc", keys=("mcp",)),
        ),
        "restart OpenCode",
        shapes=(ARGV,),
        reference="{env:NAME}",
    ),
    Client(
        "copilot", "Copilot CLI", "jsonc",
        (
            user("$COPILOT_HOME/mcp-config.json", "~/.copilot/mcp-config.json"),
            KnownFiles("project", ("{project}/.mcp.json",), MAP,
                       note="Claude Code and VS Code's agents also read .mcp.json, and so use the tap too"),
            project(".github/mcp.json"),
        ),
        "restart Copilot CLI",
    ),
    Client(
        "amazon-q", "Amazon Q", "json",
        (
            user("~/.aws/amazonq/mcp.json", "~/.aws/amazonq/cli-agents/*.json"),
            project(".amazonq/mcp.json"),
            project(".amazonq/cli-agents/*.json"),
        ),
        "start a new Amazon Q chat",
        expands_command=True,
        reference="${env:NAME}",
    ),
    Client(
        "kiro", "Kiro", "jsonc",
        (
            user("~/.kiro/settings/mcp.json", "~/.kiro/agents/*.json"),
            project(".kiro/settings/mcp.json"),
            project(".kiro/agents/*.json"),
        ),
        "reconnect the server in Kiro's list of MCP servers, unless it has already reconnected",
        reference="${NAME}",
    ),
    Client(
        "lm-studio", "LM Studio", "jsonc", (user("~/.lmstudio/mcp.json", "~/.cache/lm-studio/mcp.json"),),
        "turn the server off and on in LM Studio, or restart LM Studio",
    ),
    Client(
        "warp", "Warp", "jsonc", (user("~/.warp/.mcp.json"), project(".warp/.mcp.json")),
        "stop and start the server in Warp's list of MCP servers",
    ),
    Client(
        "antigravity", "Antigravity", "json",
        (
            user("~/.gemini/config/mcp_config.json", "~/.gemini/antigravity/mcp_config.json"),
            project(".agents/mcp_config.json"),
        ),
        "restart Antigravity, or reload its MCP servers",
    ),
    Client(
        "junie", "Junie", "jsonc", (user("~/.junie/mcp/mcp.json"), project(".junie/mcp/mcp.json")),
        "restart the server in Junie's MCP settings",
    ),
    Client(
        "goose", "Goose", "yaml",
        (
            user("{config}/goose/config.yaml", keys=("extensions",), only=("linux",)),
            user("~/.config/goose/config.yaml", keys=("extensions",), only=("macos",)),
            user("{appdata}/Block/goose/config/config.yaml", keys=("extensions",), only=("windows",)),
        ),
        "start a new Goose session",
        ("Goose checks npx and uvx packages against a malware list, but cannot do so behind the tap",),
        shapes=(CMD,),
    ),
    Client(
        "continue", "Continue", "yaml",
        (
            user("~/.continue/config.yaml", "~/.continue/mcpServers/*.yaml", "~/.continue/mcpServers/*.yml"),
            KnownFiles("user", ("~/.continue/mcpServers/*.json",), MAP, form="jsonc"),
            project(".continue/mcpServers/*.yaml"),
            project(".continue/mcpServers/*.yml"),
            KnownFiles("project", ("{project}/.continue/mcpServers/*.json",), MAP, form="jsonc"),
        ),
        "reload Continue's configuration or the editor window",
        by_name=True,
    ),
)  # fmt: skip

BY_NAME = {client.name: client for client in CLIENTS}

UNKNOWN = Client(
    "", "an unknown client", "jsonc", (user(),),
    "restart the client, or reload its servers",
    shapes=(FLAT, NESTED_COMMAND, NESTED_TRANSPORT),
)  # fmt: skip
"""For a file that is told by its content alone to hold ``mcpServers``."""
