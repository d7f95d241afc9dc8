"""Which calls are looked at, and what is remembered of them."""

from __future__ import annotations

from mcp_tap.rules.tools._sampler import EQUAL_KEPT, EVERY, FIRST, TOOLS_KEPT, Sampler
from tests.diagnosis.schemas import deep


def test_the_first_calls_of_a_tool_are_looked_at_then_one_in_so_many() -> None:
    sampler = Sampler()
    wanted = [number for number in range(1, 1_001) if sampler.wants("a", {"n": number})]
    assert wanted[:FIRST] == list(range(1, FIRST + 1))
    assert wanted[FIRST:] == [number for number in range(FIRST + 1, 1_001) if number % EVERY == 0]
    assert sampler.wants("b", {"n": 1})


def test_a_call_of_another_shape_is_looked_at_whenever_it_comes() -> None:
    sampler = Sampler()
    for number in range(FIRST + 10):
        sampler.wants("a", {"n": number})
    assert sampler.wants("a", {"n": "x"})
    assert not sampler.wants("a", {"n": "y"})
    assert sampler.wants("a", {"n": 0, "m": 1})
    assert sampler.wants("a", [1])


def test_an_equal_call_is_not_looked_at_again_until_the_tool_is_another() -> None:
    sampler = Sampler()
    assert sampler.wants("a", {"n": 1})
    assert not sampler.wants("a", {"n": 1})
    assert sampler.wants("b", {"n": 1})
    sampler.forget("a")
    sampler.forget("c")
    assert sampler.wants("a", {"n": 1})
    assert not sampler.wants("b", {"n": 1})


def test_what_the_sampler_remembers_is_bounded() -> None:
    sampler = Sampler()
    for number in range(TOOLS_KEPT + 10):
        assert sampler.wants(str(number), {}) == (number < TOOLS_KEPT)
    for number in range(100):
        sampler.wants("0", {str(number): 1})
    assert len(sampler._tools["0"].shapes) <= 64
    for number in range(FIRST * 3):
        for tool in range(10):
            sampler.wants(str(tool), {"n": number, "tool": tool})
    assert len(sampler._equal) <= EQUAL_KEPT


def test_what_is_too_deep_to_remember_is_looked_at_each_time() -> None:
    sampler = Sampler()
    assert sampler.wants("a", deep(2_000)[1])
    assert sampler.wants("a", deep(2_000)[1])
