"""Colours: each stands once, in the style sheet, and is readable."""

import re
from pathlib import Path

import pytest

import tentimes18
from tentimes18.show.colours import INK, PAPER, QUIET, TINTS, colour_of, light_root, style_sheet, tint


def luminance(colour: str) -> float:
    parts = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("free", [2, 3, 10, 50])
def test_colours_are_ordered_and_leave_text_readable(free: int) -> None:
    lights = [luminance(tint(rank, free)) for rank in range(1, free + 1)]
    assert lights == sorted(set(lights), reverse=True)
    assert all((light + 0.05) / (luminance(INK) + 0.05) >= 4.5 for light in lights)


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_text_is_readable_light_and_dark() -> None:
    light, dark = style_sheet("tokens").split("@media")
    for part in (light, dark):
        tokens = dict(re.findall(r"--([\w-]+): (#\w{6});", part))
        for ground in ("paper", "ground"):
            assert all(contrast(tokens[ink], tokens[ground]) >= 4.5 for ink in ("ink", "quiet", "accent"))
        for chip in ("good", "amber", "orange"):
            assert contrast(tokens[chip], tokens[f"{chip}-ink"]) >= 4.5


def test_dark_has_the_colours_of_light() -> None:
    light, dark = (re.findall(r"--([\w-]+): #", part) for part in style_sheet("tokens").split("@media"))
    assert set(dark) <= set(light)
    own = {name for name in light if name not in dark}
    assert all(name.startswith(("tint-", "shade-", "line-")) or name in LIGHT_ONLY for name in own)


LIGHT_ONLY = {"on-tint", "grid", "cell", "any-roll", "example"}


@pytest.mark.parametrize("name", ["report", "card", "reference"])
def test_sheets_take_their_colours_from_the_tokens(name: str) -> None:
    sheet = style_sheet(name)
    assert not re.search(r"#[0-9a-fA-F]{3,8}\b", sheet)
    assert "url(" not in sheet
    assert sheet.count("{") == sheet.count("}")


def test_no_colour_is_written_in_python() -> None:
    folder = Path(tentimes18.__file__).parent
    for path in folder.rglob("*.py"):
        if path.name != "colours.py":
            assert not re.search(r"\"#[0-9a-f]{6}\"", path.read_text(encoding="utf-8")), path


def test_the_light_colours_of_a_sheet() -> None:
    root = light_root("a { color: var(--quiet); background: var(--paper); }")
    assert root == f":root {{ color-scheme: light; --paper: {PAPER}; --quiet: {QUIET}; }}"
    assert len(TINTS) == 6
    assert tint(1, 1) == TINTS[0] == colour_of("tint-1")
    with pytest.raises(KeyError):
        colour_of("no such colour")
