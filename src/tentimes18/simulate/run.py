"""What is played in a simulation: the game, the strategies by name, and the seed of the rolls."""

from dataclasses import dataclass
from typing import Final

from tentimes18.errors import Ten18Error
from tentimes18.game import Game
from tentimes18.strategies.named import DUEL_STRATEGIES, Finder, named

__all__ = ["Run", "verify_seed"]

SEED_DIGITS: Final = 100


def verify_seed(seed: int) -> None:
    """Raise where this is no seed: it may be any integer that people can write down.

    >>> verify_seed(-7)
    >>> verify_seed(10**100)
    Traceback (most recent call last):
    tentimes18.errors.Ten18Error: seed: too long; accepted: integers of up to 100 digits, also below zero
    """
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

    def __post_init__(self) -> None:
        verify_seed(self.seed)

    @property
    def is_duel(self) -> bool:
        """Whether a strategy of this run looks at the opponent's board.

        >>> Run(Game.classic(), ("optimal", "hunter"), seed=18).is_duel
        True
        """
        return any(name in DUEL_STRATEGIES for name in self.strategies)
