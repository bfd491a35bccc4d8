"""The pages of `ten18 assign`: numbers of any size in few digits, slots and rows of any number on a page."""

from typing import Any

from tentimes18.cli.assign_commands import assignment_page, assignment_tables
from tentimes18.cli.output import text_of
from tentimes18.queries.assignment import AssignmentAnswer, assign


def answer_of(distribution: str, slots: str, arrivals: str, **options: Any) -> AssignmentAnswer:
    answer = assign(distribution, slots, arrivals, **options)
    assert isinstance(answer, AssignmentAnswer)
    return answer


def test_digits_fit_the_size() -> None:
    small, large, huge = (
        text_of(assignment_page(answer_of(f"uniform(0, {high})", "2", "5"))) for high in ("0.001", "1e8", "1e14")
    )
    assert "0.00140911" in small
    assert "140910874.4" in large
    assert "e+14" in huge


def test_many_slots_and_rows_are_cut() -> None:
    answer = answer_of("uniform(0, 1)", "50", "200")
    page = text_of(assignment_page(answer))
    assert "#1        #2  ..." in page
    assert "#50" in page
    assert "All numbers: --json or --csv" in page
    (grid,) = assignment_tables(answer)
    assert len(grid.rows) == 50 * 200


def test_slots_that_must_be_filled_have_no_bounds_at_the_end() -> None:
    page = text_of(assignment_page(answer_of("uniform(-1, 1)", "2", "3", must_fill=True)))
    assert "             0\n" in page
