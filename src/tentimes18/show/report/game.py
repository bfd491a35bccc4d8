"""The review of one game as a page for the browser."""

from collections.abc import Iterator, Sequence
from typing import Final

from tentimes18.coach.review import Review, ReviewedMove
from tentimes18.coach.skill import random_loss
from tentimes18.coach.units import Worth
from tentimes18.game import Board
from tentimes18.records.notation import Record
from tentimes18.show.colours import tint
from tentimes18.show.figures import share, shown_score, times
from tentimes18.show.plots.review import plot_course, plot_place
from tentimes18.show.report.page import WIDTH, chip, document, facts, foot, picture, table, text
from tentimes18.show.skill import level_fact
from tentimes18.show.verdict import headline, notes, opponent_name, verdict
from tentimes18.show.words import amount, game_name, measure_label, signed, words_of

__all__ = ["game_page"]

MAX_BOARD: Final = 20  # slots of a board that is drawn


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
    kind = "card" if record.opponent is None else "card wide"  # the moves of two take more room
    moves = f'<div class="{kind} long">{_moves(review)}</div>' if review.moves else ""
    place = picture(plot_place(review, WIDTH), "place") if review.percentile is not None else ""
    body = [
        "<header>",
        f'<p class="kicker">{text(" · ".join(part for part in parts if part))}</p>',
        f"<h1>{text(headline(record))}</h1>",
        f'<p class="lead">{text(verdict(review))}</p>',
        *(f'<p class="note">{text(note)}</p>' for note in notes(review)),
        f'<p class="comment">{text(comment)}</p>' if comment else "",
        "</header>",
        f'<div class="card">{_identity(review)}</div>',
        facts(found) if (found := list(_game_facts(review))) else "",
        '<div class="grid">',
        *_boards(record),
        picture(plot_course(review, WIDTH), "course") if review.moves else "",
        *([moves, place] if record.opponent is None else [place, moves]),  # cards of the same width side by side
        "</div>",
        foot(review.aim.unit),
    ]
    who = f"{name}: " if name else ""
    return document(f"{who}{headline(record)}, {game_name(board.game)}", filter(None, body))


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
    if review.optimal_score is not None and review.best_score is not None:
        yield "optimal on the same rolls", shown_score(review.optimal_score)
        yield "best possible on these rolls", shown_score(review.best_score)


def _boards(record: Record) -> Iterator[str]:
    """The board, in a duel both, where there is room for them."""
    if record.board.game.size > MAX_BOARD or not record.board.rounds:
        return
    if record.opponent is None:
        yield f'<div class="card">{_board(record.board, "The board, round by round")}</div>'
        return
    yield f'<div class="card">{_board(record.board, "Your board, round by round")}</div>'
    yield f'<div class="card">{_board(record.opponent, f"The board of {opponent_name(record)}, round by round")}</div>'


def _identity(review: Review) -> str:
    """Where the score came from, written out."""
    unit = review.aim.unit
    words = words_of(unit)

    def shown(worth: Worth) -> str:
        return text(amount(worth, unit) + words.sign)

    end, name = shown(review.end), words.expected_end
    if review.ends_with_score:
        end, name = shown_score(review.record.board.score), "score"
    parts = [
        ("", end, name),
        ("=", shown(review.start), words.whole),
        ("−" if review.luck < 0 else "+", shown(abs(float(review.luck))), "luck of the rolls"),
        ("−", shown(review.loss), "lost by the moves"),
    ]
    if review.gift:
        parts.append(("−" if review.gift < 0 else "+", shown(abs(float(review.gift))), "given by the opponent"))
    spans = "".join(
        f"<span>{f'<i>{sign}</i>' if sign else ''}<b>{number}<small>{label}</small></b></span>"
        for sign, number, label in parts
    )
    return f'<h3>Where the {name} comes from</h3><p class="sum">{spans}</p>'


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
