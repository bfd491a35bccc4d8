"""The game as a Markov decision process in the PRISM language, for model checkers such as PRISM and Storm.

A state is the set of free slots and the roll on the table, if there is one. In turn the dice are rolled, and the roll x
goes into one of the free slots, which pays λ_i x: the greatest expected sum of these rewards until no slot is free,
``R{"points"}max=? [ F "done" ]``, is the value of the game. With n slots and s rolls there are

    2^n + (2^n - 1) s states   and   (2^n - 1) s + n 2^(n-1) s + 1 transitions:

every set of free slots without a roll, every non-empty one with each roll; s ways to roll, one way to place a roll for
each free slot, and a loop at the end.

Rewards must not be negative, which λ_i x may be. To shift the dice alone is no remedy: where λ_i < 0 it makes things
worse. But every play fills every slot exactly once, so a constant c_i on top of what slot i pays adds Σ c_i to every
score, and changes no choice. The linear function λ_i x is least at one end of x_min <= x <= x_max, so that

    λ_i x + c_i >= 0   with   c_i = -min(0, λ_i x_min, λ_i x_max),   expected score = answer - Σ c_i.

Where no points are negative, as in the classic game, every c_i is 0, and the answer is the expected score itself.
"""

from decimal import Context, Decimal
from fractions import Fraction

from tentimes18.errors import TooLarge
from tentimes18.game import Game, Number
from tentimes18.solve.thresholds import exact_thresholds

PROPERTY = 'R{"points"}max=? [ F "done" ]'

MAX_STATES = 20_000_000  # 20 slots with 3d6: 190 million transitions, which Storm stores in about 16 GB
MAX_INT = 2**31 - 1  # of PRISM's integers
MAX_TOTAL = 10**300  # numbers above MAX_INT are read as float64
DIGITS = 20
A_LINE = 6  # of the ways to roll


def prism_model(game: Game) -> str:
    """The text of the model; its header says which property to check, and what the answer must be."""
    _verify_size(game)
    dice, slots = game.dice, range(1, game.size + 1)
    low, high = dice.support[0], dice.support[-1]
    extra = [-min(0, multiplier * low, multiplier * high) for multiplier in game.multipliers]
    free = " | ".join(f"free{slot}" for slot in slots)
    ways = [f"{_over(count, dice.total)}:(x'={roll})" for roll, count in zip(dice.support, dice.counts, strict=True)]
    ways_by_line = [" + ".join(ways[first : first + A_LINE]) for first in range(0, len(ways), A_LINE)]
    points = [
        _points(multiplier, constant, max(abs(low), abs(high)))
        for multiplier, constant in zip(game.multipliers, extra, strict=True)
    ]
    lines = [
        *_header(game, sum(extra)),
        "mdp",
        "",
        f"const int none = {low - 1};  // no roll to place",
        "",
        "module game",
        *(f"  free{slot} : bool init true;" for slot in slots),
        f"  x : [none..{high}] init none;",
        "",
        f"  [roll] x=none & ({free}) ->",
        "    " + " +\n    ".join(ways_by_line) + ";",
        "",
        *(f"  [slot{slot}] x!=none & free{slot} -> (free{slot}'=false) & (x'=none);" for slot in slots),
        "",
        f"  [end] !({free}) -> true;",
        "endmodule",
        "",
        f'label "done" = !({free});',
        "",
        'rewards "points"',
        *(f"  [slot{slot}] true : {reward};" for slot, reward in zip(slots, points, strict=True)),
        "endrewards",
    ]
    return "\n".join(lines)


def _verify_size(game: Game) -> None:
    support, total = game.dice.support, game.dice.total
    if game.size >= MAX_STATES.bit_length() or _sizes(game)[0] > MAX_STATES:
        raise TooLarge(
            f"the decision process of {game.size} slots and {len(support)} rolls has about {len(support)} * "
            f"2^{game.size} states, at most {MAX_STATES:,} are sensible: use fewer slots",
            field="slots",
        )
    if max(-support[0], support[-1]) >= MAX_INT:
        raise TooLarge(f"{game.dice} shows numbers beyond the integers of PRISM, which end at {MAX_INT}", field="dice")
    if total > MAX_TOTAL:
        raise TooLarge(
            f"the chances of {game.dice} have {len(str(total))} digits, at most 300: use fewer dice", field="dice"
        )


def _sizes(game: Game) -> tuple[int, int]:
    sets, rolls = 1 << game.size, len(game.dice.support)
    rolling, placing = (sets - 1) * rolls, game.size * sets // 2 * rolls
    return sets + rolling, rolling + placing + 1


def _header(game: Game, constant: Number) -> list[str]:
    expected = exact_thresholds(game.dice, game.size)[-1].value(game.multipliers)
    states, transitions = _sizes(game)
    shift = f": the answer - {constant}" if constant else ""
    lines = [
        f"Ten times eighteen as a Markov decision process: dice {game.dice}, slots {game.slots}.",
        "The dice show x, x goes into a free slot, and the slot pays its multiplier times x, until no slot is free.",
        "",
        f"check     {PROPERTY}",
        f"answer    {_decimal(expected + constant)}",
        f"expected  {_decimal(expected)}, the expected score of the best play{shift}",
        f"size      {states:,} states, {transitions:,} transitions",
    ]
    if constant:
        why = "Rewards must not be negative: here a slot pays a constant more"
        lines += ["", f"{why}, in all {constant}, so that its worst roll pays 0."]
    return [*(f"// {line}".rstrip() for line in lines), ""]


def _points(multiplier: Number, constant: Number, largest: int) -> str:
    """λ_i x + c_i, in floating point where the integers of PRISM might overflow."""
    wide = abs(Fraction(multiplier)) * largest + constant > MAX_INT
    text = f"{_constant(multiplier, wide)}*x"
    return f"{text} + {_constant(constant, wide)}" if constant else text


def _constant(value: Number, wide: bool) -> str:
    return _over(value.numerator, value.denominator) if value.denominator > 1 else f"{value}.0" if wide else str(value)


def _over(numerator: int, denominator: int) -> str:
    """A fraction: its division is never one of integers in PRISM, and exact where the checker computes exactly."""
    return "/".join(f"{part}.0" if abs(part) > MAX_INT else str(part) for part in (numerator, denominator))


def _decimal(value: Fraction) -> Decimal:
    return Context(prec=DIGITS).divide(Decimal(value.numerator), Decimal(value.denominator))
