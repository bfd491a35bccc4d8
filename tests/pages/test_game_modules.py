"""The mathematics of the pages (app/game): in a browser it says what the library says, number by number."""

import json
import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from hashlib import sha256
from itertools import pairwise
from math import isclose, sqrt
from pathlib import Path
from typing import Any, Final, TypeAlias

import pytest
from msgspec import to_builtins
from playwright.sync_api import Browser

from tentimes18.coach.losses import classify
from tentimes18.coach.review import outlook, review
from tentimes18.dice import Dice
from tentimes18.errors import InvalidGame, Ten18Error
from tentimes18.game import Board, Game
from tentimes18.play.verification import check_game
from tentimes18.queries.games import checked_game, review_answer
from tentimes18.queries.moves import advise
from tentimes18.queries.solutions import solve
from tentimes18.records.notation import (
    OWN_FIELDS,
    Record,
    format_record,
    parse_record,
    record_from_json,
    record_to_json,
)
from tentimes18.server import game_limits
from tests.support.records import AWKWARD_TEXTS

GAMES: Final = Path(__file__).parents[2] / "docs" / "games"

DICE: Final = (
    *("3d6", "d6", "1d20", "2d12:12=2", "d{1,1,2,3,5,8}", "d{1:3,2:1}", "4d6kh3", "2d20kl", "4d6dl1", "5d6dh2", "1d6!"),
    *("1d6!x2", "2d6*2", "2d6+1d8-3", "1d6-3", "-d4:2=5", "7", "d{-7,0,4}:0=3,-7=2", "1d3", "1d2", "2d3", "3d4!x1kh2"),
    *(" 2 d 6 + 1 ", "1D6", "3d6+3d6", "d{0,10,20}:0=3,10=2", "2d4!x1kl1*3", "6d2dh5", "1d100"),
)
SLOTS: Final = (
    *("1-10", "1-5", "1,3,5,7,9,11,13,15,17", "1/2,2,7/2", "2,2,3", "-2,0,1.5,4", "1", "0,0", "3-1,10", "1-12"),
)
SMALL: Final = ("1-5", "1,3,5,7", "1/2,2,7/2", "2,2,3", "-2,0,1.5,4", "1", "0,0")
BAD_DICE: Final = (
    *("3x6", "", "0d6", "d{}", "1d6!3", "1d6!x0", "2d12:13=2", "2d12:12=0", "2d12:12=2,12=3", "4d6kh5", "d0"),
)
BAD_DICE_TOO: Final = (
    *("200d6", "1d101", "2d6*0", "40d2kh20+40d2", "d{1,2:99999999999}+d{1,3:99999999999}", "d{2000000,1}"),
    *("x" * 201),
)
BAD_SLOTS: Final[tuple[Any, ...]] = (
    *("", "a", "1-30", "1,,2", "1/0", "1/7,1/11,1/13", "2000000", [], [1, True], "1-5,1-16"),
)


def shown(dice: str, slots: str) -> Game:
    return game_limits.read_game(dice, slots)


def random_cases(count: int = 400) -> list[dict[str, Any]]:
    """Games, free slots and a roll: of every game that has exact ties some."""
    draw = random.Random(18)
    found = []
    for _ in range(count):
        game = shown(draw.choice(DICE), draw.choice(SLOTS))
        free = sorted(draw.sample(range(1, game.size + 1), draw.randint(1, game.size)))
        found.append(
            {"dice": str(game.dice), "slots": game.slots, "free": free, "roll": draw.choice(game.dice.support)}
        )
    return found


def played_lines(count: int = 100) -> list[str]:
    """Records of games at random, finished or not, some of them practice or for something else."""
    draw = random.Random(10)
    tags: list[dict[str, Any]] = [{}, {"takebacks": 1}, {"aim": "target:30"}, {"name": "Ada"}, {"takebacks": 0}]
    found = []
    for number in range(count):
        game = shown(draw.choice(DICE), draw.choice(SMALL)) if number else Game.classic()
        rounds = game.size if number % 4 != 1 else draw.randint(0, game.size)
        slots = draw.sample(range(1, game.size + 1), rounds)
        board = Board.replay(game, [(draw.choice(game.dice.support), slot) for slot in slots])
        found.append(format_record(Record(board, tags=draw.choice(tags))))
    return found


def written_lines() -> list[str]:
    """Records with all sorts of tags, and lines that are none."""
    board = Board(Game.classic()).place(8, 5)
    texts = [text for text in AWKWARD_TEXTS if len(text) < 100 and text not in OWN_FIELDS]
    found = [format_record(Record(board, tags={"note": text, "comment": text})) for text in texts]
    found += [format_record(Record(board, tags={text: [text, {"a": None}]})) for text in texts]
    duel = parse_record("1d6 1-3: 4@1 6@3 5@2; opponent=4@2 6@3 5@1")
    found += [
        format_record(duel),
        "8@5 4@1 9@?",
        "8@5, 4@1",
        "  3d6 1-10:8@5 ;; x = 7 ; y=a b # c # d",
        "8@5; a=1; a=2",
    ]
    return [
        *found,
        "8@5 4@5",
        "8@11",
        "19@5",
        "8-5",
        "8@5; x",
        "8@5; dice=3d6",
        "2d12:12=2 1-3: 24@2 5@?",
        "1d6 2: 5@1 4@?",
    ]


def tampered() -> list[dict[str, Any]]:
    """Fair games and what can be wrong with one, with and without the start."""
    fair, start = (json.loads((GAMES / name).read_text(encoding="utf-8")) for name in ("fair.json", "fair-start.json"))
    records = [json.loads(line) for line in (GAMES / "fair.ndjson").read_text(encoding="utf-8").splitlines()]
    altered = json.loads((GAMES / "altered.json").read_text(encoding="utf-8"))
    opened = fair["opened"]
    nonce, other = opened[0]["nonce"], opened[1]["nonce"]
    changes: list[dict[str, Any]] = [
        {"score": 700},
        {"score": "698"},
        {"score": 698.5},
        {"finished": False},
        {"opened": opened[:-1]},
        {"opened": opened[::-1]},
        {"opened": [*opened, opened[0]]},
        {"opened": [{**opened[0], "roll": 19}, *opened[1:]]},
        {"opened": [{**opened[0], "nonce": nonce.upper()}, *opened[1:]]},
        {"opened": [opened[0], {**opened[1], "nonce": nonce}, *opened[2:]]},
        {"commitments": fair["commitments"][:-1]},
        {"commitments": [fair["commitments"][1], *fair["commitments"][1:]]},
        {"commitments": ["x", *fair["commitments"][1:]]},
        {"commitments": [], "opened": []},
        {"board": {**fair["board"], "1": 18}},
        {"board": {slot: roll for slot, roll in fair["board"].items() if slot != "1"}},
        {"dice": "1d20"},
        {"slots": list(range(2, 12))},
        {"slots": [1, 2, 3, 4, 5, 6, 7, 8, 9, 9.5]},
        {"ended_by": "leave", "board": {}},
        {"opponent": {"board": fair["board"], "score": fair["score"]}},
        {"opponent": {"board": {**fair["board"], "1": 18}, "score": fair["score"]}},
        {"day": "2026-11-16"},
        {"dice": 6},
        {"board": {"11": 3}},
        {"opened": 7},
        {"id": 7},
        {"score": None},
    ]
    found = [{"game": fair | change, "start": None} for change in [{}, *changes]]
    found += [{"game": record, "start": None} for record in records]
    found += [{"game": records[0] | {"nonces": [other, *records[0]["nonces"][1:]]}, "start": None}]
    found += [{"game": record | {"score": 1}, "start": None} for record in records]
    found += [{"game": fair, "start": start}, {"game": fair, "start": fair}, {"game": altered, "start": start}]
    swapped = {**start, "commitments": start["commitments"][::-1]}
    days = {"days": [{"day": "2026-11-16", "commitments": fair["commitments"]}]}
    found += [{"game": fair, "start": swapped}, {"game": fair | {"day": "2026-11-16"}, "start": days}]
    found += [
        {"game": fair | {"day": "2026-11-15"}, "start": days},
        {"game": {"moves": 7}, "start": None},
        {"game": {}, "start": None},
    ]
    return found


COSTS: Final = (0, 1e-13, 0.1, 0.25, 0.2499999, 0.9999999, 1, 2.9, 3, 7.999, 8, 100)
FACES: Final = tuple(
    (dice, roll) for dice in ("3d6", "4d6kh3", "2d12:12=2", "1d6!", "5d6dh2") for roll in Dice.parse(dice).support
)


TEXTS: Final = ("", "abc", "é" * 100, "x" * 55, "x" * 56, "x" * 64, "x" * 1000)
GAMES_WITH_SCORES: Final = (
    ("3d6", "1-10", ""),
    ("3d6", "1-10", "8@5 4@1"),
    ("2d12:12=2", "1,3,5,7", ""),
    ("1d6-3", "-1,1/2,3", "2@1"),
)


def pairs() -> list[tuple[str, str]]:
    draw = random.Random(3)
    return [
        ("3d6", "1-10"),
        ("2d12:12=2", "1,3,5,7,9,11,13,15,17"),
        *((draw.choice(DICE), draw.choice(SLOTS)) for _ in range(60)),
    ]


def json_records() -> list[dict[str, Any]]:
    return [
        {"moves": [[8, 5], [4, 1]], "roll": 9},
        {"moves": "8@5", "slots": [1, 2, 3, 4, 5.5], "score": 44},
        {"moves": "8@5", "slots": "1-4,11/2", "score": "44"},
        {"moves": "8@5", "score": 41},
        {"version": 2, "moves": "8@5"},
        {"moves": 7},
        {"dice": "3d6"},
    ]


RUNNER: Final = (Path(__file__).parents[1] / "support" / "game_modules.js").read_text(encoding="utf-8")
CLOSE: Final = 1e-9


Tell: TypeAlias = Callable[[str, Sequence[Any]], list[Any]]


@pytest.fixture(scope="module")
def tell(browser: Browser, base_url: str) -> Iterator[Tell]:
    """What the modules say of cases of a kind, in a page of the running service."""
    with browser.new_page(base_url=base_url) as page:
        page.goto("/about")
        yield lambda kind, cases: page.evaluate(RUNNER, {"kind": kind, "cases": cases})


def same(ours: Any, theirs: Any) -> bool:
    if isinstance(ours, Mapping):
        return (
            isinstance(theirs, Mapping) and ours.keys() == theirs.keys() and all(same(ours[k], theirs[k]) for k in ours)
        )
    if isinstance(ours, list | tuple):
        return isinstance(theirs, list) and len(ours) == len(theirs) and all(map(same, ours, theirs))
    if isinstance(ours, int | float) and not isinstance(ours, bool):
        return isinstance(theirs, int | float) and isclose(ours, theirs, rel_tol=CLOSE, abs_tol=CLOSE)
    return bool(ours == theirs)


def assert_same(kind: str, cases: list[Any], ours: list[Any], theirs: list[Any]) -> None:
    for case, mine, their in zip(cases, ours, theirs, strict=True):
        assert same(mine, their), f"{kind} {case}: {mine} is reported as {their}"


def dice_json(text: str) -> dict[str, Any]:
    try:
        dice = game_limits.read_game(text, "1").dice
    except Ten18Error as error:
        return {"field": error.field, "problem": error.problem}
    counts = [str(count) for count in dice.counts]
    numbers = {"mean": float(dice.mean), "sd": sqrt(dice.variance)}
    return {"notation": str(dice), "support": list(dice.support), "counts": counts, "total": str(dice.total)} | numbers


def test_dice_are_read_as_the_service_reads_them(tell: Tell) -> None:
    readable = [*DICE, *BAD_DICE]
    assert_same("dice", readable, [dice_json(text) for text in readable], tell("dice", readable))
    for text, answer in zip(BAD_DICE_TOO, tell("dice", BAD_DICE_TOO), strict=True):
        assert "problem" in dice_json(text), text
        assert answer["field"] == "dice", f"{text}: {answer}"


def test_slots_are_read_as_the_service_reads_them(tell: Tell) -> None:
    cases = [*SLOTS, *BAD_SLOTS, [1, 0.5, "7/2"], [3, 2, 1]]
    for slots, answer in zip(cases, tell("slots", cases), strict=True):
        try:
            game = game_limits.read_game("1d6", slots)
        except Ten18Error:
            assert answer["field"] == "slots", f"{slots}: {answer}"
        else:
            assert same({"slots": game.slots, "multipliers": list(map(float, game.multipliers))}, answer), (
                f"{slots}: {answer}"
            )
    (third,) = tell("slots", [[0.3333333333333333]])
    assert third["slots"] == "1/3"  # of a Game of the service: the fraction that was meant


def test_rows_and_expected_scores_are_those_of_solve(tell: Tell) -> None:
    ours, cases = [], [{"dice": dice, "slots": slots} for dice, slots in pairs()]
    for case in cases:
        game = shown(**case)
        answer = to_builtins(solve(str(game.dice), game.slots))
        ours.append({key: answer[key] for key in ("slots", "expected", "thresholds")})
    assert_same("solve", cases, ours, tell("solution", cases))


def test_worths_ties_and_reasons_are_those_of_advise(tell: Tell) -> None:
    ties = 0
    cases = random_cases()
    for case, answer in zip(cases, tell("advice", cases), strict=True):
        game = shown(case["dice"], case["slots"])
        free_slots = ",".join(map(str, case["free"]))
        ours = to_builtins(advise(case["roll"], free_slots, dice=str(game.dice), slots=game.slots))
        assert answer.pop("chosen") == ours["best"]
        assert same(ours, answer), f"{case}: {ours} is reported as {answer}"
        free = game.multipliers
        ties += len({free[slot - 1] for slot in ours["best_slots"]}) > 1
    assert ties > 10  # exact ties between slots that differ: of these the test is about


def test_reviews_are_those_of_review(tell: Tell) -> None:
    lines = played_lines()
    for line, answer in zip(lines, tell("review", lines), strict=True):
        ours: dict[str, Any] = to_builtins(review_answer(review(parse_record(line))))
        compared = {key: value for key, value in ours.items() if key in answer}
        for move in compared["moves"]:
            del move["gift"]
        assert len(compared) == len(answer) >= 15
        assert same(compared, answer), f"{line}: {compared} is reported as {answer}"


def test_records_are_read_and_written_alike(tell: Tell) -> None:
    lines, sources = written_lines(), json_records()
    for line, answer in zip(lines, tell("record", lines), strict=True):
        try:
            record = parse_record(line)
        except Ten18Error as error:
            assert answer.get("field") == error.field, f"{line}: {answer}"
        else:
            assert answer["line"] == format_record(record), line
            assert same(record_to_json(record), answer["json"]), line
    for source, answer in zip(sources, tell("json", sources), strict=True):
        try:
            assert answer == format_record(record_from_json(source))
        except Ten18Error as error:
            assert answer["field"] == error.field


def test_games_are_checked_as_verify_checks_them(tell: Tell) -> None:
    verified = 0
    cases = tampered()
    for case, answer in zip(cases, tell("checked", cases), strict=True):
        try:
            ours: dict[str, Any] = to_builtins(checked_game(check_game(case["game"], case["start"])))
        except InvalidGame as error:
            ours = {"field": error.field}
        ours.pop("line", None)
        assert same(ours, answer), f"{case}: {ours} is reported as {answer}"
        verified += ours.get("verified", False)
    assert 5 < verified < len(cases) - 20


def test_score_distributions_equal_those_of_the_solver(tell: Tell) -> None:
    cases = [{"dice": dice, "slots": slots, "moves": moves} for dice, slots, moves in GAMES_WITH_SCORES]
    for (dice, slots, moves), answer in zip(GAMES_WITH_SCORES, tell("distribution", cases), strict=True):
        game = Game.parse(dice, slots)
        scores = outlook(Board.replay(game, parse_record(f"{dice} {slots}: {moves}").board.placements))
        chances = [
            [float(score), float(scores.probability(score))] for score in scores.scores if scores.probability(score)
        ]
        ours = {"mean": float(scores.mean), "sd": scores.sd, "pmf": chances, "median": float(scores.median)}
        assert same(ours, answer), f"{dice} {slots}: {moves}"


def test_digests_without_the_browsers_own(tell: Tell) -> None:
    assert tell("digest", TEXTS) == [sha256(text.encode()).hexdigest() for text in TEXTS]


def test_faces_add_up_and_stay(tell: Tell) -> None:
    cases = [{"dice": dice, "roll": roll, "seed": seed} for dice, roll in FACES for seed in ("a", "b")]
    told = tell("faces", cases)
    for case, faces in zip(cases, told, strict=True):
        assert sum(faces) == case["roll"], f"{case}: {faces}"
    differing = sum(one != other for one, other in list(pairwise(told))[::2])
    assert differing > 10  # another seed, other dice


def test_drawn_rolls_follow_the_distribution(tell: Tell) -> None:
    """No roll is off its chance by more than seven standard deviations: by chance once in 10¹⁰ runs."""
    cases = [{"dice": notation, "count": 20_000} for notation in ("3d6", "2d12:12=2")]
    for notation, rolls in zip(("3d6", "2d12:12=2"), tell("rolls", cases), strict=True):
        dice, counts = Dice.parse(notation), Counter(rolls)
        assert set(counts) <= set(dice.support)
        for roll in dice.support:
            chance = float(dice.probability(roll))
            assert abs(counts[roll] - 20_000 * chance) < 7 * sqrt(20_000 * chance * (1 - chance)) + 1


def test_classes_are_those_of_the_coach(tell: Tell) -> None:
    exact = [classify(Fraction(cost).limit_denominator(10**9) if cost else Fraction(0)).name for cost in COSTS]
    exact[1] = "fine"  # next to nothing is not nothing
    assert tell("quality", COSTS) == exact


def test_the_limits_are_those_of_the_service(tell: Tell) -> None:
    assert tell("limits", [None]) == [
        {
            "characters": game_limits.MAX_CHARACTERS,
            "slots": game_limits.MAX_SLOTS,
            "rolls": game_limits.MAX_ROLLS,
            "roll": game_limits.MAX_ROLL,
            "totalBits": game_limits.MAX_TOTAL_BITS,
            "multiplier": game_limits.MAX_MULTIPLIER,
            "denominator": game_limits.MAX_DENOMINATOR,
            "positions": game_limits.MAX_POSITIONS,
        }
    ]
