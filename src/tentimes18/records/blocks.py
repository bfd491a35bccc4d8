"""Many lines at once: the moves of those that follow a pattern (`records.patterns`), as columns of numbers.

A block is the bytes of some whole lines. Its moves are found by their ``@``: up to three digits stand before it and
after it, and one blank between two moves; what stands before the first and after the last is a line's head and tail.
"""

from dataclasses import dataclass, field
from itertools import islice
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tentimes18.records.patterns import MOST_DIGITS, MOST_ROLL, MOST_SLOTS, Pattern, pattern_of

__all__ = ["MoveColumns", "PatternReader", "PlainGames"]

Bytes = NDArray[np.uint8]
Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]

PADDING: Final = b"\n" * 4  # so that four bytes before and after any other can be looked at
DIGITS: Final = 3  # of a roll, and of a slot
MOST_TRIES: Final = 16  # lines of a block of which a pattern is made
MOST_PATTERNS: Final = 64
NEWLINE, BLANK, ZERO, AT, BACKSLASH = b"\n 0@\\"

_IS_ODD: Final = np.array([not 32 <= byte < 127 or byte == BACKSLASH for byte in range(256)])
_IS_ODD[NEWLINE] = False


class MoveColumns(NamedTuple):
    """The moves of some games, one after the other; game g has ``rounds[g]`` of them."""

    rounds: Ints
    rolls: Ints
    slots: Ints

    def of(self, is_taken: Flags) -> "MoveColumns":
        """Those of some of the games."""
        moves = np.repeat(is_taken, self.rounds)
        return MoveColumns(self.rounds[is_taken], self.rolls[moves], self.slots[moves])


class PlainGames(NamedTuple):
    """The games of a block that follow a pattern: the places of their lines in it, of the patterns, and the moves.

    ``starts`` and ``ends`` are those of all lines of the block; an end is that of the text, without its line break.
    """

    places: Ints
    patterns: Ints
    moves: MoveColumns
    starts: Ints
    ends: Ints


class _Lines(NamedTuple):
    """The lines of a block that have moves and nothing odd: where their heads, moves and tails are."""

    places: Ints
    starts: Ints
    heads: Ints
    tails: Ints
    ends: Ints
    moves: MoveColumns


class _Tails(NamedTuple):
    """The tails of lines without the digits after the first of a run, and the runs, each line's from its place on."""

    skeletons: Bytes
    starts: Ints
    runs: Ints
    first_digits: Bytes
    lengths: Ints
    numbers: Ints


@dataclass
class PatternReader:
    r"""Reads blocks by the patterns that were seen so far.

    >>> reader = PatternReader()
    >>> block = b"1d6 1,2: 5@2 4@1; a=1\n1d6 1,2: 5@2 4@2; a=2\n1d6 1,2: 6@1; a=3\n"
    >>> found = reader.read(block, first=1)
    >>> found.places.tolist(), found.moves.rolls.tolist(), len(reader.patterns)
    ([0, 2], [5, 4, 6], 1)
    """

    patterns: list[Pattern] = field(default_factory=list)

    def read(self, block: bytes, first: int) -> PlainGames:
        """The games of a block that follow a pattern; ``first`` is the number of its first line, for nothing else."""
        data = np.frombuffer(PADDING + block + PADDING, dtype=np.uint8)
        ends = np.flatnonzero(data[len(PADDING) : -len(PADDING)] == NEWLINE) + len(PADDING)
        starts = np.concatenate(([len(PADDING)], ends[:-1] + 1))
        lines = _lines_with_moves(data, starts, ends)
        patterns = self._patterns(data, lines, first)
        is_taken = patterns >= 0
        before = len(PADDING)
        return PlainGames(
            lines.places[is_taken], patterns[is_taken], lines.moves.of(is_taken), starts - before, ends - before
        )

    def _patterns(self, data: Bytes, lines: _Lines, first: int) -> Ints:
        """The pattern that each of the lines follows, -1 where it follows none."""
        found = np.full(len(lines.places), -1)
        if not len(found):
            return found
        tails, is_open = _tails_of(data, lines), np.ones(len(found), dtype=np.bool_)
        for place in range(len(self.patterns)):
            self._match(data, lines, tails, place, found, is_open)
        for _ in range(MOST_TRIES):
            if not is_open.any() or len(self.patterns) == MOST_PATTERNS:
                break
            line = int(np.argmax(is_open))
            is_open[line] = False
            start, end = int(lines.starts[line]), int(lines.ends[line])
            text = data[start:end].tobytes().decode("ascii")
            moves_at = (int(lines.heads[line]) - start, int(lines.tails[line]) - start)
            pattern = pattern_of(first + int(lines.places[line]), text, *moves_at)
            if pattern is not None:
                is_open[line] = True
                self.patterns.append(pattern)
                self._match(data, lines, tails, len(self.patterns) - 1, found, is_open)
        return found

    def _match(self, data: Bytes, lines: _Lines, tails: _Tails, place: int, found: Ints, is_open: Flags) -> None:
        """Note the lines that look like those of a pattern, and which of them are games: the others stay closed."""
        pattern = self.patterns[place]
        alike = np.flatnonzero(
            is_open
            & (lines.heads - lines.starts == len(pattern.head))
            & (np.diff(tails.starts) == len(pattern.skeleton))
        )
        alike = alike[_are(data, lines.starts[alike], pattern.head)]
        alike = alike[_are(tails.skeletons, tails.starts[alike], pattern.skeleton)]
        is_open[alike] = False
        if len(alike):
            found[alike[_are_games(pattern, lines, tails, alike)]] = place


def _lines_with_moves(data: Bytes, starts: Ints, ends: Ints) -> _Lines:
    at = np.flatnonzero(data == AT)
    upto = np.searchsorted(at, ends)
    rounds = np.diff(upto, prepend=0)
    is_plain = rounds > 0
    is_plain[np.searchsorted(ends, np.flatnonzero(_IS_ODD[data]))] = False
    values = data - np.uint8(ZERO)  # what is no digit becomes 10 or more
    rolls, roll_digits, is_roll = _numbers_at(values, at, -1)
    slots, slot_digits, is_slot = _numbers_at(values, at, 1)
    begins, stops = at - roll_digits, at + slot_digits + 1
    is_move = is_roll & is_slot
    is_joined = np.ones(len(at), dtype=np.bool_)
    is_joined[:-1] = (stops[:-1] + 1 == begins[1:]) & (data[stops[:-1]] == BLANK)
    is_joined[upto[rounds > 0] - 1] = True  # the last of a line
    is_plain[np.searchsorted(upto, np.flatnonzero(~(is_move & is_joined)), side="right")] = False
    last = upto[is_plain]
    return _Lines(
        np.flatnonzero(is_plain),
        starts[is_plain],
        begins[last - rounds[is_plain]],
        stops[last - 1],
        ends[is_plain],
        MoveColumns(rounds, rolls, slots).of(is_plain),
    )


def _numbers_at(values: Bytes, at: Ints, step: int) -> tuple[Ints, Ints, Flags]:
    """The numbers before or after these places, how many digits they have, and whether there are one to three."""
    near = [values[at + step * distance] for distance in range(1, DIGITS + 2)]
    is_digit = [near[0] < 10]
    for value in near[1:]:
        is_digit.append(is_digit[-1] & (value < 10))
    count = np.sum(is_digit, axis=0)
    numbers = np.zeros(len(at), dtype=np.int64)
    for place, (value, is_there) in enumerate(islice(zip(near, is_digit, strict=True), DIGITS)):
        if step < 0:
            numbers += np.where(is_there, value, 0) * np.int64(10**place)
        else:
            numbers = np.where(is_there, 10 * numbers + value, numbers)
    return numbers, count, is_digit[0] & ~is_digit[DIGITS]


def _tails_of(data: Bytes, lines: _Lines) -> _Tails:
    """A tail begins with no digit, so that no run goes on from the tail before."""
    lengths = lines.ends - lines.tails
    stops = np.cumsum(lengths)
    text = data[np.repeat(lines.tails - (stops - lengths), lengths) + np.arange(stops[-1])]
    is_digit = (text - np.uint8(ZERO)) < 10
    goes_on = np.zeros(len(text), dtype=np.bool_)
    goes_on[1:] = is_digit[1:] & is_digit[:-1]
    is_kept = ~goes_on
    begins, over = np.flatnonzero(is_digit & is_kept), is_digit.copy()
    over[:-1] &= ~goes_on[1:]
    last = np.flatnonzero(over)
    digits = last - begins + 1
    numbers = np.zeros(len(begins), dtype=np.int64)
    for place in range(min(int(digits.max(initial=0)), MOST_DIGITS)):
        there = np.flatnonzero(digits > place)
        numbers[there] = 10 * numbers[there] + (text[begins[there] + place] - ZERO)
    kept_before = np.concatenate(([0], np.cumsum(is_kept)))
    edges = np.concatenate(([0], stops))
    return _Tails(
        np.where(is_digit, np.uint8(ZERO), text)[is_kept],
        kept_before[edges],
        np.searchsorted(begins, edges),
        text[begins],
        digits,
        numbers,
    )


def _are(data: Bytes, starts: Ints, text: bytes) -> Flags:
    """Whether this text stands at these places."""
    if not text or not len(starts):
        return np.ones(len(starts), dtype=np.bool_)
    windows = np.lib.stride_tricks.sliding_window_view(data, len(text))
    result: Flags = (windows[starts] == np.frombuffer(text, dtype=np.uint8)).all(axis=1)
    return result


def _are_games(pattern: Pattern, lines: _Lines, tails: _Tails, alike: Ints) -> Flags:
    """Which lines of a pattern are games: free slots, rolls of the dice, numbers as JSON writes them, the score."""
    game = pattern.game
    is_here = np.zeros(len(lines.places), dtype=np.bool_)
    is_here[alike] = True
    rounds, rolls, slots = lines.moves.of(is_here)
    first = np.cumsum(rounds) - rounds
    is_roll = np.zeros(MOST_ROLL + 1, dtype=np.bool_)
    is_roll[[roll for roll in game.dice.support if 0 <= roll <= MOST_ROLL]] = True
    points = np.zeros(MOST_ROLL + 1, dtype=np.int64)
    is_slot = np.zeros(MOST_ROLL + 1, dtype=np.bool_)
    is_slot[1 : game.size + 1] = True
    sets = np.int64(1) << np.minimum(slots, MOST_SLOTS + 1)
    result: Flags = np.logical_and.reduceat(is_roll[rolls] & is_slot[slots], first)
    result &= np.bitwise_or.reduceat(sets, first) == np.add.reduceat(sets, first)  # no slot twice: nothing is carried
    run = tails.runs[alike]
    count = int(tails.runs[alike[0] + 1] - run[0])
    for place in range(count):
        result &= tails.lengths[run + place] <= MOST_DIGITS
    for place in pattern.whole:
        result &= (tails.first_digits[run + place] != ZERO) | (tails.lengths[run + place] == 1)
    if pattern.has_score:
        points[1 : game.size + 1] = [int(multiplier) for multiplier in game.multipliers]
        result &= np.add.reduceat(points[slots] * rolls, first) == tails.numbers[run]
    return result
