"""The colours of pictures, the card and the report, read from the one style sheet that has them: style/tokens.css."""

import re
from importlib.resources import files
from typing import Final

__all__ = [
    "ACCENT",
    "BLUE",
    "GREEN",
    "GRID",
    "INK",
    "PAPER",
    "QUIET",
    "TINTS",
    "colour_of",
    "light_root",
    "style_sheet",
    "tint",
]


def style_sheet(name: str) -> str:
    """The text of a style sheet of ours: `tokens`, `report`, `card` or `reference`.

    >>> ":root" in style_sheet("tokens")
    True
    """
    return files("tentimes18.show").joinpath("style", f"{name}.css").read_text(encoding="utf-8")


_LIGHT: Final[dict[str, str]] = dict(re.findall(r"--([\w-]+): ([^;]+);", style_sheet("tokens").partition("@media")[0]))


def colour_of(name: str) -> str:
    """A colour by its name in the style sheet, as it is on white paper.

    >>> colour_of("ink"), colour_of("accent")
    ('#1a1a1a', '#b3411e')
    """
    return _LIGHT[name]


def light_root(sheet: str) -> str:
    """The rule that gives a style sheet the light colours that it uses, and no others.

    >>> light_root("p { color: var(--ink); margin: var(--gap); }")
    ':root { color-scheme: light; --ink: #1a1a1a; }'
    """
    used = [name for name in _LIGHT if f"var(--{name})" in sheet]
    return f":root {{ color-scheme: light; {' '.join(f'--{name}: {_LIGHT[name]};' for name in used)} }}"


ACCENT: Final = colour_of("accent")
BLUE: Final = colour_of("blue")
GREEN: Final = colour_of("green")
GRID: Final = colour_of("grid")
INK: Final = colour_of("ink")
PAPER: Final = colour_of("paper")
QUIET: Final = colour_of("quiet")
TINTS: Final = tuple(text for name, text in _LIGHT.items() if name.startswith("tint-"))
"""From low slots to high ones."""


def tint(rank: int, free: int) -> str:
    """The colour of a rank among the free slots, as in CSS: cool for low slots, warm for high ones.

    >>> tint(1, 10), tint(10, 10)
    ('#dff4ff', '#ed8e4f')
    """
    place = (rank - 1) / (free - 1) * (len(TINTS) - 1) if free > 1 else 0.0
    lower = min(int(place), len(TINTS) - 2)
    ends = (bytes.fromhex(text[1:]) for text in TINTS[lower : lower + 2])
    mixed = (round(low + (place - lower) * (high - low)) for low, high in zip(*ends, strict=True))
    return "#" + "".join(f"{part:02x}" for part in mixed)
