"""The review of many games as a page for the browser, those of each kind by themselves."""

from collections.abc import Callable, Container, Iterator, Sequence
from typing import Final

from matplotlib.figure import Figure

from tentimes18.coach.losses import CLASSES
from tentimes18.coach.summary import MeasuredGames, Summary
from tentimes18.errors import Ten18Error
from tentimes18.number_format import counted, share, shown_score
from tentimes18.pictures.plot_games import plot_errors, plot_luck, plot_played, plot_progress
from tentimes18.show.report.game_list import MOST_MOVES, game_anchor, game_list, listed_games
from tentimes18.show.report.page import WIDTH, chip, document, facts, foot, picture, section, table, text
from tentimes18.wording import amount, game_name, kind_name, kind_notes, level_fact, measure_label, signed, words_of

__all__ = ["games_page"]

MAX_KINDS: Final = 20
FEW: Final = 5  # games; fewer are not worth a picture


def games_page(kinds: Sequence[MeasuredGames]) -> str:
    """The page of many games, those of each kind by themselves."""
    games = sum(kind.summary.games for kind in kinds)
    headline = counted(games, "game")
    first = kinds[0].summary
    name = game_name(first.game) if len(kinds) == 1 else f"{len(kinds)} kinds of game"
    label = measure_label(first.aim) if len({kind.summary.aim.name for kind in kinds}) == 1 else ""
    body = [
        '<div class="hero">',
        f"<h1>{headline}</h1>",
        f'<p class="lead">{text(_lead(first))}</p>' if len(kinds) == 1 else "",
        "</div>",
    ]
    most_moves = MOST_MOVES // min(len(kinds), MAX_KINDS)
    for number, kind in enumerate(kinds[:MAX_KINDS]):
        parts = [f'<p class="note">{text(note)}</p>' for note in kind_notes(kind)]
        if len(kinds) > 1:
            parts.insert(0, f"<p>{text(_lead(kind.summary))}</p>")
        heading = f"{counted(kind.summary.games, 'game')} of {kind_name(kind)}" if len(kinds) > 1 else ""
        body.append(section(heading, *parts, *_kind(kind, f"k{number}", most_moves)))
    if len(kinds) > MAX_KINDS:
        body.append(f'<p class="quiet">{counted(len(kinds) - MAX_KINDS, "more kind")} of game left out.</p>')
    body.append(foot(first.aim.unit))
    return document(f"{headline}, {name}", body, " · ".join(part for part in (name, label) if part))


def _lead(summary: Summary) -> str:
    if summary.skill is None or summary.error_rate is None:
        return "No move in them was a choice."
    unit, errors = summary.aim.unit, share(summary.error_rate)
    a_game, a_choice = (amount(loss, unit) + words_of(unit).tail for loss in (summary.mean_loss, summary.skill))
    return f"A game gave up {a_game} on average, a choice {a_choice}; {errors} of the choices were errors."


def _kind(kind: MeasuredGames, name: str, most_moves: int) -> Iterator[str]:
    """Numbers, pictures and tables of the games of one kind."""
    summary, places = kind.summary, listed_games(kind, most_moves)
    listed = {kind.lines[place].number for place in places}
    yield facts(list(_games_facts(kind)))
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
        yield f'<div class="card long">{_costliest(summary, name, listed)}</div>'
    yield game_list(kind, places, name)
    yield "</div>"


def _games_facts(kind: MeasuredGames) -> Iterator[tuple[str, str]]:
    summary, level, lost_by_chance = kind.summary, kind.level, kind.random_loss
    unit = summary.aim.unit
    sign = words_of(unit).sign
    for name, value in summary.means.items():
        yield name, shown_score(value)
    yield "luck a game", signed(summary.mean_luck, unit) + sign
    yield "loss a game", amount(summary.mean_loss, unit) + sign
    if summary.skill is not None and summary.error_rate is not None:
        yield "skill: loss a choice", amount(summary.skill, unit) + sign
        if level is not None and lost_by_chance is not None:
            yield level_fact(summary.skill, lost_by_chance), level.name
        yield "of the choices are errors", share(summary.error_rate)


def _classes(summary: Summary) -> str:
    most = max(*summary.classes.values(), 1)
    rows = []
    for found in CLASSES:
        count = summary.classes[found.name]
        part = share(count / summary.moves) if summary.moves else ""
        bar = f'<div style="width: {100 * count / most:.1f}%"></div>' if count else ""
        rows.append([chip(found.name, found.mark), bar, f"{count:,}", part])
    return table("Moves by class", ["class", "", "moves", "share"], rows, left=[0], bars=[1])


def _rounds(summary: Summary) -> str:
    unit = summary.aim.unit
    rows = [
        [str(part.round), f"{part.choices:,}", text(amount(part.mean_loss, unit)), share(part.error_rate)]
        for part in summary.rounds
    ]
    return table("Moves by round", ["round", "choices", f"loss a choice{words_of(unit).in_head}", "errors"], rows)


def _costliest(summary: Summary, name: str, listed: Container[int]) -> str:
    unit = summary.aim.unit
    rows = []
    for move in summary.costliest:
        lost = f'<span class="lost">{text(amount(move.loss, unit))}</span>'
        game = str(move.game)
        if move.game in listed:
            game = f'<a href="#{game_anchor(name, move.game)}">{game}</a>'
        rows.append([game, str(move.round), str(move.roll), str(move.slot), str(move.best), lost])
    heads = ["game", "round", "roll", "slot", "best", f"loss{words_of(unit).in_head}"]
    return table("The costliest moves", heads, rows)
