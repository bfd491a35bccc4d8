"""A page for the browser in one file: its style, and the parts it is made of, pictures included.

Nothing is loaded from elsewhere, and no script runs. Whatever comes from outside is escaped here, in `text`.
"""

import re
from collections.abc import Iterable, Sequence
from html import escape
from io import StringIO
from typing import TYPE_CHECKING, Final

from tentimes18.show.plots.review import ERRORS, PALE_ACCENT, PALE_BLUE
from tentimes18.show.plots.style import ACCENT, BLUE, FAINT, GREEN, INK, QUIET, styled

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["chip", "document", "facts", "picture", "section", "table", "text"]

MOST_IN_A_ROW: Final = 5  # facts

COLOURS: Final = {
    INK: "ink",
    QUIET: "quiet",
    FAINT: "line",
    BLUE: "blue",
    GREEN: "green",
    PALE_BLUE: "pale-blue",
    PALE_ACCENT: "pale-accent",
    ERRORS["inaccuracy"]: "inaccuracy",
    ERRORS["mistake"]: "mistake",
    ACCENT: "accent",
}

_LIGHT: Final = """--paper: #fff; --ground: #f5f4f1; --ink: #1a1a1a; --quiet: #595959; --line: #dcdad5;
  --accent: #b3411e; --pale-accent: #e8c4b4; --inaccuracy: #e3b9a6; --mistake: #cb7554; --blue: #1c6c8c;
  --pale-blue: #a4c4d1; --green: #4d7a2a; --standing: #efeeea; --good: #e2efd9; --good-ink: #2f5a12;
  --amber: #fbeecb; --amber-ink: #6d4a00; --orange: #fbdcc4; --orange-ink: #85350a; --red: #b3261e; --red-ink: #fff;"""
_DARK: Final = """--paper: #1d1e20; --ground: #131415; --ink: #ecebe8; --quiet: #a9a8a4; --line: #3a3b3e;
  --accent: #f0805a; --pale-accent: #6d3a28; --inaccuracy: #6d3a28; --mistake: #b1593a; --blue: #6fb9d6;
  --pale-blue: #2f5566; --green: #93c26b; --standing: #2b2c2f; --good: #25371a; --good-ink: #b5dd95;
  --amber: #40340f; --amber-ink: #f0d68a; --orange: #4a2a15; --orange-ink: #ffb98c; --red: #d3463c; --red-ink: #fff;"""
_STYLE: Final = """
:root { color-scheme: light dark; LIGHT }
@media screen and (prefers-color-scheme: dark) { :root { DARK } }
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 16px/1.5 system-ui, -apple-system, "Segoe UI",
  Roboto, "Helvetica Neue", Arial, sans-serif; font-variant-numeric: tabular-nums; }
main { max-width: 1120px; margin: 0 auto; padding: 40px 24px 56px; }
h1, h2, h3, p, figure, dl, dd { margin: 0; }
h1 { font-size: clamp(34px, 6vw, 56px); line-height: 1.08; letter-spacing: -0.02em; overflow-wrap: anywhere; }
h2 { font-size: 26px; line-height: 1.2; letter-spacing: -0.01em; margin-bottom: 14px; overflow-wrap: anywhere; }
h3, caption { font-size: 17px; line-height: 1.3; font-weight: 650; text-align: left; text-wrap: balance; }
.kicker, .quiet, figcaption p, footer { color: var(--quiet); }
.kicker { font-size: 14px; margin-bottom: 8px; overflow-wrap: anywhere; }
.lead { font-size: clamp(18px, 2.4vw, 22px); margin: 12px 0 0; max-width: 46em; text-wrap: pretty; }
.comment { margin-top: 12px; padding-left: 12px; border-left: 3px solid var(--line); color: var(--quiet);
  overflow-wrap: anywhere; }
section { margin-top: 44px; }
.grid { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 20px; margin-top: 20px; }
.card { background: var(--paper); border: 1px solid var(--line); border-radius: 12px; padding: 20px 22px;
  min-width: 0; }
.wide { grid-column: 1 / -1; }
figcaption p { font-size: 14px; margin: 2px 0 8px; }
figure { display: flex; flex-direction: column; }
figure svg { display: block; width: 100%; height: auto; margin-top: auto; font-family: inherit;
  stroke-linejoin: round; }
.facts { display: flex; flex-wrap: wrap; gap: 1px; margin-top: 20px; background: var(--paper);
  border: 1px solid var(--line); border-radius: 12px; overflow: hidden; }
.facts div { flex: 1 1 calc(100% / var(--row) - 1px); box-shadow: 0 0 0 1px var(--line); padding: 14px 22px;
  display: flex; flex-direction: column-reverse; justify-content: flex-end; }
.facts dt { color: var(--quiet); font-size: 13.5px; line-height: 1.35; }
.facts dd { font-size: 24px; font-weight: 650; line-height: 1.25; white-space: nowrap; }
.sum { display: flex; flex-wrap: wrap; gap: 6px 14px; align-items: flex-start; margin-top: 10px; font-size: 26px;
  font-weight: 650; line-height: 1.25; }
.sum span { white-space: nowrap; display: flex; gap: inherit; }
.sum small { display: block; font-size: 13.5px; font-weight: 400; color: var(--quiet); }
.sum i { font-style: normal; font-weight: 400; color: var(--quiet); }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: 15px; }
caption { padding-bottom: 10px; }
th, td { padding: 5px 6px; text-align: right; border-bottom: 1px solid var(--line); white-space: nowrap; }
thead th { color: var(--quiet); font-size: 13.5px; font-weight: 500; vertical-align: bottom; }
tbody tr:last-child > *, tfoot tr > * { border-bottom: 0; }
tbody th { font-weight: 500; }
.left { text-align: left; }
.strong { font-weight: 650; }
.lost { color: var(--accent); }
.chip { display: inline-block; border-radius: 6px; padding: 0 7px; font-size: 13.5px; }
.best { background: var(--good); color: var(--good-ink); }
.inaccuracy { background: var(--amber); color: var(--amber-ink); }
.mistake { background: var(--orange); color: var(--orange-ink); }
.blunder { background: var(--red); color: var(--red-ink); }
.bar { width: 55%; }
.bar div { height: 10px; border-radius: 3px; background: var(--pale-blue); min-width: 1px; }
.board { border-collapse: separate; border-spacing: 3px; font-size: 14.5px; }
.board th, .board td { border: 0; padding: 0; text-align: center; height: 27px; min-width: 24px; }
.board tbody td:not(.points) { border-radius: 5px; box-shadow: inset 0 0 0 1px var(--line); color: var(--quiet); }
.board tbody td.standing { background: var(--standing); box-shadow: none; }
.board tbody td.placed { color: #1a1a1a; font-weight: 700; box-shadow: none; }
.board .points { text-align: right; padding-left: 8px; }
.board tbody th { font-weight: 700; padding-right: 4px; }
.board tfoot td { font-size: 0.87em; padding-top: 2px; }
.board tfoot .strong { font-size: 1.25em; }
header { margin-bottom: 28px; }
details { margin-top: 20px; }
summary { cursor: pointer; font-weight: 650; }
details p { margin-top: 8px; max-width: 46em; }
footer { margin-top: 40px; font-size: 14px; }
.wide svg { max-width: 640px; margin-inline: auto; }
@media (max-width: 1000px) {
  .grid { grid-template-columns: minmax(0, 1fr); gap: 14px; }
  figure svg { max-width: 640px; margin-inline: auto; }
}
@media screen and (max-width: 560px) {
  main { padding: 24px 12px 40px; }
  .card { padding: 16px 12px; }
  section { margin-top: 32px; }
  th, td { padding: 5px 3px; }
  table { font-size: 13.5px; }
  thead th { font-size: 12px; }
  .chip { padding: 0 5px; font-size: 13px; }
  .board { border-spacing: 2px; font-size: 12px; }
  .board th, .board td { min-width: 19px; height: 24px; }
  .board thead th { font-size: 11px; }
  .board .points { padding-left: 3px; }
  .facts div { flex-basis: 40%; padding: 10px 12px; }
  .chip:not(.best) .word { display: none; }
  .facts dd { font-size: 20px; }
  .sum { font-size: 21px; gap: 6px 9px; }
}
@page { size: A4; margin: 13mm 12mm; }
@media print {
  * { -webkit-print-color-adjust: exact; print-color-adjust: exact; }
  body { background: #fff; font-size: 9pt; line-height: 1.35; }
  main { padding: 1px; max-width: none; }
  header { margin-bottom: 4mm; }
  section { margin-top: 6mm; }
  h1 { font-size: 24pt; }
  h3, caption { font-size: 10pt; }
  .lead { font-size: 11pt; margin-top: 1mm; }
  .grid { grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 3mm; margin-top: 3mm; }
  .card { padding: 3mm; border-radius: 2mm; }
  .facts { margin-top: 3mm; border-radius: 2mm; }
  .facts div { padding: 2mm 3mm; }
  .facts dd, .sum { font-size: 13pt; }
  .facts dt, .sum small, figcaption p, thead th { font-size: 8pt; }
  .sum { margin-top: 1mm; }
  .scroll { overflow: visible; }
  table, .chip { font-size: 8pt; }
  th, td { padding: 0.8mm 0.7mm; }
  .chip { padding: 0 1.2mm; }
  .board { font-size: 7.5pt; border-spacing: 1px; }
  .board th, .board td { min-width: 0; height: 4.9mm; }
  .board thead th { font-size: 6.5pt; }
  .board .points { padding-left: 1mm; }
  figure svg { max-height: 62mm; }
  details:not([open]) { display: none; }
  footer { margin-top: 4mm; font-size: 8pt; }
  figure, tr, .card, .facts { break-inside: avoid; }
  .long { break-inside: auto; }
}
""".replace("LIGHT", _LIGHT).replace("DARK", _DARK)


def text(value: object) -> str:
    """A text from outside, safe anywhere in a page; what cannot be printed is a blank.

    >>> text('<b title="x">Ada & Ben</b>')
    '&lt;b title=&quot;x&quot;&gt;Ada &amp; Ben&lt;/b&gt;'
    """
    return escape("".join(letter if letter.isprintable() else " " for letter in str(value)))


def document(title: str, body: Iterable[str]) -> str:
    """The whole page; the title is a plain text, the body HTML.

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


def table(caption: str, heads: Sequence[str], rows: Iterable[Sequence[str]], left: Sequence[int] = ()) -> str:
    """Rows of HTML under heads; the first cell of a row is its name. The columns in ``left`` hold words.

    >>> table("Moves", ["round", "loss"], [["1", "2.78"]])[:29]
    '<div class="scroll"><table><c'
    """

    def side(column: int) -> str:
        return ' class="left"' if column in left else ""

    head = "".join(f'<th scope="col"{side(column)}>{name}</th>' for column, name in enumerate(heads))
    lines = [f'<div class="scroll"><table><caption>{text(caption)}</caption>', f"<thead><tr>{head}</tr></thead><tbody>"]
    for first, *others in rows:
        cells = "".join(f"<td{side(column)}>{cell}</td>" for column, cell in enumerate(others, start=1))
        lines.append(f'<tr><th scope="row"{side(0)}>{first}</th>{cells}</tr>')
    return "\n".join([*lines, "</tbody></table></div>"])


@styled
def picture(figure: "Figure", name: str, kind: str = "card") -> str:
    """A picture with its title and subtitle as text above it; in a page each has a name of its own."""
    from matplotlib import rc_context

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
