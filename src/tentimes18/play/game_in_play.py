"""A game in play: settings, rolls and the opponent's moves, stored so that they survive whatever ends the program.

A game is practice where the coach speaks, where the player rolls own dice, or where it was begun as one: then a move
may be taken back. Any other game is rated, and its moves are final.

The game is stored in the history (`records.history`) after every roll and every move. The rolls come from the seed, and
the roll that waits is stored too: to leave and come back changes nothing.

When a move is taken back, and in a duel the opponent's with it, its roll waits again, and later rolls stay what they
were, also those of the player's own dice. The tag ``takebacks`` counts how often.

Rolls, reviews and the tables of aims and opponents are loaded when they are needed: a game with one's own dice and a
coach for the mean needs none of them.
"""

from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from functools import cached_property
from random import Random
from secrets import randbelow
from typing import TYPE_CHECKING, Any

from tentimes18.coach.advice import Advice, advise
from tentimes18.coach.aims import Aim, aim_named, is_of_duels
from tentimes18.errors import IllegalMove, InvalidGame
from tentimes18.game import Board, Game, Position
from tentimes18.play.faces import faces_of
from tentimes18.play.opponents import Chooser, opponent
from tentimes18.records.history import History, UnfinishedGame
from tentimes18.records.notation import Record
from tentimes18.simulate.run import Run, rolls_of, verify_number, verify_seed
from tentimes18.strategies.named import Finder, named

if TYPE_CHECKING:
    from tentimes18.coach.review import Review

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
    """How a game is played: its rolls, its coach, what for and against whom; stored as tags of its record."""

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
        known = {key: tags[key] for key in ("aim", "against", "name", "practice") if key in tags}
        own_dice = tags.get("own_dice", "seed" not in tags)
        return cls(record.board.game, tags.get("seed", 0), tags.get("game", 0), coach, own_dice=own_dice, **known)


class GameInPlay:
    """A game from its first roll to its place among the finished ones."""

    def __init__(
        self,
        settings: Settings,
        history: History,
        record: Record | None = None,
        kept: UnfinishedGame | None = None,
        find: Finder = named,
    ) -> None:
        empty = Board(settings.game)
        self.settings = settings
        self.history = history
        theirs = None if settings.against is None else empty
        self.record = record or Record(empty, opponent=theirs, tags=settings.tags())
        self.trouble: str | None = None  # why the game could not be stored the last time
        self._kept = kept
        self._find = find
        self._advised: tuple[Position, Advice] | None = None

    @classmethod
    def resumed(cls, kept: UnfinishedGame, history: History, find: Finder = named, **changes: Any) -> "GameInPlay":
        """An unfinished game with these settings changed; raises ``OSError`` or ``ValueError`` if it cannot be read."""
        record = kept.read()
        before = Settings.of(record)
        settings = replace(before, **changes)
        if before.is_practice and not settings.is_practice:
            settings = replace(settings, practice=True)  # for good: the coach has spoken
        return cls(settings, history, replace(record, tags={**record.tags, **settings.tags()}), kept, find)

    @cached_property
    def aim(self) -> Aim:
        return aim_named(self.settings.game, self.settings.aim)

    @cached_property
    def _opponent(self) -> Chooser | None:
        settings, against = self.settings, self.settings.against
        return None if against is None else opponent(against, settings.game, settings.seed, self._find)

    @cached_property
    def _rolls(self) -> list[int]:
        return rolls_of(Run(self.settings.game, ("optimal",), self.settings.seed), self.settings.number)

    @property
    def position(self) -> Position:
        return Position(self.record.board, self.record.opponent)

    @property
    def is_begun(self) -> bool:
        """Whether there is something to store; not while the tables are made."""
        return self._kept is not None or self.trouble is not None

    @property
    def needs_roll(self) -> bool:
        return self.record.roll is None and not self.record.finished

    @property
    def _waiting_roll(self) -> int:
        if self.record.roll is None:
            raise IllegalMove("there is no roll to place", field="roll")
        return self.record.roll

    @property
    def faces(self) -> tuple[int, ...]:
        """What each of the dice shows, where they can be drawn: the same whenever this roll is looked at."""
        settings, record = self.settings, self.record
        if settings.own_dice or record.roll is None:
            return ()
        generator = Random(f"faces {settings.seed} {settings.number} {record.board.rounds}")
        return faces_of(settings.game.dice, record.roll, generator)

    def prepare(self) -> None:
        """Make the tables, and raise ``Ten18Error`` where this game cannot be played so."""
        _ = self._opponent
        if self.settings.coach is not Coach.off or self.settings.aim != "mean":
            self.aim.moves(self.position, self.settings.game.dice.support[0])

    def begin(self) -> None:
        """Roll, unless a roll waits or the dice are the player's own, and keep the game."""
        self._keep_rolled(self.record)

    def roll(self, roll: int) -> None:
        """The player's own dice show this; raises ``IllegalMove`` where they cannot, or none is asked for."""
        if not self.needs_roll:
            raise IllegalMove("no roll is asked for", field="roll")
        self.settings.game.verify_roll(roll)
        self.keep(roll=roll)

    def take_roll_back(self) -> None:
        """Forget a roll of the player's own dice that was mistyped; no other roll can be changed."""
        if not self.settings.own_dice:
            raise IllegalMove("a roll cannot be taken back, unless you typed it yourself", field="roll")
        self.keep(roll=None)

    @property
    def takebacks(self) -> int:
        return int(self.record.tags.get("takebacks", 0))

    def take_back(self) -> None:
        """Take the last move back, and the opponent's of that round: the roll waits again, and no later one changes."""
        if "date" in self.record.tags:
            raise IllegalMove("the game is finished")
        if not self.settings.is_practice:
            raise IllegalMove("a move in a rated game cannot be taken back; in a practice game it can")
        board, theirs, roll = self.record.board, self.record.opponent, self.record.roll
        if not board.placements:
            raise IllegalMove("there is no move to take back")
        tags = {**self.record.tags, "takebacks": self.takebacks + 1}
        if self.settings.own_dice and roll is not None:
            tags["rolled"] = {**tags.get("rolled", {}), str(board.rounds + 1): roll}
        self.keep(
            board=Board(board.game, board.placements[:-1]),
            opponent=None if theirs is None else Board(board.game, theirs.placements[:-1]),
            roll=board.placements[-1].roll,
            tags=tags,
        )

    def place(self, slot: int) -> None:
        """Place the roll, and the opponent's, who chose without seeing it; then roll."""
        record, roll = self.record, self._waiting_roll
        board, theirs = record.board.place(roll, slot), record.opponent
        if theirs is not None and self._opponent is not None:
            theirs = theirs.place(roll, self._opponent(theirs, record.board, roll))
        self._keep_rolled(replace(record, board=board, opponent=theirs, roll=None))

    def _keep_rolled(self, record: Record) -> None:
        self.record = record
        if not self.needs_roll:
            return self.keep()
        if not self.settings.own_dice:
            return self.keep(roll=self._rolls[record.board.rounds])
        # Own dice that were rolled in this round before a move was taken back are not rolled again.
        rolled = dict(record.tags.get("rolled", {}))
        roll = rolled.pop(str(record.board.rounds + 1), None)
        tags = {key: value for key, value in record.tags.items() if key != "rolled"}
        return self.keep(roll=roll, tags=tags | ({"rolled": rolled} if rolled else {}))

    def advice(self) -> Advice:
        """All moves for the roll that waits; computed once, however often it is looked at."""
        position, roll = self.position, self._waiting_roll
        if self._advised is None or self._advised[0] != position or self._advised[1].roll != roll:
            self._advised = position, advise(position, roll, self.aim)
        return self._advised[1]

    def note_hint(self) -> None:
        self.keep(tags={**self.record.tags, "hints": self.record.tags.get("hints", 0) + 1})

    def review(self) -> "Review":
        from tentimes18.coach.review import review

        return review(self.record, self.aim)

    def keep(self, **changes: Any) -> None:
        """Keep the game with these changes; where that fails, ``trouble`` says why, and the game goes on."""
        self.record = replace(self.record, **changes)
        try:
            if self._kept is None:
                self._kept = self.history.begin(self.record)
            else:
                self._kept.keep(self.record)
            self.trouble = None
        except OSError as error:
            self._complain(error)

    def finish(self) -> None:
        """Put the game among the finished ones, once, whatever stopped an earlier try."""
        is_new = "date" not in self.record.tags
        if is_new:
            date = datetime.now().astimezone().isoformat(timespec="seconds")
            self.keep(tags={**self.record.tags, "date": date})
        try:
            if is_new or not self.history.holds(self.record):
                self.history.add(self.record)
        except OSError as error:
            self._complain(error)
            if self._kept is not None:
                self._kept.unlock()
            return
        self.trouble = None
        if self._kept is not None:
            self._kept.drop()

    def leave(self) -> None:
        if self._kept is not None:
            self.keep()
            self._kept.unlock()

    def _complain(self, error: OSError) -> None:
        self.trouble = f"{error.strerror or error}: {self.history.folder}"


def unfinished_games(history: History) -> list[tuple[UnfinishedGame, Record]]:
    """The games that wait to be continued, the latest first; one that only lacks its place among the others gets it."""
    waiting = []
    for kept, record in history.unfinished():
        if not record.finished:
            waiting.append((kept, record))
        elif kept.lock():
            GameInPlay(Settings(record.board.game, seed=0), history, record, kept).finish()
    return waiting
