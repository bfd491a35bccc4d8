"""The report of many games, as it is printed."""

from tentimes18.cli.output import text_of
from tentimes18.cli.terminal.summary import summary_page
from tentimes18.coach.aims import aim_named
from tentimes18.coach.summary import Summary, summarise
from tentimes18.game import Game
from tentimes18.records.notation import parse_record
from tests.support.played import played

SMALL = Game.parse("1d6", "1-3")


def shown(summary: Summary) -> list[str]:
    return [" ".join(line.split()) for line in text_of(summary_page(summary)).splitlines() if line.strip()]


def test_sums_classes_rounds_and_the_costliest_moves() -> None:
    summary = summarise(played(SMALL, 40, seed=18))
    lines = shown(summary)
    assert lines[0] == f"40 games of 1d6 1-3, {summary.finished} finished"
    assert f"loss {summary.mean_loss:.2f}" in lines
    assert f"luck {summary.mean_luck:+.2f}" in lines
    assert f"skill: loss a choice {summary.skill:.3f}" in lines
    assert f"errors, of all choices {summary.error_rate:.1%}" in lines
    for title in ("Moves by class", "Moves by round", "The costliest moves, the game by its line"):
        assert title in lines
    worst = summary.costliest[0]
    assert f"{worst.game} {worst.round} {worst.roll} {worst.slot} {worst.best} {worst.loss:.2f}" in lines
    assert "Progress from game 1 to 40, game by game" in lines
    assert not any("percent" in line for line in lines)


def test_by_a_chance_in_percent() -> None:
    summary = summarise(played(SMALL, 40, seed=18), aim_named(SMALL, "target:25"))
    lines = shown(summary)
    assert f"loss in percent {100 * summary.mean_loss:.2f}" in lines
    assert "Measured by target:25: losses and luck are chances, in percent." in lines


def test_nothing_but_what_there_is() -> None:
    lines = shown(summarise([parse_record("1d6 1-3:")]))
    assert lines[0] == "1 game of 1d6 1-3, 0 finished"
    assert "Moves by round" not in lines
    assert not any("costliest" in line or "Progress" in line for line in lines)


def test_many_games_go_by_stretches() -> None:
    assert "Progress from game 1 to 120, by 3 games" in shown(summarise(played(SMALL, 120, seed=18)))
