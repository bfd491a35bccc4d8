"""Bins of scores: all games are in them, and nearly all of the law."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tentimes18.server.routes.own_games import RARE, score_bins

LAW = [(score, 1 / 100) for score in range(600, 700)]


@given(st.dictionaries(st.integers(0, 990), st.integers(1, 9)), st.integers(5, 100))
def test_every_game_is_in_one(made: dict[int, int], width: int) -> None:
    bins = score_bins(sorted(made.items()), LAW, width)
    assert sum(part.count for part in bins) == sum(made.values())
    assert sum(part.law for part in bins) == pytest.approx(1)
    assert [part.end for part in bins[:-1]] == [part.first for part in bins[1:]]
    for part in bins:
        assert part.end - part.first == width
        assert part.count == sum(count for score, count in made.items() if part.first <= score < part.end)
    for end in (bins[0], bins[-1]):
        assert end.count or end.law >= RARE


def test_what_is_rare_and_was_never_made_is_left_out() -> None:
    law = [(100, RARE / 2), (650, 1 - RARE), (900, RARE / 2)]
    assert [(part.first, part.count) for part in score_bins([], law, 50)] == [(650, 0)]
    first = msgspec.to_builtins(score_bins([(120, 3)], law, 50)[0])
    assert first == {
        "from": 100,
        "to": 150,
        "count": 3,
        "law": RARE / 2,
    }
