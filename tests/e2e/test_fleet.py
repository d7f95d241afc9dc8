"""Many real servers, each driven by several real clients: their sessions are healthy, and called so."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.e2e import fleet
from tests.e2e.environment import Environment
from tests.e2e.fleet import Fleet, Pair

# The function alone: the first test of all waits for the installation.
pytestmark = [pytest.mark.e2e, pytest.mark.timeout(120, func_only=True)]

of_each_pair = pytest.mark.parametrize(
    # One process has all tests of a pair, and so plays it once.
    "pair",
    [pytest.param(pair, marks=pytest.mark.xdist_group("-".join(pair))) for pair in fleet.pairs()],
    ids="-".join,
)

Recordings = Callable[[Pair], Path]


@pytest.fixture(scope="module")
def recording_of(installed: Environment, tmp_path_factory: pytest.TempPathFactory) -> Recordings:
    """The recording of a pair, which is played when it is first asked for."""
    played = Fleet(installed, tmp_path_factory.mktemp("fleet"))
    return functools.cache(lambda pair: played.play(*pair))


def test_every_server_is_driven_by_four_clients_or_more() -> None:
    driven = {server: {client for its, client in fleet.pairs() if its == server} for server in fleet.SERVERS}
    assert min(map(len, driven.values())) >= 4
    assert len(driven) >= 12


@of_each_pair
def test_a_client_and_a_server_that_work_together_have_a_healthy_session(
    pair: Pair, recording_of: Recordings
) -> None:
    assert fleet.complaints(recording_of(pair), *pair) == []


@of_each_pair
def test_check_finds_in_a_healthy_session_what_is_known_alone(pair: Pair, recording_of: Recordings) -> None:
    found = fleet.findings(recording_of(pair))
    told = {finding.rule for finding in found if finding.severity != "info"}
    assert told - fleet.rules(fleet.SOMETIMES, *pair) == fleet.rules(fleet.KNOWN, *pair)
