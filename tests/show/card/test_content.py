"""What stands on a card, and which layout of it is legible."""

from itertools import pairwise

import pytest

from tentimes18.errors import TooLarge
from tentimes18.game import Game
from tentimes18.pictures.strategy_card import GRID_WIDTH, MIN_TYPE, choose_layout, make_card
from tests.support.cards import GAMES, LAYOUTS


def test_the_example_of_the_classic_game() -> None:
    example = make_card(Game.classic()).example
    assert example is not None
    assert example.lines[1].endswith("Row 5 sends 9 to the 2nd of your free slots: ×4.")


@LAYOUTS
def test_bands_hold_every_roll_once_in_order(game: Game) -> None:
    card = make_card(game)
    assert [row.free for row in card.rows] == list(range(game.size, 1, -1))
    for row in card.rows:
        assert tuple(roll for band in row.bands for roll in band.rolls) == game.dice.support
        ranks = [band.rank for band in row.bands]
        assert ranks == sorted(set(ranks))
        assert ranks[-1] <= row.free


@LAYOUTS
def test_the_layout_fits_the_page(game: Game) -> None:
    card = make_card(game)
    layout = choose_layout(card)
    assert min(layout.type_size, layout.head_size) >= MIN_TYPE
    panels = len(layout.panels)
    assert panels * (layout.label + layout.column * len(layout.columns)) <= GRID_WIDTH + 1e-9
    assert tuple(row for rows in layout.panels for row in rows) == card.rows
    for rows in layout.panels:
        for row in rows:
            places = [(start, columns) for start, columns, _ in layout.places(row)]
            assert all(low + columns <= high for (low, columns), (high, _) in pairwise(places))


def test_four_layouts() -> None:
    kinds = {
        name: (len(layout.panels), layout.by_rank, layout.bounds)
        for name, layout in ((name, choose_layout(make_card(game))) for name, game in GAMES.items())
    }
    assert kinds["classic"] == (1, False, False)
    assert kinds["two panels"] == (2, False, False)
    assert kinds["ranges"] == (1, True, False)
    assert kinds["bounds"] == (1, True, True)


def test_names_and_notes() -> None:
    assert make_card(Game.classic()).title == "Ten times eighteen: 3d6, slots 1-10"
    assert make_card(Game.classic()).notes == ()
    assert len(make_card(Game.parse("1d3", "1,1,2")).notes) == 2


def test_too_many_slots() -> None:
    with pytest.raises(TooLarge, match="501 slots; at most 500"):
        make_card(Game.parse("3d6", "1-501"))
    with pytest.raises(TooLarge, match=r"^slots: 149 rows for 16 different rolls"):
        choose_layout(make_card(Game.parse("3d6", "1-150")))
