"""The tables of docs/service.md that tell limits, bots and metrics: made from the program that holds to them.

`python -m tools.service_docs` writes each between its marks, `<!-- limits of games -->` and `<!-- end -->`; with
`--check` it writes nothing and fails where the page differs.
"""

import re
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Final

from tentimes18.duel.lead_windows import Outcome
from tentimes18.game import Game
from tentimes18.server import game_limits as limits
from tentimes18.server import uploads
from tentimes18.server.bots import BOTS, CHANCES
from tentimes18.server.calculator import coach_calculator, lab_calculator
from tentimes18.server.metrics import Metrics
from tentimes18.server.query_process import PLANNED_SECONDS
from tentimes18.server.rates import RATES, STREAMS
from tentimes18.server.routes.own_games import MAX_UPLOAD
from tentimes18.server.store import players

__all__ = ["PAGE", "TABLES", "rendered"]

PAGE: Final = Path(__file__).resolve().parent.parent / "docs" / "service.md"

_MARKED: Final = re.compile(r"(<!-- ([a-z ]+) -->\n).*?(<!-- end -->)", re.DOTALL)


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)


def games() -> str:
    """What a stranger's game may have."""
    return _table(
        ("of a game", "at most"),
        [
            ("notation of dice, of slots", f"{limits.MOST_CHARACTERS} characters each"),
            ("slots", f"{limits.MOST_SLOTS}"),
            ("different rolls", f"{limits.MOST_ROLLS}, each of magnitude {limits.MOST_ROLL:,}"),
            ("weights of the dice", f"2^{limits.MOST_TOTAL_BITS} in sum"),
            (
                "multipliers",
                f"of magnitude {limits.MOST_MULTIPLIER:,}, with a common denominator of {limits.MOST_DENOMINATOR:,}",
            ),
            ("positions, 2^slots times rolls", f"{limits.MOST_POSITIONS:,}"),
        ],
    )


def rates() -> str:
    """How often one may ask."""
    return _table(
        ("requests", "a player", "an address"),
        [
            *((kind.what, str(kind.player or "not counted"), str(kind.address)) for kind in RATES.values()),
            ("streams of events open at once", str(STREAMS.player), str(STREAMS.address)),
        ],
    )


def bots() -> str:
    """Who plays duels, and how it fares against the perfect player."""
    chances = CHANCES[str(Game.classic())]
    return _table(
        ("bot", "what it does", "against `optimal`: win", "draw", "loss"),
        [(f"`{name}`", bot.aim, *_shares(chances[name])) for name, bot in BOTS.items()],
    )


def _shares(outcome: Outcome) -> list[str]:
    return [f"{share:.2%}" for share in (outcome.win, outcome.draw, outcome.loss)]


def metrics() -> str:
    """What is counted, beside requests."""
    return _table(
        ("metric", "what it is"),
        [
            (f"`{family.name}{'_total' if family.type == 'counter' else ''}`", family.documentation)
            for family in Metrics().registry.collect()
            if "_http_" not in family.name
        ],
    )


def questions() -> str:
    """What a question to the lab, or about a game, may take."""
    both = [lab_calculator(), coach_calculator()]
    return _table(
        ("", "the lab", "games"),
        [
            (
                "refused before it starts if it is planned to take more than",
                *(f"{PLANNED_SECONDS:g} s, or {asked.memory / 1e9:g} GB" for asked in both),
            ),
            ("killed after", *(f"{asked.seconds:g} s" for asked in both)),
            ("may wait in line", *(f"{asked.max_waiting} questions, {asked.patience:g} s" for asked in both)),
        ],
    )


def brought() -> str:
    """How much may be brought along."""
    return _table(
        ("limit", ""),
        [
            (
                "at once",
                f"{MAX_UPLOAD:,} bytes, {uploads.MAX_LINES:,} lines",
            ),
            ("a line", f"{uploads.MAX_LINE_BYTES:,} bytes"),
            ("the game", "as for games that are played here"),
            ("a player", f"{players.MAX_RECORDS:,} records, {players.MAX_BYTES:,} characters"),
        ],
    )


TABLES: Final[dict[str, Callable[[], str]]] = {
    "limits of games": games,
    "limits of requests": rates,
    "limits of questions": questions,
    "limits of imports": brought,
    "bots": bots,
    "metrics": metrics,
}


def rendered(text: str) -> str:
    """The page with its tables as they are now."""
    return _MARKED.sub(lambda found: f"{found[1]}{TABLES[found[2]]()}{found[3]}", text)


def main() -> None:
    """Write the tables, or check them."""
    text = PAGE.read_text(encoding="utf-8")
    new = rendered(text)
    if "--check" in sys.argv[1:]:
        sys.exit(f"{PAGE.name} is stale: python -m tools.service_docs" if new != text else 0)
    PAGE.write_text(new, encoding="utf-8")


if __name__ == "__main__":
    main()
