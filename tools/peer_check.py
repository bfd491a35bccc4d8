"""What OpenSpiel finds of our equilibria: its best responses bound the value of a game from both sides.

`python -m tools.peer_check` writes the table of docs/reference/environments-duel.md between its marks, `<!-- peer
check -->` and `<!-- end -->`; with `--check` it writes nothing and fails where the page differs.
"""

import re
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pyspiel
from open_spiel.python.algorithms import policy_utils

from tentimes18.envs.openspiel import NAME, EquilibriumPolicy
from tentimes18.game import Game

PAGE = Path(__file__).resolve().parent.parent / "docs" / "reference" / "environments-duel.md"
HEAD = (
    "| dice | slots | a draw is worth | information sets | mixed moves "
    "| OpenSpiel: at least | at most | our value | NashConv |\n"
    "| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n"
)
ROUNDING = 1e-12
_MARKED = re.compile(r"(<!-- peer check -->\n).*?(<!-- end -->)", re.DOTALL)


class Case(NamedTuple):
    """A duel, and what a draw is worth to the first player."""

    dice: str
    slots: str
    draw: float


class Found(NamedTuple):
    """How many information sets there are, in how many of them our move is mixed, OpenSpiel's bounds, our value."""

    information_sets: int
    mixed: int
    low: float
    high: float
    value: float
    nash_conv: float


CASES = (
    Case("d{1,3,4}", "1,2,4", 0.25),
    Case("d{1,4,16}", "1,2,5", 0.5),
    Case("1d6", "1-3", 0.5),
    Case("1d6", "1-3", 0.75),
)


def found_of(case: Case) -> Found:
    """What OpenSpiel finds; its best responses need a game in turns, whose second player does not see the first."""
    parameters = {"dice": case.dice, "slots": case.slots, "draw": case.draw}
    game: Any = pyspiel.convert_to_turn_based(pyspiel.load_game(NAME, parameters))
    ours = EquilibriumPolicy(game)
    policy = policy_utils.policy_to_dict(ours, game)
    tree = pyspiel.convert_to_cached_tree(game)
    start = tree.new_initial_state()
    first, second = (pyspiel.TabularBestResponse(tree, seat, policy).value_from_state(start) for seat in (0, 1))
    return Found(
        len(policy),
        sum(any(0 < share < 1 for _, share in moves) for moves in policy.values()),
        -second,
        first,
        ours.equilibrium.start,
        pyspiel.nash_conv(tree, policy),
    )


def row_of(case: Case, found: Found) -> str:
    """A line of the table; what is rounding only is shown as what it is below."""
    low, high, value = (f"{number if abs(number) > ROUNDING else 0.0:.9f}" for number in found[2:5])
    conv = "below 1e-12" if abs(found.nash_conv) < ROUNDING else f"{found.nash_conv:.3g}"
    game = Game.parse(case.dice, case.slots)
    cells = [
        f"`{game.dice}`",
        f"`{case.slots}`",
        f"{case.draw:g}",
        f"{found.information_sets:,}",
        f"{found.mixed:,}",
        *(low, high, value),
        conv,
    ]
    return f"| {' | '.join(cells)} |\n"


def marked_table(text: str) -> str:
    """The table that the page has now."""
    found = _MARKED.search(text)
    if found is None:
        raise ValueError(f"{PAGE.name} has no marks of the table")
    return found[0]


def main() -> None:
    """Write the table, or check it."""
    text = PAGE.read_text(encoding="utf-8")
    table = HEAD + "".join(row_of(case, found_of(case)) for case in CASES)
    new = _MARKED.sub(lambda found: f"{found[1]}{table}{found[2]}", text)
    if "--check" in sys.argv[1:]:
        sys.exit(f"{PAGE.name} is stale: python -m tools.peer_check" if new != text else 0)
    PAGE.write_text(new, encoding="utf-8")


if __name__ == "__main__":
    main()
