"""A game in play: its rolls, its opponent, and how it is kept, so that nothing that ends the program loses it.

The game is written to the disk after every roll and every move. The rolls come from the seed, and the roll that waits
is kept too: to leave and come back changes nothing.
"""

from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from functools import cached_property
from typing import Any, Final

from tentimes18.coach.advice import Advice, advise
from tentimes18.coach.aims import Aim, aim_named
from tentimes18.coach.review import Review, review
from tentimes18.errors import InvalidGame
from tentimes18.game import Board, Game, Position
from tentimes18.play.opponents import Opponent, opponent
from tentimes18.records.files import Line
from tentimes18.records.history import History, UnfinishedGame
from tentimes18.records.notation import Record
from tentimes18.simulate.run import Run
from tentimes18.strategies.named import Finder, named

__all__ = ["Coach", "GameInPlay", "Settings", "unfinished_games"]

MAX_NAME: Final = 60


class Coach(StrEnum):
    """How much the coach says."""

    off = "off"
    warn = "warn"
    full = "full"


@dataclass(frozen=True, slots=True)
class Settings:
    """How a game is played; kept as tags of its record, so that it can go on.

    >>> settings = Settings(Game.classic(), seed=18, coach=Coach.full)
    >>> settings.tags()
    {'seed': 18, 'game': 0, 'coach': 'full', 'aim': 'mean'}
    >>> Settings.of(Record(Board(settings.game), tags=settings.tags())) == settings
    True
    """

    game: Game
    seed: int
    number: int = 0
    """Which of the games of the seed it is."""
    coach: Coach = Coach.off
    aim: str = "mean"
    against: str | None = None
    own_dice: bool = False
    name: str | None = None

    def __post_init__(self) -> None:
        if self.aim.startswith("duel") and self.against is None:
            raise InvalidGame(f"{self.aim[:60]} needs an opponent; give one, as in against optimal", field="aim")
        if self.name is not None and not (self.name.isprintable() and 0 < len(self.name) <= MAX_NAME):
            raise InvalidGame(f"a name has 1 to {MAX_NAME} printable characters", field="name")
        if self.number < 0:
            raise InvalidGame(f"{self.number} is not the number of a game; the first is 0", field="game")

    def tags(self) -> dict[str, Any]:
        """The settings as tags."""
        tags: dict[str, Any] = {} if self.own_dice and self.against is None else {"seed": self.seed}
        tags |= {"own_dice": True} if self.own_dice else {"game": self.number}
        tags |= {"coach": str(self.coach), "aim": self.aim}
        tags |= {key: text for key in ("against", "name") if (text := getattr(self, key)) is not None}
        return tags

    @classmethod
    def of(cls, record: Record) -> "Settings":
        """The settings in the tags of a record; raises ``InvalidGame`` where they are not ones."""
        tags = record.tags
        kinds = dict.fromkeys(("coach", "aim", "against", "name"), str) | dict.fromkeys(("seed", "game", "hints"), int)
        for key, kind in (kinds | {"own_dice": bool}).items():
            if key in tags and type(tags[key]) is not kind:
                raise InvalidGame(f"{key} {str(tags[key])[:40]!r} cannot be read", field="tags")
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
        )


class GameInPlay:
    """A game from its first roll to its place in the history.

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     history = History(Path(folder))
    ...     play = GameInPlay(Settings(Game.parse("1d6", "1,2"), seed=18), history)
    ...     play.begin()
    ...     rolls = [play.place(slot) and play.record.board.placements[-1].roll for slot in (2, 1)]
    ...     play.finish()
    ...     [line.record.board.rounds for line in history.games()], history.unfinished()
    ([2], [])
    """

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
        self._find = find
        self.history = history
        self.record = record or Record(
            empty, opponent=None if settings.against is None else empty, tags=settings.tags()
        )
        self.kept = kept
        self.trouble: OSError | None = None
        """Why the game could not be kept, the last time it was tried."""

    @cached_property
    def aim(self) -> Aim:
        """What moves are measured by."""
        return aim_named(self.settings.game, self.settings.aim)

    @cached_property
    def _opponent(self) -> Opponent | None:
        settings = self.settings
        return (
            None if settings.against is None else opponent(settings.against, settings.game, settings.seed, self._find)
        )

    @cached_property
    def _rolls(self) -> list[int]:
        from tentimes18.simulate.drawing import drawn_rolls

        settings = self.settings
        return drawn_rolls(Run(settings.game, ("optimal",), settings.seed), settings.number, 1)[0]

    @property
    def position(self) -> Position:
        """The boards as they stand."""
        return Position(self.record.board, self.record.opponent)

    @property
    def is_begun(self) -> bool:
        """Whether there is something to be kept; not while the tables are made."""
        return self.kept is not None or self.trouble is not None

    @property
    def needs_roll(self) -> bool:
        """Whether the player has to say what the dice show."""
        return self.record.roll is None and not self.record.finished

    def prepare(self) -> None:
        """Make the tables, and raise ``Ten18Error`` where this game cannot be played so."""
        _ = self._opponent
        if self.settings.coach is not Coach.off or self.settings.aim != "mean":
            self.aim.moves(self.position, self.settings.game.dice.support[0])

    def begin(self) -> None:
        """Roll, unless a roll waits or the dice are the player's own, and keep the game."""
        self.record = self._rolled(self.record)
        self.keep()

    def roll(self, roll: int) -> None:
        """The player's own dice show this; raises ``IllegalMove`` where they cannot."""
        self.settings.game.verify_roll(roll)
        self.record = replace(self.record, roll=roll)
        self.keep()

    def take_roll_back(self) -> None:
        """The player mistyped what the own dice show."""
        self.record = replace(self.record, roll=None)
        self.keep()

    def place(self, slot: int) -> int:
        """Place the roll, and the opponent's, who chose without seeing it; then roll. Gives the slot."""
        record = self.record
        assert record.roll is not None
        board, theirs = record.board.place(record.roll, slot), record.opponent
        if theirs is not None and self._opponent is not None:
            theirs = theirs.place(record.roll, self._opponent.choose(theirs, record.board, record.roll))
        self.record = self._rolled(replace(record, board=board, opponent=theirs, roll=None))
        self.keep()
        return slot

    def _rolled(self, record: Record) -> Record:
        if record.finished or record.roll is not None or self.settings.own_dice:
            return record
        return replace(record, roll=self._rolls[record.board.rounds])

    def advice(self) -> Advice:
        """All moves for the roll that waits."""
        assert self.record.roll is not None
        return advise(self.position, self.record.roll, self.aim)

    def note_hint(self) -> None:
        """Count a hint that was asked for."""
        self.record = replace(self.record, tags={**self.record.tags, "hints": self.record.tags.get("hints", 0) + 1})
        self.keep()

    def review(self) -> Review:
        """The game so far, move by move."""
        return review(self.record, self.aim)

    def keep(self) -> None:
        """Write the game as it stands; where that fails, ``trouble`` says why, and the game goes on."""
        try:
            if self.kept is None:
                self.kept = self.history.begin(self.record)
            else:
                self.kept.keep(self.record)
            self.trouble = None
        except OSError as error:
            self.trouble = error

    def finish(self) -> None:
        """Put the finished game into the history, once, whatever stopped an earlier try."""
        is_new = "date" not in self.record.tags
        if is_new:
            date = datetime.now().astimezone().isoformat(timespec="seconds")
            self.record = replace(self.record, tags={**self.record.tags, "date": date})
            self.keep()
        try:
            if is_new or not self._is_in_history():
                self.history.add(self.record)
        except OSError as error:
            self.trouble = error
            if self.kept is not None:
                self.kept.unlock()
            return
        self.trouble = None
        if self.kept is not None:
            self.kept.drop()

    def _is_in_history(self) -> bool:
        return any(line.record == self.record for line in self.history.games() if isinstance(line, Line))

    def leave(self) -> None:
        """Leave the game to be continued another time."""
        if self.kept is not None:
            self.keep()
            self.kept.unlock()


def unfinished_games(history: History) -> list[tuple[UnfinishedGame, Record]]:
    """The games that wait to be continued, the latest first; one that only lacks its place in the history gets it."""
    waiting = []
    for kept, record in history.unfinished():
        if not record.finished:
            waiting.append((kept, record))
        elif kept.lock():
            GameInPlay(Settings(record.board.game, seed=0), history, record, kept).finish()
    return waiting
