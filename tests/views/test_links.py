"""Where the project lives is written down once, and elsewhere only where a tool wants a literal."""

from __future__ import annotations

import tomllib
from pathlib import Path

from mcp_tap.views.links import REPOSITORY, SITE, rule_url

ROOT = Path(__file__).parents[2]


def test_a_rule_has_a_page_of_the_site() -> None:
    assert rule_url("RES001") == f"{SITE}rules/res001/"


def test_the_package_index_is_told_the_same_addresses() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["urls"] == {
        "Documentation": SITE,
        "Source": REPOSITORY,
        "Issues": f"{REPOSITORY}/issues",
        "Changelog": f"{REPOSITORY}/blob/main/CHANGELOG.md",
    }
