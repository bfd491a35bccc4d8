"""Boxes and numerals on a picture."""

import numpy as np
import pytest

from tentimes18.envs.shapes import colour_levels, draw_box, draw_text


def blank() -> np.ndarray[tuple[int, int, int], np.dtype[np.float64]]:
    return np.full((40, 60, 3), 255.0)


def test_a_box_covers_what_it_should_to_a_part_of_a_pixel() -> None:
    picture = blank()
    draw_box(picture, 10.25, 5.0, 20.5, 10.0, 0, "ink")
    covered = (255.0 - picture[:, :, 0]) / (255.0 - colour_levels("ink")[0])
    assert covered.sum() == pytest.approx(20.5 * 10, rel=0.02)
    assert covered[10, 20] == 1
    assert covered[10, 10] == pytest.approx(0.75)
    assert covered[:5].max() == covered[:, 32:].max() == 0
    rounded = blank()
    draw_box(rounded, 10.0, 5.0, 20.0, 10.0, 5, "ink")
    assert rounded[5, 10, 0] > rounded[10, 10, 0]


def test_a_text_has_its_middle_there_and_is_no_wider_than_allowed() -> None:
    picture = blank()
    draw_text(picture, "88", 30.0, 20.0, 24.0, "loss", 12.0)
    columns = np.flatnonzero((picture < 255).any(axis=(0, 2)))
    assert columns[-1] - columns[0] <= 16
    assert abs((columns[-1] + columns[0]) / 2 - 29.5) <= 1
