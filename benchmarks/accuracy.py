"""Claim: the thresholds in float64 lose less than a quarter of a rounding unit per row against the exact ones."""

from benchmarks.harness import Claim, Section, Table
from tentimes18.dice import Dice
from tentimes18.solve.float_thresholds import thresholds
from tentimes18.solve.thresholds import exact_thresholds

DICE = ("3d6", "2d12:12=2", "1d6-3", "100d6")
SIZES = (10, 50, 100, 200)


def run() -> Section:
    errors = {dice: _errors(Dice.parse(dice), max(SIZES)) for dice in DICE}
    worst = {dice: [max(errors[dice][:n]) for n in SIZES] for dice in DICE}
    claims = [
        Claim(
            f"largest error, up to {n} slots",
            n / 4,
            max(worst[dice][k] for dice in DICE),
            "0.5 units for a number rounded once",
            show=lambda units: f"{units:.3g} units",
        )
        for k, n in enumerate(SIZES)
    ]
    rows = [[f"`{dice}`", *(f"{units:.2f}" for units in worst[dice])] for dice in DICE]
    return Section(
        "Accuracy",
        "The largest absolute error of all E_j[i] in float64 against the exact fractions, in units of 2⁻⁵² times the "
        "largest |roll|. A row is an average of the row before, so that errors are never enlarged: at worst they add "
        "up, row by row.",
        claims,
        [Table(("dice", *(f"{n} slots" for n in SIZES)), rows)],
    )


def _errors(dice: Dice, n: int) -> list[float]:
    """The largest error of each row, in units; the differences are exact, and rounded once."""
    unit = max(-dice.support[0], dice.support[-1]) * 2.0**-52
    errors = []
    for row, exact in zip(thresholds(dice, n), exact_thresholds(dice, n), strict=True):
        worst = 0.0
        for threshold, numerator in zip(row.tolist(), exact.numerators, strict=True):
            ours, scale = threshold.as_integer_ratio()
            worst = max(worst, abs(ours * exact.denominator - numerator * scale) / (scale * exact.denominator))
        errors.append(worst / unit)
    return errors
