"""`ten18 advise`: the coach on one roll, for every aim."""

from fractions import Fraction

import pytest

from tentimes18 import Board, Game, advise
from tentimes18.coach.advice import advise_slots, reason
from tentimes18.coach.aims import aim_named
from tentimes18.coach.losses import classify
from tentimes18.game import Position, slots_of
from tests.support.command import Run, read_json
from tests.support.games import law_of
from tests.support.terminal import Terminal


@pytest.mark.parametrize(
    ("dice", "slots", "free", "roll"),
    [
        ("3d6", "1-10", None, 9),
        ("3d6", "1-10", "1,4,7", 9),
        ("3d6", "1-10", "3-1,7", 18),
        ("3d6", "1-10", " 7 , 4, 1 ", 9),
        ("3d6", "1-10", "5", 3),
        ("1d3", "1-3", "1,2", 2),
        ("1d6-3", "-2,0,0,1/2,3", "1-5", 0),
        ("1d6-3", "-2,0,0,1/2,3", "2-4", -2),
    ],
)
def test_advise_json(run_here: Run, dice: str, slots: str, free: str | None, roll: int) -> None:
    arguments = ["advise", "--dice", dice, "--slots", slots, "--roll", str(roll), "--json"]
    found = read_json(run_here(*arguments, *(["--free", free] if free else [])))
    game = Game.parse(dice, slots)
    named = {"3-1,7": [1, 2, 3, 7], "1-5": range(1, 6), "2-4": [2, 3, 4], None: range(1, game.size + 1)}
    free_set = game.verify_free(named[free] if free in named else map(int, str(free).split(",")))
    advice = advise_slots(game, slots_of(free_set), roll)
    assert found == {
        "roll": roll,
        "best": advice.best,
        "moves": [
            {
                "slot": move.slot,
                "value": float(move.worth),
                "loss": float(move.loss),
                "class": classify(move.loss).name,
            }
            for move in advice.moves
        ],
        "best_slots": list(advice.best_slots),
        "reason": reason(game, advice),
    }
    assert all(isinstance(move["value"], float) and isinstance(move["loss"], float) for move in found["moves"])


SMALL = ("--dice", "1d6", "--slots", "1-4")


@pytest.mark.parametrize("aim", ["target:30", "target:45/2", "duel", "duel:optimal", "duel:nearest"])
def test_other_aims(run_here: Run, aim: str) -> None:
    game = Game.parse("1d6", "1-4")
    arguments = ("advise", *SMALL, "--roll", "4", "--moves", "3@2", "--aim", aim, "--json")
    found = read_json(run_here(*arguments, *(["--opponent", "3@1"] if "duel" in aim else [])))
    position = Position(Board(game).place(3, 2), Board(game).place(3, 1) if "duel" in aim else None)
    advice = advise(position, 4, aim_named(game, aim))
    assert found["aim"] == aim
    assert found["best_slots"] == list(advice.best_slots)
    assert [(move["slot"], move["value"], move["loss"]) for move in found["moves"]] == [
        (move.slot, float(move.worth), float(move.loss)) for move in advice.moves
    ]
    assert "reason" not in found


def test_the_mixed_moves_of_both_players(run_here: Run) -> None:
    """Against the mixed moves that the equilibrium's own command gives, from the side of each."""
    small = ("--dice", "1d6", "--slots", "1-3")
    asked = ("advise", *small, "--roll", "3", "--moves", "1@1", "--opponent", "1@2", "--aim")
    found = read_json(run_here(*asked, "duel", "--json"))
    for field, mine, theirs, lead in (("mix", "2,3", "1,3", -1), ("opponent_mix", "1,3", "2,3", 1)):
        sides = ("--free", mine, "--opponent-free", theirs, f"--lead={lead}")
        moves = read_json(run_here("duel", "equilibrium", *small, *sides, "--json"))["moves"]
        assert found[field] == moves["3"]
        assert len(found[field]) == 2
    assert "Best play: slot 2 40.0%, slot 3 60.0%; the opponent's: slot 1 40.0%, slot 3 60.0%." in (
        run_here(*asked, "duel").out
    )
    for aim in ("duel:optimal", "duel:nearest"):
        assert not {"mix", "opponent_mix"} & set(read_json(run_here(*asked, aim, "--json")))


def test_a_duel_may_begin_with_empty_boards(run_here: Run) -> None:
    found = read_json(run_here("advise", *SMALL, "--roll", "4", "--aim", "duel", "--json"))
    assert found == read_json(run_here("advise", *SMALL, "--roll", "4", "--aim", "duel", "--opponent", "", "--json"))


def test_the_spread_after_each_move(run_here: Run) -> None:
    """Against a distribution by enumeration of all rolls."""
    board = Board(Game.parse("1d6", "1-4")).place(5, 4)
    found = read_json(run_here("advise", *SMALL, "--roll", "4", "--moves", "5@4", "--target", "32", "--json"))
    for move in found["moves"]:
        law = final_law(board.place(4, move["slot"]))
        mean = sum(score * chance for score, chance in law.items())
        variance = sum((score - mean) ** 2 * chance for score, chance in law.items())
        assert move["mean"] == pytest.approx(float(mean), rel=1e-12)
        assert move["mean"] == pytest.approx(float(board.score) + move["value"], rel=1e-12)
        assert move["sd"] == pytest.approx(float(variance) ** 0.5, rel=1e-9)
        assert move["chance"] == pytest.approx(float(sum(law[score] for score in law if score >= 32)), abs=1e-12)


def final_law(board: Board) -> dict[int, Fraction]:
    """The distribution of the final score when `optimal` goes on from here, by trying all rolls."""
    if not board.free:
        return {int(board.score): Fraction(1)}
    law: dict[int, Fraction] = {}
    for roll, chance in law_of(board.game.dice).items():
        slot = advise(board, roll).best
        for score, later in final_law(board.place(roll, slot)).items():
            law[score] = law.get(score, Fraction(0)) + chance * later
    return law


def test_what_people_see(run: Run) -> None:
    shown = run("advise", "--roll", "9", "--moves", "8@5 4@1", "--target", "700").out
    assert "P(700 or more)" in shown
    assert "??" in shown
    game, board = Game.classic(), Board.replay(Game.classic(), [(8, 5), (4, 1)])
    assert reason(game, advise_slots(game, board.free_slots, 9)) in shown


def test_people_see_a_minus_and_programs_a_hyphen(run_here: Run) -> None:
    asked = ("advise", "--roll", "-2", "--dice", "1d6-3", "--slots=-2,0,0,1/2,3")
    shown = run_here(*asked).out
    assert "A roll of −2 in 1d6-3 -2,0,0,1/2,3" in shown, "but what can be typed stays as it is typed"
    rest = shown.partition("1/2,3")[2]
    assert "−3.13889" in rest
    assert "−2 goes to slot 1: below what slot 2 can expect (−0.94)." in rest
    assert "-" not in rest
    assert "5,3,-3.138888888888889," in run_here(*asked, "--csv").out


@pytest.mark.parametrize("width", [40, 60])
def test_no_number_is_cut_in_a_narrow_window(width: int) -> None:
    arguments = ("advise", "--roll", "9", "--moves", "8@5 4@1", "--target", "700")
    with Terminal(*arguments, width=width) as terminal:
        assert terminal.wait() == 0
        assert max(map(len, terminal.lines)) <= width
        text = terminal.text
    assert "…" not in text
    found = advise_slots(Game.classic(), Board.replay(Game.classic(), [(8, 5), (4, 1)]).free_slots, 9)
    for move in found.moves:
        assert f"{float(move.worth):.5f}" in text
    assert text.count("%") == len(found.moves)
