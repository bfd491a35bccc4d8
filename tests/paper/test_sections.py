"""Every fact that the paper prints, from a list made from its source, against ours and against the oracle."""

from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tentimes18 import Game
from tentimes18.paper import sections as checked
from tentimes18.paper.checks import Check, claim, number, slip, summary
from tentimes18.paper.sections import check_paper
from tests.oracle import play
from tests.support.games import all_slots, law_of

GOLDEN = Path(__file__).parents[1] / "golden" / "paper.txt"
CUT = "comment: "

SLIPS = {
    "4 Dynamic Programming: M[A]",
    "4 Dynamic Programming: M[{i}] = i E(X)",
    "Table 2: why it drops",
    "5 Playing the game: the move",
    "6 Polynomial time and space: exchange argument",
    "6 Polynomial time and space: any other free slot",
    "10 Conclusion: state of the duel",
    "6 Polynomial time and space: recurrence for E_j",
    "7 Knowing the future: Q[y, l]",
    "8 Implementations and simulations: bins of ten, first n",
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
CUT_FACTS = [fact for fact in read_facts() if fact.where.startswith(CUT)]


@cache
def checks() -> dict[str, Check]:
    found = check_paper()
    by_place = {f"{check.where}: {check.item}": check for check in found}
    assert len(by_place) == len(found)
    return by_place


def places_of(printed: str) -> int:
    return len(printed.partition(".")[2])


@pytest.mark.parametrize("fact", FACTS, ids=lambda fact: f"{fact.line}-{fact.where}")
def test_fact_is_checked(fact: Fact) -> None:
    """Under its place, as printed; it agrees, or it is one of the slips and explained."""
    check = checks()[fact.where]
    assert check.printed == fact.printed
    assert check.agrees != (fact.where in SLIPS)
    assert bool(check.note) or check.agrees
    assert not check.differs


@pytest.mark.parametrize(
    "fact",
    [fact for fact in FACTS if fact.number is not None and fact.where not in SLIPS],
    ids=lambda fact: f"{fact.line}-{fact.where}",
)
def test_computed_number_rounds_to_the_printed_one(fact: Fact) -> None:
    computed = checks()[fact.where].computed
    if isinstance(computed, str):  # a median, of which there may be two, or an average with its error
        assert fact.printed in computed or "±" in computed
        return
    if "e" in fact.printed:
        assert f"{float(computed):.2e}".replace("e+", "e") == fact.printed
    else:
        assert round(Fraction(computed), places_of(fact.printed)) == fact.number


def test_nothing_else_is_checked() -> None:
    """Each check is a fact of the list, and no fact stands there twice."""
    assert set(checks()) == {fact.where for fact in FACTS}
    assert len(FACTS) == len({fact.where for fact in FACTS})
    assert all(0 < fact.line < 965 for fact in read_facts())


def test_counts() -> None:
    assert {where for where, check in checks().items() if not check.agrees} == SLIPS
    assert summary(checks().values()) == {"agree": len(FACTS) - len(SLIPS), "explained": len(SLIPS), "differ": 0}


def test_notes_are_for_people() -> None:
    for check in checks().values():
        assert "\n" not in check.note
        assert len(check.note) < 200
        assert check.where
        assert check.item


@pytest.mark.parametrize("fact", CUT_FACTS, ids=lambda fact: f"{fact.line}-{fact.where}")
def test_comments_have_more_digits(fact: Fact) -> None:
    """The source has M and the first moves with more digits than it prints, cut off, not rounded."""
    game = Game.classic()
    law, everything = law_of(game.dice), all_slots(game)
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
    assert Fraction(int(exact * scale), scale) == fact.number


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
    assert different == SLIPS & cells.keys()


@given(st.fractions(-1000, 1000, max_denominator=10**6), st.integers(0, 8))
def test_a_number_agrees_only_with_its_rounding(exact: Fraction, places: int) -> None:
    rounded = round(exact, places)
    unit = Fraction(1, 10**places)

    def check(value: Fraction) -> Check:
        printed = f"{Decimal(value.numerator) / Decimal(value.denominator):.{places}f}"
        return number("Table 0", "a cell", printed, exact)

    agreeing = check(Fraction(rounded))
    assert agreeing.agrees
    assert not agreeing.differs
    for wrong in (rounded - unit, rounded + unit):
        assert check(Fraction(wrong)).differs


@pytest.mark.parametrize(
    ("printed", "computed", "agrees"),
    [
        ("3.99e18", 3989907794873548800, True),
        ("3.98e18", 3989907794873548800, False),
        ("4.00e18", 3989907794873548800, False),
        ("4.52e-24", Fraction(1, 6**30), True),
        ("4.53e-24", Fraction(1, 6**30), False),
        ("4.52e-23", Fraction(1, 6**30), False),
        ("165.0", 165, True),
        ("165.1", 165, False),
        ("642.2", Fraction("642.2393504256"), True),
        ("642.3", Fraction("642.2393504256"), False),
        ("221073919720733357899776", 6**30, True),
        ("221073919720733357899777", 6**30, False),
    ],
)
def test_numbers(printed: str, computed: int | Fraction, agrees: bool) -> None:
    check = number("Table 0", "a cell", printed, computed)
    assert check.agrees == agrees
    assert check.differs == (not agrees)
    assert float(check.computed) == float(computed)


def test_a_slip_counts_only_with_its_proof() -> None:
    explained = slip("Table 0", "a cell", "1", 2.0, True, "because")
    assert (explained.agrees, explained.differs, explained.note) == (False, False, "because")
    unproved = slip("Table 0", "a cell", "1", 2.0, False, "because")
    assert (unproved.agrees, unproved.differs, unproved.note) == (False, True, "")
    assert summary([explained, unproved, explained]) == {"agree": 0, "explained": 2, "differ": 1}


def test_a_claim_that_fails_has_no_excuse() -> None:
    held = claim("Table 0", "a claim", "yes", "yes", True, note="and more")
    assert (held.agrees, held.differs, held.note) == (True, False, "and more")
    failed = claim("Table 0", "a claim", "yes", "no", False, note="and more")
    assert (failed.agrees, failed.differs, failed.note) == (False, True, "")


@pytest.mark.parametrize(
    ("section", "game", "where"),
    [
        # With negative rolls M[B] is negative, and filling a high slot is a gain.
        (checked._dynamic_programming, "3d6-21 1-10", "M[A]"),
        (checked._dynamic_programming, "3d6-21 1-10", "why it drops"),
        # With one die x_max is 6: there is a slot for every i.
        (checked._dynamic_programming, "1d6 1-10", "M[{i}] = i E(X)"),
        # With multipliers of sum 50 the smallest score is 150, in bin 15.
        (checked._simulations, "3d6 1-9,5", "bins of ten, first n"),
        # With other multipliers ten rolls of 3 are not worth 165.
        (checked._future, "3d6 1-9,11", "Q[y, l]"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_proof_can_fail(section: object, game: str, where: str) -> None:
    """In a game where the explanation does not hold, it is not given."""
    assert callable(section)
    found = {check.item: check for check in section(Game.parse(*game.split()))}
    assert found[where].differs
    shown = {check.item: check for check in section(Game.classic())}
    assert not shown[where].differs


def test_in_another_game_the_numbers_differ() -> None:
    """The sections compute from the game that they are given: with other dice, little is left that agrees."""
    other = Game.parse("d16+2", "1-10")
    for section in (checked._preliminaries, checked._polynomial):
        classic = {check.item: check for check in section(Game.classic())}
        found = {check.item: check for check in section(other)}
        assert not any(check.differs for check in classic.values())
        assert sum(check.differs for check in found.values()) > len(classic) / 4
