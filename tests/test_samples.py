"""The sample configurations, each parsed as its client parses it, and the README's promises."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mcp_tap.commands.run_options import OPTIONS, read_run_options
from mcp_tap.record.paths import server_name
from tests.documents import documents, read

ROOT = Path(__file__).parent.parent
SAMPLES = ROOT / "sample_configs"


def strict(text: str) -> Any:
    return json.loads(text)


def with_comments(text: str) -> Any:
    """JSON with // comments and trailing commas: enough for these files, which have neither in strings."""
    without = re.sub(r"(^|[\s,{\[])//[^\n]*", r"\1", text)
    return json.loads(re.sub(r",(\s*[}\]])", r"\1", without))


CASES: dict[str, tuple[Callable[[str], Any], str, str]] = {
    "claude_code.mcp.json": (strict, "mcpServers", "bare"),
    "claude_desktop_config.json": (strict, "mcpServers", "absolute"),
    "cursor.mcp.json": (strict, "mcpServers", "bare"),
    "vscode.mcp.json": (with_comments, "servers", "bare"),
    "zed.settings.json": (with_comments, "context_servers", "absolute"),
    "codex.config.toml": (tomllib.loads, "mcp_servers", "absolute"),
}


def test_every_sample_is_tested() -> None:
    assert sorted(path.name for path in SAMPLES.iterdir()) == sorted(CASES)


@pytest.mark.parametrize("name", CASES)
def test_a_sample_starts_the_filesystem_server_through_the_tap(name: str) -> None:
    parse, servers, style = CASES[name]
    entry = parse((SAMPLES / name).read_text(encoding="utf-8"))[servers]["files"]
    # Files in a repository have the bare command, a user's own files an absolute path.
    assert entry["command"] == ("mcp-tap" if style == "bare" else "/home/me/.local/bin/mcp-tap")
    assert entry["args"][0] == "run"
    options, server = read_run_options(entry["args"][1:])
    assert options.log is None
    assert server[:3] == ["npx", "-y", "@modelcontextprotocol/server-filesystem"]
    assert server_name(server) == "server-filesystem"


def test_every_option_of_run_is_explained_and_never_the_other_programs_install_line_given() -> None:
    guide = (ROOT / "docs" / "running.md").read_text(encoding="utf-8")
    for option in OPTIONS:
        assert f"| `{option} " in guide
    everything = [read(path) for path in documents()]
    everything += [path.read_text(encoding="utf-8") for path in SAMPLES.iterdir()]
    assert not [
        text for text in everything if re.search(r"(uvx|pipx run|pip install) mcp-tap(?!-recorder)", text)
    ]


def test_the_readme_has_the_two_lines_that_ci_runs() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for marker in ("demo", "test"):
        assert re.search(rf"^<!-- {marker} -->\n```sh\npython3 -m venv .+\n```$", readme, re.MULTILINE)
