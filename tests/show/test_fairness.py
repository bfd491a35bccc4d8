"""The verdict on games that were checked."""

import pytest

from tentimes18.wording import fairness_verdict


@pytest.mark.parametrize(
    ("games", "verified", "bad", "told"),
    [
        (1, 1, 0, "Verified: the rolls are those that were committed to, and they make the score."),
        (1, 0, 0, "Not verified."),
        (1, 0, 2, "Not verified. 2 lines could not be read."),
        (2, 2, 0, "2 games, all verified."),
        (3, 1, 1, "3 games, 1 verified, 2 not. 1 line could not be read."),
    ],
)
def test_what_is_told(games: int, verified: int, bad: int, told: str) -> None:
    assert fairness_verdict(games, verified, bad) == told
