"""The boards of many games at once: rolls that are given for them, and how they are shown.

Which slot a roll was placed in is not needed to step a game, so it is noted only where somebody looks at boards.
"""

from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tentimes18.envs.arguments import places_of
from tentimes18.envs.board_picture import board_picture
from tentimes18.envs.board_text import board_text
from tentimes18.errors import Ten18Error
from tentimes18.game import Board, Game
from tentimes18.kernels.environment import EnvironmentGames
from tentimes18.kernels.types import Ints
from tentimes18.plan import Limits, Plan, admit, largest

__all__ = ["Frame", "ShownBoards", "given_places"]

Frame: TypeAlias = str | NDArray[np.uint8]
SECONDS_A_FRAME: Final = {"ansi": 1e-4, "rgb_array": 0.04}
BYTES_A_FRAME: Final = {"ansi": 4e3, "rgb_array": 1.2e6}


class ShownBoards:
    """The boards of so many games, as text (`ansi`) or as pictures (`rgb_array`)."""

    def __init__(self, game: Game, num_envs: int, mode: str) -> None:
        def plan(games: int) -> Plan:
            what = f"a view of each of {games:,} games"
            return Plan(what, SECONDS_A_FRAME[mode] * games, BYTES_A_FRAME[mode] * games)

        def instead(limits: Limits) -> str:
            return f"{largest(num_envs, lambda games: plan(games).fits(limits)):,} games fit"

        admit(plan(num_envs), instead=instead, field="num_envs")
        self._game, self._mode = game, mode
        self._slots = np.zeros((num_envs, game.size), dtype=np.int64)

    def note(self, games: EnvironmentGames, which: Ints, actions: Ints) -> None:
        """Before a step of these games: where their rolls will stand, if that is allowed."""
        playing = which[~games.over[which]]
        self._slots[playing, self._game.size - games.left[playing]] = actions[playing] + 1

    def frames(self, games: EnvironmentGames) -> tuple[Frame, ...]:
        """A frame a game, as `render` of a single environment gives it."""
        support, n = self._game.dice.support, self._game.size
        draw = board_text if self._mode == "ansi" else board_picture
        found = []
        for slots, places, left, is_over in zip(self._slots, games.places, games.left, games.over, strict=True):
            rolls = [support[place] for place in places.tolist()]
            rounds = n - int(left)
            board = Board.replay(self._game, zip(rolls[:rounds], slots[:rounds].tolist(), strict=True))
            found.append(draw(board, None if is_over else rolls[rounds]))
        return tuple(found)


def given_places(game: Game, num_envs: int, which: Ints, rolls: object) -> Ints:
    """The places in the support of the rolls [game, round] that are given for all games, of those that start.

    >>> given_places(Game.parse("1d6", "1-2"), 3, np.array([0, 2]), [[6, 1], [1, 1], [2, 3]]).tolist()
    [[5, 0], [1, 2]]
    """
    try:
        given = np.asarray(rolls)
    except ValueError:  # rows of different lengths
        given = np.zeros(0)
    if given.shape != (num_envs, game.size) or given.dtype.kind not in "iu":
        raise Ten18Error(f"accepted: an array of {num_envs} × {game.size} rolls, a row a game", "rolls", rolls)
    support = np.array(game.dice.support)
    wanted = given[which]
    found = np.minimum(np.searchsorted(support, wanted), len(support) - 1)
    if (wrong := (support[found] != wanted).any(axis=1)).any():
        places_of(game, wanted[wrong.argmax()])  # says which of them
    return found
