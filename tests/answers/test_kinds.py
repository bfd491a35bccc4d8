"""The check of answers against their types sees what it must."""

from fractions import Fraction
from typing import Any, Literal, NotRequired, TypedDict

import numpy as np
import pytest

from tests.support.answers import assert_answer, mismatches


class Part(TypedDict):
    """Inside of another."""

    chance: float


class Whole(TypedDict):
    """With everything that an answer may have."""

    name: str
    score: int | float
    part: Part
    pairs: list[tuple[int, float]]
    kind: NotRequired[Literal["solo", "duel"]]
    by_roll: NotRequired[dict[str, int]]
    fit: NotRequired[Part | None]


GOOD: Any = {"name": "x", "score": 3, "part": {"chance": 0.5}, "pairs": [(1, 0.5)]}


@pytest.mark.parametrize(
    "more", [{}, {"kind": "duel"}, {"by_roll": {"3": 1}}, {"fit": None}, {"fit": {"chance": 1.0}}, {"score": 0.5}]
)
def test_what_fits(more: Any) -> None:
    assert_answer(GOOD | more, Whole)


@pytest.mark.parametrize(
    "wrong",
    [
        {"name": 3},
        {"score": True},
        {"score": Fraction(1)},
        {"score": np.float64(1)},
        {"part": {"chance": 1}},
        {"part": {}},
        {"part": None},
        {"pairs": ((1, 0.5),)},
        {"pairs": [(1, 0.5, 2)]},
        {"pairs": [(0.5, 1)]},
        {"kind": "daily"},
        {"by_roll": {3: 1}},
        {"by_roll": {"3": "1"}},
        {"more": 1},
    ],
    ids=str,
)
def test_what_does_not(wrong: Any) -> None:
    assert len(mismatches(GOOD | wrong, Whole)) >= 1


def test_keys_that_are_missing_or_in_another_order() -> None:
    assert mismatches({"chance": 1.0}, Whole) != []
    assert mismatches(dict(reversed(GOOD.items())), Whole) != []
    assert mismatches([], Whole) != []
