"""The section about more than two players: it stands once in its page, and its small numbers are the program's."""

from fractions import Fraction

from tentimes18.game import Game
from tentimes18.solve.table.circle import find_company_circle, find_result_circle
from tentimes18.solve.table.response import table_response
from tentimes18.solve.table.response_shares import response_shares
from tentimes18.strategies.seats import seat_of
from tools.table_facts import ANSWERED, HEAD, PAGE, inserted


def section() -> str:
    page = PAGE.read_text(encoding="utf-8")
    assert page.count(HEAD) == 1
    return page.partition(HEAD)[2].partition("\n## ")[0]


def test_put_into_the_page() -> None:
    page = "# A\n\nx\n\n## Own rolls\n\ny\n\n## B\n\nz\n"
    once = inserted(page, f"{HEAD}\nfirst\n")
    assert once == f"# A\n\nx\n\n{HEAD}\nfirst\n\n## Own rolls\n\ny\n\n## B\n\nz\n"
    assert inserted(once, f"{HEAD}\nsecond\n") == once.replace("first", "second")


def test_a_best_response_of_the_page() -> None:
    """Its share, and what it leaves to whom."""
    game, names = Game.parse("3d6", "1-8"), ANSWERED[1]
    response = table_response(game, [seat_of(name, game) for name in names])
    found = response_shares(response)
    row = f"| {game.slots} | {', '.join(f'`{name}`' for name in names)} | "
    left = (", ".join(f"{share:.4%}" for share in shares[:2]) for shares in (found.without, found.shares))
    assert section().count(f"{row}{response.share:.4%} | ") == 1
    assert section().count(row + " | ".join(left) + " | ") == 1


def test_the_circles_of_the_page() -> None:
    text = section()
    for circle in (find_company_circle(Game.parse("1d2", "1-3")), find_result_circle(Game.parse("1d3", "1-3"))):
        assert circle is not None
        for facts in zip(circle.shares, circle.equities, circle.edges, strict=True):
            share, equity, edge = map(str, facts)
            assert any(f"| {share} | " in line and f" | {equity} | {edge} |" in line for line in text.splitlines())
        assert sum(circle.shares) == Fraction(1)
        for rule in circle.rules:
            assert " ".join(map(str, rule[1, 2, 3])) in text
