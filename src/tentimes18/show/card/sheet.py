"""The strategy card: the whole best play of a game on one page of A4, as Markdown, HTML or SVG."""

from collections.abc import Iterator, Mapping
from html import escape
from typing import Final

from tentimes18.game import Game
from tentimes18.show.card import page
from tentimes18.show.card.content import Band, Card, CardLayout, Row, choose_layout, make_card
from tentimes18.show.colours import light_root, style_sheet, tint
from tentimes18.show.figures import ordinal, points, span

__all__ = ["card_html", "card_markdown", "card_svg"]

_STYLE: Final = style_sheet("card")


def card_markdown(game: Game) -> str:
    """The card as text: a table that reads well as it stands, and rendered.

    >>> print(card_markdown(Game.parse("1d6", "1-3")))
    # Ten times eighteen: 1d6, slots 1-3
    <BLANKLINE>
    Count your free slots: that is your row. It says which of your free slots takes the roll:
    1st has the smallest multiplier, last the largest.
    <BLANKLINE>
    | free | roll → free slot                 |
    | ---: | -------------------------------- |
    |    3 | 1–2 → 1st, 3–4 → 2nd, 5–6 → last |
    |    2 | 1–3 → 1st, 4–6 → last            |
    |    1 | any → the slot that is left      |
    <BLANKLINE>
    Example: Your free slots are ×1 and ×3, so you use row 2.
    You roll 4. Row 2 sends 4 to the last of your free slots: ×3.
    <BLANKLINE>
    Played like this, the game brings 23.33 points on average (random play: 21).
    <BLANKLINE>
    """
    card = make_card(game)
    cells = [
        (
            str(row.free),
            ", ".join(f"{span(band.rolls)}{'=' * band.tied} → {ordinal(band.rank, row.free)}" for band in row.bands),
        )
        for row in card.rows
    ]
    cells.append(("1", "any → the slot that is left"))
    width = max(len("roll → free slot"), *(len(text) for _, text in cells))
    table = [f"| {free:>4} | {text:<{width}} |" for free, text in [("free", "roll → free slot"), *cells]]
    table.insert(1, f"| ---: | {'-' * width} |")
    blocks = [
        [f"# {card.title}"],
        [
            "Count your free slots: that is your row. It says which of your free slots takes the roll:",
            "1st has the smallest multiplier, last the largest.",
        ],
        table,
    ]
    if card.example is not None:
        blocks.append([f"Example: {card.example.lines[0]}", card.example.lines[1]])
    average = f"{points(card.optimal)} points on average (random play: {points(card.random)})"
    blocks.append([f"Played like this, the game brings {average}."])
    blocks += [[note] for note in card.notes]
    return "\n\n".join("\n".join(block) for block in blocks) + "\n"


def card_html(game: Game) -> str:
    """The card as one HTML file that needs nothing else, for a page of A4, a screen or a phone.

    >>> card_html(Game.classic())[:15]
    '<!doctype html>'
    """
    card = make_card(game)
    layout = choose_layout(card)
    lines = [
        "<!doctype html>",
        '<html lang="en">',
        '<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{escape(card.title)}</title>",
        f"<style>\n{light_root(_STYLE)}\n{_STYLE}</style>",
        "<header>",
        f"<div><h1>Ten times eighteen</h1><p>The best play for {escape(card.name)}</p></div>",
        f'<div class="average"><p class="score">{points(card.optimal)}</p>',
        f"<p>points on average (random play: {points(card.random)})</p></div>",
        "</header>",
        f"<ol>{''.join(f'<li>{escape(step)}</li>' for step in layout.steps)}</ol>",
    ]
    if card.example is not None:
        example = "<br>".join(map(escape, card.example.lines))
        lines.append("<aside><p><strong>Example</strong><br><small>framed below</small></p>")
        lines.append(f"<p>{example}</p></aside>")
    lines.append(f'<div class="panels" style="{_sizes(layout)}">')
    for rows in layout.panels:
        lines += _table(card, layout, rows)
    lines.append("</div>")
    lines.append(f"<footer>{''.join(f'<p>{escape(note)}</p>' for note in card.notes)}</footer>")
    return "\n".join([*lines, "</html>", ""])


def _sizes(layout: CardLayout) -> str:
    texts = [layout.text(band, row.free) for rows in layout.panels for row in rows for band in row.bands]
    characters = max(map(len, texts if layout.by_rank else layout.heads), default=1)
    sizes = {
        "panels": len(layout.panels),
        "columns": len(layout.columns),
        "least": f"{3 * (0.6 * characters + 0.4):.2f}mm",
        "label": f"{layout.label:.2f}mm",
        "pitch": f"{layout.pitch:.2f}mm",
        "gap": f"{layout.gap:.2f}mm",
        "head": f"{layout.head_size:.2f}mm",
        "type": f"{layout.type_size:.2f}mm",
    }
    return _properties(sizes)


def _properties(values: Mapping[str, object]) -> str:
    """Values for a style sheet, by the names that it has for them."""
    return "; ".join(f"--{name}: {value}" for name, value in values.items())


def _table(card: Card, layout: CardLayout, rows: tuple[Row, ...]) -> Iterator[str]:
    free = "free<span> slots</span>" if len(layout.panels) == 1 else "free"
    columns = f'<th colspan="{len(layout.columns)}"><small>{"goes to" if layout.by_rank else "your roll"}</small></th>'
    heads = "".join(f'<th scope="col">{head}</th>' for head in layout.heads)
    yield f"<table><thead><tr><th><small>{free}</small></th>{columns}</tr><tr><th></th>{heads}</tr></thead>"
    for row in rows:
        cells = []
        end = 0
        for start, width, band in layout.places(row):
            cells += ["<td></td>"] * (start - end)
            cells.append(_cell(card, layout, row, band))
            end = start + width
        yield f'<tr><th scope="row">{row.free}</th>{"".join(cells)}</tr>'
    if rows == layout.panels[-1]:
        text = '<td class="any">any</td>'
        if not layout.by_rank:
            text = f'<td class="any" colspan="{len(layout.columns)}">the slot that is left</td>'
        yield f'<tr><th scope="row">1</th>{text}</tr>'
    yield "</table>"


def _cell(card: Card, layout: CardLayout, row: Row, band: Band) -> str:
    text = layout.text(band, row.free)
    columns = 1 if layout.by_rank else len(band.rolls)
    colspan = f' colspan="{columns}"' if columns > 1 else ""
    framed = ' class="framed"' if card.example is not None and card.example.is_in(row, band) else ""
    if not layout.by_rank:
        number = text.rstrip("stndrh")
        if number.isdecimal() and columns == 1:
            text = f"{number}<span>{text[len(number) :]}</span>"
        text += "<b>=</b>" * band.tied
    style = f"background-color: {tint(band.rank, row.free)}"
    if columns > 1:
        style += f"; {_properties({'rolls': columns})}"
    return f'<td{colspan}{framed} style="{style}">{text}</td>'


def card_svg(game: Game) -> str:
    """The card as an SVG picture of A4 size.

    >>> print(card_svg(Game.classic()).splitlines()[1])
    <title>Ten times eighteen: 3d6, slots 1-10</title>
    """
    card = make_card(game)
    return page.svg(page.page(card, choose_layout(card)), card.title)
