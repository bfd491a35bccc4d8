"""Do players of a duel ever need chance while their boards and scores are equal? A search through many games.

`python -m tools.mirror_positions` solves these games and writes the section in docs/research/duel.md.
"""

from random import Random

from tentimes18.duel.equilibrium import Equilibrium, solve_equilibrium
from tentimes18.game import Game, slots_of
from tools.console import ROOT

PAGE = ROOT / "docs" / "research" / "duel.md"
RANDOM_GAMES = 3000
SEED = 18
NEAR = 1e-9
TITLE = "## Equal boards, equal scores"


def section() -> str:
    """Solve the games and say what they show."""
    named = [Game.parse(dice, f"1-{n}") for dice in ("1d2", "1d6", "2d6", "3d6") for n in range(2, 9)]
    named += [Game.parse("3d6", "1-9"), Game.classic()]
    generator = Random(SEED)
    counts = [0, 0]
    for number, game in enumerate([*named, *(random_game(generator) for _ in range(RANDOM_GAMES))]):
        count, shortfall = mirror_shortfall(solve_equilibrium(game))
        counts[number >= len(named)] += count
        if shortfall > NEAR:
            raise ValueError(f"mixed moves are needed in {game}: the text says that they are not")
    return f"""{TITLE}

While both players have the same free slots and the same score, the matrix game of a roll is symmetric. Does it always
have a pure solution? `python -m tools.mirror_positions` looks at all such positions of {len(named)} games on the slots
1 to n (1d2, 1d6, 2d6 and 3d6, up to the classic game) and finds {counts[0]:,} matrix games. {RANDOM_GAMES:,} random
games have {counts[1]:,} more; they have 2 to 6 different rolls of any probabilities, and 2 to 5 slots of any
multipliers. **None of them needs a mixed move**: in each, a pure move secures 1/2, to within {NEAR:.0e} in float64. We
conjecture that this is always so. It explains why two players of our equilibrium never meet a mixed move.

"""


def mirror_shortfall(table: Equilibrium) -> tuple[int, float]:
    """The number of matrix games on equal boards with equal scores, and by how much pure moves miss 1/2 at most.

    Such a game is symmetric, so its value is 1/2.
    """
    count, largest = 0, 0.0
    for free in range(1, table.game.all_free + 1):
        slots = [slot - 1 for slot in slots_of(free)]
        for shifts in table.windows.shifts.T.tolist():
            secured = 0.0
            for i in slots:
                others = (table.read(free ^ 1 << i, free ^ 1 << j, shifts[i] - shifts[j]) for j in slots if j != i)
                secured = max(secured, min(others, default=0.5))
            count += 1
            largest = max(largest, 0.5 - secured)
    return count, largest


def random_game(generator: Random) -> Game:
    """Rolls, their weights and the multipliers at random."""
    slots = generator.choice([2, 3, 3, 4, 4, 5])
    rolls = generator.sample(range(-5, generator.choice([8, 20, 60])), generator.randint(2, 6 if slots < 5 else 4))
    most = generator.choice([1, 3, 30])
    weights = ",".join(f"{roll}={generator.randint(1, most)}" for roll in rolls)
    multipliers = generator.sample(range(1, generator.choice([8, 15, 40])), slots)
    return Game.parse(f"d{{{','.join(map(str, rolls))}}}:{weights}", ",".join(map(str, multipliers)))


def main() -> None:
    """Write the section."""
    text = PAGE.read_text(encoding="utf-8")
    before, _, after = text.partition(TITLE)
    PAGE.write_text(before + section() + after[after.index("## ") :], encoding="utf-8")


if __name__ == "__main__":
    main()
