"""docs/gpu.md, and the table of sizes in docs/duel.md, from what `make gpu` has found (gpu_facts.json)."""

import json
from pathlib import Path
from typing import Any, Final

__all__ = ["FACTS", "LEAD", "PAGE", "page", "read_facts", "sizes_table", "write_page"]

LEAD: Final = 10  # points
FACTS: Final = Path(__file__).with_name("gpu_facts.json")
PAGE: Final = Path(__file__).resolve().parents[1] / "docs" / "gpu.md"
TEXT: Final = """# With a GPU

The equilibrium of the duel, the chances against a rule, and many games can be computed on an NVIDIA GPU: the same
tables in the same order, so that they are kept, read and certified by the same code, and the same counts to the
bit.

    pip install 'tentimes18[gpu]'
    ten18 duel equilibrium --device cuda
    ten18 duel response --device cuda
    ten18 simulate --games 1e10 --device cuda
    ten18 tournament --device cuda

In Python it is `device="cuda"`: `solve_equilibrium(game, device="cuda")`, `best_response(game, rule, device="cuda")`,
`play_games(run, games, device="cuda")`. The processor stays what is used where nobody says otherwise. Without the
extra or a GPU, one line says which of them is missing. The extra is CuPy with CUDA's compiler; it is not in
requirements.lock, since it takes some hundred megabytes that only a machine with a GPU can use. The kernels are
text in `src/tentimes18/gpu/`; they are compiled when they are first used, a second or two for each number
of free slots, and CuPy keeps what comes out.

## What was found

Written by `make gpu` on {date}: {gpu} with {memory:.0f} GB, CUDA {cuda}, CuPy {cupy}, {processors} processors.
Times are warm, the best of several runs, and all that a call does is in them: finding which leads are open, memory,
the layers, and waiting for the last; the table stays on the GPU.

{times}

"By simplex" is the share of matrix games that two moves a side do not solve. The last column: how far stored values
are from one step of the recursion, which the processor solves anew, at {samples:,} positions of every number of
free slots, or all of them where there are fewer.

Whole tables, certified by the processor: what no response to the table's moves gains more than, from the start and
anywhere. Up to 10 slots they are compared with those of the processor as well.

{tables}

The chances of `hunter` on the classic game differ by {response} at most, those of a draw by
{response_draw}. The same table, made as if a block of threads could share {shared:.0f} kB only ({small}):
{less} apart.

{games:.0e} games of `optimal`: {seconds:.3f} s, {rate:.2e} games a second, mean {mean:.4f}. Of {compared:.0e} games
the histogram is that of the processor: {equal}. {field_games:.0e} games of {field} on the same rolls:
{field_seconds:.3f} s; of a tenth of them all counts (scores, wins, draws, first places) are those of the processor:
{field_equal}.

## How it is done

- A block of threads takes a pair of free sets. It copies what the k² smaller pairs hold for a tile of leads into
  memory of its own; from there the matrix games of all these leads and rolls are read.
- Best replies to best replies find nearly all saddle points with about 3k of the k² entries. The games that are
  left are gathered; a mix of two rows against all columns and of two columns against all rows, in turn, solves most
  of them. The rest goes through a queue to the simplex method, a thread a game. Every value is the middle of proven
  bounds.
- The tiles follow the GPU: what a block and a multiprocessor can share. Where the windows of all rolls are too
  wide, the rolls are cut into several tiles, so any dice and any multipliers work.
- Before anything starts, a plan says what the table takes of the GPU's memory; what does not fit is refused with a
  size that does.
- `make test` compiles the same text as C++ where there is a compiler, and compares small games of many kinds with
  the processor's solver, through the same Python code.

On a GPU are played: the rules (`optimal`, `nearest`, `bands`, `greedy`) on up to 16 slots, `random`, `hindsight`,
and what plays for a target or another objective. `hunter`, `equilibrium` and code of your own play on the
processor. A duel on a GPU has at most 16 slots.
"""


def read_facts() -> dict[str, Any]:
    """What `make gpu` has found."""
    facts: dict[str, Any] = json.loads(FACTS.read_text(encoding="utf-8"))
    return facts


def page(facts: dict[str, Any]) -> str:
    """The text of docs/gpu.md."""
    machine, games, compared = facts["machine"], facts["games"], facts["compared_games"]
    both = {name: found["equal"] for name, found in compared.items() if isinstance(found, dict)}
    told = {True: "yes", False: "no"}
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
        equal=told[both["optimal"]],
        field_games=float(games["field_games"]),
        field=", ".join(f"`{name}`" for name in games["field"]),
        field_seconds=games["field_seconds"],
        field_equal=told[both[" ".join(games["field"])]],
    )


def sizes_table(facts: dict[str, Any]) -> str:
    """The table of docs/duel.md: the duel on 4 to 14 slots."""
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
    """Write docs/gpu.md."""
    PAGE.write_text(page(read_facts()), encoding="utf-8")


if __name__ == "__main__":
    write_page()
