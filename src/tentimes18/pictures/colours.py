"""The colours of pictures and the card, read from the style sheets that have them: tokens.css, dark.css."""

import re
from importlib.resources import files


def style_sheet(name: str) -> str:
    """The text of the style sheet `tokens`, `dark` or `reference`."""
    return files("tentimes18.app").joinpath("style", f"{name}.css").read_text(encoding="utf-8")


def whole_tokens() -> str:
    """The tokens for a style sheet without others: light, and dark where the reader prefers that."""
    return f"{style_sheet('tokens')}@media screen and (prefers-color-scheme: dark) {{\n{style_sheet('dark')}}}\n"


def _tokens(name: str) -> dict[str, str]:
    return dict(re.findall(r"--([\w-]+): ([^;]+);", style_sheet(name)))


_LIGHT = _tokens("tokens")
_DARK = _LIGHT | _tokens("dark")


def colour_of(name: str) -> str:
    return _LIGHT[name]


def dark_colour_of(name: str) -> str:
    return _DARK[name]


FELT = colour_of("felt")
INK = colour_of("ink")
LINE = colour_of("line")
LOSS = colour_of("loss")
LUCK = colour_of("luck")
QUIET = colour_of("ink-2")
RIVAL = colour_of("rival")
SUNK = colour_of("sunk")
WHITE = colour_of("white")
TINTS = tuple(text for name, text in _LIGHT.items() if name.startswith("tint-"))
"""From low slots to high ones."""


def tint(rank: int, free: int) -> str:
    """The colour of a rank among the free slots, as in CSS: straw for low slots, felt for high ones."""
    place = (rank - 1) / (free - 1) * (len(TINTS) - 1) if free > 1 else 0.0
    lower = min(int(place), len(TINTS) - 2)
    ends = (bytes.fromhex(text[1:]) for text in TINTS[lower : lower + 2])
    mixed = (round(low + (place - lower) * (high - low)) for low, high in zip(*ends, strict=True))
    return "#" + "".join(f"{part:02x}" for part in mixed)
