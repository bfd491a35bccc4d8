"""The section of docs/research/duel.md on more than two players: computed, and compared with games.

`make proof` writes the whole page; `python -m tools.table_facts` this section of it alone.
"""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tentimes18.duel.best_response import best_response
from tentimes18.duel.several_players import Seat, duel_seat, table_shares
from tentimes18.duel.several_players_response import response_shares, table_response
from tentimes18.errors import TooLarge
from tentimes18.game import Game
from tentimes18.pictures.plot_style import save
from tentimes18.queries.several_players import response_at_table, table
from tentimes18.simulate.games import do
from tentimes18.simulate.players import seat_of
from tentimes18.simulate.run import Run
from tentimes18.strategies.named import DUEL_STRATEGIES, RULES
from tools.duel_pictures import plot_table
from tools.response_games import ResponseGames

PAGE = Path(__file__).resolve().parents[1] / "docs" / "research" / "duel.md"
HEAD = "## Several players\n"
FIELD = ("optimal", "nearest", "bands", "greedy")
ANSWERED = (("optimal", "optimal"), ("optimal", "nearest"), ("optimal", "bands"), ("nearest", "bands"))
CLASSIC = ("optimal", "nearest")
TOO_LARGE = ("optimal", "bands")
GAMES = 10_000_000
PLAYED = 1_000_000  # of them by the best response at each table
SECTION = """## Several players

In a group game all players get the same rolls, and the highest score wins. Players with equal scores share the win.
`ten18 table` follows strategies through all positions that they reach together ([how](../theory/table.md)).

### Share of wins with four players

Four rules in the classic game, computed from {positions:,} positions and simulated in {games:,} games:

{shares}

![Shares of the wins of four rules](../pictures/table.png)

`nearest` has the largest share. `bands` has a worse mean rank than `optimal` and `nearest`, but it is most often the
only winner: a strategy that plays like another shares its wins.

### The best response to two others

One more player sees all boards and plays for its share of the wins, against two others who look only at their own
boards. The table compares its share, with 3d6, with that of other strategies in the same seat: the best response to one
of the two in a duel, `hunter` and `equilibrium` (each playing its duel with whichever of the two suits it better), and
the best of the named rules. An equal share would be 33.33%.

{responses}

The best response to one opponent is not the best response to two. These are the shares of the two others, among
themselves and with one more player:

{costs}

The share of the best response is computed backwards from the end of the game, and again forwards by following all three
players. The two differ by at most {apart}. Against two players of the same rule it equals that of a duel in which a
draw is worth one third. In {played:,} simulated games of each group, the largest difference of any share is {farthest}
standard errors.

In the classic game against {large_names} the command answers: "{too_large}".
"""


def main() -> None:
    """Put the section into the page."""
    PAGE.write_text(inserted(PAGE.read_text(encoding="utf-8"), table_section()), encoding="utf-8")


def inserted(page: str, section: str) -> str:
    r"""The page with this section: instead of the one that it has, or before the one about own rolls.

    >>> inserted("# The duel\n\n## Separate rolls\n\nx\n", "## Several players\n\ny\n")
    '# The duel\n\n## Several players\n\ny\n\n## Separate rolls\n\nx\n'
    """
    before, _, rest = page.partition(HEAD)
    if rest:
        return f"{before}{section}\n## {rest.partition(chr(10) + '## ')[2]}"
    before, _, rest = page.partition("## Separate rolls\n")
    return f"{before}{section}\n## Separate rolls\n{rest}"


def table_section() -> str:
    """The text of the section."""
    game = Game.classic()
    return SECTION.format(**_shares(game), **_responses(game))


def _shares(game: Game) -> dict[str, object]:
    """Whose the wins are in the classic game."""
    _say("a table of four, computed, and the same in games")
    answer = table(list(FIELD), GAMES, exact=True).answer
    exact = answer.exact
    assert exact is not None
    assert max(abs(z) for z in exact.z if z is not None) < 4
    shares, sole, ranks = (dict(zip(FIELD, part, strict=True)) for part in (exact.shares, exact.sole, exact.ranks))
    assert max(FIELD, key=lambda name: shares[name]) == "nearest"
    assert max(FIELD, key=lambda name: sole[name]) == "bands"
    assert ranks["bands"] > max(ranks["optimal"], ranks["nearest"])
    save(plot_table(game, shares, sole), PAGE.parents[1] / "pictures" / "table.png", dpi=110)
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
                    f"{exact.z[p]:+.2f} standard errors",
                )
                for p, name in enumerate(FIELD)
            ],
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
        "large_names": _and(TOO_LARGE),
        "too_large": _too_large(),
    }


def _too_large() -> str:
    """What the command says if the best response is too large."""
    try:
        response_at_table(Run(Game.classic(), TOO_LARGE, 1987))
    except TooLarge as error:
        return error.problem
    raise AssertionError(f"the best response to {' and '.join(TOO_LARGE)} fits")


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


def _and(names: Sequence[str]) -> str:
    return " and ".join(f"`{name}`" for name in names)


def _say(what: str) -> None:
    sys.stderr.write(f"{what} ...\n")


def _markdown(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


if __name__ == "__main__":
    main()
