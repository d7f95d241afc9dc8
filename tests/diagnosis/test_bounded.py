"""What rules remember, within bounds."""

from __future__ import annotations

from mcp_tap.diagnosis.bounded import First, Latest


def test_the_latest_forget_the_oldest_and_say_so() -> None:
    kept = Latest[str, int](2)
    kept["a"] = 1
    kept["b"] = 2
    assert not kept.forgot
    kept["c"] = 3
    assert (list(kept.items()), kept.forgot) == ([("b", 2), ("c", 3)], True)


def test_what_is_set_again_takes_no_more_room() -> None:
    kept = Latest[str, int](2)
    for key in "aabb":
        kept[key] = 1
    assert (list(kept), kept.forgot) == (["a", "b"], False)


def test_the_first_refuse_what_comes_later_and_say_so() -> None:
    kept = First[str, int](2)
    for number, key in enumerate("abab"):
        kept[key] = number
    assert (kept, kept.full) == ({"a": 2, "b": 3}, False)
    kept["c"] = 9
    assert (kept, kept.full) == ({"a": 2, "b": 3}, True)
