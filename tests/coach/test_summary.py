"""Many games together: every move is measured as in the review of its game, and the sums are right."""

from collections.abc import Sequence
from itertools import chain
from statistics import mean

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tentimes18 import Board, Game, Ten18Error
from tentimes18.coach import summary
from tentimes18.coach.aims import Aim, Chance, Hunt, aim_named
from tentimes18.coach.losses import CLASSES
from tentimes18.coach.review import Review, review
from tentimes18.coach.summary import MeasuredGames, Summary, measure, measured_kinds, summarise
from tentimes18.records.formats import Line
from tentimes18.records.notation import Record, parse_record
from tests.support.games import games
from tests.support.played import played
from tests.support.records import boards

NAMES = [kind.name for kind in CLASSES]


def assert_measured(records: Sequence[Record], by: Aim | None = None) -> None:
    table = measure(records, by)
    game = records[0].board.game
    scale = 1 + max(abs(float(multiplier)) for multiplier in game.multipliers) * max(map(abs, game.dice.support))
    assert table.rounds.tolist() == [record.board.rounds for record in records]
    for g, record in enumerate(records):
        rounds = record.board.rounds
        for r, move in enumerate(review(record, by).moves):
            assert (table.rolls[g, r], table.slots[g, r]) == (move.roll, move.slot)
            assert table.best[g, r] == move.best_slots[0]
            assert table.is_choice[g, r] == move.is_choice
            assert NAMES[table.classes[g, r]] == move.move_class.name
            assert abs(table.losses[g, r] - float(move.loss)) <= 1e-15 * scale
            assert abs(table.lucks[g, r] - float(move.luck)) <= 1e-15 * scale
        for part in (table.rolls, table.slots, table.best, table.losses, table.lucks, table.is_choice, table.classes):
            assert not part[g, rounds:].any()
        assert table.is_played[g].tolist() == [r < rounds for r in range(game.size)]


@settings(max_examples=50)
@given(games(max_slots=6), st.data())
def test_measured_as_reviewed(game: Game, data: st.DataObject) -> None:
    assert_measured([Record(data.draw(boards(game))) for _ in range(data.draw(st.integers(1, 4)))])


@settings(max_examples=10)
@given(games(max_slots=3, max_rolls=3), st.data())
def test_measured_as_reviewed_by_other_aims(game: Game, data: st.DataObject) -> None:
    board = data.draw(boards(game))
    assert_measured([Record(board)], Chance(game, data.draw(st.integers(-5, 20))))
    slots = data.draw(st.permutations(range(1, game.size + 1)))
    opponent = Board.replay(game, zip([move.roll for move in board.placements], slots, strict=False))
    assert_measured([Record(board, None, opponent)], Hunt(game, "optimal"))


@pytest.mark.parametrize(
    ("dice", "slots"),
    [
        ("3d6", "1-10"),
        ("2d6", "1-8"),
        ("1d2", "1-60"),
        ("d{0,1}:1=1000000", "1-12"),
        ("1d6", "1-80"),
        ("1d20-10", "-5,-1/3,0,0,1/7,2,2,9"),
        ("d{-1000000,3,999999}", "1000000,2000000,5000000"),
        ("1d6", "100000000000000000000,100000000000000000001,100000000000000000003"),
        ("7", "1-4"),
        ("3d6", "5"),
    ],
)
def test_measured_as_reviewed_in_games_of_all_sizes(dice: str, slots: str) -> None:
    """With 60 slots of a coin, thresholds are nearer to a roll than float64 can show: these are no ties."""
    game = Game.parse(dice, slots)
    assert_measured(played(game, 2 if game.size > 50 else 20, seed=18))


@pytest.mark.parametrize(("dice", "slots"), [("3d6", "1-10"), ("1d6", "1-3"), ("2d4-5", "-2,1/3,1/3,4")])
def test_sums(dice: str, slots: str) -> None:
    game = Game.parse(dice, slots)
    records = played(game, 60, seed=1)
    found = summarise(records)
    reviews = [review(record) for record in records]
    moves = [move for one in reviews for move in one.moves]
    finished = [one for one in reviews if one.record.finished]
    choices = [move for move in moves if move.is_choice]
    assert (found.games, found.finished, found.moves, found.choices) == (60, len(finished), len(moves), len(choices))
    assert found.mean_score == pytest.approx(mean(float(one.record.board.score) for one in finished))
    assert found.mean_optimal == pytest.approx(mean(float(one.optimal_score or 0) for one in finished))
    assert found.mean_best == pytest.approx(mean(float(one.best_score or 0) for one in finished))
    assert found.value == pytest.approx(float(reviews[0].start))
    assert found.mean_loss == pytest.approx(mean(float(one.loss) for one in reviews))
    assert found.mean_luck == pytest.approx(mean(float(one.luck) for one in reviews))
    assert found.skill == pytest.approx(mean(float(move.loss) for move in choices))
    assert found.classes == {name: sum(one.counts[name] for one in reviews) for name in NAMES}
    errors = sum(move.move_class.mark != "" for move in moves)
    assert found.error_rate == pytest.approx(errors / len(choices))
    assert 0 < errors < len(choices)
    assert_rounds(found, reviews)
    worst = sorted(
        ((-float(move.loss), g, r) for g, one in enumerate(reviews) for r, move in enumerate(one.moves) if move.loss)
    )[:10]
    assert [costly.loss for costly in found.costliest] == pytest.approx([-loss for loss, _, _ in worst])
    for costly in found.costliest:
        move = reviews[costly.game - 1].moves[costly.round - 1]
        assert (costly.roll, costly.slot, costly.best) == (move.roll, move.slot, move.best_slots[0])
        assert costly.loss == pytest.approx(float(move.loss))


def assert_rounds(found: Summary, reviews: list[Review]) -> None:
    for part in found.rounds:
        here = [one.moves[part.round - 1] for one in reviews if len(one.moves) >= part.round]
        here = [move for move in here if move.is_choice]
        assert part.choices == len(here)
        assert part.mean_loss == pytest.approx(mean(float(move.loss) for move in here))
        assert part.error_rate == pytest.approx(mean(move.move_class.mark != "" for move in here))
    assert sum(part.choices for part in found.rounds) == found.choices


@pytest.mark.parametrize("count", [1, 7, 50, 51, 120])
def test_stretches_hold_every_game_once(count: int) -> None:
    records = played(Game.parse("1d6", "1-3"), count, seed=2)
    found = summarise(records)
    reviews = [review(record) for record in records]
    assert min(count, 25) <= len(found.progress) <= 50
    games_of = [list(range(part.first, part.last + 1)) for part in found.progress]
    assert list(chain(*games_of)) == list(range(1, count + 1))
    assert len({len(numbers) for numbers in games_of[:-1]}) <= 1
    assert 1 <= len(games_of[-1]) <= len(games_of[0])
    for part, numbers in zip(found.progress, games_of, strict=True):
        here = [reviews[number - 1] for number in numbers]
        scores = [float(one.record.board.score) for one in here if one.record.finished]
        assert part.mean_score == (pytest.approx(mean(scores)) if scores else None)
        choices = sum(one.choices for one in here)
        assert part.skill == (pytest.approx(sum(float(one.loss) for one in here) / choices) if choices else None)


def test_nothing_finished_and_nothing_played() -> None:
    found = summarise([parse_record("1d6 1-3:")])
    assert (found.games, found.finished, found.moves, found.choices) == (1, 0, 0, 0)
    assert (found.mean_score, found.mean_optimal, found.mean_best, found.skill, found.error_rate) == (None,) * 5
    assert (found.rounds, found.costliest, found.classes) == ((), (), dict.fromkeys(NAMES, 0))
    assert found.progress[0].mean_score is None
    assert summarise([parse_record("1d6 1-3: 4@1")]).moves == 1


def test_the_costliest_moves_of_many_that_cost_the_same() -> None:
    """The first of them, in their order; what cost nothing is not among them."""
    bad, good = parse_record("1d6 1,2: 6@1 1@2"), parse_record("1d6 1,2: 6@2 1@1")
    found = summarise([good, *[bad] * 12, *[good] * 9])
    assert [(costly.game, costly.round) for costly in found.costliest] == [(game, 1) for game in range(2, 12)]
    assert [costly.game for costly in summarise([good] * 9 + [bad] + [good] * 9).costliest] == [10]


def test_a_trend_is_clear_where_chance_does_not_explain_it() -> None:
    bad, good = parse_record("1d6 1,2: 6@1 1@2"), parse_record("1d6 1,2: 6@2 1@1")
    other = parse_record("1d6 1,2: 5@1 4@2")
    better = summarise([bad, bad, bad, bad, other, *[other] * 5, *[good] * 5]).trend
    assert (better.is_clear, better.last, better.first > better.last) == (True, 0, True)
    assert summarise([*[good] * 5, *[other] * 5, *[bad] * 5]).trend.is_clear
    assert not summarise([bad, good] * 10).trend.is_clear
    assert not summarise([bad] * 4 + [good] * 10).trend.is_clear, "too few games"
    first = summarise([bad, good, good]).trend
    assert first.first == summarise([bad]).skill


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
    for kind in found:
        assert kind.is_by_own_aim
        for place, line in enumerate(kind.lines):
            twin = review(line.record, aim_named(line.record.board.game, kind.played_for))
            assert kind.summary.table.losses[place].sum() == pytest.approx(float(twin.loss), abs=1e-12)
            assert kind.summary.table.lucks[place].sum() == pytest.approx(float(twin.luck), abs=1e-12)


def test_an_aim_that_cannot_be_measured_by_gives_the_mean_and_says_so() -> None:
    found, _ = measured_kinds(lines_of(f"{SMALL}; aim=duel", f"{SMALL}; aim=fame", f"{SMALL}; aim=9"))
    assert [(games.played_for, games.summary.aim.name) for games in found] == [
        ("duel", "mean"),
        ("fame", "mean"),
        ("unknown", "mean"),
    ]
    assert [(games.is_by_own_aim, games.level) for games in found] == [(False, None)] * 3


def test_very_many_games_of_a_chance_are_measured_by_the_mean(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(summary, "MAX_FOR_TARGETS", 2)
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
