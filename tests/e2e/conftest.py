from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.e2e import environment
from tests.e2e.environment import Environment
from tests.e2e.playing import Played, Scenario, play_twice

CLIENTS = Path(__file__).parent / "clients"

PlayTwice = Callable[..., Played]


@pytest.fixture(scope="session")
def installed() -> Environment:
    return environment.install()


@pytest.fixture(params=["python-sdk-2", "python-sdk-1", "typescript-sdk-1"])
def client(request: pytest.FixtureRequest) -> str:
    """Each test is played by each client, and may expect what only one of them does."""
    name: str = request.param
    return name


@pytest.fixture
def play_twice_by(installed: Environment, tmp_path: Path) -> Callable[..., Played]:
    """Play a scenario bare and through the tap by a client that is named as above."""
    players = {
        "python-sdk-2": [installed.python_2, str(CLIENTS / "python_sdk.py")],
        "python-sdk-1": [installed.python_1, str(CLIENTS / "python_sdk.py")],
        "typescript-sdk-1": [installed.node, str(CLIENTS / "typescript_sdk.mjs"), str(installed.modules)],
    }

    def play(client: str, scenario: Scenario, prepare: Callable[[], None] = lambda: None) -> Played:
        return play_twice(players[client], scenario, prepare, tmp_path / "recording.jsonl")

    return play
