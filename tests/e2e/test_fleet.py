"""Many real servers, each driven by several real clients: their sessions are healthy, and called so."""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.e2e import fleet
from tests.e2e.environment import Environment
from tests.e2e.fleet import Fleet, Pair

# The function alone: the first test of all waits for the installation.
pytestmark = [pytest.mark.e2e, pytest.mark.timeout(120, func_only=True)]

AT_ONCE = 2
"""Sessions that are played at the same time: a core each, or servers exit slower than clients wait."""

of_each_pair = pytest.mark.parametrize("pair", fleet.pairs(), ids="-".join)

Recordings = dict[Pair, "Future[Path]"]


@pytest.fixture(scope="module")
def recordings(
    request: pytest.FixtureRequest, installed: Environment, tmp_path_factory: pytest.TempPathFactory
) -> Recordings:
    """The recordings of all pairs whose tests are run, or why there is none."""
    played = Fleet(installed, tmp_path_factory.mktemp("fleet"))
    parameters = [getattr(item, "callspec", None) for item in request.session.items]
    wanted = dict.fromkeys(each.params["pair"] for each in parameters if each and "pair" in each.params)
    with ThreadPoolExecutor(AT_ONCE) as threads:
        return {pair: threads.submit(played.play, *pair) for pair in wanted}


def test_every_server_is_driven_by_four_clients_or_more() -> None:
    driven = {server: {client for its, client in fleet.pairs() if its == server} for server in fleet.SERVERS}
    assert min(map(len, driven.values())) >= 4
    assert len(driven) >= 12


@of_each_pair
def test_a_client_and_a_server_that_work_together_have_a_healthy_session(
    pair: Pair, recordings: Recordings
) -> None:
    assert fleet.complaints(recordings[pair].result(), *pair) == []


@of_each_pair
def test_check_finds_in_a_healthy_session_what_is_known_alone(pair: Pair, recordings: Recordings) -> None:
    found = fleet.findings(recordings[pair].result())
    told = {finding.rule for finding in found if finding.severity != "info"}
    assert told - fleet.rules(fleet.SOMETIMES, *pair) == fleet.rules(fleet.KNOWN, *pair)
