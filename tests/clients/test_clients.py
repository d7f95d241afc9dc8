"""Every client of the table: an entry as it has them, wrapped, with the exact bytes, and unwrapped."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from mcp_tap.clients import edit
from mcp_tap.clients.formats import parse
from mcp_tap.clients.known import BY_NAME, CLIENTS
from mcp_tap.clients.tree import Format

OPTIONS = {"--log-dir": "/logs"}
SPLIT = '"run", "--name", "a", "--log-dir", "/logs", "--", '
JOINED = '"run", "--name=a", "--log-dir=/logs", "--", '


@dataclass(frozen=True)
class Case:
    """A file with one server, ``a``; ``keys`` lead to the map that it is in."""

    client: str
    keys: tuple[str, ...]
    before: str
    after: str
    form: Format | None = None


CASES = (
    Case(
        "claude-code", ("mcpServers",),
        '{\n  "mcpServers": {\n    "a": {\n      "type": "stdio",\n      "command": "npx",\n      "args": [\n'
        '        "-y",\n        "x"\n      ],\n      "env": {}\n    }\n  }\n}',
        '{\n  "mcpServers": {\n    "a": {\n      "type": "stdio",\n      "command": "mcp-tap",\n'
        '      "args": [\n'
        f'        {SPLIT}"npx",\n        "-y",\n        "x"\n      ],\n      "env": {{}}\n    }}\n  }}\n}}',
    ),
    Case(
        "claude-code", ("projects", "*", "mcpServers"),
        '{"projects":{"C:\\\\Users\\\\me\\\\p":{"mcpServers":{"a":{"command":"npx","args":[]}}}}}',
        '{"projects":{"C:\\\\Users\\\\me\\\\p":{"mcpServers":{"a":{"command":"mcp-tap","args":['
        f'{SPLIT.replace(", ", ",")}"npx"]}}}}}}}}}}',
    ),
    Case(
        "claude-desktop", ("mcpServers",),
        '{"mcpServers": {"a": {"command": "C:\\\\Program Files\\\\x.exe"}}}\r\n',
        '{"mcpServers": {"a": {"command": "mcp-tap", "args": ['
        f'{JOINED}"C:\\\\Program Files\\\\x.exe"]}}}}}}\r\n',
    ),
    Case(
        "cursor", ("mcpServers",),
        '{ "mcpServers": { "a": { "comm\\u0061nd": "np\\u0078", "args": [ "-y" ], "envFile": ".env" } } }\n',
        '{ "mcpServers": { "a": { "comm\\u0061nd": "mcp-tap", "args": [ '
        f'{SPLIT}"np\\u0078", "-y" ], "envFile": ".env" }} }} }}\n',
    ),
    Case(
        "vscode", ("servers",),
        '{\r\n\t// mine\r\n\t"servers": {\r\n\t\t"a": {\r\n'
        '\t\t\t"command": "npx", // why\r\n\t\t},\r\n\t},\r\n}',
        '{\r\n\t// mine\r\n\t"servers": {\r\n\t\t"a": {\r\n\t\t\t"command": "mcp-tap",\r\n\t\t\t"args": ['
        f'{JOINED}"npx"], // why\r\n\t\t}},\r\n\t}},\r\n}}',
    ),
    Case(
        "windsurf", ("mcpServers",),
        '{"mcpServers": {"a": {"args": ["x", "--", "y"], "command": "${env:HOME}/s"}}}',
        f'{{"mcpServers": {{"a": {{"args": [{SPLIT}"${{env:HOME}}/s", "x", "--", "y"], '
        '"command": "mcp-tap"}}}',
    ),
    Case(
        "zed", ("context_servers",),
        '{"context_servers": {"a": {"command": "npx", "args": [/* none */]}}}',
        f'{{"context_servers": {{"a": {{"command": "mcp-tap", "args": [{SPLIT}"npx"/* none */]}}}}}}',
    ),
    Case(
        "zed", ("context_servers",),
        '{"context_servers": {"a": {"command": {"path": "npx", "args": ["-y"]}, "settings": {}}}}',
        '{"context_servers": {"a": {"command": {"path": "mcp-tap", "args": ['
        f'{SPLIT}"npx", "-y"]}}, "settings": {{}}}}}}}}',
    ),
    Case(
        "cline", ("mcpServers",),
        '{"mcpServers": {"a": {"command": "npx", "args": ["-y"], "disabled": false}}}\n',
        '{"mcpServers": {"a": {"command": "mcp-tap", "args": ['
        f'{SPLIT}"npx", "-y"], "disabled": false}}}}}}\n',
    ),
    Case(
        "cline", ("mcpServers",),
        '{"mcpServers": {"a": {"transport": {"type": "stdio", "command": "npx"}, "disabled": false}}}\n',
        '{"mcpServers": {"a": {"transport": {"type": "stdio", "command": "mcp-tap", "args": ['
        f'{JOINED}"npx"]}}, "disabled": false}}}}}}\n',
    ),
    Case(
        "codex", ("mcp_servers",),
        '[mcp_servers.a]\ncommand = \'C:\\npx\' # why\nenv = { K = "v" }\n\n[mcp_servers.a.tools.x]\ny = 1\n',
        f'[mcp_servers.a]\ncommand = "mcp-tap" # why\nargs = [{JOINED}\'C:\\npx\']\nenv = {{ K = "v" }}\n\n'
        "[mcp_servers.a.tools.x]\ny = 1\n",
    ),
    Case(
        "codex", ("mcp_servers",),
        'mcp_servers.a = { command = "npx", args = [\n  # own line\n  "-y", # yes\n] }',
        'mcp_servers.a = { command = "mcp-tap", args = [\n  # own line\n  '
        f'{SPLIT}"npx",\n  "-y", # yes\n] }}',
    ),
    Case(
        "gemini", ("mcpServers",),
        '{\n  /* c */\n  "mcpServers": { "a": { "command": "npx", "trust": true } }\n}\n',
        '{\n  /* c */\n  "mcpServers": { "a": { "command": "mcp-tap", "args": ['
        f'{JOINED}"npx"], "trust": true }} }}\n}}\n',
    ),
    Case(
        "opencode", ("mcp",),
        '{"mcp": {"a": {"type": "local", "command": [ "npx", "-y", ], "enabled": true}}}',
        '{"mcp": {"a": {"type": "local", "command": [ '
        f'"mcp-tap", {SPLIT}"npx", "-y", ], "enabled": true}}}}}}',
    ),
    Case(
        "copilot", ("mcpServers",),
        '{"mcpServers": {"a": {"type": "local", "command": "npx", "args": ["x"], "tools": ["*"]}}}',
        f'{{"mcpServers": {{"a": {{"type": "local", "command": "mcp-tap", "args": [{SPLIT}"npx", "x"], '
        '"tools": ["*"]}}}',
    ),
    *(
        Case(
            client, ("mcpServers",),
            '{\n\t"mcpServers": {\n\t\t"a": {"command": "npx", "args": [ ]}\n\t}\n}\n',
            f'{{\n\t"mcpServers": {{\n\t\t"a": {{"command": "mcp-tap", "args": [{SPLIT}"npx" ]}}\n\t}}\n}}\n',
        )
        for client in ("amazon-q", "kiro", "lm-studio", "warp", "antigravity", "junie")
    ),
    Case(
        "goose", ("extensions",),
        "extensions:\n  a:\n    type: stdio\n    cmd: npx   # why\n    args:\n    - -y\n    - '@x/y'\n"
        "    timeout: 300\n",
        'extensions:\n  a:\n    type: stdio\n    cmd: "mcp-tap"   # why\n    args:\n    - "run"\n'
        '    - "--name"\n    - "a"\n    - "--log-dir"\n    - "/logs"\n    - "--"\n    - npx\n    - -y\n'
        "    - '@x/y'\n    timeout: 300\n",
    ),
    Case(
        "continue", ("mcpServers",),
        "name: x\nmcpServers:\n  - name: a\n    command: npx\n  - name: b\n    url: https://x\n",
        f'name: x\nmcpServers:\n  - name: a\n    command: "mcp-tap"\n    args: [{JOINED}npx]\n  - name: b\n'
        "    url: https://x\n",
    ),
    Case(
        "continue", ("mcpServers",),
        '{"mcpServers": {"a": {"command": "npx"}}}',
        f'{{"mcpServers": {{"a": {{"command": "mcp-tap", "args": [{JOINED}"npx"]}}}}}}',
        "jsonc",
    ),
)  # fmt: skip


def test_every_client_has_a_case() -> None:
    assert {case.client for case in CASES} == {client.name for client in CLIENTS}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.client)
def test_an_entry_is_wrapped_to_these_bytes_and_comes_back(case: Case) -> None:
    client = BY_NAME[case.client]
    form = case.form or client.form
    root = parse(case.before, form)
    chosen = [each for each in edit.entries(root, case.keys, client) if each.name == "a"]
    assert len(chosen) == 1
    assert edit.wrap(case.before, form, chosen, ["mcp-tap"], OPTIONS, root).after == case.after

    again = parse(case.after, form)
    wrapped = [each for each in edit.entries(again, case.keys, client) if each.is_wrapped]
    assert len(wrapped) == 1
    assert edit.unwrap(case.after, form, wrapped, again).after == case.before
