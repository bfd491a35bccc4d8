"""Tournaments: the answer is what the judge says."""

from tentimes18.answers.simulation import play_games
from tentimes18.answers.tournament import TournamentAnswer, tournament
from tentimes18.game import Game
from tentimes18.simulate.games import count_games
from tentimes18.simulate.run import Run
from tentimes18.simulate.tournament import LEVEL, judge
from tests.support.answers import assert_answer

CYCLE = ("utility:exp:-0.02", "utility:exp:0.02", "target:630")


def test_tournament() -> None:
    names = ("optimal", "greedy", "random")
    run = Run(Game.parse("1d6", "1-4"), names, seed=18)
    answer = tournament(play_games(run, 5000))
    wanted = judge(names, count_games(run, 0, 5000))
    assert_answer(answer, TournamentAnswer)
    assert answer == {
        "strategies": list(names),
        "games": 5000,
        "equity": wanted.equity,
        "stderr": wanted.stderr,
        "ratings": wanted.ratings,
        "shares": wanted.shares,
        "cycles": [],
        "level": LEVEL,
        "least_z": wanted.least_z,
    }


def test_cycle() -> None:
    answer = tournament(play_games(Run(Game.classic(), CYCLE, seed=1987), 1_000_000))
    assert_answer(answer, TournamentAnswer)
    assert answer["cycles"] == [list(CYCLE)]
