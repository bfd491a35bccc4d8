"""Numerals drawn with a round pen."""

import numpy as np
import pytest

from tentimes18.envs.strokes import numeral_width, numerals


def test_numerals_differ_and_stay_inside() -> None:
    seen = set()
    for letter in "0123456789":
        covered = numerals(letter, 30.0)
        assert covered.max() == 1.0
        edges = (covered[0], covered[-1], covered[:, 0], covered[:, -1])
        assert max(float(edge.max()) for edge in edges) < 0.5
        seen.add(np.pad(covered, ((0, 0), (0, 40 - covered.shape[1]))).tobytes())
    assert len(seen) == 10


@pytest.mark.parametrize("text", ["1", "18", "−7/2", "×10"])
def test_the_width_grows_with_the_height(text: str) -> None:
    assert numeral_width(text, 20.0) == pytest.approx(2 * numeral_width(text, 10.0))


def test_what_has_no_shape_is_left_out() -> None:
    assert numeral_width("?", 10.0) == 0
    assert (numerals("1?", 10.0) == numerals("1", 10.0)).all()
