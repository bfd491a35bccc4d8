"""The games of a page: which are listed, what stands in their rows, and the moves behind them."""

from tentimes18.coach.review import review
from tentimes18.coach.summary import MeasuredGames, measured_kinds
from tentimes18.game import Game
from tentimes18.records.files import Line
from tentimes18.records.notation import parse_record
from tentimes18.show.report.game_list import MOST_GAMES, game_list, listed_games
from tentimes18.wording import amount, signed
from tests.support.pages import Page
from tests.support.played import games_of

SMALL = "1d6 1-3: 4@1 6@3 5@2"
DUEL = f"{SMALL}; opponent=4@2 6@3 5@1; against=nearest; date=2026-11-15T18:30:00+01:00; name=<i>"


def kind_of(*texts: str) -> MeasuredGames:
    lines = [Line(7 * number, parse_record(text)) for number, text in enumerate(texts, start=1)]
    (found,), _ = measured_kinds(lines)
    return found


def page_of(games: MeasuredGames) -> Page:
    return Page(game_list(games, listed_games(games), "k0"))


def test_all_games_are_listed_where_they_are_few() -> None:
    games = kind_of(SMALL, SMALL, SMALL)
    assert listed_games(games) == [2, 1, 0]
    found = page_of(games)
    assert len(found.named("details")) == len(found.named("table")) == 3
    assert "All 3, the last first. Open a game to see its moves." in found.text("p")
    assert [attributes["id"] for attributes in found.named("div") if "id" in attributes] == [
        "k0-game-21",
        "k0-game-14",
        "k0-game-7",
    ]


def test_of_many_games_the_last_and_the_costliest() -> None:
    games = games_of("random", 500, Game.parse("1d6", "1-4"))
    places = listed_games(games)
    assert places[:MOST_GAMES] == list(range(499, 499 - MOST_GAMES, -1))
    numbers = {games.lines[place].number for place in places}
    assert {move.game for move in games.summary.costliest} <= numbers
    assert len(places) <= MOST_GAMES + len(games.summary.costliest)
    assert len(listed_games(games, most_moves=40)) <= 10 + len(games.summary.costliest)


def test_a_row_and_its_moves_are_those_of_the_review() -> None:
    games = kind_of(DUEL, "1d6 1-3: 4@2; opponent=4@1")
    found = page_of(games)
    twin = review(parse_record(DUEL))
    rows = found.text("span")
    expected = ["7", "2026-11-15 18:30 · <i> · against nearest", "won", "32"]
    start = rows.index("7")
    assert rows[start : start + 4] == expected
    assert rows[start + 4 : start + 6] == [amount(twin.loss, twin.aim.unit), signed(twin.luck, twin.aim.unit)]
    assert "1 of 3 rounds" in rows
    assert "theirs" in found.text("th")
    label = found.named("summary")[1]["aria-label"] or ""
    assert label.startswith("Game 7, 2026-11-15 18:30 · <i> · against nearest, won, 32 points, loss ")
    assert found.text("caption") == ["Game 14, move by move", "Game 7, move by move"]


def test_practice_is_called_so() -> None:
    rows = page_of(kind_of(f"{SMALL}; takebacks=2")).text("span")
    assert {"practice", "2 taken back"} <= set(rows)
