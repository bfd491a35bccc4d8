"""Simulations, duels, tournaments and rollouts: every number is that of the counts, beside what it should be."""

from fractions import Fraction
from math import sqrt
from typing import Any

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from tentimes18.coach.advice import advise_slots
from tentimes18.coach.aims import Duel, Hunt
from tentimes18.game import Board, Game, Position
from tentimes18.queries.json_numbers import plain
from tentimes18.queries.simulations import (
    QUANTILES,
    DuelRolloutAnswer,
    ExactScore,
    RolloutAnswer,
    RolloutMove,
    duel_play,
    played_records,
    rollout,
    simulate,
    tournament,
)
from tentimes18.simulate.games import count_games, fit
from tentimes18.simulate.rollout import Rollout
from tentimes18.simulate.run import Run
from tentimes18.simulate.tournament import judge, meetings_of
from tentimes18.solve.lattice import lattice_of
from tentimes18.strategies.named import UnknownStrategy, named
from tentimes18.strategies.solved import hunter
from tentimes18.strategies.strategy import score_distribution
from tentimes18.strategies.user_code import find
from tests.support.simulated import MINE

SMALL = Game.parse("1d6", "1-3")
ODD = Game.parse("1d6-3", "-2,0,0,1/2,3")
GAMES = 1_000


def texts(game: Game) -> dict[str, Any]:
    return {"dice": str(game.dice), "slots": game.slots, "seed": 18}


@pytest.mark.parametrize("game", [SMALL, ODD], ids=str)
@pytest.mark.parametrize("strategy", ["optimal", "random", "cvar:0.5"])
def test_simulation(game: Game, strategy: str) -> None:
    law = count_games(Run(game, (strategy,), seed=18), 0, 5000).distribution(game)
    answer, exact = simulate(strategy, 5000, **texts(game)).answer, score_distribution(Board(game), named(strategy))
    assert (answer.strategy, answer.games, answer.seed) == (strategy, 5000, 18)
    assert (answer.mean, answer.sd, answer.stderr) == (float(law.mean), law.sd, law.sd / sqrt(5000))
    assert (answer.median, answer.quantiles) == (
        plain(law.median),
        {q: plain(law.quantile(float(q))) for q in QUANTILES},
    )
    assert answer.histogram == [(plain(score), count) for score, count in zip(law.scores, law.weights, strict=True)]
    assert answer.fit == fit(law, exact)
    assert answer.exact == ExactScore(float(exact.mean), exact.sd)
    assert answer.chance is UNSET


def test_from_a_board_with_a_target() -> None:
    board = Board(SMALL).place(5, 2)
    law = count_games(Run(SMALL, ("greedy",), 18, boards=(board,)), 0, 5000).distribution(SMALL)
    exact = score_distribution(board, named("greedy"))
    result = rollout("5@2", strategy="greedy", target="25", games=5000, **texts(SMALL))
    answer: Any = result.answer
    chance = float(law.at_least(25))
    assert 0 < chance < 1
    assert answer.fit == fit(law, exact)
    assert answer.exact == ExactScore(float(exact.mean), exact.sd, float(exact.at_least(25)))
    assert (answer.target, answer.chance) == (25.0, chance)
    assert answer.chance_stderr == sqrt(chance * (1 - chance) / 5000)
    assert result.finished


def test_no_fit_without_a_distribution() -> None:
    """A user's function has none, and for this many slots it takes too long."""
    for answer in (
        simulate(MINE, 10, find=find, **texts(SMALL)).answer,
        simulate("random", 10, dice="3d6", slots="1-300").answer,
    ):
        assert (answer.fit, answer.exact) == (None, None)


@pytest.mark.parametrize("names", [("greedy", "random"), ("optimal", "hunter")])
@pytest.mark.parametrize("game", [SMALL, ODD], ids=str)
def test_duel(game: Game, names: tuple[str, str]) -> None:
    counts = count_games(Run(game, names, seed=18), 0, 3000)
    answer = duel_play(*names, games=3000, **texts(game)).answer
    shares = [int(counts.wins[0, 1]) / 3000, int(counts.draws[0, 1]) / 3000, int(counts.wins[1, 0]) / 3000]
    assert [answer.win, answer.draw, answer.loss] == shares
    errors = [answer.stderr.win, answer.stderr.draw, answer.stderr.loss]
    assert errors == [sqrt(share * (1 - share) / 3000) for share in shares]
    means = [counts.distribution(game, place).mean for place in (0, 1)]
    assert answer.mean_difference == pytest.approx(float(means[0] - means[1]), abs=1e-12)
    unit = 1 if game is SMALL else Fraction(1, 2)
    assert (answer.largest_win, answer.largest_loss) == (counts.largest[1] * unit, -counts.largest[0] * unit)


def test_spread_of_the_difference() -> None:
    """The standard error of the mean difference, from the games one by one."""
    names = "greedy", "optimal"
    scores = [[record.board.score for record in played_records(Run(SMALL, (name,), 18), 500)] for name in names]
    gaps = [mine - theirs for mine, theirs in zip(*scores, strict=True)]
    mean = Fraction(sum(gaps), 500)
    variance = float(sum((gap - mean) ** 2 for gap in gaps)) / 500
    answer = duel_play(*names, games=500, **texts(SMALL)).answer
    assert answer.mean_difference == pytest.approx(float(mean), abs=1e-12)
    assert answer.mean_difference_stderr == pytest.approx(sqrt(variance / 500), rel=1e-9)


def test_code_of_a_user_is_run_only_where_the_program_allows_it() -> None:
    with pytest.raises(UnknownStrategy):
        duel_play(MINE, "optimal", games=10, **texts(SMALL))


def test_tournament() -> None:
    names = ("optimal", "hunter", "greedy", "equilibrium")
    run = Run(Game.parse("1d6", "1-4"), names, seed=18)
    counts = count_games(run, 0, 2000)
    answer = tournament(",".join(names), 2000, **texts(run.game)).answer
    assert answer == judge(names, counts, meetings_of(run, 2000))
    assert answer.exact == [[i != j and (i % 2 or j % 2) > 0 for j in range(4)] for i in range(4)]
    assert answer.equity[1][0] == pytest.approx(hunter(run.game).outcome.equity, abs=1e-12)
    assert answer.equity[0][1] == 1 - answer.equity[1][0]
    assert answer.stderr[1][0] == 0
    assert answer.equity[0][2] == int(2 * counts.wins[0, 2] + counts.draws[0, 2]) / 4000
    assert sum(answer.shares) == pytest.approx(1)


@pytest.mark.parametrize(
    ("name", "target"), [("optimal", None), ("greedy", 4), ("random", 4), ("hindsight", 4), ("cvar:0.5", 4), (MINE, 4)]
)
def test_rollout(name: str, target: int | None) -> None:
    board = Board(ODD).place(2, 4)
    counts = Rollout(Run(ODD, (name,), 18, find, (board,)), 1, target).counter()(0, GAMES)
    text = None if target is None else str(target)
    result = rollout("2@4", 1, name, text, games=GAMES, find=find, **texts(ODD))
    answer = result.answer
    assert isinstance(answer, RolloutAnswer)
    assert (result.games, result.finished) == (4 * GAMES, True)
    lattice, places = lattice_of(ODD), dict(zip(board.free_slots, range(4), strict=True))
    means = {
        slot: lattice.low(ODD.all_free) + lattice.unit * counts.points.mean(i, GAMES) for slot, i in places.items()
    }
    assert [move.slot for move in answer.moves] == sorted(places, key=lambda slot: (-means[slot], slot))
    assert answer.best == answer.moves[0].slot
    for move in answer.moves:
        i = places[move.slot]
        assert move.mean == float(means[move.slot])
        assert move.sd == pytest.approx(counts.points.sd(i, GAMES) / 2)
        assert move.stderr == pytest.approx(move.sd / sqrt(GAMES))
        assert move.difference == float(means[move.slot] - means[answer.best])
        paired = counts.points.difference_sd(i, places[answer.best], GAMES) / 2 / sqrt(GAMES)
        assert move.difference_stderr == pytest.approx(paired)
        law = None if name == MINE else score_distribution(board.place(1, move.slot), named(name))
        assert move.exact == (None if law is None else pytest.approx(float(law.mean), abs=1e-12))
        assert law is None or abs(move.mean - float(law.mean)) <= 5 * move.stderr
        if target is None:
            assert move.chance is UNSET
        else:
            chance = int(counts.reached[i]) / GAMES
            assert (move.chance, move.chance_stderr) == (chance, sqrt(chance * (1 - chance) / GAMES))
            expected = None if law is None else pytest.approx(float(law.at_least(target)), abs=1e-12)
            assert move.exact_chance == expected


def test_optimal_has_its_value_however_many_slots_there_are() -> None:
    """Thirty slots are too many for the distribution, not for the mean."""
    game = Game.parse("3d6", "1-30")
    answer: Any = rollout("", 9, target="5000", games=2_000, **texts(game)).answer
    values = {move.slot: move.worth for move in advise_slots(game, range(1, 31), 9).moves}
    for move in answer.moves:
        assert move.exact == float(values[move.slot])
        assert abs(move.mean - move.exact) < 5 * move.stderr
        assert move.exact_chance is None


@pytest.mark.parametrize(
    "names", [("greedy", "random"), ("hunter", "optimal"), ("equilibrium", "equilibrium"), ("optimal", "hunter")]
)
def test_rollout_of_a_duel(names: tuple[str, str]) -> None:
    game = Game.parse("1d6", "1-4")
    position = Position(Board(game).place(5, 3), Board(game).place(5, 4))
    run = Run(game, names, 18, boards=(position.board, position.theirs))
    answer = rollout("5@3", 2, names[0], against=names[1], opponent="5@4", games=GAMES, **texts(game)).answer
    assert isinstance(answer, DuelRolloutAnswer)
    assert (answer.strategy, answer.against, answer.games) == (*names, GAMES)
    counts = Rollout(run, 2).counter()(0, GAMES)
    exact = {
        ("hunter", "optimal"): lambda: Hunt(game, "optimal").moves(position, 2),
        ("equilibrium", "equilibrium"): lambda: Duel(game).moves(position, 2),
    }.get(names, dict)()
    equities = [move.equity for move in answer.moves]
    assert equities == sorted(equities, reverse=True)
    for move in answer.moves:
        i = (1, 2, 4).index(move.slot)
        assert (move.win, move.draw) == (int(counts.wins[i]) / GAMES, int(counts.draws[i]) / GAMES)
        assert move.win + move.draw + move.loss == pytest.approx(1)
        assert move.equity == pytest.approx(move.win + move.draw / 2)
        assert move.difference == pytest.approx(move.equity - equities[0])
        assert move.exact == (float(exact[move.slot]) if exact else None)
        if exact:
            assert abs(move.equity - float(exact[move.slot])) <= 5 * move.stderr + 1e-12


def test_a_run_that_is_stopped_gives_what_was_played(monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(work: Any, chunks: Any) -> Any:
        yield work.counter()(next(iter(chunks))[0], 100)
        raise KeyboardInterrupt

    expected = simulate(games=100, **texts(SMALL)).answer
    monkeypatch.setattr("tentimes18.queries.simulations.runner_of", lambda _: stopped)
    result = simulate(games=10_000_000, cluster="any", **texts(SMALL))
    assert not result.finished
    assert replace(result.answer, seconds=0.0) == replace(expected, seconds=0.0)


@pytest.mark.parametrize("name", ["optimal", "random", "greedy"])
def test_the_last_roll(name: str) -> None:
    answer = rollout("6@3 5@2", 2, name, "30", games=100, **texts(SMALL)).answer
    assert answer.moves == [RolloutMove(1, 30.0, 0.0, 0.0, 0.0, 0.0, 30.0, 1.0, 0.0, 1.0)]  # type: ignore[union-attr]
