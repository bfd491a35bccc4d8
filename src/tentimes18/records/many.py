"""Very many games: their moves as columns of numbers, and each game as a record when it is asked for.

A file of games that differ in little is read in bulk (`records.blocks`); a line that follows no pattern by the exact
reader. What is accepted and what is refused, and why, is the same as line by line.
"""

from bisect import bisect_left
from collections.abc import Callable, Collection, Hashable, Iterable, Sequence
from itertools import chain
from typing import Final, TypeVar, overload

import numpy as np
from numpy.typing import NDArray

from tentimes18.records.blocks import MoveColumns, PatternReader
from tentimes18.records.files import BadLine, Line, filled_line, read_line
from tentimes18.records.notation import Record
from tentimes18.records.sources import text_of

__all__ = ["GamesReader", "ManyGames", "moves_of_records"]

Key = TypeVar("Key", bound=Hashable)
Ints = NDArray[np.int64]

OWN: Final = -1  # in place of a block: the game has a record of its own


def moves_of_records(records: Sequence[Record]) -> MoveColumns:
    """The moves of records as columns.

    >>> from tentimes18.records.notation import parse_record
    >>> moves_of_records([parse_record("8@5 4@1"), parse_record("9@3")]).rolls.tolist()
    [8, 4, 9]
    """
    rounds = np.array([record.board.rounds for record in records], dtype=np.int64)
    numbers = chain.from_iterable(chain.from_iterable(record.board.placements for record in records))
    moves = np.fromiter(numbers, dtype=np.int64, count=2 * int(rounds.sum())).reshape(-1, 2)
    return MoveColumns(rounds, moves[:, 0], moves[:, 1])


class ManyGames(Sequence[Line]):
    """Games by line, in the order of their numbers; a record is made when it is asked for.

    ``kinds[g]`` is the place in ``examples`` of a record that game g is like: the same dice and slots, the same aim,
    the same in all but its moves and the numbers of its tags.

    >>> from tentimes18.records.notation import parse_record
    >>> games = ManyGames.of([Line(3, parse_record("8@5 4@1")), Line(9, parse_record("9@3"))])
    >>> games[1].record.board.score, games.numbers.tolist(), games.moves.slots.tolist()
    (27, [3, 9], [5, 1, 3])
    """

    def __init__(
        self, numbers: Ints, kinds: Ints, examples: Sequence[Record], moves: MoveColumns, texts: "_Texts"
    ) -> None:
        self.numbers, self.kinds, self.examples, self.moves = numbers, kinds, examples, moves
        self._texts = texts

    @classmethod
    def of(cls, lines: Sequence[Line]) -> "ManyGames":
        """Games that are records already."""
        records = [line.record for line in lines]
        numbers = np.array([line.number for line in lines], dtype=np.int64)
        return cls(numbers, np.arange(len(lines)), records, moves_of_records(records), _Texts.none(len(lines)))

    def __len__(self) -> int:
        return len(self.numbers)

    @overload
    def __getitem__(self, place: int) -> Line: ...
    @overload
    def __getitem__(self, place: slice) -> "ManyGames": ...
    def __getitem__(self, place: int | slice) -> "Line | ManyGames":
        if isinstance(place, slice):
            return self.taken(np.arange(len(self))[place])
        number, text = int(self.numbers[place]), self._texts.at(place)
        if text is None:
            return Line(number, self.examples[int(self.kinds[place])])
        line = read_line(number, text)
        assert isinstance(line, Line)  # it follows a pattern, and was measured by it
        return line

    def taken(self, places: Ints) -> "ManyGames":
        """The games at these places, in this order."""
        rounds = self.moves.rounds[places]
        if len(places) == len(self) and bool((places[1:] > places[:-1]).all()):
            return self
        before = np.cumsum(self.moves.rounds) - self.moves.rounds
        moves = np.repeat(before[places] - (np.cumsum(rounds) - rounds), rounds) + np.arange(int(rounds.sum()))
        columns = MoveColumns(rounds, self.moves.rolls[moves], self.moves.slots[moves])
        return ManyGames(self.numbers[places], self.kinds[places], self.examples, columns, self._texts.taken(places))

    def without(self, numbers: Collection[int]) -> "ManyGames":
        """All but those of these numbers."""
        return self.taken(np.flatnonzero(~np.isin(self.numbers, list(numbers))))

    def find(self, number: int) -> Line | None:
        """The game of this number, if there is one."""
        place = bisect_left(self.numbers, number)
        return self[place] if place < len(self) and self.numbers[place] == number else None

    def numbers_where(self, test: Callable[[Record], bool]) -> list[int]:
        """The numbers of the games whose record passes a test that is the same for all games of a kind."""
        passes = np.array([test(record) for record in self.examples], dtype=np.bool_)
        found: list[int] = self.numbers[passes[self.kinds]].tolist() if len(self) else []
        return found

    def sorted_by(self, key: Callable[[Record], Key]) -> dict[Key, "ManyGames"]:
        """The games with the same key together, which is the same for all games of a kind; the first game's first."""
        if not len(self):
            return {}
        keys: dict[Key, int] = {}
        of_example = np.array([keys.setdefault(key(record), len(keys)) for record in self.examples])
        if len(keys) == 1:
            return {next(iter(keys)): self}
        of_game = of_example[self.kinds]
        order = np.argsort(of_game, kind="stable")
        starts = np.flatnonzero(np.diff(of_game[order], prepend=-1))
        names = list(keys)
        parts = sorted((part for part in np.split(order, starts[1:])), key=lambda part: int(part[0]))
        return {names[int(of_game[part[0]])]: self.taken(part) for part in parts}

    def records(self) -> Sequence[Record]:
        """An example of each kind of game that is there, in the order of the examples."""
        return [self.examples[place] for place in np.flatnonzero(np.bincount(self.kinds)).tolist()]


class _Texts:
    """Where the lines of games stand: in which block, from where to where."""

    def __init__(self, blocks: Sequence[bytes], places: NDArray[np.int64]) -> None:
        self.blocks, self.places = blocks, places  # [game]: block or OWN, start, end

    @classmethod
    def none(cls, count: int) -> "_Texts":
        return cls((), np.full((count, 3), OWN, dtype=np.int64))

    def at(self, place: int) -> str | None:
        block, start, end = self.places[place].tolist()
        return None if block == OWN else text_of(self.blocks[block][start:end])

    def taken(self, places: Ints) -> "_Texts":
        return _Texts(self.blocks, self.places[places])


class GamesReader:
    r"""Reads blocks of lines, one after the other: what is a game, and what is not.

    >>> reader = GamesReader()
    >>> reader.read(b"1d6 1,2: 5@2 4@1\n1d6 1,2: 5@2 4@2\n# mine\n1d6 1,2: 6@1\n")
    >>> [(line.number, line.record.board.score) for line in reader.games()], [line.number for line in reader.bad]
    ([(1, 14), (4, 6)], [2])
    """

    def __init__(self) -> None:
        self.bad: list[BadLine] = []
        self.count = 0
        self.first: int | None = None
        """The number of the first game."""
        self._next = 1
        self._reader = PatternReader()
        self._blocks: list[bytes] = []
        self._parts: list[tuple[Ints, Ints, MoveColumns, NDArray[np.int64]]] = []
        self._own: list[Line] = []

    def read(self, block: bytes) -> None:
        """Read the next block."""
        whole = block if block.endswith(b"\n") else block + b"\n"
        found = self._reader.read(whole, self._next)
        is_other = np.ones(len(found.starts), dtype=np.bool_)
        is_other[found.places] = False
        before = len(self._own)
        for place in np.flatnonzero(is_other).tolist():
            self._read_line(self._next + place, block[int(found.starts[place]) : int(found.ends[place]) + 1])
        numbers = self._next + found.places
        spans = np.stack(
            [np.full(len(numbers), len(self._blocks)), found.starts[found.places], found.ends[found.places]]
        )
        self._parts.append((numbers, found.patterns, found.moves, spans.T))
        self._blocks.append(block)
        self._next += len(found.starts)
        self.count += len(numbers) + len(self._own) - before
        if self.first is None and self.count:
            firsts = [*numbers[:1].tolist(), *(line.number for line in self._own[:1])]
            self.first = min(firsts)

    def _read_line(self, number: int, line: bytes) -> None:
        text = filled_line(number, text_of(line))
        if text is None:
            return
        found = read_line(number, text)
        if isinstance(found, Line):
            self._own.append(found)
        else:
            self.bad.append(found)

    def games(self) -> ManyGames:
        """All games that were read."""
        patterns = [pattern.record for pattern in self._reader.patterns]
        own = ManyGames.of(self._own)
        moves = [part[2] for part in self._parts] + [own.moves]
        columns = MoveColumns(*(np.concatenate(column) for column in zip(*moves, strict=True)))
        numbers = _joined((part[0] for part in self._parts), own.numbers)
        kinds = _joined((part[1] for part in self._parts), own.kinds + len(patterns))
        spans = np.concatenate([*(part[3] for part in self._parts), np.full((len(own), 3), OWN, dtype=np.int64)])
        games = ManyGames(numbers, kinds, [*patterns, *own.examples], columns, _Texts(self._blocks, spans))
        return games.taken(np.argsort(numbers, kind="stable")) if self._own else games


def _joined(parts: Iterable[Ints], last: Ints) -> Ints:
    return np.concatenate([*parts, last])
