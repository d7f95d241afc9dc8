"""The clients that run without an account, from npm in pinned versions, and what differs in each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tests.e2e.environment import install_node, program

PACKAGES = {
    "@anthropic-ai/claude-code": "2.1.197",
    "@github/copilot": "1.0.102",
    "@google/gemini-cli": "0.61.0",
    "@openai/codex": "0.171.0",
    "opencode-ai": "1.18.33",
}


@dataclass(frozen=True)
class Program:
    """A client, and how it is talked to.

    ``own`` is its configuration below the home, ``written`` such a file as people write it (with the words
    PYTHON and SERVER); where nothing is ``written``, the client adds the server itself. ``adding`` precedes
    the command of a server called NAME. ``listing`` makes it say what it has, and ``shown`` is in that,
    white space folded. ``asking`` begins a conversation with the model at a URL, for which servers are
    started; Codex and Copilot CLI start none to list them. ``calls_itself`` is its name and version in a
    recording. ``moved`` are variables that put the file elsewhere: its name there, empty where the variable
    names the file.
    """

    name: str
    start: Callable[[Path], list[str]]
    calls_itself: tuple[str, str]
    own: str
    adding: tuple[str, ...]
    listing: tuple[str, ...]
    shown: str
    written: str = ""
    asking: Callable[[str], list[str]] | None = None
    environment: Callable[[str], dict[str, str]] = lambda _: {}
    moved: tuple[tuple[str, str], ...] = ()


def by_node(script: str) -> Callable[[Path], list[str]]:
    """A program that is a script; none of them is started by its link, which needs npm's scripts."""
    return lambda modules: [program("node"), str(modules / script)]


def opencode(modules: Path) -> list[str]:
    """Of its builds, which npm installs side by side, the one for old processors too: the last by name."""
    return [str(max(modules.glob("opencode-*/bin/opencode*")))]


def ask_codex(url: str) -> list[str]:
    """A question to a model that is asked once."""
    model = f'{{name="none",base_url="{url}",request_max_retries=0,stream_max_retries=0}}'
    settings = ["model_provider=none", f"model_providers.none={model}"]
    return ["exec", "--skip-git-repo-check", *(word for each in settings for word in ("-c", each)), "hello"]


def copilot_s_model(url: str) -> dict[str, str]:
    """A model of one's own needs no account with GitHub."""
    return {"COPILOT_OFFLINE": "true", "COPILOT_PROVIDER_BASE_URL": url, "COPILOT_MODEL": "none"}


PROGRAMS = (
    Program(
        "claude-code",
        by_node("@anthropic-ai/claude-code/cli-wrapper.cjs"),
        calls_itself=("claude-code", PACKAGES["@anthropic-ai/claude-code"]),
        own=".claude.json",
        adding=("mcp", "add", "-s", "user", "NAME", "--"),
        listing=("mcp", "list"),
        shown="NAME: COMMAND - ✔ Connected",
        asking=lambda _: ["hello", "--print"],  # it says that it is not logged in
        moved=(("CLAUDE_CONFIG_DIR", ".claude.json"),),
    ),
    Program(
        "codex",
        by_node("@openai/codex/bin/codex.js"),
        calls_itself=("codex-mcp-client", PACKAGES["@openai/codex"]),
        own=".codex/config.toml",
        adding=("mcp", "add", "NAME", "--"),
        listing=("mcp", "list"),
        shown="NAME COMMAND - - enabled",
        written="""# mine
[mcp_servers.notes] # what I have written
command = 'PYTHON' # not the system's
args = [
    "SERVER", # without options
]
startup_timeout_sec = 20

[tui]
notifications = false
""",
        asking=ask_codex,
        moved=(("CODEX_HOME", "config.toml"),),
    ),
    Program(
        "copilot",
        by_node("@github/copilot/npm-loader.js"),
        calls_itself=("copilot-cli", PACKAGES["@github/copilot"]),
        own=".copilot/mcp-config.json",
        adding=("mcp", "add", "NAME", "--"),
        listing=("mcp", "get", "notes"),
        shown="NAME Status: Enabled Type: local Command: COMMAND Tools:",
        written="""{
\t"mcpServers": {
\t\t// what I have written
\t\t"notes": {"type": "local", "tools": ["*"], "command": "PYTHON", "args": ["SERVER"],},
\t},
}
""",
        asking=lambda _: ["-p", "hello"],
        environment=copilot_s_model,
        moved=(("COPILOT_HOME", "mcp-config.json"),),
    ),
    Program(
        "gemini",
        by_node("@google/gemini-cli/bundle/gemini.js"),
        calls_itself=("mcp-test-client", "0.0.1"),  # so it is, when it lists
        own=".gemini/settings.json",
        adding=("mcp", "add", "-s", "user", "NAME"),
        listing=("mcp", "list"),
        shown="✓ NAME: COMMAND (stdio) - Connected",
        written="""{
  // what I have written
  "mcpServers": {
      "notes": { "command": "PYTHON", /* not the system's */ "args": ["SERVER"], "timeout": 5e3 }
  }
}""",
        environment=lambda _: {"GEMINI_CLI_TRUST_WORKSPACE": "true"},
        moved=(("GEMINI_CLI_HOME", ".gemini/settings.json"),),
    ),
    Program(
        "opencode",
        opencode,
        calls_itself=("opencode", PACKAGES["opencode-ai"]),
        own=".config/opencode/opencode.jsonc",
        adding=("mcp", "add", "NAME", "--"),
        listing=("mcp", "list"),
        shown="✓ NAME connected │ COMMAND",
        # Without $schema the file is rewritten by whatever OpenCode is asked.
        written="""{
  "$schema": "https://opencode.ai/config.json",
  "mcp": { // what I have written
    "notes": { "type": "local", "command": ["PYTHON", "SERVER",], /* no more */ },
  },
}
""",
        environment=lambda _: {"OPENCODE_DISABLE_MODELS_FETCH": "1", "OPENCODE_DISABLE_AUTOUPDATE": "1"},
        moved=(
            ("OPENCODE_CONFIG", ""),
            ("OPENCODE_CONFIG_DIR", "opencode.json"),
            ("XDG_CONFIG_HOME", "opencode/opencode.json"),
        ),
    ),
)


def install() -> Path:
    """The folder of Node packages with all of them; native parts are packages, so no script is run."""
    return install_node("clients", PACKAGES)
