"""Cases for the mathematics of the pages (app/game): what the library and the modules are asked alike."""

import json
import random
from pathlib import Path
from typing import Any, Final

from tentimes18.dice import Dice
from tentimes18.game import Board, Game
from tentimes18.play.fairness import draw_deal
from tentimes18.records.notation import OWN_FIELDS, Record, format_record, parse_record, record_to_json
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


def drawn() -> list[dict[str, Any]]:
    draw = random.Random(8)
    cases = []
    for dice, slots in (("3d6", "1-10"), ("2d12:12=2", "1,3,5"), ("1d6-3", "1/3,2")):
        game = Game.parse(dice, slots)
        deal = draw_deal(game)
        board = Board.replay(game, zip(deal.rolls, draw.sample(range(1, game.size + 1), game.size), strict=True))
        tags = {"commitments": deal.commitments, "nonces": list(deal.nonces)}
        cases.append({"game": record_to_json(Record(board, tags=tags)), "start": None})
    return cases


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
