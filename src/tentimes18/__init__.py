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
    from tentimes18.coach.advice import (
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
    from tentimes18.coach.aims import Aim, aim_named
    from tentimes18.coach.summary import Summary, summarise
    from tentimes18.dice import Dice
    from tentimes18.errors import IllegalMove, InvalidDice, InvalidGame, Ten18Error, TooLarge
    from tentimes18.game import Board, Game, Placement, Position, mask_of, slots_of
    from tentimes18.records.files import BadLine, Line, read_records, written_lines
    from tentimes18.records.history import History
    from tentimes18.records.notation import Record, format_moves, format_record, parse_moves, parse_record
    from tentimes18.simulate.fit import Fit, fit
    from tentimes18.simulate.games import Counts, count_games
    from tentimes18.simulate.players import Run, drawn_rolls
    from tentimes18.simulate.tournament import Tournament, judge
    from tentimes18.solve.closest import ClosestCall, Tie, closest_calls, exact_ties
    from tentimes18.solve.duel.equilibrium import Equilibrium, exploitability
    from tentimes18.solve.duel.layout import Outcome
    from tentimes18.solve.duel.response import best_response, fixed_duel
    from tentimes18.solve.hindsight import exact_order_statistics, order_statistics
    from tentimes18.solve.objectives.solvers import (
        ShortfallTable,
        UtilityTable,
        best_quantile,
        best_worst_share,
        chance_table,
    )
    from tentimes18.solve.objectives.table import BestPlay
    from tentimes18.solve.objectives.utilities import Utility, exponential, power
    from tentimes18.solve.scores.law import ScoreLaw
    from tentimes18.solve.scores.moments import Moments, hindsight_moments, optimal_moments, random_moments, slot_laws
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
    from tentimes18.strategies.named import Strategy, named, play, score_law

_MODULES = {
    "coach.advice": (
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
    "simulate.fit": ("Fit", "fit"),
    "game": ("Board", "Game", "Placement", "Position", "mask_of", "slots_of"),
    "records.history": ("History",),
    "records.notation": ("Record", "format_moves", "format_record", "parse_moves", "parse_record"),
    "simulate.players": ("Run", "drawn_rolls"),
    "records.files": ("BadLine", "Line", "read_records", "written_lines"),
    "simulate.games": ("Counts", "count_games"),
    "solve.objectives.table": ("BestPlay",),
    "solve.closest": ("ClosestCall", "Tie", "closest_calls", "exact_ties"),
    "solve.duel.layout": ("Outcome",),
    "solve.duel.equilibrium": ("Equilibrium", "exploitability"),
    "solve.hindsight": ("exact_order_statistics", "order_statistics"),
    "solve.scores.law": ("ScoreLaw",),
    "solve.scores.moments": ("Moments", "hindsight_moments", "optimal_moments", "random_moments", "slot_laws"),
    "solve.objectives.solvers": ("ShortfallTable", "UtilityTable", "best_quantile", "best_worst_share", "chance_table"),
    "solve.duel.response": ("best_response", "fixed_duel"),
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
    "solve.objectives.utilities": ("Utility", "exponential", "power"),
    "strategies.named": ("Strategy", "named", "play", "score_law"),
    "coach.summary": ("Summary", "summarise"),
    "simulate.tournament": ("Tournament", "judge"),
    "coach.aims": ("Aim", "aim_named"),
}
_MODULE_OF = {name: module for module, names in _MODULES.items() for name in names}

__all__ = [
    "Advice",
    "Aim",
    "BadLine",
    "BestPlay",
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
    "advise",
    "advise_position",
    "aim_named",
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
]


def __getattr__(name: str) -> Any:
    if name not in _MODULE_OF:
        raise AttributeError(f"module 'tentimes18' has no attribute {name!r}")
    value = getattr(import_module(f"tentimes18.{_MODULE_OF[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
