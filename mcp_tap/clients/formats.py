"""Which module reads which form. PyYAML is imported where a YAML file is met, and nowhere else."""

from __future__ import annotations

from collections.abc import Iterable

from mcp_tap.clients.tree import Format, Node, Token


def parse(text: str, form: Format) -> Node:
    """The tree of ``text``. Raises :class:`mcp_tap.clients.tree.ConfigError`."""
    if form == "toml":
        from mcp_tap.clients.toml_text import parse_toml

        return parse_toml(text)
    if form == "yaml":
        from mcp_tap.clients.yaml_text import parse_yaml

        return parse_yaml(text)
    from mcp_tap.clients.json_text import parse_json

    return parse_json(text, form)


def tokens(text: str, form: Format) -> Iterable[Token]:
    """Keys, values and comments of a text that has been parsed."""
    if form == "toml":
        from mcp_tap.clients.toml_text import toml_tokens

        return toml_tokens(text)
    if form == "yaml":
        from mcp_tap.clients.yaml_text import yaml_tokens

        return yaml_tokens(text)
    from mcp_tap.clients.json_text import json_tokens

    return json_tokens(text)
