"""What an environment of the game takes: the game, the aim, the reward; whatever is wrong is told in one line."""

from collections.abc import Iterable
from operator import index
from typing import Final, Literal, SupportsIndex, TypeAlias, get_args

from tentimes18.dice import Dice
from tentimes18.errors import IllegalMove, Ten18Error
from tentimes18.game import Game, Number, read_score, read_slots

__all__ = ["REWARDS", "DiceLike", "Reward", "SlotsLike", "action_of", "game_of", "target_of", "verify_choice"]

Reward: TypeAlias = Literal["aim", "regret"]
"""What a step is rewarded with: what it brings by the aim, or minus what it gave up."""
REWARDS: Final = get_args(Reward)
DiceLike: TypeAlias = str | Dice
SlotsLike: TypeAlias = str | Iterable[Number | float]


def game_of(dice: DiceLike, slots: SlotsLike) -> Game:
    """The game of these dice and slots, in notation or as they are.

    >>> game_of("1d6", [3, 1, 2]) == game_of(Dice.parse("1d6"), "1-3")
    True
    """
    if not isinstance(dice, str | Dice):
        raise Ten18Error("accepted: a notation like '3d6', or Dice", "dice", dice)
    if not isinstance(slots, Iterable):
        raise Ten18Error("accepted: a notation like '1-10', or multipliers", "slots", slots)
    law = Dice.parse(dice) if isinstance(dice, str) else dice
    return Game(law, read_slots(slots) if isinstance(slots, str) else slots)


def target_of(aim: str) -> Number | None:
    """The target of an aim by its name; none for the mean.

    >>> target_of("target:700"), target_of("mean")
    (700, None)
    """
    if isinstance(aim, str):
        kind, _, rest = aim.partition(":")
        if aim == "mean":
            return None
        if kind == "target" and rest:
            return read_score(rest, "aim", aim)
    raise Ten18Error("accepted: mean, or target:700", "aim", aim)


def verify_choice(given: object, accepted: Iterable[str | None], field: str) -> None:
    """Raise ``Ten18Error`` unless this is one of the accepted names.

    >>> verify_choice("score", REWARDS, "reward")
    Traceback (most recent call last):
    tentimes18.errors.Ten18Error: reward 'score': accepted: aim or regret
    """
    names = list(accepted)
    if given not in names:
        raise Ten18Error(f"accepted: {' or '.join(name for name in names if name)}", field, given)


def action_of(action: SupportsIndex) -> int:
    """An action as an integer, whatever kind of integer it is.

    >>> action_of(1.5)
    Traceback (most recent call last):
    tentimes18.errors.IllegalMove: action 1.5: accepted: the number of a slot, from 0
    """
    try:
        return index(action)
    except TypeError:
        raise IllegalMove("accepted: the number of a slot, from 0", "action", action) from None
