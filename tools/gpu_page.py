"""Write docs/research/gpu.md, and the table of sizes in duel.md, from gpu_facts.json of `make gpu`."""

import json
from pathlib import Path
from typing import Any

LEAD = 10  # points
FACTS = Path(__file__).with_name("gpu_facts.json")
PAGE = Path(__file__).resolve().parents[1] / "docs" / "research" / "gpu.md"
TEXT = """# With a GPU

An NVIDIA GPU can solve equilibria and best responses of duels, and play many games. Its tables have the same layout as
those of the processor, so the same code stores, reads and certifies them. Counts of games are the same to the bit.

    pip install '.[gpu]'
    ten18 duel equilibrium --device cuda
    ten18 duel response --device cuda
    ten18 simulate --games 1e10 --device cuda
    ten18 tournament --device cuda

In Python use `device="cuda"`: `solve_equilibrium(game, device="cuda")`, `best_response(game, rule, device="cuda")`. The
default is the processor. Without the extra or a GPU, one line says what is missing. The extra is CuPy with CUDA's
compiler. It is not in requirements.lock, because it takes several hundred megabytes that only a machine with a GPU can
use. The kernels are text in `src/tentimes18/gpu/`; they are compiled at their first use, in a second or two per number
of free slots, and CuPy caches the result.

## Results

Written by `make gpu` on {date}: {gpu} with {memory:.0f} GB, CUDA {cuda}, CuPy {cupy}, {processors} processors. Times
are warm, the best of several runs, and include everything that a call does: finding the open leads, allocating memory,
all layers, and waiting for the last one. The table stays on the GPU.

{times}

"By simplex" is the share of matrix games that two moves per side do not solve. "One step" is the largest difference
between stored values and one step of the recursion on the processor, at {samples:,} positions per number of free slots,
or all of them if there are fewer.

The processor certified these whole tables. The gains are upper bounds on what any response to the table's moves can
gain, from the start and from any position. Up to 10 slots the tables were compared with those of the processor as well.
The table with 14 slots was too large to certify.

{tables}

The win probabilities of `hunter` on the classic game differ by at most {response}, those of a draw by {response_draw}.
A table made as if a block of threads could share only {shared:.0f} kB ({small}) differs by {less}.

{games:.0e} games of `optimal`: {seconds:.3f} s, {rate:.2e} games per second, mean {mean:.4f}. For {compared:.0e} games
the histogram equals that of the processor: {equal}. {field_games:.0e} games of {field} on the same rolls:
{field_seconds:.3f} s. For a tenth of them all counts (scores, wins, draws, first places) equal those of the processor:
{field_equal}.

## How it works

- A block of threads handles a pair of free sets. It copies the values of the k² smaller pairs, for a tile of leads,
  into shared memory. The matrix games of all these leads and rolls are read from there.
- Alternating best replies find nearly all saddle points from about 3k of the k² entries. The remaining games are
  collected. Two rows against all columns and two columns against all rows, in turn, solve most of them; the rest goes
  through a queue to the simplex method, one thread per game. Every value is the middle of proven bounds.
- The tiles are adapted to the GPU: to what a block and a multiprocessor can share. If the windows of all rolls are too
  wide, the rolls are split into several tiles, so any dice and multipliers work.
- The memory of the table is computed before the job starts. What does not fit is rejected with the figure.
- `make test` compiles the same text as C++ if there is a compiler, and compares small games of many kinds with the
  processor's solver, through the same Python code.

A GPU plays the rules (`optimal`, `nearest`, `bands`, `greedy`) on up to 16 slots, `random`, `hindsight`, and strategies
for a target or another aim. `hunter`, `equilibrium` and your own code play on the processor. A duel on a GPU has at
most 16 slots.
"""


def read_facts() -> dict[str, Any]:
    """The results of `make gpu`."""
    facts: dict[str, Any] = json.loads(FACTS.read_text(encoding="utf-8"))
    return facts


def page(facts: dict[str, Any]) -> str:
    """The text of docs/research/gpu.md."""
    machine, games, compared = facts["machine"], facts["games"], facts["compared_games"]
    both = {name: found["equal"] for name, found in compared.items() if isinstance(found, dict)}
    words = {True: "yes", False: "no"}
    return TEXT.format(
        **machine | {"memory": machine["memory"] / 1e9},
        times=_times(facts["sizes"]),
        samples=facts["samples"],
        tables=_tables([*facts["tables"], *facts["others"], *facts["certified"]]),
        response=_error(facts["responses"]["difference"]),
        response_draw=_error(facts["responses"]["draw_difference"]),
        shared=facts["less"]["shared"] / 1024,
        small=facts["less"]["game"],
        less=_error(facts["less"]["difference"]),
        games=float(games["games"]),
        seconds=games["seconds"],
        rate=games["games"] / games["seconds"],
        mean=games["mean"],
        compared=float(compared["games"]),
        equal=words[both["optimal"]],
        field_games=float(games["field_games"]),
        field=", ".join(f"`{name}`" for name in games["field"]),
        field_seconds=games["field_seconds"],
        field_equal=words[both[" ".join(games["field"])]],
    )


def sizes_table(facts: dict[str, Any]) -> str:
    """The table of docs/research/duel.md: the duel on 4 to 14 slots."""
    head = [
        "slots",
        "open positions",
        "matrix games",
        "mixed moves",
        f"{LEAD} points ahead",
        "`hunter` against `optimal`",
    ]
    rows = [
        [
            str(size["slots"]),
            f"{size['positions']:,}",
            f"{size['games']:,}",
            f"{size['mixed'] / size['games']:.2%}",
            f"{size['lead']:.2%}",
            f"{size['hunter']:.4%}",
        ]
        for size in facts["sizes"]
    ]
    return _table(head, rows)


def _times(sizes: list[dict[str, Any]]) -> str:
    head = ["slots", "open positions", "matrix games", "equilibrium", "table", "by simplex", "`hunter`", "one step"]
    rows = [
        [
            str(size["slots"]),
            f"{size['positions']:,}",
            f"{size['games']:,}",
            _seconds(size["seconds"]),
            f"{8 * size['positions'] / 1e6:,.1f} MB",
            f"{size['queued'] / size['games']:.2%}",
            _seconds(size["hunter_seconds"]),
            "" if size["error"] is None else _error(size["error"]),
        ]
        for size in sizes
    ]
    return _table(head, rows)


def _tables(tables: list[dict[str, Any]]) -> str:
    head = ["game", "positions", "largest difference", "gain from the start", "gain anywhere"]
    rows = [
        [
            found["game"],
            f"{found['positions']:,}",
            _error(found["difference"]) if "difference" in found else "",
            _error(found["gain_at_start"]),
            _error(found["largest_gain"]),
        ]
        for found in tables
    ]
    return _table(head, rows)


def _error(value: float) -> str:
    return f"{value:.0e}" if value > 0 else "0"


def _seconds(seconds: float) -> str:
    return f"{seconds:.2f} s" if seconds >= 1 else f"{1000 * seconds:.1f} ms"


def _table(head: list[str], rows: list[list[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def write_page() -> None:
    """Write docs/research/gpu.md."""
    PAGE.write_text(page(read_facts()), encoding="utf-8")


if __name__ == "__main__":
    write_page()
