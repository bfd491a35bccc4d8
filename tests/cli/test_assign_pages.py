"""The pages of `ten18 assign`: numbers of any size in few digits, slots and rows of any number on a page."""

from tentimes18.assignment import Problem, UniformDistribution
from tentimes18.cli.assign_commands import (
    assignment_page,
    assignment_tables,
)
from tentimes18.cli.output import text_of
from tentimes18.queries.assignment import solve_assignment as assignment


def test_digits_fit_the_size() -> None:
    small = text_of(assignment_page(assignment(Problem(UniformDistribution(0, 0.001), 2, 5))))
    large = text_of(assignment_page(assignment(Problem(UniformDistribution(0, 10**8), 2, 5))))
    huge = text_of(assignment_page(assignment(Problem(UniformDistribution(0, 10**14), 2, 5))))
    assert "0.00140911" in small
    assert "140910874.4" in large
    assert "e+14" in huge


def test_many_slots_and_rows_are_cut() -> None:
    answer = assignment(Problem(UniformDistribution(0, 1), 50, 200))
    page = text_of(assignment_page(answer))
    assert "#1        #2  ..." in page
    assert "#50" in page
    assert "All numbers: --json or --csv" in page
    (grid,) = assignment_tables(answer)
    assert len(grid.rows) == 50 * 200


def test_slots_that_must_be_filled_have_no_bounds_at_the_end() -> None:
    page = text_of(assignment_page(assignment(Problem(UniformDistribution(-1, 1), 2, 3, must_fill=True))))
    assert "             0\n" in page
