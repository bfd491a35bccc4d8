"""The review of one game as a page for the browser."""

from collections.abc import Iterator, Sequence

from tentimes18.coach.review import Review, ReviewedMove
from tentimes18.coach.skill import random_loss
from tentimes18.game import Board
from tentimes18.number_format import share, shown_score, times
from tentimes18.pictures.colours import tint
from tentimes18.pictures.plot_games import plot_place
from tentimes18.records.notation import Record
from tentimes18.show.report.boards import MOST_SLOTS, boards
from tentimes18.show.report.curve import curve
from tentimes18.show.report.ledger import ledger
from tentimes18.show.report.page import WIDTH, chip, document, facts, foot, picture, table, text
from tentimes18.strategies.named import named
from tentimes18.strategies.strategy import play_game
from tentimes18.wording import (
    amount,
    game_name,
    headline,
    level_fact,
    measure_label,
    notes,
    opponent_name,
    signed,
    verdict,
    words_of,
)

__all__ = ["game_page"]


def game_page(review: Review) -> str:
    """The page of one game.

    >>> from tentimes18.coach.review import review
    >>> from tentimes18.records.notation import parse_record
    >>> "<h1>32 points</h1>" in game_page(review(parse_record("1d6 1-3: 4@1 6@3 5@2; name=Ada")))
    True
    """
    record = review.record
    board = record.board
    name, date, comment = (str(record.tags.get(tag, "")) for tag in ("name", "date", "comment"))
    against = "" if record.opponent is None else f"against {opponent_name(record)}"
    parts = (name, date, game_name(board.game), against, measure_label(review.aim))
    body = [
        '<div class="hero">',
        f"<h1>{text(headline(record))}</h1>",
        f'<p class="lead">{text(verdict(review))}</p>',
        *(f'<p class="note">{text(note)}</p>' for note in notes(review)),
        f'<p class="comment">{text(comment)}</p>' if comment else "",
        "</div>",
        facts(found) if (found := list(_game_facts(review))) else "",
        '<div class="columns"><div>',
        f'<div class="card"><h3>Where the {_end_name(review)} comes from</h3>{ledger(review)}</div>',
        curve(review) if review.moves else "",
        f'<div class="card long">{_moves(review)}</div>' if review.moves else "",
        "</div><div>",
        *_boards(record),
        picture(plot_place(review, WIDTH), "place") if review.percentile is not None else "",
        *(_rounds(record) if record.opponent is None else ()),
        "</div></div>",
        *(['<div class="grid">', *_rounds(record), "</div>"] if record.opponent is not None else ()),
        foot(review.aim.unit),
    ]
    who = f"{name}: " if name else ""
    kicker = " · ".join(part for part in parts if part)
    return document(f"{who}{headline(record)}, {game_name(board.game)}", filter(None, body), kicker)


def _game_facts(review: Review) -> Iterator[tuple[str, str]]:
    unit = review.aim.unit
    if review.record.opponent is not None and not review.record.finished:
        yield "the opponent's score", shown_score(review.record.opponent.score)
    if review.skill is not None:
        yield "lost by a choice on average: skill", amount(review.skill, unit) + words_of(unit).sign
        lost_by_chance = random_loss(review.record.board.game, review.aim)
        if review.level is not None and lost_by_chance is not None:
            yield level_fact(review.skill, lost_by_chance), review.level.name
    if review.percentile is not None:
        yield "of optimal's games end at this or less", share(review.percentile)
    if not review.ends_with_score and review.optimal_score is not None and review.best_score is not None:
        yield "optimal on the same rolls", shown_score(review.optimal_score)
        yield "best possible on these rolls", shown_score(review.best_score)


def _end_name(review: Review) -> str:
    return "score" if review.ends_with_score else words_of(review.aim.unit).expected_end


def _boards(record: Record) -> Iterator[str]:
    """The board beside that of the opponent, or of a finished game beside what `optimal` makes of its rolls."""
    own, other = record.board, record.opponent
    if own.game.size > MOST_SLOTS or not own.rounds:
        return
    if other is not None:
        name = opponent_name(record)
        yield boards(f"You and {name}", ("You", own), (name, other), "rival")
    elif record.finished:
        played = play_game(own.game, named("optimal"), [placement.roll for placement in own.placements])
        yield boards("You and optimal, on the same rolls", ("You", own), ("optimal", played), "optimal")


def _rounds(record: Record) -> Iterator[str]:
    """The board round by round, in a duel both, where there is room for them."""
    if record.board.game.size > MOST_SLOTS or not record.board.rounds:
        return
    if record.opponent is None:
        yield f'<div class="card">{_board(record.board, "The board, round by round")}</div>'
        return
    their = f"The board of {opponent_name(record)}, round by round"
    yield f'<div class="card">{_board(record.board, "Your board, round by round")}</div>'
    yield f'<div class="card">{_board(record.opponent, their)}</div>'


def _board(board: Board, caption: str) -> str:
    """Each row a round: its roll in colour, what stood there before in grey."""
    game = board.game
    heads = "".join(f'<th scope="col">{text(times(multiplier))}</th>' for multiplier in game.multipliers)
    lines = [
        f'<div class="scroll"><table class="board"><caption>{text(caption)}</caption>',
        f'<thead><tr><th scope="col">roll</th>{heads}<th scope="col" class="points">points</th>'
        '<th scope="col" class="points">sum</th></tr></thead><tbody>',
    ]
    now = Board(game)
    for roll, slot in board.placements:
        now = now.place(roll, slot)
        cells = []
        for column in range(1, game.size + 1):
            if column == slot:
                cells.append(f'<td class="placed" style="background: {tint(slot, game.size)}">{roll}</td>')
            else:
                standing = now[column]
                cells.append("<td></td>" if standing is None else f'<td class="standing">{standing}</td>')
        gained = shown_score(game.multipliers[slot - 1] * roll)
        sums = f'<td class="points">{gained}</td><td class="points">{shown_score(now.score)}</td>'
        lines.append(f'<tr><th scope="row">{roll}</th>{"".join(cells)}{sums}</tr>')
    gains = {slot: shown_score(game.multipliers[slot - 1] * roll) for roll, slot in board.placements}
    products = "".join(f"<td>{gains.get(slot, '')}</td>" for slot in range(1, game.size + 1))
    score = f'<td class="points strong" colspan="2">{shown_score(board.score)}</td>'
    lines.append(f"</tbody><tfoot><tr><td></td>{products}{score}</tr></tfoot></table></div>")
    return "\n".join(lines)


def _moves(review: Review) -> str:
    unit = review.aim.unit
    words = words_of(unit)
    theirs = review.record.opponent.placements if review.record.opponent else None
    numbers = [f"{name}{words.in_head}" for name in ("loss", "luck", words.expected)]
    heads = ["round", "roll", "slot", "best", numbers[0], "", *numbers[1:]]
    if theirs:
        heads.insert(3, "theirs")
    has_gifts = any(move.gift for move in review.moves)
    if has_gifts:
        heads.insert(-1, f"gift{words.in_head}")

    def row(number: int, move: ReviewedMove) -> list[str]:
        lost = f'<span class="lost">{text(amount(move.loss, unit))}</span>' if move.loss else ""
        cells = [str(number), f'<span class="strong">{move.roll}</span>', str(move.slot), _slots(move.best_slots), lost]
        if theirs:
            cells.insert(3, str(theirs[number - 1].slot))
        named = chip(move.move_class.name, move.move_class.mark)
        changes = [signed(change, unit) for change in (move.luck, *([move.gift] if has_gifts else []))]
        return [*cells, named, *map(text, [*changes, amount(move.after, unit, 1)])]

    rows = [row(number, move) for number, move in enumerate(review.moves, start=1)]
    return table("Move by move", heads, rows, left=[heads.index("")])


def _slots(slots: Sequence[int]) -> str:
    return ", ".join(map(str, slots)) if len(slots) <= 4 else f"{slots[0]}, …, {slots[-1]}"
