"""How a game is played: its rolls, its coach, what it is played for and against whom.

A game is practice where the coach speaks, where the player rolls own dice, or where it was begun as one: then a move
may be taken back. Any other game is rated, and its moves are final.
"""

from dataclasses import dataclass
from enum import StrEnum
from secrets import randbelow
from typing import Any

from tentimes18.coach.aims import is_of_duels
from tentimes18.errors import IllegalMove, InvalidGame
from tentimes18.game import Game
from tentimes18.records.notation import Record
from tentimes18.simulate.run import verify_number, verify_seed

MAX_NAME = 60
SEEDS = 10**6  # of those that are drawn: short enough to tell a friend
KINDS = (
    dict.fromkeys(("coach", "aim", "against", "name"), str)
    | dict.fromkeys(("seed", "game", "hints", "takebacks"), int)
    | dict.fromkeys(("own_dice", "practice"), bool)
    | {"rolled": dict}
)
"""What the tags hold."""


def any_seed() -> int:
    return randbelow(SEEDS)


class Coach(StrEnum):
    off = "off"
    warn = "warn"
    full = "full"


@dataclass(frozen=True, slots=True)
class Settings:
    """How a game is played; stored as tags of its record, so that it can go on."""

    game: Game
    seed: int
    number: int = 0  # among the games of the seed
    coach: Coach = Coach.off
    aim: str = "mean"
    against: str | None = None
    own_dice: bool = False
    name: str | None = None
    practice: bool = False  # whether it was begun as practice, whatever the coach says

    def __post_init__(self) -> None:
        verify_seed(self.seed)
        verify_number(self.number)
        if is_of_duels(self.aim) and self.against is None:
            raise InvalidGame(f"{self.aim[:60]} needs an opponent; say whom to play against", field="aim")
        if self.name is not None and not (self.name.isprintable() and 0 < len(self.name) <= MAX_NAME):
            raise InvalidGame(f"a name has 1 to {MAX_NAME} printable characters", field="name")

    @property
    def is_practice(self) -> bool:
        return self.practice or self.own_dice or self.coach is not Coach.off

    def tags(self) -> dict[str, Any]:
        tags: dict[str, Any] = {} if self.own_dice and self.against is None else {"seed": self.seed}
        tags |= {"own_dice": True} if self.own_dice else {"game": self.number}
        tags |= {"coach": str(self.coach), "aim": self.aim}
        tags |= {"practice": True} if self.practice else {}
        tags |= {key: text for key in ("against", "name") if (text := getattr(self, key)) is not None}
        return tags

    @classmethod
    def of(cls, record: Record) -> "Settings":
        """The settings in the tags of a record; raises ``InvalidGame`` where they are not ones."""
        tags = record.tags
        for key, kind in KINDS.items():
            if key in tags and type(tags[key]) is not kind:
                raise InvalidGame(f"{key} {str(tags[key])[:40]!r} cannot be read", field="tags")
        try:
            for roll in tags.get("rolled", {}).values():
                record.board.game.verify_roll(roll)
        except IllegalMove as error:
            raise InvalidGame(f"rolled cannot be read: {error.problem}", field="tags") from None
        if "against" in tags and record.opponent is None:
            raise InvalidGame("the game has an opponent without a board", field="opponent")
        try:
            coach = Coach(tags.get("coach", "off"))
        except ValueError:
            raise InvalidGame(f"coach {tags['coach'][:40]!r} cannot be read", field="tags") from None
        return cls(
            game=record.board.game,
            seed=tags.get("seed", 0),
            number=tags.get("game", 0),
            coach=coach,
            aim=tags.get("aim", "mean"),
            against=tags.get("against"),
            own_dice=tags.get("own_dice", "seed" not in tags),
            name=tags.get("name"),
            practice=tags.get("practice", False),
        )
