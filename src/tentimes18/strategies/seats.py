"""The strategies by name as seats at a table, as `solve.table` follows them exactly."""

from tentimes18.duel.several_players import Seat, duel_seat, play_seat, random_seat, rule_seat
from tentimes18.game import Game
from tentimes18.solve.parallel import Progress
from tentimes18.strategies.named import DUEL_STRATEGIES, Finder, named
from tentimes18.strategies.solved import equilibrium, hunter, rule_table
from tentimes18.strategies.strategy import ObjectiveStrategy, RandomSlot, RuleStrategy


def has_seat(name: str, find: Finder = named) -> bool:
    """Whether the moves of a strategy are known well enough to follow them exactly."""
    return name in DUEL_STRATEGIES or isinstance(find(name), RuleStrategy | ObjectiveStrategy | RandomSlot)


def seat_of(name: str, game: Game, find: Finder = named, progress: Progress | None = None) -> Seat:
    """A strategy at a table, by name; its tables are made once, and kept."""
    if name in DUEL_STRATEGIES:
        return duel_seat((hunter if name == "hunter" else equilibrium)(game, progress))
    strategy = find(name)
    if isinstance(strategy, ObjectiveStrategy):
        return play_seat(*strategy.solve(game, progress).slot_table())
    if isinstance(strategy, RuleStrategy):
        return rule_seat(rule_table(strategy, game, progress))
    return random_seat(game)
