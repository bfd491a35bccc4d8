"""Opponents: every strategy by name, with the same move for the same seed and round."""

from collections import Counter
from pathlib import Path

import pytest

from tentimes18.errors import Ten18Error, TooLarge
from tentimes18.game import Board, Game, slots_of
from tentimes18.play.opponents import opponent, seat
from tentimes18.strategies.named import named
from tentimes18.strategies.solved import equilibrium, hunter
from tentimes18.strategies.user_code import find
from tentimes18.tables import MissingTable

GAME = Game.parse("1d6", "1-4")
NAMES = ["random", "optimal", "nearest", "bands", "greedy", "target:40", "cvar:0.5", "hunter", "equilibrium"]


def boards_in_play() -> list[tuple[Board, Board]]:
    """An opponent's board and a player's, with the same rolls."""
    empty = Board(GAME)
    one = empty.place(5, 3), empty.place(5, 4)
    return [(empty, empty), one, (one[0].place(2, 1), one[1].place(2, 2))]


@pytest.mark.parametrize("name", NAMES)
def test_an_opponent_plays_a_legal_slot_and_the_same_again(name: str) -> None:
    first, second = opponent(name, GAME, 18), opponent(name, GAME, 18)
    for mine, theirs in boards_in_play():
        for roll in GAME.dice.support:
            slot = first(mine, theirs, roll)
            assert slot in mine.free_slots
            # Neither what was asked before, nor another opponent of that name, changes it: games are taken up again.
            assert first(mine, theirs, roll) == second(mine, theirs, roll) == slot


@pytest.mark.parametrize("name", ["optimal", "nearest", "target:40"])
def test_a_rule_of_its_own_board_is_that_rule(name: str) -> None:
    for mine, theirs in boards_in_play():
        assert [opponent(name, GAME, 18)(mine, theirs, roll) for roll in GAME.dice.support] == [
            named(name).choose(mine, roll) for roll in GAME.dice.support
        ]


def test_the_hunter_sees_the_lead_from_its_own_side() -> None:
    table, player = hunter(GAME), opponent("hunter", GAME, 18)
    from_the_other_side = 0
    for mine, theirs in all_pairs():
        lead = mine.score - theirs.score
        for roll in GAME.dice.support:
            slot = player(mine, theirs, roll)
            assert slot == table.choose(mine.free, theirs.free, lead, roll)
            if mine.free == theirs.free or slot != named("optimal").choose(mine, roll):
                continue
            from_the_other_side += slot != player(theirs, mine, roll)
    assert from_the_other_side > 0


def test_the_equilibrium_mixes_as_its_table_says() -> None:
    table = equilibrium(GAME)
    moves: dict[int, float] = {}
    for mine, theirs in all_pairs():
        for roll in GAME.dice.support:
            moves = table.moves(mine.free, theirs.free, mine.score - theirs.score, roll)
            if len(moves) > 1:
                break
        if len(moves) > 1:
            break
    assert len(moves) > 1
    games = 600
    choose = seat("equilibrium", GAME)
    drawn = Counter(choose(seed, mine, theirs, roll) for seed in range(games))
    for slot, share in moves.items():
        assert abs(drawn[slot] / games - share) < 4 * (share * (1 - share) / games) ** 0.5
    assert sum(drawn[slot] for slot in moves) == games


def all_pairs() -> list[tuple[Board, Board]]:
    """All boards after one roll."""
    empty = Board(GAME)
    return [
        (empty.place(roll, mine), empty.place(roll, theirs))
        for roll in GAME.dice.support
        for mine in range(1, 5)
        for theirs in range(1, 5)
    ]


def test_random_slots_are_as_good_as_random() -> None:
    empty = Board(GAME)
    drawn = Counter(opponent("random", GAME, seed)(empty, empty, 3) for seed in range(1000))
    assert set(drawn) == set(slots_of(GAME.all_free))
    assert all(abs(count - 250) < 4 * (1000 * 0.25 * 0.75) ** 0.5 for count in drawn.values())
    by_round = {rounds: opponent("random", GAME, 18) for rounds in range(3)}
    slots = [by_round[place](*boards, 3) for place, boards in enumerate(boards_in_play())]
    assert len(set(slots)) > 1


@pytest.mark.parametrize(
    ("name", "fact"),
    [
        ("hindsight", "against: hindsight knows the rolls to come"),
        ("lucky", "against 'lucky': not known; accepted: optimal"),
        ("target:x", "against 'target:x': 'x' is not a number"),
        ("no_such_module:function", "against 'no_such_module:function': not known; accepted: optimal"),
        ("", "against '': not known"),
    ],
)
def test_an_opponent_that_cannot_play_is_rejected(name: str, fact: str) -> None:
    with pytest.raises(Ten18Error) as refused:
        opponent(name, GAME, 18)
    assert str(refused.value).startswith(fact)
    assert refused.value.field == "against"


@pytest.mark.parametrize(
    ("name", "fact"),
    [("no_such_module:function", "cannot load it"), ("tests.play.test_opponents:broken", "ZeroDivisionError")],
)
def test_a_function_that_cannot_play_is_rejected(name: str, fact: str) -> None:
    with pytest.raises(Ten18Error) as refused:
        opponent(name, GAME, 18, find)
    assert str(refused.value).startswith(f"against '{name}': {fact}")


@pytest.mark.parametrize("name", ["hunter", "equilibrium"])
def test_a_duel_that_is_too_large_is_rejected_at_once(name: str) -> None:
    with pytest.raises(TooLarge):
        opponent(name, Game.parse("3d6", "1-20"), 18)


def test_a_function_of_the_player_is_an_opponent_too() -> None:
    empty = Board(GAME)
    name = "tests.play.test_opponents:lowest"
    assert opponent(name, GAME, 18, find)(empty, empty, 6) == 1
    with pytest.raises(Ten18Error, match="not known"):  # a name alone loads no code
        opponent(name, GAME, 18)


def lowest(board: Board, _: int) -> int:
    return board.free_slots[0]


def broken(_: Board, roll: int) -> int:
    return roll // 0


def test_a_table_that_is_not_stored_is_not_made(tmp_path: Path) -> None:
    game = Game.parse("1d6", "1-5")  # which no other test has put into memory
    for name in ("hunter", "equilibrium"):
        with pytest.raises(MissingTable):
            seat(name, game, folder=tmp_path, is_stored=True)
    assert seat("optimal", game, folder=tmp_path, is_stored=True)(18, Board(game), Board(game), 6) == 5
