"""What moves are measured by, against every future gone through one by one."""

from fractions import Fraction
from math import ceil, floor
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tentimes18 import Board, Game, InvalidGame, Ten18Error
from tentimes18.coach.aims import Aim, Chance, Duel, Hunt, Mean, aim_named, is_quick, own_aim, played_for, takebacks_of
from tentimes18.coach.losses import Unit
from tentimes18.coach.review import review
from tentimes18.game import Position
from tentimes18.records.notation import Record, parse_record
from tentimes18.tables import table_path
from tests.oracle import ties
from tests.oracle.duel import equilibrium, equity_at_end, matrix_value, response
from tests.oracle.review import reaches, told, worth
from tests.support.games import games, law_of
from tests.support.records import boards

CLOSE = 1e-9


def near(one: Fraction | float, other: Fraction | float) -> bool:
    return abs(float(one) - float(other)) < CLOSE


@st.composite
def duels(draw: st.DrawFn, max_slots: int = 3, max_rolls: int = 3) -> Record:
    """Two boards with the same rolls, finished or not."""
    game = draw(games(max_slots, max_rolls))
    board = draw(boards(game))
    slots = draw(st.permutations(range(1, game.size + 1)))
    opponent = Board.replay(game, zip([move.roll for move in board.placements], slots, strict=False))
    return Record(board, None, opponent)


def targets(game: Game) -> st.SearchStrategy[Fraction]:
    """Scores in reach, between them, and beyond."""
    ends = [
        multiplier * roll for multiplier in game.multipliers for roll in (game.dice.support[0], game.dice.support[-1])
    ]
    low, high = sum(min(0, end) for end in ends), sum(max(0, end) for end in ends)
    return st.fractions(floor(low) - 1, ceil(high) + 1, max_denominator=4)


@settings(max_examples=40)
@given(st.data())
def test_the_chance_of_a_target(data: st.DataObject) -> None:
    game = data.draw(games(max_slots=3))
    board, target = data.draw(boards(game)), data.draw(targets(game))
    by = Chance(game, target)
    law = law_of(game.dice)
    expected = worth(law, game.multipliers, reaches(target))
    free = frozenset(board.free_slots)
    assert by.worth(Position(board)) == expected(free, Fraction(board.score))
    found = review(Record(board), by)
    moves = told(law, game.multipliers, board.placements, reaches(target))
    assert [(move.loss, move.luck, move.is_choice) for move in found.moves] == [
        (move.loss, move.luck, move.is_choice) for move in moves
    ]
    _, choose = ties.best_play(law, game.multipliers, lambda score: Fraction(score >= target))
    state, score = frozenset(range(1, game.size + 1)), Fraction(0)
    for move, wanted in zip(found.moves, moves, strict=True):
        best = choose(state, score, move.roll)
        assert move.best_slots == (best, *(slot for slot in wanted.best_slots if slot != best))
        state, score = state - {move.slot}, score + move.roll * game.multipliers[move.slot - 1]
    assert found.end == found.start + found.luck - found.loss
    if not board.free:
        assert found.end == (board.score >= target)


@settings(max_examples=25)
@given(duels(), st.sampled_from(["optimal", "nearest", "bands", "greedy"]))
def test_the_hunt_of_a_rule(record: Record, rule: str) -> None:
    """Every move is worth what the best response makes of it; where the opponent leaves the rule, that is a gift."""
    game, opponent = record.board.game, record.opponent
    assert opponent is not None
    by = Hunt(game, rule)
    law, lam = law_of(game.dice), game.multipliers

    def theirs(free: frozenset[int], roll: int) -> int:
        return by.rule(sum(1 << slot - 1 for slot in free), roll)

    best = response(law, lam, theirs)
    mine = other = frozenset(range(1, game.size + 1))
    lead = Fraction(0)
    found = review(record, by)
    assert near(found.start, best(mine, other, lead))
    for move, (roll, slot), (_, answer) in zip(found.moves, record.board.placements, opponent.placements, strict=True):
        j = theirs(other, roll)
        values = {i: best(mine - {i}, other - {j}, lead + roll * (lam[i - 1] - lam[j - 1])) for i in sorted(mine)}
        most = max(values.values())
        assert move.best_slots == tuple(i for i in values if values[i] == most)
        assert near(move.loss, (most - values[slot]))
        assert near(move.luck, (most - best(mine, other, lead)))
        mine, other = mine - {slot}, other - {answer}
        lead += roll * (lam[slot - 1] - lam[answer - 1])
        assert near(move.after, best(mine, other, lead))
        if answer == j:
            assert near(move.gift, 0)
    assert_told(found.start + found.luck - found.loss + found.gift, found.end, record)


@settings(max_examples=25)
@given(duels())
def test_the_duel_of_two_who_play_their_best(record: Record) -> None:
    game, opponent = record.board.game, record.opponent
    assert opponent is not None
    law, lam = law_of(game.dice), game.multipliers
    value = equilibrium(law, lam)
    mine = other = frozenset(range(1, game.size + 1))
    lead = Fraction(0)
    found = review(record, Duel(game))
    assert near(found.start, Fraction(1, 2))
    for move, (roll, slot), (_, answer) in zip(found.moves, record.board.placements, opponent.placements, strict=True):
        matrix = [
            [value(mine - {i}, other - {j}, lead + roll * (lam[i - 1] - lam[j - 1])) for j in sorted(other)]
            for i in sorted(mine)
        ]
        rolled = matrix_value(matrix)
        assert near(move.before, value(mine, other, lead))
        assert near(move.luck, (rolled - value(mine, other, lead)))
        row = matrix[sorted(mine).index(slot)]
        # Against their best mix a move is worth no more than the position, and no less than its worst case.
        assert -CLOSE <= move.loss <= rolled - min(row) + CLOSE
        assert min(row) - CLOSE <= rolled - move.loss <= max(row) + CLOSE
        mine, other = mine - {slot}, other - {answer}
        lead += roll * (lam[slot - 1] - lam[answer - 1])
        assert near(move.after, value(mine, other, lead))
    assert_told(found.start + found.luck - found.loss + found.gift, found.end, record)


def assert_told(told_end: Fraction | float, end: Fraction | float, record: Record) -> None:
    assert record.opponent is not None
    assert near(told_end, end)
    if record.finished:
        assert near(end, equity_at_end(record.board.score - record.opponent.score))


def test_some_moves_are_mixed() -> None:
    """In this one neither player has a best slot."""
    record = parse_record("1d6 1-3: 1@1; opponent=1@2")
    mixes = Duel(record.board.game).mixes(Position(record.board, record.opponent), 3)
    assert [slot for slot, _ in mixes.mine] == [2, 3]
    assert [slot for slot, _ in mixes.theirs] == [1, 3]
    assert [share for _, share in mixes.mine] == pytest.approx([2 / 5, 3 / 5])
    assert [share for _, share in mixes.theirs] == pytest.approx([2 / 5, 3 / 5])


def test_a_duel_needs_two_boards() -> None:
    record = parse_record("1d6 1-3: 4@1")
    for by in (Duel(record.board.game), Hunt(record.board.game, "optimal")):
        with pytest.raises(InvalidGame, match=r"^opponent: a duel has two boards"):
            review(record, by)


@pytest.mark.parametrize(
    ("aim", "kind"),
    [
        ("mean", Mean),
        ("target:20", Chance),
        ("target:-3/2", Chance),
        ("duel", Duel),
        ("duel:equilibrium", Duel),
        ("duel:optimal", Hunt),
        ("duel:greedy", Hunt),
    ],
)
def test_aims_by_name(aim: str, kind: type[Aim]) -> None:
    by = aim_named(Game.parse("1d6", "1-3"), aim)
    assert type(by) is kind
    assert (by.unit is Unit.chance) == (kind is not Mean)
    assert by.name == ("duel" if aim == "duel:equilibrium" else aim)


NO_AIMS = "means Mean target target: target:x target:1e99 target:1/0 target:nan duel: duel:random duel:hindsight"
NO_AIMS += " duel:hunter duel:target:20 duel:duel utility:exp:1"


@pytest.mark.parametrize("aim", [*NO_AIMS.split(), "", "x" * 500, "\n"])
def test_aims_that_are_none(aim: str) -> None:
    with pytest.raises(Ten18Error) as refused:
        aim_named(Game.parse("1d6", "1-3"), aim)
    assert len(str(refused.value).splitlines()) == 1
    assert len(str(refused.value)) < 400


SMALL = Board(Game.parse("1d6", "1-3")).place(4, 1)


@pytest.mark.parametrize(
    ("tag", "name", "measured_by"),
    [
        ("mean", "mean", "mean"),
        ("target:30", "target:30", "target:30"),
        ("target:x", "target:x", None),
        ("fame", "fame", None),
        ("duel:nearest", "duel:nearest", "duel:nearest"),
        ("duel:nobody", "duel:nobody", None),
        ("duel:equilibrium", "duel", "duel"),
        (7, "unknown", None),
        (None, "unknown", None),
    ],
)
def test_the_aim_of_a_game(tag: object, name: str, measured_by: str | None) -> None:
    record = Record(SMALL, opponent=SMALL, tags={"aim": tag})
    assert played_for(record) == name
    found = own_aim(record)
    assert (None if found is None else found.name) == measured_by


def test_a_duel_takes_two_boards() -> None:
    assert own_aim(parse_record("1d6 1-3: 4@1; aim=duel")) is None


@pytest.mark.parametrize(("tag", "count"), [(2, 2), (0, 0), (-1, 0), (True, 0), ("2", 0), (1.5, 0), (None, 0)])
def test_moves_that_were_taken_back(tag: object, count: int) -> None:
    assert takebacks_of(Record(SMALL, tags={"takebacks": tag})) == count


def test_what_takes_long_is_not_done_unasked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TEN18_CACHE", str(tmp_path))
    classic = Game.classic()
    assert is_quick(classic, "target:700")
    assert not is_quick(Game.parse("3d6", "1-30"), "target:700")
    assert is_quick(Game.parse("3d6", "1-8"), "duel")
    assert not is_quick(Game.parse("3d6", "1-200"), "duel")
    assert not is_quick(classic, "duel")
    assert is_quick(classic, "duel:optimal")
    large = Game.parse("3d6", "1-12")
    assert not is_quick(large, "duel:optimal")
    table_path("equilibrium", classic).touch()
    assert is_quick(classic, "duel"), "the table is there"
    full = Record(Board(large), opponent=Board(large), tags={"aim": "duel:nearest"})
    assert own_aim(full) is None
