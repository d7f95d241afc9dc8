"""What a dry run shows is the change, and no secret."""

from __future__ import annotations

import json

import pytest

from mcp_tap.clients import edit
from mcp_tap.clients.formats import parse
from mcp_tap.clients.known import BY_NAME
from mcp_tap.clients.masking import unified_diff
from mcp_tap.clients.tree import Format


def diff(text: str, client: str, names: tuple[str, ...] = ("a",), form: Format | None = None) -> list[str]:
    row = BY_NAME[client]
    form = form or row.form
    root = parse(text, form)
    keys = row.files[0].keys
    chosen = [each for each in edit.entries(root, keys, row) if each.name in names]
    edited = edit.wrap(text, form, chosen, ["/bin/mcp-tap"], {}, root)
    return unified_diff(edited, form, chosen, "FILE")


def test_json_shows_the_command_line_and_what_is_harmless() -> None:
    text = """{
  "token": "sekret",
  "mcpServers": {
    // "K": "sekret"
    "a": {
      "type": "stdio", "timeout": 5, "disabled": false, "cwd": "/x",
      "command": "npx",
      "args": ["-y", "--api-key=sekret", "Bearer sekret", "https://me:sekret@x/?token=sekret"],
      "env": {"K": "sekret", "PIN": 1234, "type": "sekret"}, /* sekret
      sekret */ "pin": 1234, "note": null
    },
    "b": {"command": "sekret", "args": ["sekret"]}
  }
}
"""
    assert diff(text, "cursor") == [
        "--- FILE",
        "+++ FILE",
        "@@ -4,8 +4,8 @@",
        "     // [masked]",
        '     "a": {',
        '       "type": "stdio", "timeout": 5, "disabled": false, "cwd": "/x",',
        '-      "command": "npx",',
        '-      "args": ["-y", "--api-key=[masked]", "Bearer [masked]", "https://[masked]@x/?token=[masked]"],',
        '+      "command": "/bin/mcp-tap",',
        '+      "args": ["run", "--name", "a", "--", "npx", "-y", "--api-key=[masked]", "Bearer [masked]", '
        '"https://[masked]@x/?token=[masked]"],',
        '       "env": {"K": "[masked]", "PIN": "[masked]", "type": "[masked]"}, /* [masked]',
        '  "pin": "[masked]", "note": null',
        "     },",
    ]


def test_what_is_no_secret_in_any_configuration_is_shown() -> None:
    text = """{"mcpServers": {
  "b": {"type": "stdio", "url": "sekret"},
  "a": {"command": "npx", "env": {"TOKEN": "${input:token}", "AUTH": "oauth", "PASSWORD": "stdio2"}},
  "c": {"type": "sse", "headers": {"Authorization": "Bearer ${env:TOKEN}"}}
}}
"""
    shown = "\n".join(diff(text, "cursor"))
    for word in ("stdio", "${input:token}", "oauth", "sse", "Bearer ${env:TOKEN}"):
        assert f'"{word}"' in shown
    assert "sekret" not in shown
    assert "stdio2" not in shown


def test_toml_masks_strings_of_every_kind_and_comments() -> None:
    text = (
        'top = """\nsekret\n"""\n[mcp_servers.a] # sekret\ncommand = \'npx\' # sekret\n'
        "env = { K = 'sekret', L = [ [ \"sekret\" ], 1 ] }\nx = 1979-05-27 07:32:00\n"
    )
    assert diff(text, "codex") == [
        "--- FILE",
        "+++ FILE",
        "@@ -2,6 +2,7 @@",
        ' "[masked]"',
        " ",
        " [mcp_servers.a] # [masked]",
        "-command = 'npx' # [masked]",
        '+command = "/bin/mcp-tap" # [masked]',
        '+args = ["run", "--name=a", "--", \'npx\']',
        ' env = { K = "[masked]", L = [ [ "[masked]" ], "[masked]" ] }',
        ' x = "[masked]"',
    ]


def test_yaml_masks_plain_words_and_blocks() -> None:
    text = (
        "extensions:\n  a:\n    cmd: npx\n    args: [-y]\n    envs: &sekret\n      K: sekret\n      L: |\n"
        "        sekret\n        sekret\n      M: *sekret\n"
    )
    lines = diff(text.replace("      M: *sekret\n", ""), "goose")
    assert "sekret" not in "\n".join(lines)
    assert '       K: "[masked]"' in diff(
        text.replace("&sekret", "").replace("      M: *sekret\n", ""), "goose"
    )


def test_changes_far_apart_are_shown_apart() -> None:
    filler = "".join(f'    "f{number}": {{"command": "x"}},\n' for number in range(20))
    text = (
        f'{{\n  "mcpServers": {{\n    "a": {{"command": "x"}},\n{filler}    "z": {{"command": "x"}}\n  }}\n}}'
    )
    lines = diff(text, "cursor", ("a", "z"))
    assert [line for line in lines if line.startswith("@@")] == ["@@ -1,6 +1,6 @@", "@@ -21,6 +21,6 @@"]
    assert len(lines) == 2 + 2 * (1 + 7)


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_an_end_without_a_newline_is_told(newline: str) -> None:
    text = newline.join(["[mcp_servers.a]", 'command = "npx"'])
    assert diff(text, "codex")[3:] == [
        " [mcp_servers.a]",
        '-command = "npx"',
        "\\ No newline at end of file",
        '+command = "/bin/mcp-tap"',
        '+args = ["run", "--name=a", "--", "npx"]',
        "\\ No newline at end of file",
    ]


def test_a_long_line_is_cut_around_its_change() -> None:
    filler = ", ".join(f'"f{number}": {{"command": "x"}}' for number in range(100))
    text = f'{{"x": {{{filler}}},\n"mcpServers": {{{filler}, "a": {{"command": "x"}}, "z": {{{filler}}}}}\n}}'
    lines = diff(text, "cursor")
    assert (
        lines[3] == ' {"x": {' + ", ".join(f'"f{n}": {{"command": "[masked]"}}' for n in range(9))[:73] + "…"
    )
    assert lines[4].startswith("-…")
    assert lines[4].endswith("…")
    assert '"a": {"command": "x"}, "z": {' in lines[4]
    assert '"a": {"command": "/bin/mcp-tap", "args": ["run", "--name=a", "--", "x"]}, "z"' in lines[5]
    assert all(len(line) < 400 for line in lines)


@pytest.mark.timeout(30)
@pytest.mark.parametrize("indent", [None, 2])
def test_a_large_file_with_many_changes_takes_seconds(indent: int | None) -> None:
    env = {f"K{number}": "x" * 100 for number in range(12)}
    servers = {f"s{number}": {"command": "npx", "env": env} for number in range(2_000)}
    text = json.dumps({"mcpServers": servers}, indent=indent)
    lines = diff(text, "cursor", tuple(servers))
    assert sum(line.startswith("+") for line in lines) >= 2
