"""The four pictures of the threshold theorem in docs/teach, in English and German, with numbers from the solver.

`python -m tools.teach_pictures` writes docs/teach/pictures.
"""

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

from tentimes18 import Dice, exact_thresholds
from tentimes18.pictures.colours import colour_of
from tools.console import ROOT

FOLDER = ROOT / "docs" / "teach" / "pictures"
WIDTH, HEIGHT = 640, 200
LEFT, STEP = 70, 100  # where the roll 1 is, and how far it is to the next roll
TINTS = ("tint-1", "tint-3", "tint-5")
WORDS = {
    "": {
        "low": "lower slot",
        "high": "higher slot",
        "slots": ("lowest slot", "middle slot", "highest slot"),
        "on": "expects",
    },
    "-de": {
        "low": "unteres Feld",
        "high": "oberes Feld",
        "slots": ("unterstes Feld", "mittleres Feld", "oberstes Feld"),
        "on": "erwartet",
    },
}


def shown(number: Fraction, language: str) -> str:
    text = f"{float(number):g}"
    return text.replace(".", ",") if language else text


def text_at(x: float, y: float, text: str, size: int = 18, weight: int = 400) -> str:
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="{size}" font-weight="{weight}" text-anchor="middle" '
        f'fill="{colour_of("ink")}">{text}</text>'
    )


def box(x: float, y: float, width: float, height: float, colour: str) -> str:
    return f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="4" fill="{colour_of(colour)}"/>'


def line_of_rolls(cuts: list[Fraction], names: tuple[str, ...], language: str) -> Iterator[str]:
    """The rolls 1 to 6 on a line, cut where the free slots expect something, with the slot of each part above it."""
    ends = [LEFT - 50, *(LEFT + STEP * (float(cut) - 1) for cut in cuts), LEFT + STEP * 5 + 50]
    tints = TINTS if len(names) == len(TINTS) else TINTS[::2]
    for name, tint, start, end in zip(names, tints, ends, ends[1:], strict=False):
        yield box(start + 1, 60, end - start - 2, 70, tint)
        yield text_at((start + end) / 2, 48, name, weight=600)
    for roll in range(1, 7):
        yield text_at(LEFT + STEP * (roll - 1), 104, str(roll), 26, 700)
    for cut, x in zip(cuts, ends[1:], strict=False):
        yield f'<path d="M{x:g} 52V142" stroke="{colour_of("ink")}" stroke-width="3"/>'
        yield text_at(x, 166, shown(cut, language), 20, 700)


def boards() -> Iterator[str]:
    """Two boards with the same two rolls: a block is as long as the roll and as thick as the multiplier."""
    for left, rolls in ((60, (5, 2)), (370, (2, 5))):
        for place, roll in enumerate(rolls, start=1):
            top = 40 if place == 1 else 90
            yield text_at(left - 24, top + 10 + 12 * place, f"×{place}", weight=600)
            yield box(left, top + 4, 36 * 6, 24 * place, "sunk")
            yield box(left, top + 4, 36 * roll, 24 * place, "felt-soft")
            yield text_at(left + 18 * roll, top + 10 + 12 * place, str(roll), weight=700)
        total = sum(place * roll for place, roll in enumerate(rolls, start=1))
        yield text_at(left + 108, 178, f"1 × {rolls[0]} + 2 × {rolls[1]} = {total}", 20, 700)


def pictures() -> dict[str, str]:
    """Every picture by its file name."""
    one, two, _ = (list(row) for row in exact_thresholds(Dice.parse("1d6"), 3))
    drawn = {}
    for language, words in WORDS.items():
        low, high, names = str(words["low"]), str(words["high"]), tuple(words["slots"])
        bars: list[str] = []
        for top, name, value in ((36, low, two[0]), (112, high, two[1])):
            bars += [
                text_at(110, top + 34, f"{name}"),
                box(210, top, 60 * 6, 54, "sunk"),
                box(210, top, 60 * float(value), 54, "felt-soft"),
                text_at(210 + 30 * float(value), top + 34, f"{words['on']} {shown(value, language)}", 20, 700),
            ]
        parts = (line_of_rolls(one, (low, high), language), boards(), bars, line_of_rolls(two, names, language))
        for number, part in enumerate(parts, start=1):
            drawn[f"threshold-{number}{language}.svg"] = (
                f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" '
                f'height="{HEIGHT}" font-family="system-ui, sans-serif">\n'
                f'<rect width="{WIDTH}" height="{HEIGHT}" rx="12" fill="{colour_of("card")}"/>\n'
                + "\n".join(part)
                + "\n</svg>\n"
            )
    return drawn


def main(folder: Path = FOLDER) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in pictures().items():
        (folder / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
