"""A page for the browser in one file: its style, and the parts it is made of, pictures included.

Nothing is loaded from elsewhere, and no script runs. Whatever comes from outside is escaped here, in `text`.
"""

import re
from collections.abc import Iterable, Sequence
from html import escape
from importlib.metadata import version
from io import StringIO
from typing import Final

from matplotlib import rc_context
from matplotlib.figure import Figure

from tentimes18.coach.losses import Unit
from tentimes18.pictures.colours import colour_of, style_sheet, whole_tokens
from tentimes18.pictures.plot_style import styled
from tentimes18.wording import class_bounds, level_bounds

__all__ = ["COLOURS", "WIDTH", "chip", "document", "facts", "foot", "picture", "section", "table", "text"]

WIDTH: Final = 4.7  # inches of a picture: its type is legible on a phone too
MOST_IN_A_ROW: Final = 5  # facts

# What a picture is drawn in, by its name in the style sheet: a page shows it light or dark.
COLOURS: Final = {
    colour_of(name): name
    for name in ("ink", "ink-2", "line", "edge", "felt", "loss", "loss-1", "loss-2", "luck", "luck-soft", "rival")
}
_HOW: Final = """<details class="card"><summary>How to read this</summary>
<p><b>Luck</b> is what a roll changed: the expected final score with this roll and the best play, minus that before it.
<b>Loss</b> is what a move gave up against the best one. Over a game the score is the value of the game, plus the luck,
minus the loss: nothing is left over.</p>
<p><b>Skill</b> is the mean loss of the moves that were a choice; the smaller, the better. An <b>error</b> is a move
that loses enough to have a mark: LIMITS. A move that loses nothing is <b>best</b>.</p>
<p>The <b>level</b> is a word for the skill, by what a choice loses of what it would lose if slots were taken at random
(LEVELS).</p>
<p><b>optimal</b> is the play with the highest expected score. <b>Hindsight</b> knows all rolls beforehand: it makes
the best score that was possible.</p></details>"""
# Beside the name: three grooves, thin to thick. What is hatched is lost, in print and for those who see no colour too.
_BRAND: Final = """<span class="brand"><svg aria-hidden="true" viewBox="0 0 26 22"><rect width="12" height="2" rx="1"/>
<rect y="5" width="19" height="5" rx="1.5"/><rect y="13" width="26" height="9" rx="2"/></svg>10×18</span>"""
_HATCH: Final = """<svg aria-hidden="true" class="defined"><defs><pattern id="hatch" width="5" height="5"
patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="5" height="5"/><path d="M0 0V5"/></pattern>
</defs></svg>"""
_STYLE: Final = f"\n{whole_tokens()}{style_sheet('report')}"


def text(value: object) -> str:
    """A text from outside, safe anywhere in a page; what cannot be printed is a blank.

    >>> text('<b title="x">Ada & Ben</b>')
    '&lt;b title=&quot;x&quot;&gt;Ada &amp; Ben&lt;/b&gt;'
    """
    return escape("".join(letter if letter.isprintable() else " " for letter in str(value)))


def document(title: str, body: Iterable[str], about: str = "") -> str:
    """The whole page; the title, and what it is about, are plain texts, the body HTML.

    >>> document("698 points", ["<p>well played</p>"])[:15]
    '<!doctype html>'
    """
    lines = [
        "<!doctype html>",
        '<html lang="en">',
        "<head>",
        '<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{text(title)}</title>",
        f"<style>{_STYLE}</style>",
        "</head>",
        "<body>",
        _HATCH,
        f'<header class="felt"><div>{_BRAND}<p class="kicker">{text(about)}</p></div></header>',
        "<main>",
        *body,
        "</main>",
        "</body>",
        "</html>",
        "",
    ]
    return "\n".join(lines)


def section(heading: str, *parts: str) -> str:
    """Parts under a heading, which is a plain text."""
    return "\n".join(["<section>", f"<h2>{text(heading)}</h2>" if heading else "", *parts, "</section>"])


def facts(pairs: Sequence[tuple[str, str]]) -> str:
    """Numbers, each with what it is; plain texts."""
    cells = "".join(f"<div><dt>{text(name)}</dt><dd>{text(value)}</dd></div>" for name, value in pairs)
    row = len(pairs) if len(pairs) <= MOST_IN_A_ROW else -(-len(pairs) // 2)
    return f'<dl class="facts" style="--row: {row}">{cells}</dl>'


def chip(name: str, mark: str) -> str:
    """The class of a move, with its mark, in its colour."""
    word = f'<span class="word">{text(name)} </span>' if mark else text(name)
    return f'<span class="chip {text(name)}">{word}{text(mark)}</span>'


def table(
    caption: str,
    heads: Sequence[str],
    rows: Iterable[Sequence[str]],
    left: Sequence[int] = (),
    bars: Sequence[int] = (),
) -> str:
    """Rows of HTML under heads; the first cell of a row is its name. Columns in ``left`` hold words, in ``bars`` bars.

    >>> table("Moves", ["round", "loss"], [["1", "2.78"]])[:29]
    '<div class="scroll"><table><c'
    """

    def side(column: int) -> str:
        return ' class="bar"' if column in bars else ' class="left"' if column in left else ""

    head = "".join(f'<th scope="col"{side(column)}>{name}</th>' for column, name in enumerate(heads))
    lines = [f'<div class="scroll"><table><caption>{text(caption)}</caption>', f"<thead><tr>{head}</tr></thead><tbody>"]
    for first, *others in rows:
        cells = "".join(f"<td{side(column)}>{cell}</td>" for column, cell in enumerate(others, start=1))
        lines.append(f'<tr><th scope="row"{side(0)}>{first}</th>{cells}</tr>')
    return "\n".join([*lines, "</tbody></table></div>"])


def foot(unit: Unit) -> str:
    """How to read the page, its losses being counted in this unit, and what made it.

    >>> "blunder ?? from 8 points" in foot(Unit.points)
    True
    """
    made = f"<footer>Made by ten18 {version('tentimes18')}.</footer>"
    return _HOW.replace("LIMITS", class_bounds(unit)).replace("LEVELS", level_bounds()) + made


@styled
def picture(figure: Figure, name: str, kind: str = "card") -> str:
    """A picture with its title and subtitle as text above it; in a page each has a name of its own."""
    title, subtitle = (" ".join(part.get_text().split()) for part in figure.texts[:2])
    for part in (*figure.texts[:2], figure.patch, *(axes.patch for axes in figure.axes)):
        part.set_visible(False)
    drawn = StringIO()
    with rc_context({"svg.fonttype": "none"}):
        figure.savefig(drawn, format="svg", metadata={"Date": None}, bbox_inches="tight", pad_inches=0.04)
    label = f'role="img" aria-label="{text(f"{title}. {subtitle}")}"'
    return (
        f'<figure class="{kind}"><figcaption><h3>{text(title)}</h3><p>{text(subtitle)}</p></figcaption>\n'
        f"{_inline(drawn.getvalue(), name, label)}</figure>"
    )


def _inline(svg: str, name: str, label: str) -> str:
    """The SVG as part of a page: with its colours and its type, without what only a file needs."""
    start = svg.index("<svg")
    box = re.search(r'viewBox="[^"]*"', svg)
    assert box is not None
    svg = f"<svg {label} {box[0]}>" + svg[svg.index(">", start) + 1 :]
    svg = re.sub(r"<metadata>.*?</metadata>|<style.*?</style>|<!--.*?-->", "", svg, flags=re.DOTALL)
    svg = svg.replace("xlink:href", "href").replace("font-family: 'DejaVu Sans'; ", "")
    used = set(re.findall(r"#([\w.-]+)[\")]", svg))
    svg = re.sub(r' id="([\w.-]+)"', lambda found: f' id="{name}-{found[1]}"' if found[1] in used else "", svg)
    svg = re.sub(r'(href="#|url\(#)', rf"\g<1>{name}-", svg)
    for colour, variable in COLOURS.items():
        svg = svg.replace(colour, f"var(--{variable})")
    return re.sub(r"\s+", " ", svg)
