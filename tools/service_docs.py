"""The tables of limits, bots and metrics in docs, made from the program.

`python -m tools.service_docs` writes each between its marks, `<!-- limits of games -->` and `<!-- end -->`. With
`--check` it writes nothing and fails if a page differs.
"""

import re
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from tentimes18.game import Game
from tentimes18.server import game_limits as limits
from tentimes18.server import uploads
from tentimes18.server.bots import BOTS, CHANCES, Chances
from tentimes18.server.calculator import COACH_BYTES, COACH_WAITING, Calculator
from tentimes18.server.metrics import Metrics
from tentimes18.server.query_process import PLANNED_SECONDS
from tentimes18.server.rates import RATES, STREAMS
from tentimes18.server.routes.me import MAX_UPLOAD
from tentimes18.server.store import players

DOCS = Path(__file__).resolve().parent.parent / "docs"
PAGES = tuple(DOCS / page for page in ("reference/limits.md", "server/operate.md", "howto/duel.md"))

_MARKED = re.compile(r"(<!-- ([a-z ]+) -->\n).*?(<!-- end -->)", re.DOTALL)


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)


def games() -> str:
    """What the game of a stranger may have."""
    return _table(
        ("part of a game", "limit"),
        [
            ("notation of dice, of slots", f"{limits.MAX_CHARACTERS} characters each"),
            ("slots", f"{limits.MAX_SLOTS}"),
            ("different rolls", f"{limits.MAX_ROLLS}, each of magnitude {limits.MAX_ROLL:,}"),
            ("weights of the dice", f"2^{limits.MAX_TOTAL_BITS} in total"),
            (
                "multipliers",
                f"of magnitude {limits.MAX_MULTIPLIER:,}, with a common denominator of {limits.MAX_DENOMINATOR:,}",
            ),
            ("positions, 2^slots times rolls", f"{limits.MAX_POSITIONS:,}"),
        ],
    )


def rates() -> str:
    """How often a player or an address may ask."""
    return _table(
        ("requests", "per player", "per address"),
        [
            *((kind.what, str(kind.player or "not counted"), str(kind.address)) for kind in RATES.values()),
            ("open streams of events", str(STREAMS.player), str(STREAMS.address)),
        ],
    )


def bots() -> str:
    """The bots, and their chances against perfect play."""
    chances = CHANCES[str(Game.classic())]
    return _table(
        ("bot", "what it does", "against `optimal`: win", "draw", "loss"),
        [(f"`{name}`", bot.aim, *_shares(chances[name])) for name, bot in BOTS.items()],
    )


def _shares(outcome: Chances) -> list[str]:
    return [f"{share:.2%}" for share in (outcome.win, outcome.draw, outcome.loss)]


def metrics() -> str:
    """What is counted besides requests."""
    return _table(
        ("metric", "what it is"),
        [
            (f"`{family.name}{'_total' if family.type == 'counter' else ''}`", family.documentation)
            for family in Metrics().registry.collect()
            if "_http_" not in family.name
        ],
    )


def questions() -> str:
    """What an answer of the lab, or on a game, may take."""
    both = [Calculator(), Calculator(COACH_WAITING, COACH_BYTES)]
    return _table(
        ("", "the lab", "games"),
        [
            (
                "rejected before it starts if it would take more than",
                *(f"{PLANNED_SECONDS:g} s, or {asked.memory / 1e9:g} GB" for asked in both),
            ),
            ("killed after", *(f"{asked.seconds:g} s" for asked in both)),
            ("longest line, longest wait", *(f"{asked.max_waiting} questions, {asked.patience:g} s" for asked in both)),
        ],
    )


def brought() -> str:
    """How much can be imported."""
    return _table(
        ("limit", ""),
        [
            (
                "one request",
                f"{MAX_UPLOAD:,} bytes, {uploads.MAX_LINES:,} lines",
            ),
            ("one line", f"{uploads.MAX_LINE_BYTES:,} bytes"),
            ("one game", "as for games that are played on the server"),
            ("one player", f"{players.MAX_RECORDS:,} records, {players.MAX_BYTES:,} characters"),
        ],
    )


TABLES: dict[str, Callable[[], str]] = {
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
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        new = rendered(text)
        if "--check" in sys.argv[1:] and new != text:
            sys.exit(f"{page.name} is stale: python -m tools.service_docs")
        page.write_text(new, encoding="utf-8")


if __name__ == "__main__":
    main()
