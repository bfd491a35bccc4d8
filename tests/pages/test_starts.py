"""What the app knows of the named games: the solver's own numbers."""

import json
from fractions import Fraction

import pytest

from tentimes18.app.static_files import NAMED_GAMES, NamedGame, start_of, starts_json
from tentimes18.game import Game
from tentimes18.solve.thresholds import exact_thresholds


@pytest.mark.parametrize("named", NAMED_GAMES, ids=lambda named: str(named.name))
def test_a_game_comes_with_its_law_and_what_solves_it(named: NamedGame) -> None:
    start, game = start_of(named), Game.parse(named.dice, named.slots)
    law = start["law"]
    assert dict(zip(law["support"], law["counts"], strict=True)) == dict(
        zip(game.dice.support, game.dice.counts, strict=True)
    )
    rows = exact_thresholds(game.dice, len(game.multipliers))
    assert start["thresholds"] == [[float(Fraction(number)) for number in row] for row in rows]
    par = sum(multiplier * number for multiplier, number in zip(game.multipliers, rows[-1], strict=True))
    assert start["par"] == float(par)


def test_the_file_is_json_of_all_games() -> None:
    assert [game["name"] for game in json.loads(starts_json())["games"]] == ["classic", "blitz", "loaded"]
    assert len(starts_json()) < 10_000
