"""Tables of results in README and in the page on the simple rule, from the command and from pages of longer runs.

`python -m tools.results` writes each table between its marks, `<!-- results -->` and `<!-- end -->`. With `--check` it
writes nothing and fails if a page differs.
"""

import json
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tentimes18.dice import Dice
from tools.console import ROOT, Ten18, run_ten18

DOCS = ROOT / "docs"
PAGES = (ROOT / "README.md", DOCS / "play" / "play-well.md")
_MARKED = re.compile(r"(<!-- (results|card|comparison|numbers) -->\n).*?(<!-- end -->)", re.DOTALL)


def rendered(text: str, run: Ten18 = run_ten18) -> str:
    """The page with its tables as they are now."""
    tables = {"results": results, "card": card, "comparison": comparison, "numbers": numbers}
    return _MARKED.sub(lambda mark: f"{mark[1]}{tables[mark[2]](run)}{mark[3]}", text)


def card(run: Ten18 = run_ten18) -> str:  # noqa: ARG001
    """For each roll the share of lower rolls, equal ones counting half: the numbers of the rule `nearest`."""
    dice, lower, shares = Dice.parse("3d6"), 0, []
    for count in dice.counts:
        shares.append(f"{(lower + count / 2) / dice.total:.3f}".rstrip("0"))
        lower += count
    middle = len(shares) // 2
    rolls = [str(roll) for roll in dice.support]
    rows = (
        ["roll", *rolls[:middle]],
        ["share", *shares[:middle]],
        ["roll", *rolls[middle:]],
        ["share", *shares[middle:]],
    )
    return _table(rows[0], rows[1:2]) + "\n" + _table(rows[2], rows[3:])


def comparison(run: Ten18 = run_ten18) -> str:
    """What the rule makes on average, beside random and perfect play."""
    best = _json(run, "solve")["expected"]["optimal"]
    rows = []
    for strategy, words in (
        ("random", "Random choices"),
        ("nearest", "This rule"),
        ("optimal", "Perfect play"),
    ):
        mean = _json(run, "distribution", "--strategy", strategy)["mean"]
        rows.append((words, f"{mean:.2f}", f"{best - mean:.2f}"))
    return _table(("strategy", "average score", "points lost per game"), rows)


def numbers(run: Ten18 = run_ten18) -> str:
    """The best rules with few numbers."""
    rows = [
        (
            ", ".join(map(str, rule["cuts"])),
            f"{rule['mean']:.2f}",
            f"{rule['loss']:.2f}",
            f"{rule['part']:.1%}",
        )
        for rule in _json(run, "rules", "--numbers", "3")["rules"]
    ]
    return _table(("numbers", "average score", "points lost per game", "of the way to perfect play"), rows)


def results(run: Ten18 = run_ten18) -> str:
    """The table."""
    expected = _json(run, "solve")["expected"]
    target = _json(run, "target", "700")
    paper = _json(run, "paper")
    hunter = _row(DOCS / "research" / "duel.md", r"\| win \| draw \| loss \| equity \|\n[^\n]*\n")
    found = _row(DOCS / "research" / "duel.md", r"(?=\| `hunter` \| [\d.]+% \|)")
    speed = _row(DOCS / "research" / "benchmarks.md", r"(?=\| last row, 100,000 slots \|)")
    checks = paper["agree"] + paper["explained"] + paper["differ"]
    rows = [
        ("Average score of perfect play", f"**{expected['optimal']:.2f}** points"),
        (
            "Average score with random choices; with all rolls known beforehand",
            f"{expected['random']:.2f}; {expected['hindsight']:.2f}",
        ),
        (
            "Best probability of 700 points or more; that of perfect play",
            f"{target['probability']:.2%}; {target['with_optimal']:.2%}",
        ),
        (
            "Best response to perfect play, on the same rolls",
            f"wins {_percent(hunter[0])}, draws {_percent(hunter[1])}, loses {_percent(hunter[2])}",
        ),
        (
            "The same strategy against our equilibrium, which nothing beats",
            f"wins {_percent(found[1])}, draws {_percent(found[2])}, loses {_percent(found[3])}",
        ),
        (
            "Numbers and claims of the paper that were checked",
            f"{checks}, with {paper['differ'] or 'no'} unexplained differences",
        ),
        ("Time to solve the game with 100,000 slots, in float64", speed[2]),
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
    """Write the tables, or check them."""
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        new = rendered(text)
        if "--check" in sys.argv[1:] and new != text:
            sys.exit(f"{page.name} is stale: python -m tools.results")
        page.write_text(new, encoding="utf-8")


if __name__ == "__main__":
    main()
