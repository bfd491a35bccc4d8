"""The review as a page for the browser: of one game, or of many."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from importlib.metadata import version
from typing import TYPE_CHECKING, Final

from tentimes18.coach.classes import CLASSES
from tentimes18.coach.review import law_of_optimal
from tentimes18.coach.units import Unit
from tentimes18.errors import Ten18Error
from tentimes18.game import Board, Number
from tentimes18.show.card.content import game_name, points, times, tint
from tentimes18.show.plots.review import plot_course, plot_errors, plot_luck, plot_place, plot_played, plot_progress
from tentimes18.show.report.page import chip, document, facts, picture, section, table, text

if TYPE_CHECKING:
    from collections.abc import Callable

    from matplotlib.figure import Figure

    from tentimes18.coach.aims import Aim
    from tentimes18.coach.review import Review, ReviewedMove
    from tentimes18.coach.summary import Summary
    from tentimes18.coach.units import Worth
    from tentimes18.records.notation import Record

__all__ = ["game_page", "games_page", "verdict"]

WIDTH: Final = 4.7  # inches of a picture: its type is legible on a phone too
MAX_BOARD: Final = 20  # slots of a board that is drawn
MAX_KINDS: Final = 20
FEW: Final = 5  # games; fewer are not worth a picture
LUCKY: Final = 0.5  # standard deviations of the score of `optimal`
LUCKY_CHANCE: Final = 0.05
MARKED: Final = tuple(reversed([found for found in CLASSES if found.mark]))

_HOW: Final = """<details class="card"><summary>How to read this</summary>
<p><b>Luck</b> is what a roll changed: the expected final score with this roll and the best play, minus that before it.
<b>Loss</b> is what a move gave up against the best one. Over a game the score is the value of the game, plus the luck,
minus the loss: nothing is left over.</p>
<p><b>Skill</b> is the mean loss of the moves that were a choice; the smaller, the better. An <b>error</b> is a move
that loses enough to have a mark: LIMITS. A move that loses nothing is <b>best</b>.</p>
<p><b>optimal</b> is the play with the highest expected score. <b>Hindsight</b> knows all rolls beforehand: it makes
the best score that was possible.</p></details>"""


def game_page(review: "Review") -> str:
    """The page of one game.

    >>> from tentimes18.coach.review import review
    >>> from tentimes18.records.notation import parse_record
    >>> "<h1>32 points</h1>" in game_page(review(parse_record("1d6 1-3: 4@1 6@3 5@2; name=Ada")))
    True
    """
    record = review.record
    board = record.board
    name, date, comment = (str(record.tags.get(tag, "")) for tag in ("name", "date", "comment"))
    kicker = " · ".join(part for part in (name, date, game_name(board.game), _aim(review.aim)) if part)
    headline = _headline(record)
    kind = "card" if record.opponent is None else "card wide"  # the moves of two take more room
    body = [
        "<header>",
        f'<p class="kicker">{text(kicker)}</p>',
        f"<h1>{text(headline)}</h1>",
        f'<p class="lead">{text(verdict(review))}</p>',
        f'<p class="comment">{text(comment)}</p>' if comment else "",
        "</header>",
        f'<div class="card">{_identity(review)}</div>',
        facts(found) if (found := list(_game_facts(review))) else "",
        '<div class="grid">',
        f'<div class="card">{_board(board)}</div>' if board.game.size <= MAX_BOARD and board.rounds else "",
        picture(plot_course(review, WIDTH), "course") if review.moves else "",
        f'<div class="{kind} long">{_moves(review)}</div>' if review.moves else "",
        picture(plot_place(review, WIDTH), "place", kind) if review.percentile is not None else "",
        "</div>",
        _foot(review.aim),
    ]
    who = f"{name}: " if name else ""
    return document(f"{who}{headline}, {game_name(board.game)}", filter(None, body))


def games_page(summaries: "Sequence[Summary]") -> str:
    """The page of many games, those of each kind by themselves."""
    games = sum(summary.games for summary in summaries)
    headline = _counted(games, "game")
    kinds = game_name(summaries[0].game) if len(summaries) == 1 else f"{len(summaries)} kinds of game"
    body = [
        "<header>",
        f'<p class="kicker">{text(" · ".join(part for part in (kinds, _aim(summaries[0].aim)) if part))}</p>',
        f"<h1>{headline}</h1>",
        f'<p class="lead">{text(_lead(summaries[0]))}</p>' if len(summaries) == 1 else "",
        "</header>",
    ]
    for number, summary in enumerate(summaries[:MAX_KINDS]):
        parts = list(_kind(summary, f"k{number}"))
        if len(summaries) > 1:
            parts.insert(0, f"<p>{text(_lead(summary))}</p>")
        heading = f"{_counted(summary.games, 'game')} of {game_name(summary.game)}" if len(summaries) > 1 else ""
        body.append(section(heading, *parts))
    if len(summaries) > MAX_KINDS:
        body.append(f'<p class="quiet">{len(summaries) - MAX_KINDS} more kinds of game are left out.</p>')
    body.append(_foot(summaries[0].aim))
    return document(f"{headline}, {kinds}", body)


def _headline(record: "Record") -> str:
    score, opponent = _score(record.board.score), record.opponent
    if opponent is None or not record.finished:
        return f"{score} points"
    lead = record.board.score - opponent.score
    return f"{'Won' if lead > 0 else 'Lost' if lead < 0 else 'Drawn'}, {score} to {_score(opponent.score)}"


def verdict(review: "Review") -> str:
    """A game in a sentence: the rolls, and the moves.

    >>> from tentimes18.coach.review import review
    >>> from tentimes18.records.notation import parse_record
    >>> verdict(review(parse_record("1d6 1-3: 4@1 6@3 5@2")))
    'Lucky rolls, and 1 inaccuracy.'
    """
    board = review.record.board
    if not board.rounds:
        return "Nothing is played yet."
    parts = [_counted(review.counts[found.name], found.name) for found in MARKED if review.counts[found.name]]
    play = "no error" if review.loss else "every move a best one"
    if parts:
        play = " and ".join(filter(None, (", ".join(parts[:-1]), parts[-1])))
    law = law_of_optimal(board.game)
    bound = LUCKY_CHANCE if review.aim.unit is Unit.chance else LUCKY * law.sd if law else 0.0
    luck = "Lucky" if review.luck > bound else "Unlucky" if review.luck < -bound else "Ordinary"
    rest = ""
    if not review.record.finished:
        rest = f" After {board.rounds} of {board.game.size} rounds {_shown(review.end, review.aim)} can be expected."
    return f"{luck} rolls, and {play}.{rest}"


def _counted(count: int, name: str) -> str:
    plural = {"inaccuracy": "inaccuracies"}.get(name, f"{name}s")
    return f"{count:,} {name if count == 1 else plural}"


def _lead(summary: "Summary") -> str:
    if summary.skill is None:
        return "No move in them was a choice."
    a_game, a_choice = _shown(summary.mean_loss, summary.aim), _shown(summary.skill, summary.aim)
    return (
        f"A game gave up {a_game} on average, a choice {a_choice}; {summary.error_rate:.1%} of the choices were errors."
    )


def _aim(by: "Aim") -> str:
    kind, _, rest = by.name.partition(":")
    return {
        "mean": "",
        "target": f"measured by the chance of {rest} points or more",
        "duel": f"measured by the chance to win against {rest or 'the best play'}",
    }[kind]


def _shown(worth: "Worth", by: "Aim") -> str:
    return _plain(_number(worth, by)) + ("%" if by.unit is Unit.chance else " points")


def _number(worth: "Worth", by: "Aim", digits: int = 2) -> str:
    """A number for a table, in points or in percent; what is too small to be seen is marked as such."""
    counted = float(100 * worth if by.unit is Unit.chance else worth)
    if 0 < abs(counted) < 0.5 * 10**-digits:
        return f"{'−' if counted < 0 else ''}&lt;{10**-digits:.{digits}f}"
    return f"{counted:,.{digits}f}".replace("-", "−")


def _signed(worth: "Worth", by: "Aim") -> str:
    number = _number(worth, by)
    return f"+{number}" if worth > 0 and not number.startswith("&") else number


def _game_facts(review: "Review") -> Iterator[tuple[str, str]]:
    unit = "%" if review.aim.unit is Unit.chance else ""
    if review.record.opponent is not None and not review.record.finished:
        yield "the opponent's score", _score(review.record.opponent.score)
    if review.skill is not None:
        yield "lost by a choice on average: skill", _plain(_number(review.skill, review.aim)) + unit
    if review.percentile is not None:
        yield "of optimal's games end at this or less", f"{100 * float(review.percentile):.1f}%"
    if review.optimal_score is not None and review.best_score is not None:
        yield "optimal on the same rolls", _score(review.optimal_score)
        yield "best possible on these rolls", _score(review.best_score)


def _plain(number: str) -> str:
    return number.replace("&lt;", "<")


def _score(score: Number) -> str:
    return points(Fraction(score)).replace("-", "−")


def _identity(review: "Review") -> str:
    """Where the score came from, written out."""
    is_score = review.record.finished and review.aim.unit is Unit.points
    unit = "%" if review.aim.unit is Unit.chance else ""
    end = _score(review.record.board.score) if is_score else _number(review.end, review.aim) + unit
    names = ("score" if is_score else "chance" if review.aim.unit is Unit.chance else "expected score", "at the start")
    parts = [
        ("", end, names[0]),
        ("=", _number(review.start, review.aim) + unit, "chance " + names[1] if unit else "value of the game"),
        ("−" if review.luck < 0 else "+", _number(abs(float(review.luck)), review.aim) + unit, "luck of the rolls"),
        ("−", _number(review.loss, review.aim) + unit, "lost by the moves"),
    ]
    if review.gift:
        sign = "−" if review.gift < 0 else "+"
        parts.append((sign, _number(abs(float(review.gift)), review.aim) + unit, "given by the opponent"))
    shown = "".join(
        f"<span>{f'<i>{sign}</i>' if sign else ''}<b>{number}<small>{name}</small></b></span>"
        for sign, number, name in parts
    )
    return f'<h3>Where the {names[0]} comes from</h3><p class="sum">{shown}</p>'


def _board(board: Board) -> str:
    """Each row a round: its roll in colour, what stood there before in grey."""
    game = board.game
    heads = "".join(f'<th scope="col">{text(times(multiplier))}</th>' for multiplier in game.multipliers)
    lines = [
        '<div class="scroll"><table class="board"><caption>The board, round by round</caption>',
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
        gained = _score(game.multipliers[slot - 1] * roll)
        sums = f'<td class="points">{gained}</td><td class="points">{_score(now.score)}</td>'
        lines.append(f'<tr><th scope="row">{roll}</th>{"".join(cells)}{sums}</tr>')
    gains = {slot: _score(game.multipliers[slot - 1] * roll) for roll, slot in board.placements}
    products = "".join(f"<td>{gains.get(slot, '')}</td>" for slot in range(1, game.size + 1))
    score = f'<td class="points strong" colspan="2">{_score(board.score)}</td>'
    lines.append(f"</tbody><tfoot><tr><td></td>{products}{score}</tr></tfoot></table></div>")
    return "\n".join(lines)


def _moves(review: "Review") -> str:
    unit = ", %" if review.aim.unit is Unit.chance else ""
    theirs = review.record.opponent.placements if review.record.opponent else None
    heads = ["round", "roll", "slot", "best", f"loss{unit}", "", f"luck{unit}", "chance, %" if unit else "expected"]
    if theirs:
        heads.insert(3, "theirs")
    has_gifts = any(move.gift for move in review.moves)
    if has_gifts:
        heads.insert(-1, f"gift{unit}")

    def row(number: int, move: "ReviewedMove") -> list[str]:
        lost = f'<span class="lost">{_number(move.loss, review.aim)}</span>' if move.loss else ""
        cells = [str(number), f'<span class="strong">{move.roll}</span>', str(move.slot), _slots(move.best_slots), lost]
        if theirs:
            cells.insert(3, str(theirs[number - 1].slot))
        named = chip(move.move_class.name, move.move_class.mark)
        gift = [_signed(move.gift, review.aim)] if has_gifts else []
        return [*cells, named, _signed(move.luck, review.aim), *gift, _number(move.after, review.aim, 1)]

    rows = [row(number, move) for number, move in enumerate(review.moves, start=1)]
    return table("Move by move", heads, rows, left=[heads.index("")])


def _slots(slots: Sequence[int]) -> str:
    return ", ".join(map(str, slots)) if len(slots) <= 4 else f"{slots[0]}, …, {slots[-1]}"


def _kind(summary: "Summary", name: str) -> Iterator[str]:
    """Numbers, pictures and tables of the games of one kind."""
    yield facts(list(_games_facts(summary)))
    drawn: list[tuple[str, Callable[[Summary, float], Figure]]] = [
        ("played", plot_played),
        ("progress", plot_progress),
        ("errors", plot_errors),
        ("luck", plot_luck),
    ]
    yield '<div class="grid">'
    for part, plot in drawn if summary.games >= FEW else []:
        try:
            yield picture(plot(summary, WIDTH), f"{name}-{part}")
        except Ten18Error:  # of games that have no such thing
            continue
    yield f'<div class="card wide">{_classes(summary)}</div>'
    if summary.rounds:
        yield f'<div class="card long">{_rounds(summary)}</div>'
    if summary.costliest:
        yield f'<div class="card long">{_costliest(summary)}</div>'
    yield "</div>"


def _games_facts(summary: "Summary") -> Iterator[tuple[str, str]]:
    unit = "%" if summary.aim.unit is Unit.chance else ""
    for name, value in summary.means.items():
        yield name, _score(Fraction(value))
    yield "luck a game", _plain(_signed(summary.mean_luck, summary.aim)) + unit
    yield "loss a game", _plain(_number(summary.mean_loss, summary.aim)) + unit
    if summary.skill is not None and summary.error_rate is not None:
        yield "skill: loss a choice", _plain(_number(summary.skill, summary.aim)) + unit
        yield "of the choices are errors", f"{summary.error_rate:.1%}"


def _classes(summary: "Summary") -> str:
    most = max(*summary.classes.values(), 1)
    rows = []
    for found in CLASSES:
        count = summary.classes[found.name]
        share = f"{count / summary.moves:.1%}" if summary.moves else ""
        bar = f'<div style="width: {100 * count / most:.1f}%"></div>' if count else ""
        rows.append([chip(found.name, found.mark), bar, f"{count:,}", share])
    made = table("Moves by class", ["class", "", "moves", "share"], rows, left=[0, 1])
    return made.replace('<td class="left">', '<td class="left bar">')


def _rounds(summary: "Summary") -> str:
    unit = ", %" if summary.aim.unit is Unit.chance else ""
    rows = [
        [str(part.round), f"{part.choices:,}", _number(part.mean_loss, summary.aim), f"{part.error_rate:.1%}"]
        for part in summary.rounds
    ]
    return table("Moves by round", ["round", "choices", f"loss a choice{unit}", "errors"], rows)


def _costliest(summary: "Summary") -> str:
    unit = ", %" if summary.aim.unit is Unit.chance else ""
    rows = []
    for move in summary.costliest:
        lost = f'<span class="lost">{_number(move.loss, summary.aim)}</span>'
        rows.append([str(move.game), str(move.round), str(move.roll), str(move.slot), str(move.best), lost])
    heads = ["game (line)", "round", "roll", "slot", "best", f"loss{unit}"]
    return table("The costliest moves", heads, rows)


def _foot(by: "Aim") -> str:
    unit = "% of the chances" if by.unit is Unit.chance else "points"
    limits = ", ".join(f"{found.name} {found.mark} from {points(found.least)}" for found in reversed(MARKED))
    made = f"<footer>Made by ten18 {version('tentimes18')}.</footer>"
    return _HOW.replace("LIMITS", f"{limits} {unit}") + made
