"""No secret of a realistic command line is shown, and no innocent word is hidden."""

from __future__ import annotations

import re
import shlex

import pytest

from mcp_tap.record.argv_masking import mask_argv
from tests.record.command_lines import INNOCENT, WITH_SECRETS

SECRET = re.compile("«(.*?)»", re.DOTALL)


def lines(corpus: str) -> list[str]:
    """The command lines; one that goes on over several begins with a word at the margin."""
    return [line for line in re.split(r"\n(?=[a-z])", corpus.strip()) if line]


def test_the_corpus_is_large() -> None:
    assert len(lines(WITH_SECRETS)) + len(lines(INNOCENT)) >= 200


@pytest.mark.parametrize("line", lines(WITH_SECRETS))
def test_a_secret_is_masked(line: str) -> None:
    argv = shlex.split(SECRET.sub(r"\1", line))
    shown = mask_argv(argv)
    assert len(shown) == len(argv)
    for secret in SECRET.findall(line):
        assert secret not in "\n".join(shown)


@pytest.mark.parametrize("line", lines(INNOCENT))
def test_an_innocent_word_is_shown(line: str) -> None:
    argv = shlex.split(line)
    assert mask_argv(argv) == argv


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    "unit",
    ["\\", '"', "'\" ", '\\"', '"token":[', '{"token":"', "?a=", "?token=", "a://", "$a = ", "%25", "a:b@c"],
)
def test_a_word_as_long_as_the_system_takes_is_masked_in_time(unit: str) -> None:
    """Where a pattern tries each beginning to the end, this takes minutes."""
    word = unit * (131_000 // len(unit))
    assert len(mask_argv(["server", word])) == 2
