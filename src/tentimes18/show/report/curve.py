"""The course of a game as a line: what could be expected after each round.

Luck moves the line, and a mark shows where a move lost something. A page has it twice, wide and narrow, and shows the
one that fits, so that its type has the same size on a desk and on a phone.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from tentimes18.coach.review import Review, ReviewedMove
from tentimes18.pictures.plot_games import course_title
from tentimes18.show.report.page import text
from tentimes18.wording import amount, headline_worth, measured_by, words_of

__all__ = ["curve"]

MOST_DOTS: Final = 40  # rounds; of more the line alone is drawn
NAMED: Final = 3  # the largest lucks
LEAST: Final = 0.02  # of the height of the curve: no smaller change is named
TYPE: Final = 14.0  # pixels of a line of text
CHARACTER: Final = 7.0  # pixels
SAMPLES: Final = 12  # of the curve along a text
BIG: Final = 1.75  # the last number against the others


@dataclass(frozen=True, slots=True)
class _Label:
    """A text at a place; its anchor says which part of the text is there."""

    x: float
    y: float
    kind: str
    anchor: str
    text: str

    @property
    def sides(self) -> tuple[float, float]:
        """From where to where it reaches."""
        width = len(self.text) * CHARACTER * (BIG if self.kind == "big" else 1)
        left = self.x - {"start": 0.0, "middle": width / 2, "end": width}[self.anchor]
        return left, left + width

    def meets(self, other: "_Label") -> bool:
        """Whether both want the same place."""
        (left, right), (its_left, its_right) = self.sides, other.sides
        return left < its_right and its_left < right and abs(self.y - other.y) < TYPE

    def svg(self) -> str:
        """As an element."""
        place = f'x="{self.x:.1f}" y="{self.y:.1f}" text-anchor="{self.anchor}"'
        return f'<text class="{self.kind}" {place}>{text(self.text)}</text>'


@dataclass(frozen=True, slots=True)
class _Frame:
    """A drawing of this size, in pixels: where a round and a level of a game lie in it."""

    kind: str
    width: int
    height: int
    right: int
    rounds: int
    low: float
    high: float

    @property
    def spread(self) -> float:
        """What the height stands for."""
        return (self.high - self.low) or 1.0

    def across(self, number: float) -> float:
        """Where the end of a round lies."""
        return 8 + (self.right - 8) * number / self.rounds

    def down(self, level: float) -> float:
        """Where a level lies."""
        return 36 + (self.height - 64) * (self.high - level) / self.spread


def curve(review: Review) -> str:
    """The course of a game with a move or more, with its title above it.

    >>> from tentimes18.coach.review import review
    >>> from tentimes18.records.notation import parse_record
    >>> curve(review(parse_record("1d6 1-3: 4@1 6@3 5@2"))).count("<svg")
    2
    """
    title, measure = course_title(review), measured_by(review.aim)
    told = f"{measure[0].upper()}{measure[1:]} after each round. Luck moves the line; ▼ marks a loss."
    label = f'role="img" aria-label="{text(f"{title}. {told}")}"'
    levels = [float(review.start), *(level for move in review.moves for level in (_peak(move), float(move.after)))]
    rest = (review.record.board.game.size, min(levels), max(levels))
    frames = _Frame("on-desk", 620, 260, 556, *rest), _Frame("on-phone", 330, 230, 322, *rest)
    drawn = "".join(_drawn(review, frame, label) for frame in frames)
    return (
        f'<figure class="card curve"><figcaption><h3>{text(title)}</h3><p>{text(told)}</p></figcaption>{drawn}</figure>'
    )


def _peak(move: ReviewedMove) -> float:
    """Where the roll led, before the move took its part."""
    return float(move.before + move.luck)


def _drawn(review: Review, frame: _Frame, label: str) -> str:
    moves, start = review.moves, frame.down(float(review.start))
    line = f"M{frame.across(0):.1f} {start:.1f}" + "".join(
        f"L{frame.across(number):.1f} {frame.down(_peak(move)):.1f}V{frame.down(float(move.after)):.1f}"
        for number, move in enumerate(moves, start=1)
    )
    parts = [
        f'<path class="area" d="{line}V{start:.1f}H{frame.across(0):.1f}Z"/>',
        f'<path class="whole" d="M{frame.across(0):.1f} {start:.1f}H{frame.right}"/>',
        f'<path class="line" d="{line}"/>',
        *(_marks(review, frame) if len(moves) <= MOST_DOTS else ()),
        f'<circle class="end" cx="{frame.across(len(moves)):.1f}" cy="{frame.down(float(review.end)):.1f}" r="6"/>',
    ]
    kept: list[_Label] = []
    for wanted in _labels(review, frame):
        left, right = wanted.sides
        if left >= 0 and right <= frame.width and not any(wanted.meets(other) for other in kept):
            kept.append(wanted)
    parts += [one.svg() for one in kept]
    return f'<svg class="{frame.kind}" {label} viewBox="0 0 {frame.width} {frame.height}">{"".join(parts)}</svg>'


def _marks(review: Review, frame: _Frame) -> Iterator[str]:
    for number, move in enumerate(review.moves, start=1):
        x, y = frame.across(number), frame.down(float(move.after))
        if move.loss:
            yield f'<path class="miss" d="M{x - 5.5:.1f} {y - 3.5:.1f}h11l-5.5 9z"/>'
        elif number < len(review.moves):
            yield f'<circle class="dot" cx="{x:.1f}" cy="{y:.1f}" r="4.5"/>'


def _labels(review: Review, frame: _Frame) -> Iterator[_Label]:
    """The texts that are wanted, the weightiest first."""
    unit, sign = review.aim.unit, words_of(review.aim.unit).sign
    x, y, end = frame.across(len(review.moves)), frame.down(float(review.end)), headline_worth(review.end, unit)
    beside = _Label(x + 11, y + 7, "big", "start", end)
    yield beside if beside.sides[1] <= frame.width else _Label(min(x + 6, frame.width), y - 13, "big", "end", end)
    numbered = list(enumerate(review.moves, start=1))
    costliest, move = max(numbered, key=lambda found: found[1].loss)
    if float(move.loss) >= LEAST * frame.spread / 2:
        lost = f"−{amount(move.loss, unit, 1)}{sign}"
        yield _Label(frame.across(costliest) + 10, frame.down(float(move.after)) + 4, "loss", "start", lost)
    for number, move in sorted(numbered, key=lambda found: -abs(float(found[1].luck)))[:NAMED]:
        change = float(move.luck)
        if abs(change) >= LEAST * frame.spread:
            shown = f"{'+' if change > 0 else '−'}{amount(abs(change), unit, 1)}{sign}"
            ahead = frame.across(number) - 9
            yield _Label(ahead, frame.down(_peak(move)) + (-6 if change > 0 else 14), "luck", "end", shown)
    yield _clearest(review, frame, f"{words_of(unit).whole} {headline_worth(review.start, unit)}")


def _clearest(review: Review, frame: _Frame, name: str) -> _Label:
    """The name of the first level, above or below it, where the curve is farthest away."""
    levels = [float(review.start), *(float(move.after) for move in review.moves)]
    heights = [frame.down(level) for level in levels]
    least, most = len(name) * CHARACTER / 2, frame.right - len(name) * CHARACTER / 2
    start = heights[0]
    wanted = [
        _Label(min(max(frame.across(number + 0.5), least), most), start + side, "name", "middle", name)
        for number in range(frame.rounds)
        for side in (16, -7)
    ]

    def clearance(label: _Label) -> float:
        left, right = label.sides
        found = [height_at(left + (right - left) * step / SAMPLES) for step in range(SAMPLES + 1)]
        return min((abs(height - label.y + 4) for height in found if height is not None), default=float(frame.height))

    def height_at(x: float) -> float | None:
        number = frame.rounds * (x - frame.across(0)) / (frame.right - frame.across(0))
        before = max(0, int(number))
        if before + 1 >= len(heights):
            return None
        return heights[before] + (number - before) * (heights[before + 1] - heights[before])

    return max(wanted, key=clearance)
