"""Plans of simulations: tables by strategy, and games by the time that a round takes."""

import pytest

from tentimes18.errors import TooLarge
from tentimes18.game import Game
from tentimes18.plan import TIME_VARIABLE, Limits
from tentimes18.simulate.plans import admit_games, games_plan, has_table, tables_plan
from tentimes18.simulate.players import players_of
from tentimes18.simulate.run import Run

CLASSIC = Game.classic()


def run_of(*names: str, game: Game = CLASSIC) -> Run:
    return Run(game, names, seed=18)


@pytest.mark.parametrize("name", ["optimal", "nearest", "hindsight", "random", "target:30"])
def test_the_memory_is_that_of_the_players(name: str) -> None:
    run = run_of(name, game=Game.parse("1d8", "1-6"))
    assert tables_plan(run).memory >= players_of(run).nbytes / 2


def test_games_take_time_in_proportion() -> None:
    run = run_of("optimal", "random")
    tables = tables_plan(run).seconds
    assert games_plan(run, 2 * 10**9).seconds - tables == pytest.approx(2 * (games_plan(run, 10**9).seconds - tables))
    assert games_plan(run_of("equilibrium", "optimal"), 10**6).seconds > games_plan(run, 10**6).seconds


def test_what_a_table_is_too_large_for() -> None:
    assert has_table(CLASSIC)
    assert not has_table(Game.parse("1d6", "1-17"))
    assert not has_table(Game.parse("1d10000", "1-17"))


def test_tables_are_refused_with_a_part_of_the_slots() -> None:
    with pytest.raises(TooLarge, match=r"^slots: the tables for games on 30 slots would need .* slots 1-\d+ fit"):
        admit_games(run_of("equilibrium", "optimal", game=Game.parse("3d6", "1-30")), 10)


def test_games_are_refused_with_fewer(monkeypatch: pytest.MonkeyPatch) -> None:
    run = run_of("optimal")
    admit_games(run, 10**11)  # they can be stopped, and what was played counts
    with pytest.raises(TooLarge, match=r"^games: a run of 100,000,000,000 games .*: [\d,]+ games fit$"):
        admit_games(run, 10**11, Limits(8e9, 600))
    monkeypatch.setenv(TIME_VARIABLE, "60")
    with pytest.raises(TooLarge, match="at most 60 seconds here"):
        admit_games(run, 10**11)
