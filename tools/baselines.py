"""The table and the picture of docs/research/baselines.md, from what `python -m benchmarks.learning` has found.

`python -m tools.baselines` writes the tables between marks like `<!-- runs -->` and `<!-- end -->`, and the picture.
"""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from statistics import fmean, stdev
from typing import Any, NamedTuple

from matplotlib.axes import Axes

from tentimes18.envs import evaluate
from tentimes18.envs.evaluation import Evaluation
from tentimes18.pictures.colours import FELT, LUCK, QUIET, RIVAL
from tentimes18.pictures.plot_style import canvas, save, styled

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "research" / "baselines.md"
RESULTS = ROOT / "benchmarks" / "learning" / "results.json"
PICTURES = ROOT / "docs" / "pictures"
_MARKED = re.compile(r"(<!-- (baselines|report|runs) -->\n).*?(<!-- end -->)", re.DOTALL)

NAMES = {
    "random": "`random`: any free slot",
    "greedy": "`greedy`: above the mean roll the highest free slot, else the lowest",
    "nearest": "`nearest`: the roll's place among that many sorted rolls",
    "q-learning": "tabular Q-learning, by points",
    "ppo-points": "MaskablePPO, by points",
    "ppo-regret": "MaskablePPO, by regret",
}


class LearnerLine(NamedTuple):
    """How a learner is drawn; its name is placed beside one of its dots (-1 is the last one), at this offset."""

    colour: str
    dashes: Any
    label: str
    dot: int
    offset: tuple[float, float]


LINES = {
    "q-learning": LearnerLine(LUCK, (0, (1.2, 1.6)), "tabular Q-learning, by points", -6, (-140, -12)),
    "ppo-points": LearnerLine(FELT, "-", "MaskablePPO, by points", -1, (8, 0)),
    "ppo-regret": LearnerLine(RIVAL, (0, (4.5, 2)), "MaskablePPO, by regret", -1, (8, 0)),
}


def read_results() -> dict[str, Any]:
    """What was found."""
    results: dict[str, Any] = json.loads(RESULTS.read_text(encoding="utf-8"))
    return results


def steps_to_reach(curve: list[dict[str, Any]], level: float) -> int | None:
    """The steps of the first look from which on a learner never gives up more than this a move.

    >>> looks = [{"steps": steps, "regret_a_move": {"value": 20 / steps}} for steps in (10, 20, 40)]
    >>> steps_to_reach(looks, 1), steps_to_reach(looks, 0.1)
    (20, None)
    """
    found = None
    for look in reversed(curve):
        if look["regret_a_move"]["value"] > level:
            break
        found = int(look["steps"])
    return found


def rendered(text: str, results: Mapping[str, Any]) -> str:
    """The page with its tables and its report as they are now."""
    parts = {"baselines": _gaps(results), "report": f"```text\n{example()}\n```\n", "runs": _runs(results)}
    return _MARKED.sub(lambda found: f"{found[1]}{parts[found[2]]}{found[3]}", text)


def example() -> Evaluation:
    """The report that the page shows."""
    return evaluate("nearest", 20_000, seed=18)


def _gaps(results: Mapping[str, Any]) -> str:
    head = ["agent", "steps", "gap from regrets", "over training seeds", "gap from returns", "regret per move"]
    head += ["best moves", "blunders"]
    rows = [
        [
            NAMES[name],
            f"{found['steps']:,}" if "steps" in found else "",
            _estimate(found["gap_from_regrets"]),
            _over_seeds(found),
            _estimate(found["gap_from_returns"]),
            f"{found['regret_a_move']['value']:#.2g}",
            f"{found['classes']['best'] / found['moves']:.2%}",
            f"{found['classes']['blunder'] / found['moves']:.2%}",
        ]
        for name, found in results.items()
    ]
    return _table(head, rows)


def _over_seeds(found: Mapping[str, Any]) -> str:
    """The mean gap of the training runs with its standard error, and how many there are.

    >>> _over_seeds({"gaps_by_seed": [3.4, 3.6, 3.5]}), _over_seeds({"steps": 10}), _over_seeds({})
    ('3.500 ± 0.058 (3 seeds)', '1 seed', '')
    """
    gaps = found.get("gaps_by_seed")
    if gaps is None:
        return "1 seed" if "steps" in found else ""
    error = stdev(gaps) / len(gaps) ** 0.5
    return f"{_estimate({'value': fmean(gaps), 'standard_error': error})} ({len(gaps)} seeds)"


def _runs(results: Mapping[str, Any]) -> str:
    head = ["agent", "steps", "minutes", "with"]
    rows = []
    for name, found in results.items():
        if "steps" not in found:
            continue
        versions = ", ".join(f"{package} {version}" for package, version in found["versions"].items())
        rows.append([NAMES[name], f"{found['steps']:,}", f"{found['seconds'] / 60:.1f}", versions])
    return _table(head, rows)


def _estimate(found: Mapping[str, float]) -> str:
    """Two digits of the error, and as many of the number.

    >>> _estimate({"value": 2.01337, "standard_error": 0.00437}), _estimate({"value": -0.3, "standard_error": 0.173})
    ('2.0134 ± 0.0044', '−0.30 ± 0.17')
    """
    error, digits = found["standard_error"], 0
    while 0 < error * 10**digits < 9.95 and digits < 8:
        digits += 1
    return f"{found['value']:z.{digits}f} ± {error:.{digits}f}".replace("-", "−")


def _table(head: list[str], rows: list[list[str]]) -> str:
    return "".join(f"| {' | '.join(cells)} |\n" for cells in [head, ["---"] * len(head), *rows])


@styled
def plot_learning(results: Mapping[str, Any]) -> Any:
    """The regret per move against the steps of training, both on logarithmic scales."""
    by_points, by_regret = results["ppo-points"]["curve"], results["ppo-regret"]["curve"]
    level = by_points[-1]["regret_a_move"]["value"]
    needed = steps_to_reach(by_regret, level)
    title = "The regret per move while an agent learns"
    if needed:
        fewer = float(f"{by_points[-1]['steps'] / needed:.1g}")
        title = f"Told what each move gave up, a learner gets as far in {fewer:.0f} times fewer steps"
    subtitle = "3d6, slots 1-10: regret per move in points, by the steps of training"
    figure, axes = canvas(title, subtitle, height=5.4)
    axes.set(xscale="log", yscale="log", xlabel="steps", ylabel="points per move")
    for name, line in LINES.items():
        steps = [look["steps"] for look in results[name]["curve"]]
        regrets = [look["regret_a_move"]["value"] for look in results[name]["curve"]]
        axes.plot(steps, regrets, color=line.colour, linestyle=line.dashes, linewidth=1.8, label=name)
        axes.plot(steps, regrets, "o", color=line.colour, markersize=3.6)
        dot = steps[line.dot], regrets[line.dot]
        where: dict[str, Any] = {"textcoords": "offset points", "color": line.colour, "va": "center"}
        axes.annotate(line.label, dot, line.offset, fontweight="bold", **where)
    for name in ("random", "greedy", "nearest"):
        _draw_level(axes, name, results[name]["regret_a_move"]["value"])
    axes.yaxis.set_major_formatter(lambda points, _: f"{points:g}")
    axes.xaxis.set_major_formatter(lambda steps, _: f"{steps:,.0f}")
    axes.minorticks_off()
    return figure


def _draw_level(axes: Axes, name: str, height: float) -> None:
    """What a strategy gives up that learns nothing."""
    axes.axhline(height, color=QUIET, linewidth=0.7)
    place: Any = ("axes fraction", "data")
    text = f"{name} {height:#.2g}"
    axes.annotate(text, (1, height), (0, 2), place, "offset points", color=QUIET, ha="right", va="bottom")


def main() -> None:
    """Write the tables and the picture."""
    results = read_results()
    PAGE.write_text(rendered(PAGE.read_text(encoding="utf-8"), results), encoding="utf-8")
    figure = plot_learning(results)
    save(figure, PICTURES / "learning.png")


if __name__ == "__main__":
    main()
