"""The strategies by name, behind one protocol."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Final, Protocol

from tentimes18.errors import Ten18Error
from tentimes18.game import Board, Game, slots_of
from tentimes18.solve.thresholds import exact_thresholds

__all__ = ["NAMES", "Hindsight", "Optimal", "RandomSlot", "Strategy", "named", "play"]


class Strategy(Protocol):
    """A rule that gives a slot for a board and a roll."""

    @property
    def name(self) -> str:
        """What it is called in every command."""
        ...

    def choose(self, board: Board, roll: int, future: Sequence[int] = ()) -> int:
        """The slot for this roll; ``future`` is the rolls still to come, which only hindsight may look at."""
        ...


@dataclass(frozen=True, slots=True)
class Optimal:
    """The paper's "maximum expected score"; of equally good slots it takes the one with the smaller number.

    >>> Optimal().choose(Board(Game.classic()), 9)
    4
    """

    name: str = field(default="optimal", init=False)

    def choose(self, board: Board, roll: int, future: Sequence[int] = ()) -> int:  # noqa: ARG002
        """The best slot, by the thresholds."""
        free = slots_of(board.free)
        if len(free) == 1:
            return free[0]
        rank = exact_thresholds(board.game.dice, board.game.size)[len(free) - 2].rank(roll)
        multipliers = board.game.multipliers
        while rank > 1 and multipliers[free[rank - 2] - 1] == multipliers[free[rank - 1] - 1]:
            rank -= 1
        return free[rank - 1]


@dataclass(frozen=True, slots=True)
class RandomSlot:
    """Each free slot with the same chance.

    >>> RandomSlot(Random(18)).choose(Board(Game.classic()), 9) in range(1, 11)
    True
    """

    generator: Random = field(default_factory=Random)
    name: str = field(default="random", init=False)

    def choose(self, board: Board, roll: int, future: Sequence[int] = ()) -> int:  # noqa: ARG002
        """Any free slot."""
        return self.generator.choice(slots_of(board.free))


@dataclass(frozen=True, slots=True)
class Hindsight:
    """The paper's "all-knowing" strategy: all rolls sorted into the slots.

    >>> Hindsight().choose(Board(Game.parse("1d6", "1-3")), 4, future=(6, 5))
    1
    """

    name: str = field(default="hindsight", init=False)

    def choose(self, board: Board, roll: int, future: Sequence[int] = ()) -> int:
        """The slot of the roll's rank among all rolls still to be placed."""
        free = slots_of(board.free)
        if len(future) != len(free) - 1:
            raise Ten18Error(f"hindsight needs the {len(free) - 1} rolls still to come, and got {len(future)}")
        return free[sum(later < roll for later in future)]


NAMES: Final[dict[str, Callable[[], Strategy]]] = {"random": RandomSlot, "optimal": Optimal, "hindsight": Hindsight}


def named(name: str) -> Strategy:
    """The strategy of this name.

    >>> named("optimal").name
    'optimal'
    """
    if name not in NAMES:
        raise Ten18Error(f"strategy {name!r} is not known; accepted: {', '.join(NAMES)}")
    return NAMES[name]()


def play(game: Game, strategy: Strategy, rolls: Sequence[int]) -> Board:
    """The full board after these rolls, one a round.

    >>> play(Game.parse("1d6", "1-3"), Hindsight(), [4, 6, 5]).score
    32
    """
    if len(rolls) != game.size:
        raise Ten18Error(f"rolls: a game on {game.size} slots takes {game.size} rolls, not {len(rolls)}")
    board = Board(game)
    for done, roll in enumerate(rolls, start=1):
        board = board.place(roll, strategy.choose(board, roll, rolls[done:]))
    return board
