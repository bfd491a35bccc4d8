"""Ten times eighteen, solved: exact play for the dice game and for sequential stochastic assignment.

>>> from tentimes18 import Game, advise
>>> game = Game.classic()
>>> advise(game, game.all_free, roll=9).best
4

Names are imported from their modules when they are first used, so that a short command starts fast.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tentimes18.coach import (
        Advice,
        Move,
        MoveClass,
        Review,
        ReviewedMove,
        advise,
        advise_position,
        classify,
        outlook,
        reason,
        review,
    )
    from tentimes18.dice import Dice
    from tentimes18.errors import IllegalMove, InvalidDice, InvalidGame, Ten18Error, TooLarge
    from tentimes18.fitting import Fit, fit
    from tentimes18.game import Board, Game, Placement, mask_of, slots_of
    from tentimes18.history import History
    from tentimes18.notation import Record, format_moves, format_record, parse_moves, parse_record
    from tentimes18.players import Run, drawn_rolls
    from tentimes18.records import BadLine, Line, read_records, written_lines
    from tentimes18.simulate import Counts, count_games
    from tentimes18.solve.aim import Aim
    from tentimes18.solve.closest import ClosestCall, Tie, closest_calls, exact_ties
    from tentimes18.solve.duel import Outcome
    from tentimes18.solve.equilibrium import Equilibrium, exploitability
    from tentimes18.solve.hindsight import exact_order_statistics, order_statistics
    from tentimes18.solve.law import ScoreLaw
    from tentimes18.solve.moments import Moments, hindsight_moments, optimal_moments, random_moments, slot_laws
    from tentimes18.solve.objectives import ShortfallTable, UtilityTable, best_quantile, best_worst_share, chance_table
    from tentimes18.solve.response import best_response, fixed_duel
    from tentimes18.solve.subsets import exact_subset_values, subset_values
    from tentimes18.solve.thresholds import (
        ExactRow,
        Law,
        decimal_thresholds,
        exact_thresholds,
        last_row,
        law_thresholds,
        thresholds,
    )
    from tentimes18.solve.utilities import Utility, exponential, power
    from tentimes18.strategies import Strategy, named, play, score_law
    from tentimes18.summary import Summary, summarise
    from tentimes18.tournament import Tournament, judge
    from tentimes18.yardsticks import Position, Yardstick, yardstick

_MODULES = {
    "coach": (
        "Advice",
        "Move",
        "MoveClass",
        "Review",
        "ReviewedMove",
        "advise",
        "advise_position",
        "classify",
        "outlook",
        "reason",
        "review",
    ),
    "dice": ("Dice",),
    "errors": ("IllegalMove", "InvalidDice", "InvalidGame", "Ten18Error", "TooLarge"),
    "fitting": ("Fit", "fit"),
    "game": ("Board", "Game", "Placement", "mask_of", "slots_of"),
    "history": ("History",),
    "notation": ("Record", "format_moves", "format_record", "parse_moves", "parse_record"),
    "players": ("Run", "drawn_rolls"),
    "records": ("BadLine", "Line", "read_records", "written_lines"),
    "simulate": ("Counts", "count_games"),
    "solve.aim": ("Aim",),
    "solve.closest": ("ClosestCall", "Tie", "closest_calls", "exact_ties"),
    "solve.duel": ("Outcome",),
    "solve.equilibrium": ("Equilibrium", "exploitability"),
    "solve.hindsight": ("exact_order_statistics", "order_statistics"),
    "solve.law": ("ScoreLaw",),
    "solve.moments": ("Moments", "hindsight_moments", "optimal_moments", "random_moments", "slot_laws"),
    "solve.objectives": ("ShortfallTable", "UtilityTable", "best_quantile", "best_worst_share", "chance_table"),
    "solve.response": ("best_response", "fixed_duel"),
    "solve.subsets": ("exact_subset_values", "subset_values"),
    "solve.thresholds": (
        "ExactRow",
        "Law",
        "decimal_thresholds",
        "exact_thresholds",
        "last_row",
        "law_thresholds",
        "thresholds",
    ),
    "solve.utilities": ("Utility", "exponential", "power"),
    "strategies": ("Strategy", "named", "play", "score_law"),
    "summary": ("Summary", "summarise"),
    "tournament": ("Tournament", "judge"),
    "yardsticks": ("Position", "Yardstick", "yardstick"),
}
_MODULE_OF = {name: module for module, names in _MODULES.items() for name in names}

__all__ = [
    "Advice",
    "Aim",
    "BadLine",
    "Board",
    "ClosestCall",
    "Counts",
    "Dice",
    "Equilibrium",
    "ExactRow",
    "Fit",
    "Game",
    "History",
    "IllegalMove",
    "InvalidDice",
    "InvalidGame",
    "Law",
    "Line",
    "Moments",
    "Move",
    "MoveClass",
    "Outcome",
    "Placement",
    "Position",
    "Record",
    "Review",
    "ReviewedMove",
    "Run",
    "ScoreLaw",
    "ShortfallTable",
    "Strategy",
    "Summary",
    "Ten18Error",
    "Tie",
    "TooLarge",
    "Tournament",
    "Utility",
    "UtilityTable",
    "Yardstick",
    "advise",
    "advise_position",
    "best_quantile",
    "best_response",
    "best_worst_share",
    "chance_table",
    "classify",
    "closest_calls",
    "count_games",
    "decimal_thresholds",
    "drawn_rolls",
    "exact_order_statistics",
    "exact_subset_values",
    "exact_thresholds",
    "exact_ties",
    "exploitability",
    "exponential",
    "fit",
    "fixed_duel",
    "format_moves",
    "format_record",
    "hindsight_moments",
    "judge",
    "last_row",
    "law_thresholds",
    "mask_of",
    "named",
    "optimal_moments",
    "order_statistics",
    "outlook",
    "parse_moves",
    "parse_record",
    "play",
    "power",
    "random_moments",
    "read_records",
    "reason",
    "review",
    "score_law",
    "slot_laws",
    "slots_of",
    "subset_values",
    "summarise",
    "thresholds",
    "written_lines",
    "yardstick",
]


def __getattr__(name: str) -> Any:
    if name not in _MODULE_OF:
        raise AttributeError(f"module 'tentimes18' has no attribute {name!r}")
    value = getattr(import_module(f"tentimes18.{_MODULE_OF[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
