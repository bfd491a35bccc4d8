"""Tournaments: the answer is what the judge says."""

import pytest

from tentimes18.answers.simulation import play_games
from tentimes18.answers.tournament import TournamentAnswer, tournament
from tentimes18.game import Game
from tentimes18.simulate.games import count_games
from tentimes18.simulate.pairs import meetings_of
from tentimes18.simulate.run import Run
from tentimes18.simulate.tournament import LEVEL, judge
from tentimes18.strategies.solved import hunter
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
        "exact": [[False] * 3] * 3,
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


def test_players_of_a_duel_meet_everybody() -> None:
    names = ("optimal", "hunter", "greedy", "equilibrium")
    run = Run(Game.parse("1d6", "1-4"), names, seed=18)
    played = play_games(run, 2000)
    answer = tournament(played, meetings_of(run, 2000))
    assert_answer(answer, TournamentAnswer)
    assert answer["exact"] == [[i != j and (i % 2 or j % 2) > 0 for j in range(4)] for i in range(4)]
    assert answer["equity"][1][0] == pytest.approx(hunter(run.game).outcome.equity, abs=1e-12)
    assert answer["equity"][0][1] == 1 - answer["equity"][1][0]
    assert answer["stderr"][1][0] == 0
    assert answer["equity"][0][2] == int(2 * played.counts.wins[0, 2] + played.counts.draws[0, 2]) / 4000
    assert sum(answer["shares"]) == pytest.approx(1)
