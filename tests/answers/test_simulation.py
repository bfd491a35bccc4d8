"""Many games: the answers say what was counted, also where a run is stopped."""

from collections.abc import Iterable, Iterator
from dataclasses import asdict
from fractions import Fraction
from math import sqrt

import pytest

from tentimes18.answers.simulation import (
    QUANTILES,
    DuelPlayAnswer,
    SimulationAnswer,
    duel_play,
    duel_run,
    play_games,
    played_records,
    simulation,
    verify_records,
)
from tentimes18.errors import Ten18Error, TooLarge
from tentimes18.game import Board, Game
from tentimes18.queries.json_numbers import plain
from tentimes18.simulate.drawing import drawn_rolls
from tentimes18.simulate.fit import fit
from tentimes18.simulate.games import count_games
from tentimes18.simulate.run import Run
from tentimes18.simulate.work import Found, Work
from tentimes18.strategies.named import UnknownStrategy, named
from tentimes18.strategies.strategy import score_law
from tentimes18.strategies.user_code import find
from tests.support.answers import assert_answer
from tests.support.simulated import MINE

SMALL = Game.parse("1d6", "1-3")
ODD = Game.parse("1d6-3", "-2,0,0,1/2,3")


@pytest.mark.parametrize("game", [SMALL, ODD], ids=str)
@pytest.mark.parametrize("strategy", ["optimal", "random", "cvar:0.5"])
def test_simulation(game: Game, strategy: str) -> None:
    run = Run(game, (strategy,), seed=18)
    played = play_games(run, 5000)
    counts = count_games(run, 0, 5000)
    law = counts.law(game)
    answer, exact = simulation(played), score_law(Board(game), named(strategy))
    assert_answer(answer, SimulationAnswer)
    assert answer == {
        "strategy": strategy,
        "games": 5000,
        "seed": 18,
        "mean": float(law.mean),
        "sd": law.sd,
        "stderr": law.sd / sqrt(5000),
        "median": plain(law.median),
        "quantiles": {q: plain(law.quantile(float(q))) for q in QUANTILES},
        "histogram": [(plain(score), count) for score, count in zip(law.scores, law.weights, strict=True)],
        "seconds": played.seconds,
        "fit": asdict(fit(law, exact)),
        "exact": {"mean": float(exact.mean), "sd": exact.sd},
    }


def test_simulation_from_a_board_with_a_target() -> None:
    board = Board(SMALL).place(5, 2)
    played = play_games(Run(SMALL, ("greedy",), 18, boards=(board,)), 5000)
    law, exact = played.counts.law(SMALL), score_law(board, named("greedy"))
    answer = simulation(played, 25)
    assert_answer(answer, SimulationAnswer)
    chance = float(law.at_least(25))
    assert 0 < chance < 1
    assert answer["fit"] == asdict(fit(law, exact))
    assert answer["exact"] == {"mean": float(exact.mean), "sd": exact.sd, "chance": float(exact.at_least(25))}
    assert (answer["target"], answer["chance"]) == (25.0, chance)
    assert answer["chance_stderr"] == sqrt(chance * (1 - chance) / 5000)
    assert played.finished
    assert played.seconds > 0


def test_no_fit_without_a_law() -> None:
    """For a user's function there is none, and for this many slots it takes too long."""
    for run in (Run(SMALL, (MINE,), 18, find), Run(Game.parse("3d6", "1-300"), ("random",), 18)):
        answer = simulation(play_games(run, 10))
        assert_answer(answer, SimulationAnswer)
        assert (answer["fit"], answer["exact"]) == (None, None)


def stopped_runner(work: Work[Found], chunks: Iterable[tuple[int, int]]) -> Iterator[Found]:
    first, _ = next(iter(chunks))
    yield work.counter()(first, 100)
    raise KeyboardInterrupt


def test_stopped_in_the_middle() -> None:
    """What has been played so far is answered as if it had been asked for."""
    run = Run(SMALL, ("optimal", "random"), seed=18)
    played = play_games(run, 10_000_000, stopped_runner)
    assert not played.finished
    assert simulation(played)["games"] == duel_play(played)["games"] == 100
    assert simulation(played)["histogram"] == simulation(play_games(run, 100))["histogram"]


def test_stopped_before_anything_was_played() -> None:
    def runner(_work: Work[Found], _chunks: Iterable[tuple[int, int]]) -> Iterator[Found]:
        raise KeyboardInterrupt
        yield

    with pytest.raises(KeyboardInterrupt):
        play_games(Run(SMALL, ("optimal",), seed=18), 1000, runner)


def test_progress() -> None:
    told: list[tuple[int, int]] = []
    play_games(Run(SMALL, ("optimal",), seed=18), 1_000_000, progress=lambda *at: told.append(at))
    assert [done for done, _ in told] == sorted(done for done, _ in told)
    assert told[-1] == (1_000_000, 1_000_000)


@pytest.mark.parametrize("games", [0, -1, 10**30])
def test_numbers_of_games(games: int) -> None:
    with pytest.raises(Ten18Error) as refused:
        play_games(Run(SMALL, ("optimal",), seed=18), games)
    assert refused.value.field == "games"


@pytest.mark.parametrize("names", [("greedy", "random"), ("optimal", "hunter")])
@pytest.mark.parametrize("game", [SMALL, ODD], ids=str)
def test_duel(game: Game, names: tuple[str, str]) -> None:
    run = duel_run(game, *names, seed=18)
    counts = count_games(run, 0, 3000)
    answer = duel_play(play_games(run, 3000))
    assert_answer(answer, DuelPlayAnswer)
    shares = [int(counts.wins[0, 1]) / 3000, int(counts.draws[0, 1]) / 3000, int(counts.wins[1, 0]) / 3000]
    assert [answer["win"], answer["draw"], answer["loss"]] == shares
    assert list(answer["stderr"].values()) == [sqrt(share * (1 - share) / 3000) for share in shares]
    means = [counts.law(game, place).mean for place in (0, 1)]
    assert answer["mean_difference"] == pytest.approx(float(means[0] - means[1]), abs=1e-12)
    unit = 1 if game is SMALL else Fraction(1, 2)
    assert answer["largest_win"] == counts.largest[1] * unit
    assert answer["largest_loss"] == -counts.largest[0] * unit


def test_spread_of_the_difference() -> None:
    """The standard error of the mean difference, from the games one by one."""
    names = "greedy", "optimal"
    scores = [[record.board.score for record in played_records(Run(SMALL, (name,), 18), 500)] for name in names]
    gaps = [mine - theirs for mine, theirs in zip(*scores, strict=True)]
    mean = Fraction(sum(gaps), 500)
    variance = float(sum((gap - mean) ** 2 for gap in gaps)) / 500
    answer = duel_play(play_games(duel_run(SMALL, *names, seed=18), 500))
    assert answer["mean_difference"] == pytest.approx(float(mean), abs=1e-12)
    assert answer["mean_difference_stderr"] == pytest.approx(sqrt(variance / 500), rel=1e-9)


def test_players_of_a_duel() -> None:
    with pytest.raises(UnknownStrategy, match="hunter, equilibrium") as refused:
        duel_run(SMALL, "optimal", "lucky", seed=18)
    assert (refused.value.field, refused.value.given) == ("second", "lucky")
    with pytest.raises(Ten18Error) as misread:
        duel_run(SMALL, "target:x", "optimal", seed=18)
    assert misread.value.field == "first"
    with pytest.raises(UnknownStrategy):
        duel_run(SMALL, MINE, "optimal", seed=18)
    assert duel_run(SMALL, MINE, "optimal", 18, find).strategies == (MINE, "optimal")


@pytest.mark.parametrize("strategy", ["optimal", "random"])
def test_records(strategy: str) -> None:
    """The games that are counted, one by one."""
    run = Run(SMALL, (strategy,), seed=18)
    verify_records(run, 300)
    records = list(played_records(run, 300))
    assert [[placement.roll for placement in record.board.placements] for record in records] == drawn_rolls(run, 0, 300)
    assert [record.tags for record in records] == [{"name": strategy, "seed": 18, "game": n} for n in range(300)]
    law = play_games(run, 300).counts.law(SMALL)
    assert sorted(record.board.score for record in records) == [
        score for score, count in zip(law.scores, law.weights, strict=True) for _ in range(int(count))
    ]


def test_too_many_records() -> None:
    with pytest.raises(TooLarge) as refused:
        verify_records(Run(SMALL, ("optimal",), seed=18), 10**9)
    assert refused.value.field == "games"
    with pytest.raises(Ten18Error):
        verify_records(Run(SMALL, ("lucky",), seed=18), 10)
