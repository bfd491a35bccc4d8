"""The findings on the duel for the pages: read from docs/research/duel.md into a file of the app.

Nothing is typed: what the page says about the duel are the numbers of that document.
"""

import json
import re
from pathlib import Path
from typing import TypedDict

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "docs" / "research" / "duel.md"
WRITTEN = ROOT / "src" / "tentimes18" / "app" / "static" / "duel.json"

_SHARE = r"([0-9.]+)%"
_OUTCOME = re.compile(rf"^\| (?:`(\w+)` \| )?{_SHARE} \| {_SHARE} \| {_SHARE} \| {_SHARE} \|$", re.M)
_SOLVED = re.compile(r"([\d,]+)\s+of\s+them\s+in\s+([\d,]+)\s+open\s+positions\.\s+([\d.]+)%\s+have\s+no\s+saddle")


class OutcomeFact(TypedDict):
    """How a player does in a duel, in shares of the games."""

    name: str
    win: float
    draw: float
    loss: float


class DuelFacts(TypedDict):
    """Outcomes against the best mean and against the equilibrium, and what solving the equilibrium took."""

    against_optimal: list[OutcomeFact]
    against_equilibrium: list[OutcomeFact]
    matrix_games: int
    positions: int
    mixed_share: float


def duel_facts(page: str) -> DuelFacts:
    """The findings that the document tells."""
    best_mean, equilibrium = page.split("## Our equilibrium")
    solved = _SOLVED.search(equilibrium)
    if solved is None:
        raise ValueError("the document does not say how many games were solved")
    games, positions, mixed = solved.groups()
    return {
        "against_optimal": _outcomes(best_mean),
        "against_equilibrium": _outcomes(equilibrium),
        "matrix_games": int(games.replace(",", "")),
        "positions": int(positions.replace(",", "")),
        "mixed_share": round(float(mixed) / 100, 6),
    }


def _outcomes(text: str) -> list[OutcomeFact]:
    """Of all tables; the one without a name is that of the best response."""
    return [
        {"name": name or "hunter", "win": _part(win), "draw": _part(draw), "loss": _part(loss)}
        for name, win, draw, loss, _ in _OUTCOME.findall(text)
    ]


def _part(percent: str) -> float:
    return round(float(percent) / 100, 10)


def write_duel_facts() -> None:
    """Write the file of the app again."""
    text = json.dumps(duel_facts(SOURCE.read_text(encoding="utf-8")), indent=1)
    WRITTEN.write_text(f"{text}\n", encoding="utf-8")


if __name__ == "__main__":
    write_duel_facts()
