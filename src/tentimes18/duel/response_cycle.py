"""A beats B, B beats C, C beats A: an exact proof in a small game.

The rule of a duel sees both boards: a slot for (my free set, the opponent's, my lead, roll). The exact result of two
rules, and the exact best response to one, are sums over positions in integers; no floats, so for a few slots only.
Start with `optimal`; its best response beats it; the best response to that beats it in turn, and so on. As soon as an
earlier rule beats a later one, the cycle is closed.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from tentimes18.duel.lead_windows import open_positions
from tentimes18.game import Game, Number, slots_of
from tentimes18.limits import check_size
from tentimes18.solve.parallel import Progress
from tentimes18.solve.thresholds import optimal_rule

DuelRule = Callable[[int, int, Number, int], int]
"""A slot for (my free set, the opponent's free set, my lead, roll)."""

MAX_RESPONSES = 6
USUAL_RESPONSES = 3
POSITIONS_PER_REPORT = 100
BYTES_PER_POSITION = 1500.0
BYTES_PER_ROLL = 300.0
OPERATIONS_PER_MOVE = 2e4  # in fractions


@dataclass(frozen=True, slots=True)
class ExactOutcome:
    win: Fraction
    draw: Fraction
    loss: Fraction


@dataclass(frozen=True, slots=True)
class Cycle:
    """Names of rules, each of which beats the next one and the last one the first, with the results."""

    names: tuple[str, ...]
    results: tuple[ExactOutcome, ...]


def result(game: Game, mine: DuelRule, theirs: DuelRule) -> ExactOutcome:
    """The exact chances of one rule against another on the same rolls."""
    total = game.dice.total

    @cache
    def counts(free: int, opponent_free: int, lead: Number) -> tuple[int, int, int]:
        if not free:
            return (int(lead > 0), int(lead == 0), int(lead < 0))
        sums = [0, 0, 0]
        for x, count in zip(game.dice.support, game.dice.counts, strict=True):
            i, j = mine(free, opponent_free, lead, x), theirs(opponent_free, free, -lead, x)
            after = counts(*_moved(game, free, opponent_free, lead, x, i, j))
            sums = [old + count * new for old, new in zip(sums, after, strict=True)]
        return sums[0], sums[1], sums[2]

    win, draw, loss = (Fraction(c, total**game.size) for c in counts(game.all_free, game.all_free, 0))
    return ExactOutcome(win, draw, loss)


def exact_response(game: Game, theirs: DuelRule, tell: Callable[[], None] = lambda: None) -> DuelRule:
    """The exact best response to a rule; ``tell`` is called for every position. Of equally good slots the smaller."""

    @cache
    def equity(free: int, opponent_free: int, lead: Number) -> int:
        """Twice the equity, over total^k."""
        if not free:
            return 2 if lead > 0 else 1 if lead == 0 else 0
        tell()
        return sum(
            count * max(values(free, opponent_free, lead, x).values())
            for x, count in zip(game.dice.support, game.dice.counts, strict=True)
        )

    def values(free: int, opponent_free: int, lead: Number, x: int) -> dict[int, int]:
        j = theirs(opponent_free, free, -lead, x)
        return {i: equity(*_moved(game, free, opponent_free, lead, x, i, j)) for i in slots_of(free)}

    @cache
    def choose(free: int, opponent_free: int, lead: Number, roll: int) -> int:
        equities = values(free, opponent_free, lead, roll)
        return max(equities, key=lambda slot: (equities[slot], -slot))

    return choose


def find_cycle(game: Game, progress: Progress | None = None) -> Cycle | None:
    """Best responses to best responses, from `optimal` on, until an earlier rule beats a later one."""
    positions, rolls = open_positions(game), len(game.dice.support)
    moves = rolls * sum(float(max(1, k)) * count for k, count in enumerate(positions))
    check_size(
        f"the cycle of exact best responses on {game.size:,} slots",
        bytes=BYTES_PER_POSITION * sum(positions) + BYTES_PER_ROLL * rolls * sum(positions),
        operations=OPERATIONS_PER_MOVE * moves,
    )
    optimal = optimal_rule(game)
    rules: list[DuelRule] = [lambda free, _opponent_free, _lead, roll: optimal(free, roll)]
    names = ["optimal"]
    done = 0

    def tell() -> None:
        nonlocal done
        done += 1
        if progress and done % POSITIONS_PER_REPORT == 0:
            progress(done, max(int(USUAL_RESPONSES * sum(positions)), done + 1))

    @cache
    def outcome(a: int, b: int) -> ExactOutcome:
        return result(game, rules[a], rules[b])

    for step in range(1, MAX_RESPONSES + 1):
        rules.append(exact_response(game, rules[-1], tell))
        names.append(f"response {step}" if step > 1 else "hunter")
        for first in range(len(rules) - 2):
            # Later rules beat the ones before them; the cycle closes where the first beats the last.
            order = [first, *range(len(rules) - 1, first, -1)]
            results = [outcome(a, b) for a, b in zip(order, order[1:] + order[:1], strict=True)]
            if all(r.win > r.loss for r in results):
                return Cycle(tuple(names[a] for a in order), tuple(results))
    return None


def _moved(game: Game, free: int, opponent_free: int, lead: Number, x: int, i: int, j: int) -> tuple[int, int, Number]:
    gain = (game.multipliers[i - 1] - game.multipliers[j - 1]) * x
    return free ^ (1 << (i - 1)), opponent_free ^ (1 << (j - 1)), lead + gain
