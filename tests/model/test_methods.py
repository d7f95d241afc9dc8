"""The table of methods, held against itself."""

from __future__ import annotations

import pytest

from mcp_tap.model import methods
from mcp_tap.model.methods import ALL, ERAS, LEGACY, METHODS, MODERN


def test_every_release_has_its_era_and_they_are_in_order() -> None:
    assert list(ALL) == sorted(ALL)
    assert {version: ERAS[version] for version in ALL} == {
        "2024-11-05": "legacy",
        "2025-03-26": "legacy",
        "2025-06-18": "legacy",
        "2025-11-25": "legacy",
        "2026-07-28": "modern",
    }


def test_a_name_tells_a_notification_from_a_request() -> None:
    for name, method in METHODS.items():
        assert name.startswith("notifications/") == (method.kind == "notification"), name


def test_each_method_exists_in_releases_without_a_gap() -> None:
    for name, method in METHODS.items():
        first = ALL.index(method.versions[0])
        assert method.versions == ALL[first : first + len(method.versions)], name


def test_a_server_of_the_modern_era_asks_nothing() -> None:
    asking = [name for name, each in METHODS.items() if each.kind == "request" and each.direction != "c2s"]
    assert [name for name in asking if "2026-07-28" in METHODS[name].versions] == []


@pytest.mark.parametrize(
    ("method", "versions"),
    [
        ("initialize", LEGACY),
        ("ping", LEGACY),
        ("server/discover", MODERN),
        ("subscriptions/listen", MODERN),
        ("tools/call", ALL),
        ("tasks/get", ("2025-11-25",)),
        ("elicitation/create", ("2025-06-18", "2025-11-25")),
        ("notifications/elicitation/complete", ("2025-11-25",)),
        ("notifications/cancelled", ALL),
    ],
)
def test_a_method_exists_where_the_specification_has_it(method: str, versions: tuple[str, ...]) -> None:
    assert METHODS[method].versions == versions


def test_the_other_tables_name_methods_that_exist() -> None:
    named = {
        *methods.TARGETS, *methods.ASKS_THE_CLIENT, *methods.MAY_ASK, *methods.STAYS_OPEN, *methods.CATALOGUE,
        *methods.MODERN_ONLY,
    }  # fmt: skip
    assert named - set(METHODS) == set()
    assert {METHODS[name].direction for name in methods.ASKS_THE_CLIENT} == {"s2c"}
    assert {METHODS[name].direction for name in methods.MAY_ASK - {"tasks/result"}} == {"c2s"}


def test_what_is_modern_only_says_so_by_its_name() -> None:
    assert sorted(methods.MODERN_ONLY) == [
        "notifications/subscriptions/acknowledged",
        "server/discover",
        "subscriptions/listen",
    ]
