"""Checking games: true ones pass, and every lie about rolls, boards and scores is seen, in the round it is about."""

import json
import re
from collections.abc import Callable
from copy import deepcopy
from fractions import Fraction
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tentimes18.errors import InvalidDice, InvalidGame, Ten18Error
from tentimes18.game import Board, Game
from tentimes18.play.fairness import Deal, commitment, draw_deal
from tentimes18.play.verification import CheckedGame, check_game, check_public_game, read_public_game, read_starts
from tentimes18.queries.json_numbers import plain
from tentimes18.records.notation import Record, record_to_json
from tests.support.process import finished
from tools.fair_games import FOLDER, contents

FILES: Final = contents()
GAME: Final[dict[str, Any]] = json.loads(FILES["fair.json"])
START: Final[dict[str, Any]] = json.loads(FILES["fair-start.json"])
RECORD: Final[dict[str, Any]] = json.loads(FILES["fair.ndjson"].splitlines()[0])
DUEL: Final[dict[str, Any]] = json.loads(FILES["fair.ndjson"].splitlines()[1])


def public(deal: Deal, board: Board, opponent: Board | None = None) -> dict[str, Any]:
    """A game as the service gives it."""
    size = board.game.size
    return {
        "id": "x",
        "dice": str(board.game.dice),
        "slots": [plain(multiplier) for multiplier in board.game.multipliers],
        "board": {str(slot): roll for roll, slot in board.placements},
        "score": plain(board.score),
        "finished": board.rounds == size,
        "commitments": deal.commitments,
        "opened": deal.opened(min(board.rounds + 1, size)),
        "opponent": None
        if opponent is None
        else {"board": {str(slot): roll for roll, slot in opponent.placements}, "score": plain(opponent.score)},
    }


def problems_of(checked: CheckedGame) -> list[str]:
    return [*(f"{part.round}: {part.problem}" for part in checked.rounds if part.problem), *checked.problems]


@given(
    st.sampled_from(["3d6", "1d6-3", "d{5}", "2d12:12=2"]),
    st.sampled_from(["1-10", "1", "1/3,1/7,2", "-3-3", "0.1,0.2,0.3,100"]),
    st.data(),
)
def test_what_was_dealt_and_played_is_verified(dice: str, slots: str, data: st.DataObject) -> None:
    game = Game.parse(dice, slots)
    deal = draw_deal(game)
    orders = [data.draw(st.permutations(range(1, game.size + 1))) for _ in "12"]
    board, opponent = (Board.replay(game, zip(deal.rolls, order, strict=True)) for order in orders)
    tags = {"commitments": deal.commitments, "nonces": list(deal.nonces)}
    for source in (public(deal, board), public(deal, board, opponent)):
        checked = check_game(json.loads(json.dumps(source)))
        assert problems_of(checked) == []
        assert checked.verified
    for record in (Record(board, tags=tags), Record(board, opponent=opponent, tags=tags)):
        checked = check_game(json.loads(json.dumps(record_to_json(record))))
        assert problems_of(checked) == []
        assert checked.verified
        assert checked.score == board.score


def test_a_game_in_play_is_not_verified_and_says_so_by_round() -> None:
    game = Game.parse("3d6", "1-4")
    deal = draw_deal(game)
    checked = check_game(public(deal, Board(game).place(deal.rolls[0], 2)))
    assert not checked.verified
    assert [(part.roll, part.problem) for part in checked.rounds] == [
        (deal.rolls[0], None),
        (deal.rolls[1], None),
        (None, "not opened"),
        (None, "not opened"),
    ]
    assert checked.problems == ("the game is not finished: 1 of 4 rolls are placed",)


def changed(source: dict[str, Any], change: Callable[[dict[str, Any]], object]) -> CheckedGame:
    copy = deepcopy(source)
    change(copy)
    return check_game(copy)


LIES: Final[dict[str, tuple[Callable[[dict[str, Any]], object], list[str]]]] = {
    "a better roll": (
        lambda game: (game["opened"][2].update(roll=18), game["board"].update({"10": 18}), game.update(score=718)),
        ["3: the nonce and the roll do not make the commitment"],
    ),
    "a roll that the dice do not have": (
        lambda game: (game["opened"][2].update(roll=19), game["board"].update({"10": 19}), game.update(score=728)),
        ["3: 3d6 never shows 19; its rolls are 3 to 18"],
    ),
    "a roll of a thousand digits": (
        lambda game: game["opened"][2].update(roll=10**1000),
        [
            "3: 3d6 never shows a number with 40 digits or more; its rolls are 3 to 18",
            "the board holds 16 where a number of many digits was opened",
        ],
    ),
    "another nonce": (
        lambda game: game["opened"][0].update(nonce="0" * 64),
        ["1: the nonce and the roll do not make the commitment"],
    ),
    "a nonce in capitals": (
        lambda game: game["opened"][0].update(nonce=game["opened"][0]["nonce"].upper()),
        ["1: the nonce is not 64 lower-case hexadecimal digits"],
    ),
    "a short nonce that makes the commitment": (
        lambda game: (
            game["opened"][0].update(nonce="0" * 63),
            game["commitments"].__setitem__(0, commitment("0" * 63, 1, 8)),
        ),
        ["1: the nonce is not 64 lower-case hexadecimal digits"],
    ),
    "a nonce with a line break": (
        lambda game: game["opened"][0].update(nonce=game["opened"][0]["nonce"] + "\n"),
        ["1: the nonce is not 64 lower-case hexadecimal digits"],
    ),
    "another commitment": (
        lambda game: game["commitments"].__setitem__(9, "0" * 64),
        ["10: the nonce and the roll do not make the commitment"],
    ),
    "a commitment that is not a digest": (
        lambda game: game["commitments"].__setitem__(9, "X\x1b[2J"),
        [
            "10: the nonce and the roll do not make the commitment; "
            "the commitment is not 64 lower-case hexadecimal digits"
        ],
    ),
    "commitments in another order": (
        lambda game: game["commitments"].reverse(),
        [f"{number}: the nonce and the roll do not make the commitment" for number in range(1, 11)],
    ),
    "a commitment twice": (
        lambda game: game["commitments"].__setitem__(1, game["commitments"][0]),
        ["2: the nonce and the roll do not make the commitment; the commitment is that of round 1"],
    ),
    "a nonce twice": (
        lambda game: (
            game["opened"][1].update(nonce=game["opened"][0]["nonce"]),
            game["commitments"].__setitem__(1, commitment(game["opened"][0]["nonce"], 2, 4)),
        ),
        ["2: the nonce is that of round 1"],
    ),
    "a commitment too few": (
        lambda game: game["commitments"].pop(),
        ["commitments are given for 9 rounds, and the game has 10"],
    ),
    "a commitment too many": (
        lambda game: game["commitments"].append("0" * 64),
        ["commitments are given for 11 rounds, and the game has 10"],
    ),
    "a round that is not opened": (
        lambda game: game["opened"].pop(),
        ["10: not opened", "the board holds 12, which was not opened"],
    ),
    "rounds in another order": (
        lambda game: game["opened"].reverse(),
        ["round 10 is opened in place 1; rounds are opened in order, each once"],
    ),
    "a round twice": (
        lambda game: game["opened"].insert(4, game["opened"][3] | {"roll": 18}),
        [
            "round 4 is opened in place 5; rounds are opened in order, each once",
            "11 rounds are opened, and the game has 10",
            "the board holds 12 where 18 was opened",
        ],
    ),
    "a round that the game does not have": (
        lambda game: game["opened"].append({"round": 11, "roll": 3, "nonce": "0" * 64}),
        ["11 rounds are opened, and the game has 10"],
    ),
    "another roll on the board": (
        lambda game: (game["board"].update({"1": 5}), game.update(score=699)),
        ["the board holds 5 where 4 was opened"],
    ),
    "a roll that is not on the board": (
        lambda game: (game["board"].pop("10"), game.update(score=538)),
        ["the board holds 12 where 16 was opened", "the game is said to be finished, and the board has free slots"],
    ),
    "another score": (
        lambda game: game.update(score=699),
        ["the score of the board is said to be 699, and it makes 698"],
    ),
    "nearly the score": (
        lambda game: game.update(score=698.000001),
        ["the score of the board is said to be 698.000001, and it makes 698"],
    ),
    "other slots": (
        lambda game: game.update(slots=[1, 2, 3, 4, 5, 6, 7, 8, 9, 11]),
        ["the score of the board is said to be 698, and it makes 714"],
    ),
    "a game that is not finished": (
        lambda game: game.update(finished=False),
        ["the game is not finished: 10 of 10 rolls are placed"],
    ),
    "nothing committed to": (
        lambda game: game.update(commitments=[], opened=[]),
        ["nothing was committed to, so that nothing can be checked"],
    ),
    "an opponent with other rolls": (
        lambda game: game.update(opponent={"board": game["board"] | {"1": 18}, "score": 712}),
        ["the opponent's board holds 18 where 4 was opened"],
    ),
    "an opponent with another score": (
        lambda game: game.update(opponent={"board": game["board"], "score": 700}),
        ["the score of the opponent's board is said to be 700, and it makes 698"],
    ),
    "an opponent who is not done": (
        lambda game: game.update(opponent={"board": {}, "score": 0}),
        ["the game is said to be finished, and the opponent's board has free slots"],
    ),
}


@pytest.mark.parametrize("lie", LIES)
def test_a_lie_is_seen_where_it_is(lie: str) -> None:
    change, problems = LIES[lie]
    checked = changed(GAME, change)
    assert problems_of(checked) == problems
    assert not checked.verified


@pytest.mark.parametrize("number", range(10))
def test_every_other_roll_of_every_round_is_seen(number: int) -> None:
    for roll in Game.classic().dice.support:
        moves = DUEL["moves"].split()
        moves[number] = f"{roll}@{moves[number].partition('@')[2]}"
        record = {name: DUEL[name] for name in ("commitments", "nonces")} | {"moves": " ".join(moves)}
        checked = check_game(record)
        assert checked.verified == (record["moves"] == DUEL["moves"])
        assert [part.verified for part in checked.rounds].count(False) == (not checked.verified)


def test_the_rolls_of_a_record_have_an_order() -> None:
    opponent = DUEL["opponent"].split()
    swapped = " ".join([opponent[1], opponent[0], *opponent[2:]])
    checked = check_game(DUEL | {"opponent": swapped})
    assert checked.problems == ("the opponent's board has the rolls in another order than they were opened in",)


def test_a_duel_that_was_given_up_has_free_slots() -> None:
    game = Game.parse("3d6", "1-3")
    deal = draw_deal(game)
    board = Board(game).place(deal.rolls[0], 2)
    source = public(deal, board, Board(game)) | {"finished": True, "opened": deal.opened(3), "ended_by": "leave"}
    assert check_game(source).verified
    assert not check_game(source | {"ended_by": "moves"}).verified
    assert not check_game(source | {"board": {"2": deal.rolls[0] % 16 + 3}}).verified


def test_scores_of_fractions_are_exact_where_they_are_given_so() -> None:
    game = Game.parse("1d6", "1/3,1/7")
    deal = draw_deal(game)
    board = Board.replay(game, zip(deal.rolls, (1, 2), strict=True))
    source = public(deal, board) | {"slots": ["1/3", "1/7"], "score": str(Fraction(board.score))}
    assert check_game(source).verified
    assert not check_game(source | {"score": str(board.score + Fraction(1, 10**30))}).verified
    assert not check_game(public(deal, board) | {"score": float(board.score) * (1 + 1e-12)}).verified


def test_the_start_shows_that_nothing_was_exchanged() -> None:
    """A game forged afterwards, with other rolls, is consistent, but it is not what was published before."""
    assert check_game(GAME, START).verified
    game = Game.classic()
    deal = draw_deal(game)
    other = public(deal, Board.replay(game, zip(deal.rolls, range(1, 11), strict=True))) | {"id": GAME["id"]}
    assert check_game(other).verified
    assert check_game(other, START).problems == ("the commitments are not those of the start",)
    assert check_game(GAME, START | {"id": "y"}).problems == ("what was published before this game is not given",)
    assert check_game(GAME, START | {"dice": "2d6+1d6"}).verified
    assert check_game(GAME, START | {"dice": "3d6+1"}).problems == ("the start has other dice or slots",)
    assert not check_game(GAME, GAME).verified


def test_the_example_files_are_those_of_the_program() -> None:
    assert {name: (FOLDER / name).read_text(encoding="utf-8") for name in FILES} == FILES


def test_the_page_explains_how_to_check_by_hand() -> None:
    page = (FOLDER.parent / "play" / "fairness.md").read_text(encoding="utf-8")
    (command,) = re.findall(r"^```sh\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    done = finished(("sh", "-c", command))
    assert (done.returncode, done.stdout.split()[0].decode()) == (0, GAME["commitments"][2])


OTHER: Final = START | {"id": "y", "commitments": ["0" * 64] * 10}
DAY: Final = {"day": "2026-11-16", "number": 1, "commitments": GAME["commitments"]}
MISSING: Final = "what was published before this game is not given"


def problems(game: dict[str, Any], *starts: object) -> list[str]:
    return list(check_public_game(read_public_game(game), read_starts(starts)).problems)


def test_a_game_is_found_by_its_id() -> None:
    assert problems(GAME, START) == problems(GAME, OTHER, START) == []
    assert problems(GAME, OTHER) == problems(GAME) == [MISSING]
    assert problems(GAME | {"id": "y"}, START, OTHER) == ["the commitments are not those of the start"]


def test_where_there_is_one_no_id_is_needed() -> None:
    nameless = {name: value for name, value in GAME.items() if name != "id"}
    assert problems(nameless, START) == problems(GAME, START | {"id": None}) == []
    assert problems(nameless, START, OTHER) == [MISSING]


def test_a_daily_game_is_found_by_its_day() -> None:
    daily = GAME | {"day": "2026-11-16"}
    assert problems(daily, {"days": [DAY]}) == []
    assert problems(daily, {"days": [DAY]}, START) == []
    assert problems(daily, {"days": []}) == problems(GAME, {"days": [DAY]}) == [MISSING]
    told = ["the commitments are not those that were published for '2026-11-16'"]
    assert problems(daily, {"days": [DAY | {"commitments": ["0" * 64]}]}) == told


@pytest.mark.parametrize(
    ("source", "field"),
    [
        (7, "JSON"),
        ({}, "opened"),
        ({"days": 7}, "days"),
        ({"days": [7]}, "days"),
        ({"days": [{"day": 7}]}, "days"),
        ({"days": [{"day": "2026-11-16"}]}, "commitments"),
        ({"days": [DAY | {"commitments": [7]}]}, "commitments"),
    ],
    ids=str,
)
def test_bad_starts_name_the_field(source: object, field: str) -> None:
    with pytest.raises(InvalidGame) as found:
        read_starts([source])
    assert found.value.field == field


def test_two_games_with_one_id_are_rejected() -> None:
    with pytest.raises(InvalidGame) as found:
        read_starts([START, START])
    assert found.value.field == "id"


CHECKED: Final = ("commitments", "opened", "nonces", "board", "moves", "score", "finished")
BOARD: Final = {"board": {"5": 8}, "score": 40}

JUNK: Final = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.just(10**500) | st.just(1e308),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)


def test_a_record_of_a_game_in_play() -> None:
    moves = {"dice": "1d6", "slots": "1-3", "moves": "5@2", "roll": 6, "commitments": ["a", "b", "c"]}
    public = read_public_game(moves | {"nonces": ["x", "y"]})
    assert not public.finished
    assert [(part["round"], part["roll"], part["nonce"]) for part in public.opened] == [(1, 5, "x"), (2, 6, "y")]


@pytest.mark.parametrize(
    ("slots", "multipliers", "is_rounded"),
    [
        ("1-3", (1, 2, 3), False),
        ([3, 1, 2], (1, 2, 3), False),
        (["1/3", 2], (Fraction(1, 3), 2), False),
        ([1 / 3, 0.1, 2.0], (Fraction(1, 10), Fraction(1, 3), 2), True),
        ([-0.5, 2**-40], (Fraction(-1, 2), Fraction(1, 2**40)), True),
    ],
    ids=str,
)
def test_multipliers_are_what_was_meant(slots: Any, multipliers: tuple[Any, ...], is_rounded: bool) -> None:
    public = read_public_game({"dice": "1d6", "slots": slots, "moves": ""})
    assert (public.game.multipliers, public.is_rounded) == (multipliers, is_rounded)


NONSENSE: Final[dict[str, list[Any]]] = {
    "id": [7, [], "x" * 201],
    "day": [7, [], "x" * 201],
    "dice": [None, 6, [], "3x6", "d{}", "9" * 1000],
    "slots": [None, 3, [], {}, [[]], [True], [None], "x", ["1-"], [10**500], [1e308], [float("nan")], ["1/0"]],
    "finished": [None, 1, "true", []],
    "commitments": [None, "x", {}, [1], [None], [["x"]]],
    "opened": [None, "x", {}, [1], [{}], [{"round": 1, "roll": 3}]],
    "board": [None, [], "x", {"0": 3}, {"11": 3}, {"05": 3}, {"+1": 3}, {"٣": 3}, {"x": 3}, {"5": "8"}, {"5": 8.0}],
    "score": [None, [], "x", "1/0", True, float("inf"), float("nan"), {}],
    "opponent": [1, [], "x", {}, {"board": {}}, {"score": 1}, BOARD | {"score": "x"}, BOARD | {"board": {"5": None}}],
}


@pytest.mark.parametrize(
    ("field", "value"), [(field, value) for field in NONSENSE for value in NONSENSE[field]], ids=str
)
def test_nonsense_is_one_line_with_its_field(field: str, value: Any) -> None:
    with pytest.raises((InvalidGame, InvalidDice)) as found:
        read_public_game(GAME | {field: value})
    assert found.value.field == field
    assert "\n" not in str(found.value)
    assert len(str(found.value)) < 300


@pytest.mark.parametrize("field", ["dice", "slots", "finished", "commitments", "opened", "board", "score"])
def test_a_missing_field_is_named(field: str) -> None:
    with pytest.raises(InvalidGame, match="missing") as found:
        read_public_game({name: GAME[name] for name in GAME if name != field})
    assert found.value.field == field


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"version": 2}, "version"),
        ({"version": True}, "version"),
        ({"moves": None}, "moves"),
        ({"moves": [[8, 5]]}, "moves"),
        ({"moves": "8@5 4@5"}, "moves"),
        ({"moves": "8@11"}, "moves"),
        ({"moves": "8@0"}, "moves"),
        ({"moves": "8@"}, "moves"),
        ({"roll": "8"}, "roll"),
        ({"opponent": 7}, "opponent"),
        ({"opponent": "8@5 4@5"}, "opponent"),
        ({"opponent": "x"}, "opponent"),
        ({"nonces": ["x"] * 11}, "nonces"),
        ({"nonces": "x"}, "nonces"),
        ({"commitments": 7}, "commitments"),
        ({"score": "much"}, "score"),
    ],
    ids=str,
)
def test_nonsense_in_a_record(changes: dict[str, Any], field: str) -> None:
    with pytest.raises(InvalidGame) as found:
        read_public_game(RECORD | changes)
    assert found.value.field == field


@settings(max_examples=100)
@given(data=st.data(), source=st.sampled_from([GAME, RECORD, DUEL]))
def test_any_input_is_read_or_rejected(data: st.DataObject, source: dict[str, Any]) -> None:
    changed = deepcopy(source)
    place: Any = changed
    path: list[Any] = []
    while True:  # down to some value, which is then exchanged
        keys = list(place) if isinstance(place, dict) else list(range(len(place)))
        path.append(key := data.draw(st.sampled_from(keys)))
        if not isinstance(place[key], dict | list) or not place[key] or data.draw(st.booleans()):
            break
        place = place[key]
    place[key] = data.draw(JUNK)
    try:
        checked = check_game(changed)
    except Ten18Error as error:
        assert error.field
        assert "\n" not in str(error)
    else:
        assert not checked.verified or changed == source or path[0] not in CHECKED
