"""Colours: each is defined once, in the style sheets, and is readable in the light and the dark theme."""

import re
from collections.abc import Callable
from itertools import pairwise

import pytest

from tentimes18.pictures.colours import INK, WHITE, colour_of, dark_colour_of, style_sheet, tint, whole_tokens

Look = Callable[[str], str]

# What is written in which colour, and on what.
TEXTS = {
    "paper": ("ink", "ink-2", "felt-ink", "loss", "luck", "rival"),
    "card": ("ink", "ink-2", "felt-ink", "loss", "luck", "rival"),
    "sunk": ("ink", "ink-2"),
    "felt": ("on-felt",),
    "felt-soft": ("ink", "felt-ink"),
    "felt-lit": ("on-deep", "on-deep-2"),
    "felt-deep": ("on-deep", "on-deep-2"),
    "on-deep": ("felt-deep",),
    "loss": ("card",),
    "loss-soft": ("ink", "loss"),
    "luck-soft": ("ink", "luck"),
    "rival": ("on-rival",),
    "rival-soft": ("ink",),
    "die": ("pip",),
    "die-edge": ("pip",),
    "ink": ("paper",),
    "ink-2": ("paper",),
}
# What is drawn in which colour and carries a meaning, and on what; an empty groove is decoration.
MARKS = {
    "paper": ("felt", "loss", "luck", "rival", "edge", "ink-2", "focus"),
    "card": ("felt", "loss", "luck", "rival", "edge", "ink-2", "focus"),
    "sunk": ("felt", "loss", "rival", "ink-2"),
    "loss-soft": ("loss",),
    "felt-lit": ("brass", "on-deep-2", "die"),
    "felt-deep": ("brass", "on-deep-2", "die"),
}
LOOKS = pytest.mark.parametrize("look", [colour_of, dark_colour_of], ids=["light", "dark"])


def luminance(colour: str) -> float:
    parts = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("free", [2, 3, 10, 50])
def test_tints_are_ordered_and_leave_text_readable(free: int) -> None:
    lights = [luminance(tint(rank, free)) for rank in range(1, free + 1)]
    assert lights == sorted(set(lights), reverse=True)
    assert all(contrast(tint(rank, free), colour_of("on-tint")) >= 4.5 for rank in range(1, free + 1))


def test_shades_are_ordered_and_leave_text_readable() -> None:
    shades = [colour_of(f"shade-{step}") for step in (1, 2, 3)]
    lights = [luminance(shade) for shade in shades]
    assert lights == sorted(set(lights), reverse=True)
    assert all(contrast(shade, INK) >= 4.5 for shade in shades)


@LOOKS
@pytest.mark.parametrize(("colours", "least"), [(TEXTS, 4.5), (MARKS, 3)])
def test_texts_and_marks_have_contrast(look: Look, colours: dict[str, tuple[str, ...]], least: float) -> None:
    contrasts = {(ink, ground): contrast(look(ink), look(ground)) for ground, inks in colours.items() for ink in inks}
    assert min(contrasts.values()) >= least, contrasts


@LOOKS
def test_the_classes_of_a_loss_are_ordered_from_the_ground(look: Look) -> None:
    found = [contrast(look(name), look("card")) for name in ("loss-1", "loss-2", "loss")]
    assert found == sorted(found)
    assert all(second / first >= 1.3 for first, second in pairwise(found)), found


@pytest.mark.parametrize("line", ["felt", "luck", "loss", "rival", "line-amber", "line-pink", "line-olive", "ink-2"])
def test_lines_of_pictures_are_seen_on_white(line: str) -> None:
    assert contrast(colour_of(line), WHITE) >= 4.5, "a line's name beside it has its colour"


def test_dark_changes_what_is_light_and_nothing_else() -> None:
    light, dark = (re.findall(r"--([\w-]+): ", style_sheet(name)) for name in ("tokens", "dark"))
    assert len(set(light)) == len(light)
    assert len(set(dark)) == len(dark)
    assert set(dark) <= set(light)
    colours = set(re.findall(r"--([\w-]+): (?:#|rgb)", style_sheet("tokens")))
    assert colours - set(dark) == {
        *("brass", "pip", "white", "on-tint", "shade-1", "shade-2", "shade-3", "line-amber", "line-pink"),
        *("line-olive", *(f"tint-{number}" for number in range(1, 7))),
    }


def test_dice_stay_ivory() -> None:
    assert all(luminance(look("die")) > 0.85 and luminance(look("pip")) < 0.05 for look in (colour_of, dark_colour_of))


def test_dark_is_plain_rules_that_a_page_or_a_query_can_hold() -> None:
    assert "@media" not in style_sheet("tokens") + style_sheet("dark")
    before, _, inside = whole_tokens().partition("@media screen and (prefers-color-scheme: dark) {")
    assert before == style_sheet("tokens")
    assert inside.strip() == style_sheet("dark") + "}"


def test_the_reference_takes_its_colours_from_the_tokens() -> None:
    sheet, tokens = style_sheet("reference"), style_sheet("tokens")
    assert all(f"--{used}: " in tokens for used in re.findall(r"var\(--([\w-]+)\)", sheet))
    assert not re.search(r"#[0-9a-fA-F]{3,8}\b|\brgb", sheet)
    assert "url(" not in sheet
    assert sheet.count("{") == sheet.count("}")
