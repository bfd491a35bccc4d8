"""A drill: positions where the choice is close, or where the player erred before, answered and graded one by one.

A call is close where the runner-up loses something, but little: at most a ninth of the game's spread, which is the
difference of its outermost multipliers times the standard deviation of a roll (so about 3 points in the classic game),
and not less than a five-hundredth. A question that was answered wrongly is asked again after a few others, and on a
later day.

Each position to repeat is in a box (Leitner 1972): the higher the box, the longer it rests. A right answer moves it to
the next box, a wrong one to the first, whose positions are asked the next time. The schedule is one file in the data
folder, `drill.json`, written whole after every answer.
"""

import json
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum
from fractions import Fraction
from functools import cached_property
from itertools import chain, islice, zip_longest
from math import sqrt
from pathlib import Path
from random import Random
from typing import Any, TypeAlias

from tentimes18.coach.advice import Advice, advise
from tentimes18.coach.aims import played_for
from tentimes18.coach.losses import MoveClass, Worth, board_losses, classify
from tentimes18.errors import InvalidGame, Ten18Error, TooLarge
from tentimes18.files import data_folder, write_whole
from tentimes18.game import Board, Game
from tentimes18.records.notation import Record, format_record, parse_record, read_json
from tentimes18.simulate.run import verify_seed

MAX_SLOTS = 50
CLOSEST = 1 / 500
WIDEST = 1 / 9
MAX_GAMES = 200  # without a new position, until there seem to be no more
LATEST = 100  # errors
REPEAT_AFTER = 4  # questions later
LOOK_AHEAD = 20  # questions: this far ahead it is known whether there are more
VERSION = 1  # of the schedule
RESTS = (0, 1, 3, 7, 21, 60)
"""The days that a position rests in each box."""

Key: TypeAlias = tuple[Game, int, int]


class Source(StrEnum):
    all = "all"
    close = "close"
    history = "history"


@dataclass(frozen=True, slots=True)
class ScheduledPosition:
    """A position with a roll to place, its box, from 1, and the day it comes back."""

    record: Record
    source: Source
    box: int
    due: date


def key_of(record: Record) -> Key:
    """What makes two positions the same question: the free slots and the roll, however the board was filled."""
    if record.roll is None:
        raise InvalidGame("a position to answer has a roll to place", field="roll")
    return record.board.game, record.board.free, record.roll


class Schedule:
    """The positions that come back, in the file of a folder."""

    def __init__(self, folder: Path | None = None) -> None:
        self.path = (folder or data_folder()) / "drill.json"

    def positions(self) -> list[ScheduledPosition]:
        """All positions, those that come back first at the front; raises ``Ten18Error`` where the file is damaged."""
        return sorted(self._read().values(), key=lambda position: position.due)

    def move(self, record: Record, source: Source, is_right: bool, today: date) -> ScheduledPosition:
        """Put an answered position into its box, and write the file."""
        positions = self._read()  # again: it may be open in another window
        known = positions.get(key_of(record))
        box = min(known.box + 1 if known else 2, len(RESTS)) if is_right else 1
        due = today + timedelta(days=RESTS[box - 1])
        moved = positions[key_of(record)] = ScheduledPosition(Record(record.board, record.roll), source, box, due)
        cards = (
            {"position": format_record(card.record), "source": card.source, "box": card.box, "due": str(card.due)}
            for card in positions.values()
        )
        rows = ",\n".join(json.dumps(card, ensure_ascii=False) for card in cards)
        self.path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(self.path, f'{{"version": {VERSION}, "cards": [\n{rows}\n]}}\n'.encode())
        return moved

    def _read(self) -> dict[Key, ScheduledPosition]:
        try:
            content = self.path.read_bytes()
        except FileNotFoundError:
            return {}
        try:
            return {key_of(position.record): position for position in _parse(read_json(content.decode()))}
        except (Ten18Error, ValueError, TypeError, KeyError) as error:
            reason = error if isinstance(error, Ten18Error) else "it is not what a drill writes"
            raise Ten18Error(f"{self.path} cannot be read ({reason}); repair it, or move it away") from None


def _parse(content: Any) -> Iterator[ScheduledPosition]:
    if content["version"] != VERSION:
        raise InvalidGame(f"version {content['version']} is not {VERSION}")
    for row in content["cards"]:
        box = row["box"]
        if type(box) is not int or not 1 <= box <= len(RESTS):
            raise InvalidGame(f"there is no box {box}")
        record, due = parse_record(str(row["position"])), date.fromisoformat(row["due"])
        yield ScheduledPosition(record, Source(row["source"]), box, due)


@dataclass(frozen=True)
class Question:
    """A board with a roll to place, where it comes from, and whether it was answered wrongly before."""

    record: Record
    source: Source
    is_back: bool = False

    @property
    def key(self) -> Key:
        return key_of(self.record)

    @cached_property
    def advice(self) -> Advice:
        assert self.record.roll is not None
        return advise(self.record.board, self.record.roll)


@dataclass(frozen=True, slots=True)
class Answer:
    question: Question
    slot: int
    advice: Advice
    scheduled: ScheduledPosition | None

    @property
    def loss(self) -> Worth:
        return self.advice.move(self.slot).loss

    @property
    def is_right(self) -> bool:
        return not self.loss

    @property
    def move_class(self) -> MoveClass:
        return classify(self.loss)


def close_calls(game: Game, generator: Random) -> Iterator[Question]:
    """Close calls in games played partly at random, no two the same; then any other choices."""
    spread = float(game.multipliers[-1] - game.multipliers[0]) * sqrt(game.dice.variance)
    known: set[Key] = set()
    choices: dict[Key, Question] = {}
    empty_games = 0
    while empty_games < MAX_GAMES:
        questions = [question for question in _played(game, generator) if question.advice.is_choice]
        choices |= {question.key: question for question in questions}
        close = []
        for question in questions:
            runner_up = min(move.loss for move in question.advice.moves if move.loss)  # ties are all best
            if question.key not in known and CLOSEST * spread <= runner_up <= WIDEST * spread:
                close.append(question)
        empty_games = 0 if close else empty_games + 1
        if close:
            question = generator.choice(close)  # one a game, so that they are not all alike
            known.add(question.key)
            yield question
    yield from (question for key, question in choices.items() if key not in known)


def _played(game: Game, generator: Random) -> Iterator[Question]:
    """The positions of one game: mostly one of the best three slots, sometimes any."""
    board = Board(game)
    while board.free:
        [roll] = generator.choices(game.dice.support, game.dice.counts)
        question = Question(Record(board, roll), Source.close)
        yield question
        slots = [move.slot for move in question.advice.moves]
        board = board.place(roll, generator.choice(slots if generator.random() < 0.1 else slots[:3]))


def past_errors(game: Game, records: Iterable[Record]) -> Iterator[Question]:
    """Where the player lost a point or more in this game, playing for the mean; the latest first, none twice."""
    known: set[Key] = set()
    for record in reversed(list(records)):
        if record.board.game != game or played_for(record) != "mean":
            continue
        for r, (move, (roll, _)) in enumerate(zip(board_losses(record.board), record.board.placements, strict=True)):
            if move.move_class.mark:
                question = Question(Record(Board(game, record.board.placements[:r]), roll), Source.history)
                if question.key not in known:
                    known.add(question.key)
                    yield question


class Drill:
    """A round of questions; answers are kept as they are given. ``errors`` are earlier errors, the latest first."""

    def __init__(
        self,
        game: Game,
        count: int = 10,
        *,
        seed: int = 0,
        source: Source = Source.all,
        errors: Iterable[Question] = (),
        folder: Path | None = None,
        today: date | None = None,
    ) -> None:
        if game.size > MAX_SLOTS:
            raise TooLarge(f"{game.size:,} slots; positions with at most {MAX_SLOTS} are drilled", field="slots")
        verify_seed(seed)
        self.game = game
        self.count = count
        self.today = today or date.today()
        self.schedule = Schedule(folder)
        self.answers: list[Answer] = []
        self.trouble: str | None = None  # why the last answer could not be kept
        self._later: dict[int, Question] = {}
        self._failed: set[Key] = set()
        self._new = self._questions(source, errors, Random(f"drill {seed}"))
        self._ready: deque[Question] = deque()
        self._is_asking = False
        # Where there can be few positions, or all are known at once, all are looked for.
        is_short = source is Source.history or len(game.dice.support) << game.size < 4 * count
        self._look_ahead = count if is_short else LOOK_AHEAD

    def _questions(self, source: Source, past_errors: Iterable[Question], generator: Random) -> Iterator[Question]:
        scheduled = self.coming_back()
        known = {key_of(position.record) for position in scheduled}
        for position in scheduled:
            if position.due <= self.today and source in (Source.all, position.source):
                yield Question(position.record, position.source, is_back=True)
        errors = list(islice(past_errors, LATEST)) if source is not Source.close else []
        generator.shuffle(errors)
        close = close_calls(self.game, generator) if source is not Source.history else iter(())
        for question in chain.from_iterable(zip_longest(errors, close)):
            if question is not None and question.key not in known:
                known.add(question.key)
                yield question

    def question(self) -> Question | None:
        """The next one; none when all are answered, or there are no more."""
        answered = len(self.answers)
        self._find(1)
        is_due = min(self._later, default=answered + 1) <= answered
        self._is_asking = answered < self.count and bool(self._later or self._ready)
        if not self._is_asking:
            return None
        return self._later.pop(min(self._later)) if is_due or not self._ready else self._ready.popleft()

    @property
    def total(self) -> int:
        """The number of questions as far as it is known; a question that is asked again counts again."""
        ahead = min(self.count - len(self.answers), self._look_ahead)
        self._find(ahead)
        is_all = len(self._ready) < ahead
        known = len(self.answers) + self._is_asking + len(self._later) + len(self._ready)
        return min(self.count, known) if is_all else self.count

    def _find(self, count: int) -> None:
        self._ready.extend(islice(self._new, max(0, count - len(self._ready))))

    def answer(self, question: Question, slot: int, *, is_hinted: bool = False) -> Answer:
        """Grade an answer and keep it; with a hint it counts, but comes back as if it were wrong."""
        record, source = question.record, question.source
        record.board.verify(slot)
        is_known = not question.advice.move(slot).loss and not is_hinted
        if not is_known:
            self._failed.add(question.key)
            self._later[len(self.answers) + REPEAT_AFTER] = Question(record, source, is_back=True)
        scheduled = None
        if not is_known or question.is_back or source is Source.history:
            is_right = is_known and question.key not in self._failed
            try:
                scheduled = self.schedule.move(record, source, is_right, self.today)
                self.trouble = None
            except OSError as error:
                self.trouble = f"{error.strerror or error}: {self.schedule.path}"
        self._is_asking = False
        answer = Answer(question, slot, question.advice, scheduled)
        self.answers.append(answer)
        return answer

    @property
    def right(self) -> int:
        return sum(answer.is_right for answer in self.answers)

    @property
    def mean_loss(self) -> Worth | None:
        return sum((answer.loss for answer in self.answers), Fraction(0)) / len(self.answers) if self.answers else None

    def coming_back(self) -> list[ScheduledPosition]:
        return [position for position in self.schedule.positions() if position.record.board.game == self.game]
