"""What people call the clients."""

from __future__ import annotations

import pytest

from mcp_tap.clients.aliases import ALIASES, find_client, nearest_client, plain
from mcp_tap.clients.known import CLIENTS, Client


def test_every_client_has_names_besides_its_own_and_no_two_share_one() -> None:
    assert list(ALIASES) == [client.name for client in CLIENTS]
    names = [
        plain(word)
        for client in CLIENTS
        for word in {plain(client.name), plain(client.title), *map(plain, ALIASES[client.name])}
    ]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("client", CLIENTS, ids=lambda client: client.name)
def test_names_titles_and_aliases_are_understood_however_they_are_written(client: Client) -> None:
    for word in (client.name, client.title, *ALIASES[client.name]):
        for written in (word, word.upper(), word.replace("-", "_"), word.replace("-", ""), f" {word} "):
            assert find_client(written) is client


@pytest.mark.parametrize(
    ("word", "name"),
    [
        ("gemini-cli", "gemini"), ("claude", "claude-code"), ("code", "vscode"), ("copilot-cli", "copilot"),
        ("lmstudio", "lm-studio"), ("AmazonQ", "amazon-q"), ("continue.dev", "continue"),
    ],
)  # fmt: skip
def test_the_usual_names_are_understood(word: str, name: str) -> None:
    client = find_client(word)
    assert client is not None
    assert client.name == name


def test_what_nobody_is_called_is_nobody_s_name() -> None:
    assert find_client("") is None
    assert find_client("--") is None
    assert nearest_client("emacs") is None
    near = nearest_client("windsrf")
    assert near is not None
    assert near.name == "windsurf"
