"""Where a score came from, as a bill: the value of the game, the luck, the loss, and the score they make.

Each row has its number and, on one scale for all of them, what it stands for: a dot for a worth, a bar for a change.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from matplotlib.ticker import MaxNLocator

from tentimes18.coach.losses import Unit
from tentimes18.coach.review import Review
from tentimes18.number_format import points, shown_score
from tentimes18.show.report.page import text
from tentimes18.wording import amount, signed, tick_of, words_of

__all__ = ["ledger"]

TICKS: Final = 5
THINNEST: Final = 0.6  # percent of the scale that a bar takes
NEAR_END: Final = 94.0  # percent from where on the name of a tick ends there


@dataclass(frozen=True, slots=True)
class _Row:
    """A line of the bill; from and to are equal where it is a worth, not a change."""

    name: str
    number: str
    kind: str
    start: float
    end: float

    @property
    def is_dot(self) -> bool:
        return self.kind in ("par", "total", "ref")


def ledger(review: Review) -> str:
    """The bill of a game.

    >>> from tentimes18.coach.review import review
    >>> from tentimes18.records.notation import parse_record
    >>> bill = ledger(review(parse_record("1d6 1-3: 4@1 6@3 5@2")))
    >>> "<b>23.33</b>" in bill, "<b>+9.92</b>" in bill, "<b>−1.25</b>" in bill, "<b>32</b>" in bill
    (True, True, True, True)
    """
    rows = list(_rows(review))
    places = [place for row in rows for place in (row.start, row.end)]
    low, high = min(places), max(places)
    spread = (high - low) or 1.0
    scale = MaxNLocator(nbins=TICKS, min_n_ticks=4, steps=[1, 2, 2.5, 5, 10])
    found = scale.tick_values(low - 0.04 * spread, high + 0.04 * spread)
    ticks = [float(tick) for tick in found]
    lines = [_line(row, ticks) for row in rows]
    return "\n".join(['<ol class="ledger">', *lines, _scale(ticks, review.aim.unit), "</ol>"])


def _rows(review: Review) -> Iterator[_Row]:
    unit, words = review.aim.unit, words_of(review.aim.unit)
    place, after_luck = unit.counted(review.start), unit.counted(review.start + review.luck)
    yield _Row(words.whole.capitalize(), amount(review.start, unit) + words.sign, "par", place, place)
    yield _Row("Luck of the rolls", signed(review.luck, unit) + words.sign, "luck", place, after_luck)
    after_loss = unit.counted(review.start + review.luck - review.loss)
    lost = amount(review.loss, unit) + words.sign
    yield _Row("Lost by the moves", f"−{lost}" if review.loss else lost, "loss", after_luck, after_loss)
    end = unit.counted(review.end)
    if review.gift:
        yield _Row("Given by the opponent", signed(review.gift, unit) + words.sign, "gift", after_loss, end)
    if review.ends_with_score:
        yield _Row("Score", shown_score(review.record.board.score), "total", end, end)
    else:
        yield _Row(words.expected_end.capitalize(), amount(review.end, unit) + words.sign, "total", end, end)
    if unit is Unit.points and review.optimal_score is not None and review.best_score is not None:
        for name, score in (("optimal", review.optimal_score), ("Best possible", review.best_score)):
            place = float(score)
            yield _Row(f"{name} on these rolls", shown_score(score), "ref", place, place)


def _line(row: _Row, ticks: Sequence[float]) -> str:
    start, end = (_share(place, ticks) for place in (row.start, row.end))
    if row.is_dot:
        mark = f'<circle class="{row.kind}" cx="{start:.2f}%" cy="50%" r="6"/>'
    else:
        left, width = min(start, end), max(abs(end - start), THINNEST if row.start != row.end else 0)
        fill = ' fill="url(#hatch)"' if row.kind == "loss" else ""
        box = f'x="{left:.2f}%" width="{width:.2f}%" y="20%" height="60%" rx="2"'
        mark = f'<rect class="{row.kind}" {box}{fill}/>'
    return (
        f'<li class="{row.kind}"><span>{text(row.name)}</span><b>{text(row.number)}</b>'
        f'<svg aria-hidden="true">{_rules(ticks)}{mark}</svg></li>'
    )


def _share(place: float, ticks: Sequence[float]) -> float:
    return 100 * (place - ticks[0]) / (ticks[-1] - ticks[0])


def _rules(ticks: Sequence[float]) -> str:
    shares = (f"{_share(tick, ticks):.2f}%" for tick in ticks)
    return "".join(f'<line x1="{share}" x2="{share}" y1="0" y2="100%"/>' for share in shares)


def _scale(ticks: Sequence[float], unit: Unit) -> str:
    names = []
    for tick in ticks:
        share = _share(tick, ticks)
        anchor = "start" if share < 100 - NEAR_END else "end" if share > NEAR_END else "middle"
        names.append(f'<text x="{share:.2f}%" y="14" text-anchor="{anchor}">{text(_name(tick, unit))}</text>')
    return f'<li class="scale" aria-hidden="true"><svg aria-hidden="true">{"".join(names)}</svg></li>'


def _name(tick: float, unit: Unit) -> str:
    written = tick_of(unit)
    return written(tick / unit.value, None).replace("-", "−") if written else points(Fraction(tick))
