"""Checks of the arguments of the environments."""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from operator import index
from typing import Any, Literal, TypeAlias, get_args

import numpy as np

from tentimes18.dice import Dice
from tentimes18.errors import Ten18Error
from tentimes18.game import Game, Number, read_score, read_slots

Reward: TypeAlias = Literal["aim", "regret"]
"""A step is rewarded with its points by the aim, or with minus its regret."""
REWARDS = get_args(Reward)
DiceLike: TypeAlias = str | Dice
SlotsLike: TypeAlias = str | Iterable[Number | float]
NO_ACTION = -1  # illegal in all environments
HINTS = frozenset({"best_action", "luck", "regret"})
"""What only the solution knows; ``hints=False`` removes it from `info`."""


def game_of(dice: DiceLike, slots: SlotsLike) -> Game:
    if not isinstance(dice, str | Dice):
        raise Ten18Error("accepted: a notation like '3d6', or Dice", "dice", dice)
    if not isinstance(slots, Iterable):
        raise Ten18Error("accepted: a notation like '1-10', or multipliers", "slots", slots)
    distribution = Dice.parse(dice) if isinstance(dice, str) else dice
    if isinstance(slots, str):
        return Game(distribution, read_slots(slots))
    # numbers of NumPy become those of Python
    return Game(distribution, (slot.item() if isinstance(slot, np.number) else slot for slot in slots))


def target_of(aim: str) -> Number | None:
    """The target of an aim; None for the mean."""
    if isinstance(aim, str):
        kind, _, rest = aim.partition(":")
        if aim == "mean":
            return None
        if kind == "target" and rest:
            return read_score(rest, "aim", aim)
    raise Ten18Error("accepted: mean, or target:700", "aim", aim)


def options_in(options: Any, accepted: str) -> dict[str, Any]:
    if options is not None and not isinstance(options, Mapping):
        raise Ten18Error(f"accepted: {accepted}", "options", options)
    return dict(options or {})


def places_of(game: Game, rolls: object) -> list[int]:
    """The places in the support of the rolls of a whole game."""
    listed = list(rolls) if isinstance(rolls, Iterable) and not isinstance(rolls, str | bytes) else []
    if len(listed) != game.size:
        raise Ten18Error(f"accepted: {game.size} rolls, one for each slot", "rolls", rolls)
    places = []
    for roll in listed:
        with suppress(TypeError):  # the game rejects the roll
            roll = roll if isinstance(roll, bool) else index(roll)
        game.verify_roll(roll)
        places.append(game.dice.support.index(roll))
    return places


def verify_choice(choice: object, accepted: Iterable[str | None], field: str) -> None:
    names = list(accepted)
    if choice not in names:
        raise Ten18Error(f"accepted: {' or '.join(name for name in names if name)}", field, choice)


def seed_of(seed: Any) -> int:
    try:
        return index(seed)
    except TypeError:
        raise Ten18Error("accepted: an integer", "seed", seed) from None


def action_of(action: Any) -> int:
    """An action as an integer, also from an array of one number; NO_ACTION for anything else."""
    if isinstance(action, np.ndarray) and action.size == 1:
        action = action.reshape(-1)[0]
    try:
        number = index(action)
    except TypeError:
        return NO_ACTION
    return number if abs(number) < 1 << 62 else NO_ACTION


def shown_info(info: dict[str, Any], *, hints: bool) -> dict[str, Any]:
    """The `info` of a step, with or without the hints of the solution."""
    return info if hints else {name: value for name, value in info.items() if name.removeprefix("_") not in HINTS}
