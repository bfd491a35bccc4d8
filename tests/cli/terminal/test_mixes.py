"""The mixed moves of a reviewed duel: shown where there are some, and nowhere else."""

import pytest

from tentimes18.cli.output import text_of
from tentimes18.cli.terminal.review_page import mixes_grid, review_page
from tentimes18.coach.aims import aim_named
from tentimes18.coach.review import review
from tentimes18.records.notation import parse_record

DUEL = parse_record("1d6 1-3: 1@1 3@3 5@2; opponent=1@2 3@3 5@1")


def test_they_stand_in_the_report() -> None:
    found = review(DUEL, aim_named(DUEL.board.game, "duel"))
    text = text_of(review_page(found))
    assert "slot 2 40.0%, slot 3 60.0%  slot 1 40.0%, slot 3 60.0%" in text
    assert text.count("40.0%") == 2, "only where the slot is left to chance"


@pytest.mark.parametrize("aim", ["mean", "target:20", "duel:optimal"])
def test_where_nothing_is_mixed_there_is_no_table(aim: str) -> None:
    assert mixes_grid(review(DUEL, aim_named(DUEL.board.game, aim))) is None


def test_a_duel_of_best_slots_alone_has_none() -> None:
    record = parse_record("1d6 1-3: 6@3 6@2; opponent=6@3 6@2")
    assert mixes_grid(review(record, aim_named(record.board.game, "duel"))) is None
