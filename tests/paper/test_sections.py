"""Every fact that the paper prints, from a list made from its source, against ours and against the oracle."""

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest

from tentimes18 import Game
from tentimes18.paper import Check
from tentimes18.paper.sections import (
    check_paper,
    conclusion,
    dynamic_programming,
    introduction,
    polynomial,
    simulations,
    variants,
)
from tests.oracle import play
from tests.support.games import all_slots, law_of

GOLDEN = Path(__file__).parents[1] / "golden" / "paper.txt"


CUT = "comment: "


def differing(section: object, game: str) -> set[str]:
    """The items of a section that neither agree nor are explained on this game."""
    assert callable(section)
    return {check.item for check in section(Game.parse(*game.split())) if check.differs}


MISPRINTS = {
    "4 Dynamic Programming: M[A]",
    "4 Dynamic Programming: M[{i}] = i E(X)",
    "Table 2: why it drops",
    "5 Playing the game: the move",
    "6 Polynomial time and space: exchange argument",
    "6 Polynomial time and space: any other free slot",
    "6 Polynomial time and space: recurrence for E_j",
    "7 Knowing the future: Q[y, l]",
    "Table 7: E_5[2]",
}


@dataclass(frozen=True, slots=True)
class Fact:
    """One line of the list."""

    line: int
    where: str
    printed: str

    @property
    def number(self) -> Fraction | None:
        """The printed number, where it is one."""
        try:
            return Fraction(self.printed)
        except ValueError:
            return None


def read_facts() -> list[Fact]:
    lines = GOLDEN.read_text(encoding="utf-8").splitlines()
    parts = [line.split(" | ") for line in lines if line and not line.startswith("#")]
    return [Fact(int(line), where, printed) for line, where, printed in parts]


FACTS = [fact for fact in read_facts() if not fact.where.startswith(CUT)]


@cache
def checks() -> dict[str, Check]:
    found = check_paper()
    by_place = {f"{check.where}: {check.item}": check for check in found}
    assert len(by_place) == len(found)
    return by_place


def places_of(printed: str) -> int:
    return len(printed.partition(".")[2])


def test_facts_are_checked() -> None:
    """Under its place, as printed, each agrees, or it is one of the misprints and explained."""
    for fact in FACTS:
        check = checks()[fact.where]
        assert check.printed == fact.printed, fact
        assert check.agrees != (fact.where in MISPRINTS), fact
        assert bool(check.note) or check.agrees, fact
        assert not check.differs, fact


def test_computed_numbers_round_to_the_printed_ones() -> None:
    for fact in FACTS:
        if fact.number is None or fact.where in MISPRINTS:
            continue
        computed = checks()[fact.where].computed
        if isinstance(computed, str):  # a median, of which there may be two, or an average with its error
            assert fact.printed in computed or "±" in computed, fact
        elif "e" in fact.printed:
            assert f"{float(computed):.2e}".replace("e+", "e") == fact.printed
        else:
            assert round(Fraction(computed), places_of(fact.printed)) == fact.number, fact


def test_nothing_else_is_checked() -> None:
    """Each check is a fact of the list, and no fact is listed twice."""
    assert set(checks()) == {fact.where for fact in FACTS}
    assert len(FACTS) == len({fact.where for fact in FACTS})
    assert all(0 < fact.line < 965 for fact in read_facts())


def test_comments_have_more_digits() -> None:
    """The source has M and the first moves with more digits than it prints, cut off, not rounded."""
    game = Game.classic()
    law, everything = law_of(game.dice), all_slots(game)
    for fact in read_facts():
        if not fact.where.startswith(CUT):
            continue
        what = fact.where.removeprefix(CUT)
        if what.startswith("M[B"):
            slot = what.removeprefix("M[B").strip("-{}]")
            exact = play.value(law, game.multipliers, everything - ({int(slot)} if slot else set()))
        else:
            roll, slot = what.split(" in #")
            values = play.move_values(law, game.multipliers, everything, int(roll))
            exact = values[int(slot)]
            assert exact == max(values.values())
        scale = 10 ** places_of(fact.printed)
        assert Fraction(int(exact * scale), scale) == fact.number, fact


@pytest.mark.parametrize("table", ["Table 4", "Table 7"])
def test_tables_of_thresholds_by_the_oracle(table: str) -> None:
    """The printed cells against the recurrence of the paper, with the index that it means."""
    game = Game.classic() if table == "Table 4" else Game.parse("2d12:12=2", "1-5")
    rows = play.paper_thresholds(law_of(game.dice), game.size)
    cells = {fact.where: fact.number for fact in FACTS if fact.where.startswith(f"{table}: E_")}
    rounded = {
        f"{table}: E_{j}[{i}]": Fraction(round(cell, 3))
        for j, row in enumerate(rows, start=1)
        for i, cell in enumerate(row, start=1)
    }
    different = {where for where in rounded if rounded[where] != cells[where]}
    assert cells.keys() == rounded.keys()
    assert different == MISPRINTS & cells.keys()


@pytest.mark.parametrize(
    ("game", "item"),
    [
        # With negative rolls M[B] is negative, and filling a high slot is a gain.
        ("3d6-21 1-10", "M[A]"),
        ("3d6-21 1-10", "why it drops"),
        # With one die x_max is 6: there is a slot for every i.
        ("1d6 1-10", "M[{i}] = i E(X)"),
    ],
)
def test_a_proof_can_fail(game: str, item: str) -> None:
    """In a game where the explanation does not hold, it is not given."""
    assert item in differing(dynamic_programming, game)
    assert item not in differing(dynamic_programming, "3d6 1-10")


def test_in_another_game_the_numbers_differ() -> None:
    assert differing(polynomial, "3d6 1-10") == set()
    other = differing(polynomial, "d16+2 1-10")
    assert len(other) > len(list(polynomial(Game.classic()))) / 4
    assert "a coin: 1 and 2" not in other  # true of every coin


def test_averages_are_judged_by_their_error() -> None:
    """A million games whose mean is off by a tenth of a point would not be taken for those of this game."""
    assert differing(simulations, "3d6 1-10") == set()
    found = differing(simulations, "d{3,18}:3=100,18=101 1-10")
    assert {"optimal, average of 10^6 games", "hindsight, average of 10^6 games"} <= found


def test_scores_and_boards_of_the_introduction() -> None:
    assert differing(introduction, "3d6 1-10") == set()
    assert {"smallest score", "largest score"} <= differing(introduction, "3d6 1-9,11")
    assert "a total of 698" in differing(introduction, "3d6+1 1-10")
    assert "8 in #5" in differing(introduction, "3d6 1-4,7,8-12")


def test_the_loaded_dice_by_the_oracle() -> None:
    game = Game.parse("2d12:12=2", "1-5")
    found = {check.item: check.computed for check in variants(game)}
    value = play.value(law_of(game.dice), game.multipliers, all_slots(game))
    assert found["expected score of optimal"] == float(value)
    assert found["expected score of random"] == float(game.dice.mean * sum(game.multipliers))
    assert sum(Fraction(check.printed) for check in variants(game) if check.where == "Table 6") == 169


def test_claims_about_the_duel() -> None:
    agree, circle, state = conclusion(Game.classic())
    assert agree.agrees
    assert circle.agrees
    assert state.agrees
    assert "#3 if the opponent has #1 and #3 free, #1 if #1 and #2" in str(state.computed)
