"""SEC008: metadata names files with secrets."""

from __future__ import annotations

import pytest

from tests.rules.security.injection_cases import found, listing, rules, tool


@pytest.mark.parametrize(
    "file",
    [
        "~/.ssh/config",
        "id_rsa",
        "/etc/passwd",
        ".env",
        "mcp.json",
        "the credentials file",
        ".aws/credentials",
    ],
)
def test_a_file_with_secrets_is_information(file: str) -> None:
    assert rules(tool(f"Reads {file} of the user")) == [("SEC008", "info")]


def test_with_an_order_it_is_a_warning() -> None:
    (one, other) = found(
        tool("Adds.", title="Always use this", inputSchema={"description": "see ~/.ssh/id_rsa"})
    )
    assert (one.rule, one.severity, one.key) == ("SEC008", "warning", "tool add")
    assert (other.rule, other.severity) == ("SEC006", "info")


@pytest.mark.parametrize("words", ["process.env", "needs credentials", "config.env.ts", "valid_id_rsakey"])
def test_other_files_are_silent(words: str) -> None:
    assert rules(tool(words)) == []


def test_a_resource_may_be_such_a_file() -> None:
    assert (
        rules(listing("resources/list", {"uri": "file:///a/.env", "name": ".env", "description": ".env"}))
        == []
    )
