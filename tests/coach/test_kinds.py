"""Games by kind: chances apart from points, practice apart from what counts, and each by the aim it was played for."""

from collections.abc import Sequence

import pytest

from tentimes18.coach import kinds
from tentimes18.coach.aims import aim_named
from tentimes18.coach.kinds import MeasuredGames, measured_kinds
from tentimes18.coach.review import review
from tentimes18.errors import Ten18Error
from tentimes18.records.files import Line
from tentimes18.records.notation import parse_record

SMALL = "1d6 1-3: 4@1 6@3 5@2"
DUEL = f"{SMALL}; opponent=4@2 6@3 5@1"


def lines_of(*texts: str) -> list[Line]:
    return [Line(number, parse_record(text)) for number, text in enumerate(texts, start=1)]


def told(found: Sequence[MeasuredGames]) -> list[tuple[list[int], str, str, bool]]:
    return [
        ([line.number for line in games.lines], games.played_for, games.summary.aim.name, games.is_practice)
        for games in found
    ]


def test_the_most_frequent_kind_is_first() -> None:
    found, _ = measured_kinds(lines_of("2d6 1-3: 7@2", SMALL, "8@5", SMALL, "1d6 1-3:"))
    assert [numbers for numbers, *_ in told(found)] == [[2, 4, 5], [1], [3]]


def test_a_game_is_measured_by_what_it_was_played_for() -> None:
    texts = [SMALL, f"{SMALL}; aim=target:31", f"{DUEL}; aim=duel", f"{DUEL}; aim=duel:greedy", DUEL]
    found, bad = measured_kinds(lines_of(*texts))
    assert bad == []
    assert told(found) == [
        ([1, 5], "mean", "mean", False),
        ([2], "target:31", "target:31", False),
        ([3], "duel", "duel", False),
        ([4], "duel:greedy", "duel:greedy", False),
    ]
    for games in found:
        assert games.is_by_own_aim
        for place, line in enumerate(games.lines):
            twin = review(line.record, aim_named(line.record.board.game, games.played_for))
            assert games.summary.table.losses[place].sum() == pytest.approx(float(twin.loss), abs=1e-12)
            assert games.summary.table.lucks[place].sum() == pytest.approx(float(twin.luck), abs=1e-12)


def test_an_aim_that_cannot_be_measured_by_gives_the_mean_and_says_so() -> None:
    found, _ = measured_kinds(lines_of(f"{SMALL}; aim=duel", f"{SMALL}; aim=fame", f"{SMALL}; aim=9"))
    assert [(games.played_for, games.summary.aim.name) for games in found] == [
        ("duel", "mean"),
        ("fame", "mean"),
        ("unknown", "mean"),
    ]
    assert [(games.is_by_own_aim, games.level) for games in found] == [(False, None)] * 3


def test_very_many_games_of_a_chance_are_measured_by_the_mean(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kinds, "MOST_FOR_TARGETS", 2)
    lines = lines_of(*[f"{SMALL}; aim=target:31"] * 3)
    assert told(measured_kinds(lines)[0])[0][1:3] == ("target:31", "mean")
    assert told(measured_kinds(lines[:2])[0])[0][1:3] == ("target:31", "target:31")


def test_practice_is_apart_and_has_no_level() -> None:
    found, _ = measured_kinds(
        lines_of(SMALL, f"{SMALL}; takebacks=2", f"{SMALL}; takebacks=1", f"{SMALL}; takebacks=0")
    )
    assert told(found) == [([1, 4], "mean", "mean", False), ([2, 3], "mean", "mean", True)]
    assert found[0].level is not None
    assert found[1].level is None


def test_a_given_aim_counts_for_all() -> None:
    seen: list[tuple[int, int]] = []
    lines = lines_of(f"{SMALL}; aim=fame", SMALL)
    found, _ = measured_kinds(lines, "target:30", lambda done, total: seen.append((done, total)))
    assert told(found) == [([1, 2], "target:30", "target:30", False)]
    assert seen == [(1, 2), (2, 2)]
    assert found[0].level is None, "one of them was played for something else"
    assert measured_kinds(lines[1:], "target:30")[0][0].level is not None
    with pytest.raises(Ten18Error):
        measured_kinds(lines, "fame")


def test_what_is_too_large_is_a_bad_line() -> None:
    found, bad = measured_kinds(lines_of(SMALL, "3d6 1-201: 8@5", SMALL, "3d6 1-201: 8@5; aim=target:9"))
    assert [games.summary.games for games in found] == [2]
    assert [line.number for line in bad] == [2, 4]
    assert bad[0].reason.startswith("slots: 201 slots")
    assert measured_kinds([]) == ([], [])
