"""The paper's checks for programs: each of them, and how many agree."""

from fractions import Fraction

from tentimes18.answers.paper import PaperAnswer, paper
from tentimes18.paper.checks import Check, claim, number, slip, summary
from tentimes18.paper.sections import check_paper
from tests.support.answers import assert_answer


def test_the_whole_paper() -> None:
    checks = check_paper()
    answer = paper(checks)
    assert_answer(answer, PaperAnswer)
    assert [row["where"] for row in answer["checks"]] == [f"{check.where}: {check.item}" for check in checks]
    assert [row["computed"] for row in answer["checks"]] == [check.computed for check in checks]
    assert {name: answer[name] for name in ("agree", "explained", "differ")} == summary(checks)


def test_every_kind_of_check() -> None:
    checks = [
        number("Table 1", "a half", "10.5", Fraction(21, 2)),
        number("Table 1", "another", "10.6", Fraction(21, 2)),
        claim("2", "a claim", "so", "so", True, "since it is"),
        slip("3", "a slip", "1", 2.0, True, "it means 2"),
        Check("4", "a fraction", "0.5", Fraction(1, 2), True),
    ]
    answer = paper(iter(checks))
    assert_answer(answer, PaperAnswer)
    assert [row["computed"] for row in answer["checks"]] == [10.5, 10.5, "so", 2.0, 0.5]
    assert (answer["agree"], answer["explained"], answer["differ"]) == (3, 1, 1)
