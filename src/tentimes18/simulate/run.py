"""What is played in a simulation: the game, the strategies by name, and the seed of the rolls."""

from dataclasses import dataclass

from tentimes18.game import Game
from tentimes18.simulate.seeds import verify_seed
from tentimes18.strategies.named import DUEL_STRATEGIES, Finder, named

__all__ = ["Run"]


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
