"""What an environment of the game takes: the game, the aim, the reward; whatever is wrong is told in one line."""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from numbers import Integral, Real
from operator import index
from typing import Any, Literal, SupportsIndex, TypeAlias, get_args

from tentimes18.dice import Dice
from tentimes18.errors import IllegalMove, Ten18Error
from tentimes18.game import Game, Number, read_score, read_slots

Reward: TypeAlias = Literal["aim", "regret"]
"""What a step is rewarded with: what it brings by the aim, or minus what it gave up."""
REWARDS = get_args(Reward)
DiceLike: TypeAlias = str | Dice
SlotsLike: TypeAlias = str | Iterable[Number | float]


def game_of(dice: DiceLike, slots: SlotsLike) -> Game:
    """The game of these dice and slots, in notation or as they are."""
    if not isinstance(dice, str | Dice):
        raise Ten18Error("accepted: a notation like '3d6', or Dice", "dice", dice)
    if not isinstance(slots, Iterable):
        raise Ten18Error("accepted: a notation like '1-10', or multipliers", "slots", slots)
    distribution = Dice.parse(dice) if isinstance(dice, str) else dice
    return Game(distribution, read_slots(slots) if isinstance(slots, str) else map(_plain, slots))


def _plain(multiplier: Any) -> Any:
    """A number of NumPy as one of Python; whatever is no number stays as it is."""
    if isinstance(multiplier, bool | Fraction) or not isinstance(multiplier, Real):
        return multiplier
    return int(multiplier) if isinstance(multiplier, Integral) else float(multiplier)


def target_of(aim: str) -> Number | None:
    """The target of an aim by its name; none for the mean."""
    if isinstance(aim, str):
        kind, _, rest = aim.partition(":")
        if aim == "mean":
            return None
        if kind == "target" and rest:
            return read_score(rest, "aim", aim)
    raise Ten18Error("accepted: mean, or target:700", "aim", aim)


def options_in(options: Any, accepted: str) -> dict[str, Any]:
    """The options of a reset: none, or those that a mapping has."""
    if options is not None and not isinstance(options, Mapping):
        raise Ten18Error(f"accepted: {accepted}", "options", options)
    return dict(options or {})


def rolls_in(options: Any) -> Any:
    """The rolls that the options of a reset have, if any: nothing else is accepted there."""
    accepted = "{'rolls': [...]}"
    given = options_in(options, accepted)
    if given and given.keys() != {"rolls"}:
        raise Ten18Error(f"accepted: {accepted}", "options", options)
    return given.get("rolls")


def places_of(game: Game, rolls: object) -> list[int]:
    """The places in the support of the rolls that are given for a whole game."""
    given = list(rolls) if isinstance(rolls, Iterable) and not isinstance(rolls, str | bytes) else []
    if len(given) != game.size:
        raise Ten18Error(f"accepted: {game.size} rolls, one for each slot", "rolls", rolls)
    found = []
    for roll in given:
        try:
            number = roll if isinstance(roll, bool) else index(roll)
        except TypeError:
            number = roll
        game.verify_roll(number)
        found.append(game.dice.support.index(number))
    return found


def verify_choice(given: object, accepted: Iterable[str | None], field: str) -> None:
    """Raise ``Ten18Error`` unless this is one of the accepted names."""
    names = list(accepted)
    if given not in names:
        raise Ten18Error(f"accepted: {' or '.join(name for name in names if name)}", field, given)


def seed_of(seed: Any) -> int:
    """A seed as an integer, whatever kind of integer it is."""
    try:
        return index(seed)
    except TypeError:
        raise Ten18Error("accepted: an integer", "seed", seed) from None


def action_of(action: SupportsIndex) -> int:
    """An action as an integer, whatever kind of integer it is."""
    try:
        return index(action)
    except TypeError:
        raise IllegalMove("accepted: the number of a slot, from 0", "action", action) from None
