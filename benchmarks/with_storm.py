"""The game for the model checker Storm, from our own PRISM model.

Storm sees that every play ends, and solves such a model in one pass, with no error but that of float64:
another method or precision gains nothing. Two of its engines are measured: the sparse one builds the states one by one,
the hybrid one as a decision diagram. (The third solves on the decision diagram too, by value iteration, and took seven
times as long as the hybrid one for 12 slots.)
"""

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

import stormpy

from tentimes18.game import Game
from tentimes18.solve.prism_model import PROPERTY, prism_model


def sparse(game: Game) -> Callable[[], tuple[float, float]]:
    """Solve by the sparse engine; a run gives the answer and the seconds of building the model."""
    return _solver(game, stormpy.Engine.SPARSE)


def hybrid(game: Game) -> Callable[[], tuple[float, float]]:
    """Solve by the hybrid engine."""
    return _solver(game, stormpy.Engine.HYBRID)


def exact(game: Game) -> Fraction:
    """The answer in rational numbers."""
    program, query = _parse(prism_model(game))
    model = stormpy.build_model[stormpy.Rational](program, [query])
    return Fraction(str(_answer(model, query, stormpy.Engine.SPARSE)))


def _solver(game: Game, engine: stormpy.Engine) -> Callable[[], tuple[float, float]]:
    text = prism_model(game)

    def run() -> tuple[float, float]:
        start = perf_counter()
        program, query = _parse(text)
        model = stormpy.build_model(program, [query], engine=engine)
        built = perf_counter()
        return float(_answer(model, query, engine)), built - start

    return run


def _parse(text: str) -> tuple[Any, Any]:
    with TemporaryDirectory() as folder:
        file = Path(folder) / "game.prism"
        file.write_text(text)
        program = stormpy.parse_prism_program(file)
    return program, stormpy.parse_property(PROPERTY, program)


def _answer(model: Any, query: Any, engine: stormpy.Engine) -> Any:
    result = stormpy.model_checking(model, query, engine=engine, only_initial_states=True)
    result.filter(stormpy.create_filter_initial_states(model))
    return result.get_max()
