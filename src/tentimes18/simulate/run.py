"""What is played in a simulation: the game, the strategies by name, where they start, and the seed of the rolls."""

from dataclasses import dataclass

from tentimes18.errors import InvalidGame, Ten18Error
from tentimes18.game import Board, Game
from tentimes18.strategies.named import DUEL_STRATEGIES, Finder, named

SEED_DIGITS = 100
GAMES = 10**13
"""How many games a seed has."""


def verify_seed(seed: int) -> None:
    """Raise where this is no seed: it may be any integer that people can write down."""
    if abs(seed) >= 10**SEED_DIGITS:
        raise Ten18Error(f"too long; accepted: integers of up to {SEED_DIGITS} digits, also below zero", field="seed")


@dataclass(frozen=True)
class Run:
    """What is played: the game, the strategies by name, all on the same rolls, and the seed of these rolls.

    >>> Run(Game.classic(), ("optimal", "nearest"), seed=18).strategies
    ('optimal', 'nearest')
    """

    game: Game
    strategies: tuple[str, ...]
    seed: int
    find: Finder = named
    """What a name means; code of the user's own is a matter of `strategies.user_code`."""
    boards: tuple[Board, ...] = ()
    """The boards that the strategies go on from, one for each; none: all of them empty."""

    def __post_init__(self) -> None:
        verify_seed(self.seed)
        if not self.boards:
            return
        if len(self.boards) != len(self.strategies) or any(board.game != self.game for board in self.boards):
            raise InvalidGame("a run has one board of its game for each strategy", field="moves")
        if len({board.rounds for board in self.boards}) > 1:
            raise InvalidGame("the boards of a run have different numbers of moves", field="moves")
        if not self.boards[0].free:
            raise InvalidGame("the board is full, there is nothing left to place", field="moves")

    @property
    def is_duel(self) -> bool:
        """Whether a strategy of this run looks at the opponent's board."""
        return any(name in DUEL_STRATEGIES for name in self.strategies)

    @property
    def rounds(self) -> int:
        """How many rolls there are to place."""
        return self.game.size - (self.boards[0].rounds if self.boards else 0)

    def board(self, place: int = 0) -> Board:
        """The board that the strategy at this place goes on from."""
        return self.boards[place] if self.boards else Board(self.game)


def verify_number(number: int) -> None:
    """Raise ``InvalidGame`` unless a seed has a game of this number."""
    if not 0 <= number < GAMES:
        shown = str(number) if abs(number) < 10**40 else "a number of so many digits"
        raise InvalidGame(f"{shown} is not the number of a game; accepted: 0 to {GAMES - 1:,}", field="game")
