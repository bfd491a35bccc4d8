"""The results that README tells: from the command, and from pages that longer runs have made.

`python -m tools.results` writes the table between its marks, `<!-- results -->` and `<!-- end -->`; with `--check` it
writes nothing and fails where the page differs.
"""

import json
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from tools.console import ROOT, Ten18, run_ten18

__all__ = ["PAGE", "rendered", "results"]

PAGE: Final = ROOT / "README.md"
DOCS: Final = ROOT / "docs"
_MARKED: Final = re.compile(r"(<!-- results -->\n).*?(<!-- end -->)", re.DOTALL)


def rendered(text: str, run: Ten18 = run_ten18) -> str:
    """The page with its table as it is now."""
    return _MARKED.sub(lambda found: f"{found[1]}{results(run)}{found[2]}", text)


def results(run: Ten18 = run_ten18) -> str:
    """The table."""
    expected = _json(run, "solve")["expected"]
    target = _json(run, "target", "700")
    paper = _json(run, "paper")
    hunter = _row(DOCS / "duel.md", r"\| win \| draw \| loss \| equity \|\n[^\n]*\n")
    found = _row(DOCS / "duel.md", r"(?=\| `hunter` \| [\d.]+ % \|)")
    speed = _row(DOCS / "benchmarks.md", r"(?=\| last row, 100,000 slots \|)")
    checks = paper["agree"] + paper["explained"] + paper["differ"]
    rows = [
        ("Perfect play makes, on average", f"**{expected['optimal']:.2f}** points"),
        (
            "Any free slot, at random; knowing all rolls beforehand",
            f"{expected['random']:.2f}; {expected['hindsight']:.2f}",
        ),
        (
            "Best chance of 700 points or more; that of perfect play for the mean",
            f"{target['probability']:.2%}; {target['with_optimal']:.2%}",
        ),
        (
            "Made to beat perfect play, on the same rolls",
            f"wins {_percent(hunter[0])}, draws {_percent(hunter[1])}, loses {_percent(hunter[2])}",
        ),
        (
            "The same against the equilibrium, which nothing beats",
            f"wins {_percent(found[1])}, draws {_percent(found[2])}, loses {_percent(found[3])}",
        ),
        (
            f"The {checks} numbers and claims of the paper",
            f"{paper['agree']} agree, {paper['explained']} are slips that are explained, {paper['differ']} differ",
        ),
        ("The best play for 100,000 slots instead of ten, in float64, takes", speed[2]),
    ]
    return _table(("the classic game", "answer"), rows)


def _json(run: Ten18, *arguments: str) -> dict[str, Any]:
    with TemporaryDirectory() as folder:
        code, out, err = run([*arguments, "--json"], "", {"TEN18_DATA": folder})
    if code:
        raise RuntimeError(err)
    answer: dict[str, Any] = json.loads(out)
    return answer


def _row(page: Path, before: str) -> list[str]:
    """The cells of the row of a table that comes after what this pattern finds."""
    found = re.search(before + r"\|([^\n]*)\|\n", page.read_text(encoding="utf-8"))
    if found is None:
        raise ValueError(f"{page.name} has no such row: {before}")
    return [cell.strip() for cell in found[1].split("|")]


def _percent(cell: str) -> str:
    return f"{float(cell.removesuffix('%')):.2f}%"


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    return "".join(f"| {' | '.join(cells)} |\n" for cells in [head, ["---"] * len(head), *rows])


def main() -> None:
    """Write the table, or check it."""
    text = PAGE.read_text(encoding="utf-8")
    new = rendered(text)
    if "--check" in sys.argv[1:]:
        sys.exit(f"{PAGE.name} is stale: python -m tools.results" if new != text else 0)
    PAGE.write_text(new, encoding="utf-8")


if __name__ == "__main__":
    main()
