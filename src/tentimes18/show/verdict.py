"""A game in a sentence: how far it has come, who won, the score, and what the rolls and the moves were like."""

from datetime import datetime
from typing import Final

from tentimes18.coach.classes import CLASSES
from tentimes18.coach.played_for import played_for, takebacks_of
from tentimes18.coach.review import Review
from tentimes18.records.notation import Record
from tentimes18.show.figures import counted, listed, shown_number, shown_score
from tentimes18.show.words import amount, measured_by, words_of

__all__ = ["RESULTS", "headline", "notes", "opponent_name", "result_of", "shown_date", "standing", "verdict"]

RESULTS: Final = ("won", "drawn", "lost")
MARKED: Final = tuple(reversed([found for found in CLASSES if found.mark]))  # the worst first


def result_of(record: Record) -> str | None:
    """Of a duel to the end, one of RESULTS; else nothing.

    >>> from tentimes18.records.notation import parse_record
    >>> result_of(parse_record("1d6 1,2: 5@2 4@1; opponent=5@1 4@2")), result_of(parse_record("1d6 1,2: 5@2 4@1"))
    ('won', None)
    """
    if record.opponent is None or not record.finished:
        return None
    lead = record.board.score - record.opponent.score
    return RESULTS[0 if lead > 0 else 1 if lead == 0 else 2]


def headline(record: Record) -> str:
    """How a game ended, or its points so far.

    >>> from tentimes18.records.notation import parse_record
    >>> headline(parse_record("1d6 1,2: 5@2 4@1; opponent=5@1 4@2"))
    'Won, 14 to 13'
    """
    score, result = shown_score(record.board.score), result_of(record)
    if record.opponent is None or result is None:
        return f"{score} points"
    return f"{result.capitalize()}, {score} to {shown_score(record.opponent.score)}"


def opponent_name(record: Record) -> str:
    """Whom a duel was played against.

    >>> from tentimes18.records.notation import parse_record
    >>> opponent_name(parse_record("8@5; opponent=8@4; against=nearest")), opponent_name(parse_record("8@5"))
    ('nearest', 'the opponent')
    """
    return str(record.tags.get("against", "the opponent"))


def notes(review: Review) -> list[str]:
    """What has to be said of a game besides its numbers: practice, and an aim that it is not measured by.

    >>> from tentimes18.coach.review import review
    >>> from tentimes18.records.notation import parse_record
    >>> notes(review(parse_record("8@5; takebacks=1; aim=target:700")))
    ['1 move was taken back: practice, so no level.', 'Played for target:700, measured by the expected final score.']
    """
    record, found = review.record, []
    if count := takebacks_of(record):
        found.append(f"{counted(count, 'move')} {'was' if count == 1 else 'were'} taken back: practice, so no level.")
    if (played := played_for(record)) not in ("mean", review.aim.name):
        found.append(f"Played for {played[:60]}, measured by {measured_by(review.aim)}.")
    return found


def shown_date(record: Record) -> str:
    """The date of a game to the minute; what is no date, as it stands.

    >>> from tentimes18.records.notation import parse_record
    >>> shown_date(parse_record("8@5; date=2026-11-15T18:30:21+01:00")), shown_date(parse_record("8@5; date=a Sunday"))
    ('2026-11-15 18:30', 'a Sunday')
    """
    date = str(record.tags.get("date", ""))
    try:
        found = datetime.fromisoformat(date)
    except ValueError:
        return " ".join(date.split())
    return found.strftime("%Y-%m-%d %H:%M" if len(date) > len("2026-11-15") else "%Y-%m-%d")


def standing(record: Record) -> list[str]:
    """How far a game has come: its rounds, its score, and whom it is played against.

    >>> from tentimes18.records.notation import parse_record
    >>> standing(parse_record("8@5 4@1"))
    ['2 of 10 rounds', 'score 44']
    """
    board, against = record.board, record.tags.get("against")
    parts = [f"{board.rounds} of {board.game.size} rounds", f"score {shown_number(board.score)}"]
    return parts if against is None else [*parts, f"against {against}"]


def verdict(review: Review) -> str:
    """A game in a sentence: the rolls, and the moves.

    >>> from tentimes18.coach.review import review
    >>> from tentimes18.records.notation import parse_record
    >>> verdict(review(parse_record("1d6 1-3: 4@1 6@3 5@2")))
    'Lucky rolls, and 1 inaccuracy.'
    """
    board, unit = review.record.board, review.aim.unit
    if not board.rounds:
        return "Nothing is played yet."
    parts = [counted(review.counts[found.name], found.name) for found in MARKED if review.counts[found.name]]
    play = "no error" if review.loss else "every move a best one"
    if parts:
        play = listed(parts)
    rest = ""
    if not review.record.finished:
        end = amount(review.end, unit) + words_of(unit).tail
        rest = f" After {board.rounds} of {board.game.size} rounds {end} can be expected."
    return f"{review.fortune.value.capitalize()} rolls, and {play}.{rest}"
