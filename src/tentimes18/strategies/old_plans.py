"""Temporary: plans that other modules still use."""

from collections.abc import Sequence

from tentimes18.game import Board, Game
from tentimes18.plan import Plan, kept_together
from tentimes18.solve.rule_distributions import Size, play_size, table_size
from tentimes18.strategies.named import named
from tentimes18.strategies.strategy import KnownStrategy, is_exact_sensible


def _plan(what: str, size: Size) -> Plan:
    return Plan(what, size.operations / 1e9, size.bytes)


def law_plan(strategy: KnownStrategy, board: Board, *, exact: bool = True) -> Plan:
    """What the distribution of a score takes."""
    size = strategy.exact_size(board) if exact else play_size(board.game, board.free, exact=False)
    return _plan(f"the distribution of the score on {board.free.bit_count():,} slots", size)


def laws_plan(strategies: Sequence[KnownStrategy], game: Game) -> Plan:
    """What the distributions of several scores take."""
    board = Board(game)
    plans = [law_plan(strategy, board, exact=is_exact_sensible(board, strategy)) for strategy in strategies]
    return kept_together(f"the distributions of {len(plans)} scores on {game.size:,} slots", *plans)


def best_chances_plan(game: Game) -> Plan:
    """What the table of the best chances takes."""
    return _plan(f"the table of all free sets and scores on {game.size:,} slots", table_size(game, 8))


def target_plan(game: Game) -> Plan:
    """What the best chance of a target takes, and that of `optimal` beside it."""
    law = laws_plan((named("optimal"),), game)
    return kept_together(f"the best chances on {game.size:,} slots", best_chances_plan(game), law)
