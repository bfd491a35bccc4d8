"""The review of many games as a page for the browser, those of each kind by themselves."""

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from matplotlib.figure import Figure

from tentimes18.coach.classes import CLASSES
from tentimes18.coach.summary import Summary
from tentimes18.errors import Ten18Error
from tentimes18.show.figures import counted, share, shown_score
from tentimes18.show.plots.summary import plot_errors, plot_luck, plot_played, plot_progress
from tentimes18.show.report.page import WIDTH, chip, document, facts, foot, picture, section, table, text
from tentimes18.show.words import amount, game_name, measure_label, signed, words_of

__all__ = ["games_page"]

MAX_KINDS: Final = 20
FEW: Final = 5  # games; fewer are not worth a picture


def games_page(summaries: Sequence[Summary]) -> str:
    """The page of many games, those of each kind by themselves."""
    games = sum(summary.games for summary in summaries)
    headline = counted(games, "game")
    kinds = game_name(summaries[0].game) if len(summaries) == 1 else f"{len(summaries)} kinds of game"
    body = [
        "<header>",
        f'<p class="kicker">{text(" · ".join(part for part in (kinds, measure_label(summaries[0].aim)) if part))}</p>',
        f"<h1>{headline}</h1>",
        f'<p class="lead">{text(_lead(summaries[0]))}</p>' if len(summaries) == 1 else "",
        "</header>",
    ]
    for number, summary in enumerate(summaries[:MAX_KINDS]):
        parts = list(_kind(summary, f"k{number}"))
        if len(summaries) > 1:
            parts.insert(0, f"<p>{text(_lead(summary))}</p>")
        heading = f"{counted(summary.games, 'game')} of {game_name(summary.game)}" if len(summaries) > 1 else ""
        body.append(section(heading, *parts))
    if len(summaries) > MAX_KINDS:
        body.append(f'<p class="quiet">{len(summaries) - MAX_KINDS} more kinds of game are left out.</p>')
    body.append(foot(summaries[0].aim.unit))
    return document(f"{headline}, {kinds}", body)


def _lead(summary: Summary) -> str:
    if summary.skill is None or summary.error_rate is None:
        return "No move in them was a choice."
    unit, errors = summary.aim.unit, share(summary.error_rate)
    a_game, a_choice = (amount(loss, unit) + words_of(unit).tail for loss in (summary.mean_loss, summary.skill))
    return f"A game gave up {a_game} on average, a choice {a_choice}; {errors} of the choices were errors."


def _kind(summary: Summary, name: str) -> Iterator[str]:
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


def _games_facts(summary: Summary) -> Iterator[tuple[str, str]]:
    unit = summary.aim.unit
    sign = words_of(unit).sign
    for name, value in summary.means.items():
        yield name, shown_score(value)
    yield "luck a game", signed(summary.mean_luck, unit) + sign
    yield "loss a game", amount(summary.mean_loss, unit) + sign
    if summary.skill is not None and summary.error_rate is not None:
        yield "skill: loss a choice", amount(summary.skill, unit) + sign
        yield "of the choices are errors", share(summary.error_rate)


def _classes(summary: Summary) -> str:
    most = max(*summary.classes.values(), 1)
    rows = []
    for found in CLASSES:
        count = summary.classes[found.name]
        part = share(count / summary.moves) if summary.moves else ""
        bar = f'<div style="width: {100 * count / most:.1f}%"></div>' if count else ""
        rows.append([chip(found.name, found.mark), bar, f"{count:,}", part])
    made = table("Moves by class", ["class", "", "moves", "share"], rows, left=[0, 1])
    return made.replace('<td class="left">', '<td class="left bar">')


def _rounds(summary: Summary) -> str:
    unit = summary.aim.unit
    rows = [
        [str(part.round), f"{part.choices:,}", text(amount(part.mean_loss, unit)), share(part.error_rate)]
        for part in summary.rounds
    ]
    return table("Moves by round", ["round", "choices", f"loss a choice{words_of(unit).in_head}", "errors"], rows)


def _costliest(summary: Summary) -> str:
    unit = summary.aim.unit
    rows = []
    for move in summary.costliest:
        lost = f'<span class="lost">{text(amount(move.loss, unit))}</span>'
        rows.append([str(move.game), str(move.round), str(move.roll), str(move.slot), str(move.best), lost])
    heads = ["game (line)", "round", "roll", "slot", "best", f"loss{words_of(unit).in_head}"]
    return table("The costliest moves", heads, rows)
