"""Rollouts: every number is that of the counts, beside what it should be."""

from math import sqrt

import pytest

from tentimes18.answers.rollout import (
    DuelRolloutAnswer,
    RolloutAnswer,
    duel_rollout,
    position_run,
    roll_out,
    rollout,
)
from tentimes18.coach.aims import Duel, Hunt
from tentimes18.coach.losses import move_values
from tentimes18.errors import Ten18Error
from tentimes18.game import Board, Game, Position
from tentimes18.simulate.rollout import Rollout
from tentimes18.simulate.run import Run
from tentimes18.solve.lattice import lattice_of
from tentimes18.strategies.named import UnknownStrategy, named
from tentimes18.strategies.strategy import score_law
from tentimes18.strategies.user_code import find
from tests.support.answers import assert_answer
from tests.support.simulated import MINE

ODD = Game.parse("1d6-3", "-2,0,0,1/2,3")
BOARD = Board(ODD).place(2, 4)
GAMES = 4_000


@pytest.mark.parametrize("name", ["optimal", "greedy", "random", "hindsight", "cvar:0.5", MINE])
@pytest.mark.parametrize("target", [None, 4])
def test_rollout(name: str, target: int | None) -> None:
    run = Run(ODD, (name,), 18, find, (BOARD,))
    answer = rollout(roll_out(run, 1, GAMES, target=target))
    assert_answer(answer, RolloutAnswer)
    counts = Rollout(run, 1, target).counter()(0, GAMES)
    lattice, places = lattice_of(ODD), dict(zip(BOARD.free_slots, range(4), strict=True))
    means = {
        slot: lattice.low(ODD.all_free) + lattice.unit * counts.points.mean(i, GAMES) for slot, i in places.items()
    }
    assert [move["slot"] for move in answer["moves"]] == sorted(places, key=lambda slot: (-means[slot], slot))
    best = answer["best"]
    assert best == answer["moves"][0]["slot"]
    for move in answer["moves"]:
        i = places[move["slot"]]
        assert move["mean"] == float(means[move["slot"]])
        assert move["sd"] == pytest.approx(counts.points.sd(i, GAMES) / 2)
        assert move["stderr"] == pytest.approx(move["sd"] / sqrt(GAMES))
        assert move["difference"] == float(means[move["slot"]] - means[best])
        paired = counts.points.difference_sd(i, places[best], GAMES) / 2 / sqrt(GAMES)
        assert move["difference_stderr"] == pytest.approx(paired)
        if name == MINE:
            assert move["exact"] is None
        else:
            law = score_law(BOARD.place(1, move["slot"]), named(name))
            assert move["exact"] == pytest.approx(float(law.mean), abs=1e-12)
            assert abs(move["mean"] - float(law.mean)) <= 5 * move["stderr"]
        if target is None:
            assert "chance" not in move
        else:
            chance = int(counts.reached[i]) / GAMES
            assert (move["chance"], move["chance_stderr"]) == (chance, sqrt(chance * (1 - chance) / GAMES))
            wanted = None if name == MINE else pytest.approx(float(law.at_least(target)), abs=1e-12)
            assert move["exact_chance"] == wanted
    assert answer.get("target") == (None if target is None else 4.0)


def test_optimal_has_its_value_however_many_slots_there_are() -> None:
    """Thirty slots are too many for the law, not for the mean."""
    game = Game.parse("3d6", "1-30")
    answer = rollout(roll_out(Run(game, ("optimal",), 18), 9, 2_000, target=5000))
    values = move_values(game, game.all_free, 9).points()
    for move in answer["moves"]:
        assert move["exact"] == float(values[move["slot"]])
        assert abs(move["mean"] - move["exact"]) < 5 * move["stderr"]
        assert move["exact_chance"] is None


@pytest.mark.parametrize("name", ["optimal", "random", "greedy"])
def test_the_last_roll(name: str) -> None:
    board = Board.replay(Game.parse("1d6", "1-3"), [(6, 3), (5, 2)])
    answer = rollout(roll_out(Run(board.game, (name,), 18, boards=(board,)), 2, 100, target=30))
    assert answer["moves"] == [
        {
            "slot": 1,
            "mean": 30.0,
            "stderr": 0.0,
            "sd": 0.0,
            "difference": 0.0,
            "difference_stderr": 0.0,
            "exact": 30.0,
            "chance": 1.0,
            "chance_stderr": 0.0,
            "exact_chance": 1.0,
        }
    ]


@pytest.mark.parametrize(
    "names", [("greedy", "random"), ("hunter", "optimal"), ("equilibrium", "equilibrium"), ("optimal", "hunter")]
)
def test_duels(names: tuple[str, str]) -> None:
    game = Game.parse("1d6", "1-4")
    position = Position(Board(game).place(5, 3), Board(game).place(5, 4))
    run = position_run(position, names[0], 18, names[1])
    answer = duel_rollout(roll_out(run, 2, GAMES))
    assert_answer(answer, DuelRolloutAnswer)
    assert (answer["strategy"], answer["against"], answer["games"]) == (*names, GAMES)
    counts = Rollout(run, 2).counter()(0, GAMES)
    exact = {
        ("hunter", "optimal"): lambda: Hunt(game, "optimal").moves(position, 2),
        ("equilibrium", "equilibrium"): lambda: Duel(game).moves(position, 2),
    }.get(names, dict)()
    equities = [move["equity"] for move in answer["moves"]]
    assert equities == sorted(equities, reverse=True)
    for move in answer["moves"]:
        i = (1, 2, 4).index(move["slot"])
        assert move["win"] == int(counts.wins[i]) / GAMES
        assert move["draw"] == int(counts.draws[i]) / GAMES
        assert move["win"] + move["draw"] + move["loss"] == pytest.approx(1)
        assert move["equity"] == pytest.approx(move["win"] + move["draw"] / 2)
        assert move["difference"] == pytest.approx(move["equity"] - equities[0])
        assert move["exact"] == (float(exact[move["slot"]]) if exact else None)
        if exact:
            assert abs(move["equity"] - float(exact[move["slot"]])) <= 5 * move["stderr"] + 1e-12


def test_who_plays_a_position() -> None:
    game = Game.parse("1d6", "1-3")
    position = Position(Board(game).place(5, 3), Board(game).place(5, 2))
    alone, both = position_run(position, "optimal", 18), position_run(position, "optimal", 18, "hunter")
    assert (alone.strategies, alone.boards) == (("optimal",), (position.board,))
    assert (both.strategies, both.boards) == (("optimal", "hunter"), (position.board, position.theirs))


@pytest.mark.parametrize(
    ("names", "field"),
    [(("lucky", None), "strategy"), (("lucky", "optimal"), "strategy"), (("optimal", "lucky"), "against")],
)
def test_nobody_has_that_name(names: tuple[str, str | None], field: str) -> None:
    board = Board(Game.classic())
    with pytest.raises(UnknownStrategy) as refused:
        position_run(Position(board, board), names[0], 18, names[1])
    assert (refused.value.field, refused.value.given) == (field, "lucky")


def test_who_looks_at_both_boards_plays_duels_only() -> None:
    with pytest.raises(Ten18Error, match="plays duels only"):
        position_run(Position(Board(Game.classic())), "hunter", 18)


def test_how_many_games_were_played() -> None:
    played = roll_out(Run(ODD, ("optimal",), 18, boards=(BOARD,)), 1, 1000)
    assert (played.games, played.finished) == (4000, True)
    assert played.seconds > 0
