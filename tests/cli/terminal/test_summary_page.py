"""The report of many games, as it is printed."""

from tentimes18.cli.output import text_of
from tentimes18.cli.terminal.games_pages import summary_page
from tentimes18.coach.summary import MeasuredGames, measured_kinds
from tentimes18.game import Game
from tentimes18.records.formats import Line
from tentimes18.records.notation import Record, parse_record
from tests.support.played import played

SMALL = Game.parse("1d6", "1-3")


def kind_of(records: list[Record], aim: str | None = None) -> MeasuredGames:
    (found,), _ = measured_kinds([Line(number, record) for number, record in enumerate(records, start=1)], aim)
    return found


def shown(games: MeasuredGames) -> list[str]:
    return [" ".join(line.split()) for line in text_of(summary_page(games)).splitlines() if line.strip()]


def test_sums_classes_rounds_and_the_costliest_moves() -> None:
    games = kind_of(played(SMALL, 40, seed=18))
    summary, lines = games.summary, shown(games)
    assert lines[0] == f"40 games of 1d6 1-3, {summary.finished} finished"
    assert f"loss {summary.mean_loss:.2f}" in lines
    assert f"luck {summary.mean_luck:+.2f}".replace("-", "−") in lines
    assert f"skill: loss per decision {summary.skill:.3f}" in lines
    assert games.level is not None
    assert f"level {games.level.name}" in lines
    assert f"errors, of all decisions {summary.error_rate:.1%}" in lines
    for title in ("Moves by class", "Moves by round", "The costliest moves, with the line of the game"):
        assert title in lines
    worst = summary.costliest[0]
    assert f"{worst.game} {worst.round} {worst.roll} {worst.slot} {worst.best} {worst.loss:.2f}" in lines
    assert "Progress from game 1 to 40, game by game" in lines
    assert not any("percent" in line for line in lines)


def test_by_a_chance_in_percent() -> None:
    games = kind_of(played(SMALL, 40, seed=18), "target:25")
    lines = shown(games)
    assert f"loss in percent {100 * games.summary.mean_loss:.2f}" in lines
    assert "Measured by target:25: losses and luck are chances, in percent." in lines


def test_nothing_but_what_there_is() -> None:
    lines = shown(kind_of([parse_record("1d6 1-3:")]))
    assert lines[0] == "1 game of 1d6 1-3, 0 finished"
    assert "Moves by round" not in lines
    assert not any("costliest" in line or "Progress" in line for line in lines)
