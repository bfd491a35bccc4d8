"""Claim: a hundred thousand played games are read and measured move by move in five seconds."""

import json
import subprocess
import sys
from bisect import insort
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.harness import Claim, Section, Table, best_of, seconds
from tentimes18.coach.review import review
from tentimes18.coach.summary import measure, summarise
from tentimes18.game import Game
from tentimes18.records.formats import Line, read_records
from tentimes18.solve.float_thresholds import thresholds

GAMES = 100_000
GOAL = 5.0
FASTER = 2  # times faster than the plain loop, at least
SAMPLE = 300  # games measured in fractions
PLAIN_SAMPLE = 10_000
NUMBERS = (1_000, 10_000, GAMES)
MAX_DIFFERENCE = 1e-10  # points
TEN18 = str(Path(sys.prefix) / "bin" / "ten18")


def run() -> Section:
    with TemporaryDirectory() as folder:
        file = Path(folder) / "games.ndjson"
        save = ["simulate", "--strategy", "random", "--games", str(GAMES), "--save", str(file)]
        subprocess.run([TEN18, *save], check=True, capture_output=True)
        lines = file.read_text().splitlines()
        files = {number: file.with_name(f"{number}.ndjson") for number in NUMBERS}
        for number, path in files.items():
            path.write_text("\n".join(lines[:number]))
        whole = {number: best_of(partial(_command, path))[0] for number, path in files.items()}
    records = [line.record for line in read_records(lines) if isinstance(line, Line)]
    reading, _ = best_of(lambda: list(read_records(lines)))
    measuring, _ = best_of(lambda: summarise(records))
    decoding, _ = best_of(lambda: [json.loads(line) for line in lines])
    plain, plain_losses = best_of(lambda: _plain_losses(lines[:PLAIN_SAMPLE]))
    exact, reviews = best_of(lambda: [review(record) for record in records[:SAMPLE]])
    losses = measure(records[:PLAIN_SAMPLE]).losses.sum(axis=1).tolist()
    differences = [
        *(abs(float(found.loss) - loss) for found, loss in zip(reviews, losses, strict=False)),
        *(abs(other - loss) for other, loss in zip(plain_losses, losses, strict=True)),
    ]
    by_plain, by_exact = plain * GAMES / PLAIN_SAMPLE, exact * GAMES / SAMPLE
    peers = (
        f"a plain loop in float64: {seconds(by_plain)} (from {PLAIN_SAMPLE:,} games); "
        f"the exact review in fractions: {seconds(by_exact)} (from {SAMPLE} games)"
    )
    limit = f"decoding the JSON alone: {seconds(decoding)}"
    return Section(
        "Review",
        f"`ten18 review` on {GAMES:,} games of `random`, 3d6 with multipliers 1 to 10, as `ten18 simulate --save` "
        "writes them: from the start of the process to the summary, with what `optimal` and hindsight make of the same "
        "rolls. The plain loop reads the same lines and tries every free slot for every roll, as one would write it "
        "at first; the exact review gives fractions. Both are measured on fewer games, and their times multiplied.",
        [
            Claim(f"{GAMES:,} games, whole process", GOAL, whole[GAMES], limit, peers),
            Claim(
                f"{FASTER} times faster than the plain loop",
                by_plain / FASTER,
                reading + measuring,
                limit,
                f"{by_plain / (reading + measuring):.1f} times ours",
            ),
            Claim(
                "largest difference of a game's loss, in points",
                MAX_DIFFERENCE,
                max(differences),
                "rounding of float64",
                "the exact review, and the plain loop",
                "{:.1e}".format,
            ),
        ],
        [
            Table(
                ("part", "all games", "per game"),
                [
                    [name, seconds(took), seconds(took / GAMES)]
                    for name, took in (
                        ("reading, line by line", reading),
                        ("`json.loads` line by line, and nothing else", decoding),
                        ("measuring and adding up", measuring),
                    )
                ],
            ),
            Table(("games", "whole process"), [[f"{number:,}", seconds(took)] for number, took in whole.items()]),
        ],
    )


def _command(file: Path) -> None:
    subprocess.run([TEN18, "review", str(file), "--json"], check=True, stdout=subprocess.DEVNULL)


def _plain_losses(lines: Iterable[str]) -> list[float]:
    """What the moves of each game lost: every free slot is tried, and the best taken."""
    game = Game.classic()
    rows = [[], *(row.tolist() for row in thresholds(game.dice, game.size))]
    losses = []
    for line in lines:
        free = [int(multiplier) for multiplier in game.multipliers]
        lost = 0.0
        for move in json.loads(line)["moves"].split():
            roll, slot = map(int, move.split("@"))
            worths = {}
            for multiplier in list(free):
                free.remove(multiplier)
                worths[multiplier] = multiplier * roll + sum(m * e for m, e in zip(free, rows[len(free)], strict=True))
                insort(free, multiplier)
            lost += max(worths.values()) - worths[slot]
            free.remove(slot)
        losses.append(lost)
    return losses
