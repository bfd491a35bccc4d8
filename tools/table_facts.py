"""The section of docs/duel.md about more than two players: computed, compared with games, and put into the page.

`make proof` writes the whole page; `python -m tools.table_facts` this section of it alone.
"""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Final

from tentimes18.duel.best_response import best_response
from tentimes18.duel.several_players import Seat, duel_seat, table_shares
from tentimes18.duel.several_players_response import response_shares, table_response
from tentimes18.errors import TooLarge
from tentimes18.game import Game
from tentimes18.pictures.plot_style import save
from tentimes18.queries.several_players import exact_shares, play_table, response_at_table, table_answer, table_run
from tentimes18.simulate.duel_players import seat_of
from tentimes18.simulate.group_games import ResponseGames
from tentimes18.simulate.run import Run
from tentimes18.simulate.work import do
from tentimes18.strategies.named import DUEL_STRATEGIES, RULES
from tools.duel_pictures import plot_table
from tools.table_circles import CircleRule, TableCircle, find_company_circle, find_result_circle, rule_count

__all__ = ["ANSWERED", "HEAD", "Answered", "inserted", "table_section"]

PAGE: Final = Path(__file__).resolve().parents[1] / "docs" / "duel.md"
HEAD: Final = "## More than two\n"
FIELD: Final = ("optimal", "nearest", "bands", "greedy")
ANSWERED: Final = (("optimal", "optimal"), ("optimal", "nearest"), ("optimal", "bands"), ("nearest", "bands"))
CLASSIC: Final = ("optimal", "nearest")
REFUSED: Final = ("optimal", "bands")
GAMES: Final = 10_000_000
PLAYED: Final = 1_000_000  # of them by the best response at each table
TWO_SLOTS: Final = ("1d2", "1d3", "1d4", "1d5", "1d6")
SECTION: Final = """## More than two

"Things will become even more complicated in multi-player games where several strategies compete simultaneously": so the
paper ends. At a table of several all get the same rolls, and the highest score wins; equal ones share the win. `ten18
table` follows strategies exactly, through the positions that they come to together: [how](theory/table.md).

### Whose are the wins?

Four rules in the classic game, from {positions:,} positions, beside {games:,} games:

{shares}

![Shares of the wins of four rules](pictures/table.png)

`nearest` has the largest share. `bands`, which `optimal` and `nearest` both beat in the mean rank, is first alone most
often: who plays like another shares its wins. That is what company does. Let a be the share of A at the table, and b
that of B. Of the wins that B leaves, A has the part a / (1 − b). Without B it would have another share, and the
difference is what A gains from the company of B. Exactly, in percent:

{company}

{company_text}

### The best response

One more player sees all boards, and plays for the share of the win, against two others who play by their own: its exact
share, with 3d6. Beside it stands what others make in the same seat: the best response to one of the two in a duel,
`hunter` and `equilibrium`, each playing its duel with whichever of the two is better for it, and the best of the named
rules. A third part would be 33.33%.

{responses}

What answers one opponent does not answer two. At whose cost does it win? These are the exact shares of the two others:
among themselves, and with one more who plays like this.

{costs}

The share of the best response is found backwards, from the end of the game, and again forwards, following all three:
the two differ by at most {apart}. Against twice the same rule it is that of a duel in which a draw is worth a third
part. And it was played, {played:,} games at each of these tables, on the same rolls: of all shares the one that is
farthest off is so by {farthest} standard errors.

In the classic game against {refused_names} the command says:
"{refused}".

### A circle of three at one table?

Rules that play by their own boards meet at one table as they do in duels, since they do not look at each other. So
there are two questions. Are there A, B and C of which A is ahead of B in more games than behind, B of C, and C of A, in
the same games? And are there some of which A gains from the company of B, B from that of C, and C from that of A? All
rules of small games, searched in integers (`tools/table_circles.py`), say yes to both.

With two slots there is neither, whatever the rules, with dice from {two_first} to {two_last}. On the slots 1-3 with
{coin} there is no circle of results among all {coin_rules} rules, and one of company already among those that are
orderly (of two rolls the higher one never goes into the lower slot):

{company_circle}

With {three}, on the same slots, there is a circle of results; of all {three_rules} orderly rules these three have the
largest least edge:

{result_circle}

The rules, as the slots for the rolls in their order, by the free slots:

{rules}
"""


def main() -> None:
    """Put the section into the page."""
    PAGE.write_text(inserted(PAGE.read_text(encoding="utf-8"), table_section()), encoding="utf-8")


def inserted(page: str, section: str) -> str:
    r"""The page with this section: instead of the one that it has, or before the one about own rolls.

    >>> inserted("# The duel\n\n## Own rolls\n\nx\n", "## More than two\n\ny\n")
    '# The duel\n\n## More than two\n\ny\n\n## Own rolls\n\nx\n'
    """
    before, _, rest = page.partition(HEAD)
    if rest:
        return f"{before}{section}\n## {rest.partition(chr(10) + '## ')[2]}"
    before, _, rest = page.partition("## Own rolls\n")
    return f"{before}{section}\n## Own rolls\n{rest}"


def table_section() -> str:
    """The text of the section."""
    game = Game.classic()
    return SECTION.format(**_shares(game), **_responses(game), **_circles())


def _shares(game: Game) -> dict[str, object]:
    """Whose the wins are in the classic game, and who gains from whose company."""
    _say("a table of four, exactly")
    run = table_run(game, FIELD, 1987)
    exact = exact_shares(run, insist=True)
    assert exact is not None
    _say("the same in games")
    answer = table_answer(run, play_table(run, GAMES), exact)
    assert answer.exact is not None
    assert max(abs(z) for z in answer.exact.z if z is not None) < 4
    shares, sole, ranks = (dict(zip(FIELD, part, strict=True)) for part in (exact.shares, exact.sole, exact.ranks))
    assert max(FIELD, key=lambda name: shares[name]) == "nearest"
    assert max(FIELD, key=lambda name: sole[name]) == "bands"
    assert ranks["bands"] > max(ranks["optimal"], ranks["nearest"])
    save(plot_table(game, shares, sole), PAGE.parent / "pictures" / "table.png", dpi=110)
    edges = [
        (value, FIELD[i], FIELD[j])
        for i, row in enumerate(answer.company)
        for j, value in enumerate(row)
        if value is not None
    ]
    (most, who, whose), (least, loser, worst) = max(edges), min(edges)
    return {
        "positions": exact.positions,
        "games": GAMES,
        "shares": _markdown(
            ("", "share of wins", "alone", "mean rank", "simulated share", "off by"),
            [
                (
                    f"`{name}`",
                    f"{exact.shares[p]:.4%}",
                    f"{exact.sole[p]:.4%}",
                    f"{exact.ranks[p]:.4f}",
                    f"{answer.shares[p]:.4%}",
                    f"{answer.exact.z[p]:+.2f} standard errors",
                )
                for p, name in enumerate(FIELD)
            ],
        ),
        "company": _markdown(
            ("gains from the company of", *(f"`{name}`" for name in FIELD)),
            [
                (f"`{name}`", *("" if value is None else f"{100 * value:+.3f}" for value in row))
                for name, row in zip(FIELD, answer.company, strict=True)
            ],
        ),
        "company_text": (
            f"`{who}` gains most, from the company of `{whose}` ({100 * most:+.2f}); `{loser}` loses most, by that of "
            f"`{worst}` ({100 * least:+.2f})."
        ),
    }


@dataclass(frozen=True, slots=True)
class Answered:
    """Two at a table and who sits down there: rows of two tables, and how far its computations are from each other."""

    row: tuple[str, ...]
    costs: tuple[str, ...]
    apart: float
    z: float


def _responses(game: Game) -> dict[str, object]:
    """The best response at some tables, what others make in the same seat, and what is left to those who sit there."""
    small = Game.parse("3d6", "1-8")
    found = [_answered(small, names) for names in ANSWERED]
    found.append(_answered(game, CLASSIC))
    return {
        "responses": _markdown(
            ("slots", "against", "best response", "to one of them", "`hunter`", "`equilibrium`", "best rule"),
            [one.row for one in found],
        ),
        "costs": _markdown(
            ("slots", "shares of", "among themselves", "best response", "`hunter`", "`equilibrium`"),
            [one.costs for one in found],
        ),
        "apart": f"{max(one.apart for one in found):.1e}",
        "played": PLAYED,
        "farthest": f"{max(one.z for one in found):.2f}",
        "refused_names": _and(REFUSED),
        "refused": _refusal(),
    }


def _refusal() -> str:
    """What the command says if the best response is too large."""
    try:
        response_at_table(table_run(Game.classic(), REFUSED, 1987))
    except TooLarge as error:
        return error.problem
    raise AssertionError(f"the best response to {' and '.join(REFUSED)} fits")


def _answered(game: Game, names: Sequence[str]) -> Answered:
    """The best response to two at their table, and what others make there."""
    _say(f"the best response to {' and '.join(names)} on {game.slots}")
    others = [seat_of(name, game) for name in names]
    best = table_response(game, others)
    shared = response_shares(best)
    apart = abs(shared.shares[-1] - best.share)
    if len(set(names)) == 1:
        duel = best_response(game, RULES[names[0]](game), draw=1 / (1 + len(names)))
        apart = max(apart, abs(duel.outcome.equity - best.share))
    counts = do(ResponseGames(Run(game, tuple(names), 1987), best), PLAYED).counts
    z = float(max(abs(counts.shares - shared.shares) / counts.share_errors))
    assert apart < 1e-12
    assert z < 4
    to_one = max(
        _shares_with(game, others, duel_seat(best_response(game, RULES[name](game))), names.index(name))[-1]
        for name in dict.fromkeys(names)
    )
    duels = [
        max((_shares_with(game, others, seat_of(name, game), rival) for rival in (0, 1)), key=lambda shares: shares[-1])
        for name in DUEL_STRATEGIES
    ]
    rules = {name: _shares_with(game, others, seat_of(name, game))[-1] for name in RULES}
    rule = max(rules, key=lambda name: rules[name])
    made = best.share, to_one, *(shares[-1] for shares in duels)
    assert best.share > max(*made[1:], rules[rule])
    against = ", ".join(f"`{name}`" for name in names)
    left = (", ".join(f"{share:.4%}" for share in shares[:2]) for shares in (shared.without, shared.shares, *duels))
    return Answered(
        (game.slots, against, *(f"{share:.4%}" for share in made), f"{rules[rule]:.4%} (`{rule}`)"),
        (game.slots, against, *left),
        apart,
        z,
    )


def _shares_with(game: Game, others: Sequence[Seat], seat: Seat, rival: int = -1) -> tuple[float, ...]:
    """The shares of all at the table of these with one more, exactly; its own is the last."""
    return table_shares(game, [*others, seat], [-1] * len(others) + [rival]).shares


def _circles() -> dict[str, object]:
    """Circles of three in small games, and games without any."""
    _say("circles")
    for dice in TWO_SLOTS:
        pair = Game.parse(dice, "1-2")
        assert find_result_circle(pair, orderly=False) is None
        assert find_company_circle(pair, orderly=False) is None
    coin, three = Game.parse("1d2", "1-3"), Game.parse("1d3", "1-3")
    assert find_result_circle(coin, orderly=False) is None
    company, result = find_company_circle(coin), find_result_circle(three)
    assert company is not None
    assert result is not None
    names = dict(zip(("A", "B", "C", "D", "E", "F"), (*company.rules, *result.rules), strict=True))
    return {
        "two_first": TWO_SLOTS[0],
        "two_last": TWO_SLOTS[-1],
        "coin": str(coin.dice),
        "coin_rules": f"{rule_count(coin, orderly=False):,}",
        "company_circle": _circle_table(company, "ABC", "gains from its company"),
        "three": str(three.dice),
        "three_rules": f"{rule_count(three):,}",
        "result_circle": _circle_table(result, "DEF", "wins more than it loses"),
        "rules": _rules_table(names),
    }


def _circle_table(circle: TableCircle, names: str, edge: str) -> str:
    def fraction(value: Fraction) -> str:
        return str(value)

    return _markdown(
        ("", "share at the table of three", "next", "equity against the next", edge),
        [
            (name, fraction(share), other, fraction(equity), fraction(step))
            for name, other, share, equity, step in zip(
                names, names[1:] + names[:1], circle.shares, circle.equities, circle.edges, strict=True
            )
        ],
    )


def _rules_table(rules: dict[str, CircleRule]) -> str:
    sets = list(next(iter(rules.values())))
    return _markdown(
        ("free", *rules),
        [
            (", ".join(map(str, free)), *(" ".join(map(str, rule[free])) for rule in rules.values()))
            for free in sorted(sets, key=lambda slots: (-len(slots), slots))
        ],
    )


def _and(names: Sequence[str]) -> str:
    return " and ".join(f"`{name}`" for name in names)


def _say(what: str) -> None:
    sys.stderr.write(f"{what} ...\n")


def _markdown(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


if __name__ == "__main__":
    main()
