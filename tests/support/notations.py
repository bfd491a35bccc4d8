"""Dice as text for hypothesis, each with its distribution by enumeration."""

from collections.abc import Mapping
from fractions import Fraction
from typing import NamedTuple

from hypothesis import strategies as st

from tests.oracle.dice import pool_law, sum_of

MOST_WAYS = 3_000  # that the dice of one term can show


class Written(NamedTuple):
    """A notation, and what it means."""

    text: str
    law: dict[int, Fraction]


def normalised(law: Mapping[int, int | Fraction]) -> dict[int, Fraction]:
    total = sum(law.values())
    return {roll: Fraction(weight) / total for roll, weight in law.items()}


@st.composite
def _faces(draw: st.DrawFn) -> tuple[str, dict[int, int]]:
    """The part after the d, and the weights that it means."""
    kind = draw(st.sampled_from(["sides", "faces", "weights"]))
    if kind == "sides":
        sides = draw(st.integers(1, 6))
        text, one = str(sides), dict.fromkeys(range(1, sides + 1), 1)
    else:
        listed = draw(st.lists(st.tuples(st.integers(-9, 9), st.integers(1, 5)), min_size=1, max_size=4))
        one = {}
        for face, weight in listed:
            one[face] = one.get(face, 0) + (weight if kind == "weights" else 1)
        texts = [f"{face}:{weight}" if kind == "weights" else str(face) for face, weight in listed]
        text = "{" + ",".join(texts) + "}"
    loaded = draw(st.lists(st.sampled_from(sorted(one)), unique=True, max_size=2))
    loads = {face: draw(st.integers(1, 12)) for face in loaded}
    for face, weight in loads.items():
        one[face] *= weight
    return text + (":" + ",".join(f"{face}={weight}" for face, weight in loads.items()) if loads else ""), one


@st.composite
def _pools(draw: st.DrawFn) -> Written:
    faces, one = draw(_faces())
    explosions = draw(st.sampled_from([0, 0, 1, 2, 3]))
    ways = (len(one) - 1) * (explosions + 1) + 1
    most = next(count for count in (4, 3, 2, 1) if ways**count <= MOST_WAYS or count == 1)
    count = draw(st.integers(1, most))
    text = (str(count) if count > 1 or draw(st.booleans()) else "") + f"d{faces}"
    if explosions:
        text += "!" if explosions == 3 and draw(st.booleans()) else f"!x{explosions}"
    kept, highest = count, True
    if draw(st.booleans()):
        kept, highest = draw(st.integers(1, count)), draw(st.booleans())
        dropped = count - kept
        text += draw(
            st.sampled_from(
                [f"k{'hl'[not highest]}{kept}"]
                + ([f"d{'lh'[not highest]}{dropped}"] if dropped else [])
                + ([f"k{'hl'[not highest]}"] if kept == 1 else [])
            )
        )
    factor = draw(st.sampled_from([1, 1, 2, 3, 7]))
    text += f"*{factor}" if factor > 1 else ""
    return Written(text, pool_law(normalised(one), count, explosions, kept, highest=highest, factor=factor))


@st.composite
def notations(draw: st.DrawFn, max_terms: int = 3) -> Written:
    text, law = "", {0: Fraction(1)}
    for _ in range(draw(st.integers(1, max_terms))):
        sign = draw(st.sampled_from("+-"))
        term = draw(_pools() | st.integers(0, 30).map(lambda number: Written(str(number), {number: Fraction(1)})))
        text += sign + term.text
        law = sum_of(law, {roll if sign == "+" else -roll: chance for roll, chance in term.law.items()})
    return Written(text.removeprefix("+") if draw(st.booleans()) else text, law)
