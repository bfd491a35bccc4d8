"""The mixed moves of a duel in its report: where best play leaves the slot to chance, for either player."""

from tentimes18.cli.tables import Column, Entry, Grid, table
from tentimes18.coach.review import Review
from tentimes18.number_format import shown_roll
from tentimes18.wording import told_mix

__all__ = ["mixes_grid"]


def mixes_grid(review: Review) -> Grid | None:
    """Both players' mixed moves, round by round; nothing where both had one best slot in all of them.

    >>> from tentimes18.coach.aims import Duel
    >>> from tentimes18.coach.review import review
    >>> from tentimes18.records.notation import parse_record
    >>> record = parse_record("1d6 1-3: 1@1 3@3 5@2; opponent=1@2 3@3 5@1")
    >>> grid = mixes_grid(review(record, Duel(record.board.game)))
    >>> [[cell.text for cell in row] for row, _ in grid.rows]
    [['2', '3', 'slot 2 40.0%, slot 3 60.0%', 'slot 1 40.0%, slot 3 60.0%']]
    """
    columns = Column("roll"), Column("best play", left=True), Column("the opponent's", left=True)
    grid = table("Mixed moves", *columns, label=Column("round"))
    for number, move in enumerate(review.moves, start=1):
        if move.mixes is not None and any(len(mix) > 1 for mix in move.mixes):
            grid.add_row(number, Entry(move.roll, shown_roll(move.roll)), *map(told_mix, move.mixes))
    return grid if grid.rows else None
