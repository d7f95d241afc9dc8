"""What a configuration file may say, and how it is told what it may not."""

from __future__ import annotations

import tomllib

import pytest

from mcp_tap.diagnosis import config as module
from mcp_tap.diagnosis.config import THRESHOLDS, Config, read_config, read_pyproject, rule_names
from mcp_tap.diagnosis.settings import Settings, Thresholds
from mcp_tap.errors import TapError
from mcp_tap.rules.registry import BY_ID

SECURITY = frozenset(rule for rule in BY_ID if rule.startswith("SEC"))


def complaint(text: str) -> str:
    """What is said of a file called check.toml."""
    with pytest.raises(TapError) as caught:
        read_config(text, "check.toml", BY_ID)
    return str(caught.value)


def test_everything_can_be_said_at_the_top_of_a_file() -> None:
    text = """
        disable = ["FRM001"]
        only = ["SEC", "FRM001"]
        fail-on = "warning"
        baseline = "known.json"
        [severity]
        SEC001 = "warning"
        SEC006 = "off"
        [thresholds]
        slow-call = 2
        exit = 0.5
        large-result = 50_000
        many-tools = 10
    """
    assert read_config(text, "check.toml", BY_ID) == Config(
        Settings(
            thresholds=Thresholds(
                slow_call_seconds=2.0, exit_seconds=0.5, large_result_bytes=50_000, many_tools=10
            ),
            disabled=frozenset({"FRM001", "SEC006"}),
            only=SECURITY | {"FRM001"},
            severities={"SEC001": "warning"},
        ),
        fail_on="warning",
        baseline="known.json",
    )


@pytest.mark.parametrize("header", ["[tool.mcp-tap.check]", "[check]", ""])
def test_the_keys_may_be_in_a_table_of_their_own(header: str) -> None:
    found = read_config(f'{header}\nfail-on = "never"', "check.toml", BY_ID)
    assert found.fail_on == "never"


def test_an_empty_file_changes_nothing() -> None:
    assert read_config("", "check.toml", BY_ID) == Config()
    assert read_config("\ufeff", "check.toml", BY_ID) == Config()


def test_a_project_without_the_table_has_no_configuration() -> None:
    other = '[project]\nname = "x"\n[tool.other]\na = 1'
    assert read_pyproject(other, "pyproject.toml", lambda: BY_ID) is None


def test_a_project_with_the_table_has_one() -> None:
    text = '[project]\nname = "x"\n[tool.mcp-tap.check]\nbaseline = "b.json"'
    found = read_pyproject(text, "pyproject.toml", lambda: BY_ID)
    assert found is not None
    assert found.baseline == "b.json"
    assert read_config(text, "pyproject.toml", BY_ID) == found


def test_a_file_that_is_named_must_have_the_table() -> None:
    assert complaint('[project]\nname = "x"') == "check.toml has no table [tool.mcp-tap.check]"


def test_the_severity_of_a_family_can_be_set() -> None:
    found = read_config('[severity]\nSEC = "info"', "check.toml", BY_ID)
    assert set(found.settings.severities) == SECURITY


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("disable = ", "check.toml is not TOML: Invalid value"),
        ('disabel = ["FRM001"]', "check.toml: unknown key disabel, did you mean disable?"),
        ("zzz = 1", "check.toml: unknown key zzz (valid: disable, only, fail-on, baseline, "),
        (
            '[tool.mcp-tap.check]\nfail_on = "info"',
            "check.toml: [tool.mcp-tap.check]: unknown key fail_on, ",
        ),
        ('[check]\nonly = "FRM001"', "check.toml: [check]: only is not a list of rules"),
        ("disable = [1]", "check.toml: disable is not a list of rules"),
        ('disable = ["SEC01"]', "check.toml: disable: unknown rule SEC01, did you mean SEC0"),
        ('only = ["no such thing"]', "check.toml: only: unknown rule no such thing"),
        (
            'fail-on = "warnings"',
            "check.toml: fail-on is not one of error, warning, info, never, did you mean warning?",
        ),
        ("fail-on = true", "check.toml: fail-on is not one of error, warning, info, never"),
        ("baseline = 5", "check.toml: baseline is not a file name"),
        ('baseline = ""', "check.toml: baseline is not a file name"),
        ("severity = 5", "check.toml: severity is not a table"),
        (
            '[severity]\nSEC001 = "fatal"',
            "check.toml: severity: SEC001 is not one of error, warning, info, off",
        ),
        ('[severity]\nSEC999 = "off"', "check.toml: severity: unknown rule SEC999, did you mean SEC0"),
        (
            "[thresholds]\nslow-cal = 5",
            "check.toml: thresholds: unknown threshold slow-cal, did you mean slow-call?",
        ),
        (
            "[thresholds]\nslow-call = 0",
            "check.toml: thresholds: slow-call is not a number of seconds above 0",
        ),
        (
            "[thresholds]\nslow-call = true",
            "check.toml: thresholds: slow-call is not a number of seconds above 0",
        ),
        (
            "[thresholds]\nslow-call = nan",
            "check.toml: thresholds: slow-call is not a number of seconds above 0",
        ),
        (
            "[thresholds]\nslow-call = inf",
            "check.toml: thresholds: slow-call is not a number of seconds above 0",
        ),
        (
            "[thresholds]\nlarge-result = 1.5",
            "check.toml: thresholds: large-result is not a number of bytes above 0",
        ),
        ("[thresholds]\nmany-tools = -1", "check.toml: thresholds: many-tools is not a whole number above 0"),
    ],
)
def test_what_is_not_known_is_refused_in_one_sentence(text: str, said: str) -> None:
    told = complaint(text)
    assert told.startswith(said)
    assert "\n" not in told


def test_a_rule_is_named_by_its_id_its_family_and_in_any_case() -> None:
    assert rule_names(["frm001"], "--only", BY_ID) == {"FRM001"}
    assert rule_names(["SEC"], "--only", BY_ID) == SECURITY
    assert rule_names(["SEC001, SEC002", ""], "--only", BY_ID) == {"SEC001", "SEC002"}
    assert rule_names([], "--only", BY_ID) == frozenset()


def test_a_rule_that_is_not_known_is_refused_with_the_name_of_the_option() -> None:
    with pytest.raises(TapError, match=r"^--disable: unknown rule SEC1, did you mean SEC"):
        rule_names(["SEC1"], "--disable", BY_ID)


def test_every_threshold_has_a_name_without_its_unit() -> None:
    assert set(THRESHOLDS.values()) == set(Thresholds.__dataclass_fields__)
    assert {"slow-call", "near-timeout", "large-result", "exit"} <= set(THRESHOLDS)


def test_the_example_in_the_documentation_is_valid() -> None:
    page = module.__doc__ or ""
    example = "\n".join(line for line in page.splitlines() if line.startswith("    "))
    for rule in ("FRM007", "RES007"):
        example = example.replace(rule, "FRM001")
    assert set(tomllib.loads(example)) == set(module.KEYS)
    assert read_config(example, "check.toml", BY_ID).fail_on == "warning"
