"""One check: what agrees, what is explained, and what differs."""

from fractions import Fraction

import pytest

from tentimes18.paper import misprint, number, summary


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
    check = number("a cell", printed, computed)
    assert check.agrees == agrees
    assert check.differs == (not agrees)
    assert float(check.computed) == float(computed)


def test_a_misprint_counts_only_with_its_proof() -> None:
    explained = misprint("a cell", "1", 2.0, True, "because")
    assert (explained.agrees, explained.differs, explained.note) == (False, False, "because")
    unproved = misprint("a cell", "1", 2.0, False, "because")
    assert (unproved.agrees, unproved.differs, unproved.note) == (False, True, "")
    assert summary([explained, unproved, explained]) == {"agree": 0, "explained": 2, "differ": 1}
