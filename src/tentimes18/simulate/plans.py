"""Temporary: plans that other modules still use."""

from collections.abc import Callable

from tentimes18.game import Game
from tentimes18.plan import Limits, Plan
from tentimes18.simulate.players import check_tables, has_table
from tentimes18.simulate.run import Run

__all__ = ["A_DAY", "admit_games", "admit_tables", "fitting_games", "games_plan", "has_table", "tables_plan"]

A_DAY = 86400.0


def admit_games(run: Run, games: int, limits: Limits | None = None, *, times: int = 1) -> None:  # noqa: ARG001
    """Old arguments."""
    from tentimes18.simulate.games import check_games

    check_games(run, games, times=times)


def admit_tables(run: Run, limits: Limits | None = None) -> None:  # noqa: ARG001
    """Old arguments."""
    check_tables(run)


def tables_plan(run: Run, game: Game | None = None) -> Plan:
    """Small."""
    return Plan(f"the tables for games on {(game or run.game).size:,} slots")


def games_plan(run: Run, games: int, times: int = 1) -> Plan:
    """So many games."""
    return Plan(f"a run of {games:,} games", 2e-9 * games * times * run.rounds)


def fitting_games(games: int, fits: Callable[[int], bool]) -> str:  # noqa: ARG001
    """Nothing."""
    return ""
