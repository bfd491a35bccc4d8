"""The card, read as a person at a table reads it, against the oracle and against the exact thresholds."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from html.parser import HTMLParser
from itertools import combinations
from typing import Final
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings

from tentimes18.errors import TooLarge
from tentimes18.game import Game
from tentimes18.pictures.strategy_card import card_html, card_markdown, card_svg, choose_layout, make_card
from tentimes18.solve.thresholds import exact_thresholds
from tests.oracle.play import best_slots
from tests.support.cards import LAYOUTS
from tests.support.games import games, law_of

SVG: Final = "{http://www.w3.org/2000/svg}"
VOID: Final = ("meta", "br")

# What the card says: rank and tie mark, by number of free slots and roll.
Reading = dict[tuple[int, int], tuple[int, bool]]


@dataclass
class Cell:
    colspan: int
    text: str = ""
    has_mark: bool = False


class Page(HTMLParser):
    """Tables of cells, the text outside them, and a check that every tag is closed."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tables: list[list[list[Cell]]] = []
        self.text: list[str] = []
        self.framed: list[tuple[int, Cell]] = []
        self.open: list[str] = []
        self.feed(html)
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given_attributes = dict(attrs)
        assert not {"src", "href", "srcset"} & set(given_attributes)
        if tag not in VOID:
            self.open.append(tag)
        if tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self.tables[-1].append([])
        elif tag in ("td", "th"):
            cell = Cell(int(given_attributes.get("colspan") or 1))
            self.tables[-1][-1].append(cell)
            if given_attributes.get("class") == "framed":
                self.framed.append((int(self.tables[-1][-1][0].text), cell))
        elif tag == "b":
            self.tables[-1][-1][-1].has_mark = True

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "style" in self.open or "title" in self.open:
            return
        if "table" in self.open:
            if {"td", "th"} & set(self.open) and "b" not in self.open:
                self.tables[-1][-1][-1].text += data
        else:
            self.text.append(data)


def rank_of(name: str, free: int) -> int:
    return free if name == "last" else int(re.fullmatch(r"(\d+)(st|nd|rd|th|)", name)[1])  # type: ignore[index]


def rolls_of(text: str, support: tuple[int, ...]) -> tuple[int, ...]:
    ends = [int(part) for part in re.split(r"–| to ", text)]
    return tuple(roll for roll in support if ends[0] <= roll <= ends[-1])


def read_markdown(game: Game) -> Reading:
    reading: Reading = {}
    for line in card_markdown(game).splitlines():
        row = re.fullmatch(r"\| +(\d+) \| (.*?) +\|", line)
        if row is None or row[1] == "1":
            continue
        for part in row[2].split(", "):
            rolls, name = part.split(" → ")
            band = rolls_of(rolls.rstrip("="), game.dice.support)
            for roll in band:
                reading[int(row[1]), roll] = rank_of(name, int(row[1])), rolls.endswith("=") and roll == band[-1]
    return reading


def read_html(game: Game) -> Reading:
    """By the columns of the table, whichever of the layouts it has."""
    layout = choose_layout(make_card(game))
    reading: Reading = {}
    for _, heads, *rows in Page(card_html(game)).tables:
        for label, *cells in rows:
            free = int(label.text)
            if free == 1:
                continue
            columns = [cell for cell in cells for _ in range(cell.colspan)]
            if not layout.by_rank:
                for place, (head, cell) in enumerate(zip(heads[1:], columns, strict=True)):
                    is_last = place + 1 == len(columns) or columns[place + 1] is not cell
                    reading[free, int(head.text)] = rank_of(cell.text, free), cell.has_mark and is_last
                continue
            for roll in game.dice.support:
                for head, cell in zip(heads[1:], columns, strict=False):
                    text = cell.text.rstrip("=")
                    if text and (roll <= int(text) if layout.bounds else roll in rolls_of(text, game.dice.support)):
                        is_tied = cell.text.endswith("=") and str(roll) == re.split(r"–| to ", text)[-1]
                        reading[free, roll] = rank_of(head.text, free), is_tied
                        break
    return reading


def read_svg(game: Game) -> Reading:
    """By where the rectangles stand below the heads, and by their titles: both must say the same."""
    layout = choose_layout(make_card(game))
    root = ElementTree.fromstring(card_svg(game))
    texts = [(text.text or "", float(text.get("x", 0)), float(text.get("y", 0))) for text in root.iter(f"{SVG}text")]
    captions = [place for place, (text, *_) in enumerate(texts) if text in ("your roll", "goes to")]
    heads = [texts[place + 1 + column] for place in captions for column in range(len(layout.columns))]
    reading: Reading = {}
    for rect in root.iter(f"{SVG}rect"):
        told = re.fullmatch(r"(\d+) free, (.+): (\w+)", rect.findtext(f"{SVG}title") or "")
        if told is None:
            continue
        free = int(told[1])
        rank, rolls = rank_of(told[3], free), rolls_of(told[2], game.dice.support)
        x, y, width, height = (float(rect.get(name, 0)) for name in ("x", "y", "width", "height"))
        above = [text for text, left, _ in heads if x < left < x + width]
        inside = [text for text, left, base in texts if x < left < x + width and y < base < y + height]
        if layout.by_rank:
            assert [rank_of(text, game.size + 1) for text in above] == [rank]
            (cell,) = inside
            assert cell.rstrip("=") == (str(rolls[-1]) if layout.bounds else told[2])
            has_mark = cell.endswith("=")
        else:
            assert [int(text) for text in above] == list(rolls)
            assert rank_of(inside[-1], free) == rank
            has_mark = inside[:-1] == ["="]
        for roll in rolls:
            reading[free, roll] = rank, has_mark and roll == rolls[-1]
    return reading


READERS: Final[list[Callable[[Game], Reading]]] = [read_markdown, read_html, read_svg]


@pytest.mark.parametrize("read", READERS)
@LAYOUTS
def test_the_card_says_what_the_thresholds_say(game: Game, read: Callable[[Game], Reading]) -> None:
    rows = exact_thresholds(game.dice, game.size)
    assert read(game) == {
        (free, roll): (rows[free - 2].rank(roll), roll in rows[free - 2])
        for free in range(2, game.size + 1)
        for roll in game.dice.support
    }


def slots_by_the_card(game: Game, reading: Reading) -> Iterator[tuple[tuple[int, ...], int, int, bool]]:
    for free in range(2, game.size + 1):
        for slots in combinations(range(1, game.size + 1), free):
            for roll in game.dice.support:
                rank, is_tied = reading[free, roll]
                yield slots, roll, slots[rank - 1], is_tied


@settings(max_examples=20)
@given(games())
def test_every_move_by_the_card_is_a_best_one(game: Game) -> None:
    law = law_of(game.dice)
    for read in READERS:
        for slots, roll, slot, is_tied in slots_by_the_card(game, read(game)):
            best = best_slots(law, game.multipliers, frozenset(slots), roll)
            assert slot in best
            if is_tied:
                assert slots[slots.index(slot) + 1] in best
            elif len(set(game.multipliers)) == game.size:
                assert best == [slot]


def test_five_free_slots_as_in_the_paper() -> None:
    ranks = {roll: rank for (free, roll), (rank, _) in read_html(Game.classic()).items() if free == 5}
    assert [ranks[roll] for roll in range(3, 19)] == [1] * 6 + [2] + [3] * 2 + [4] + [5] * 6


@pytest.mark.parametrize("write", [card_markdown, card_html, card_svg])
def test_title_and_scores(write: Callable[[Game], str]) -> None:
    text = write(Game.classic())
    assert "Ten times eighteen: 3d6, slots 1-10" in text
    assert "642.2" in text
    assert "577.5" in text


@LAYOUTS
def test_the_example_follows_the_card(game: Game) -> None:
    card = make_card(game)
    framed = Page(card_html(game)).framed
    if card.example is None:
        assert game.size == 1
        assert not framed
        return
    example = card.example
    free = len(example.multipliers)
    assert exact_thresholds(game.dice, free - 1)[-1].rank(example.roll) == example.rank
    assert set(example.multipliers) <= set(game.multipliers)
    assert [row for row, _ in framed] == [free]
    for text in (card_markdown(game), " ".join(Page(card_html(game)).text)):
        assert all(line in text for line in example.lines)


@pytest.mark.parametrize(("game", "has_ties"), [("3d6 1-10", False), ("2d6 1-10", True), ("1d3 1-3", True)])
def test_ties_have_a_note_only_where_there_are_any(game: str, has_ties: bool) -> None:
    for write in (card_markdown, card_html, card_svg):
        assert ("= marks a tie" in write(Game.parse(*game.split()))) == has_ties


def test_equal_multipliers_have_a_note() -> None:
    assert "same multiplier" in card_markdown(Game.parse("3d6", "1,1,2"))
    assert "same multiplier" not in card_markdown(Game.classic())


def test_markdown_fits_a_terminal() -> None:
    lines = card_markdown(Game.classic()).splitlines()
    assert max(map(len, lines)) <= 100
    assert len({len(line) for line in lines if line.startswith("|")}) == 1


def test_html_needs_nothing_else() -> None:
    html = card_html(Game.classic())
    assert "http" not in html
    assert "url(" not in html
    assert "@import" not in html
    assert "size: A4" in html


def test_what_does_not_fit_is_refused_with_the_figure() -> None:
    game = Game.parse("3d6", "1-150")
    with pytest.raises(TooLarge, match=r"^slots: 149 rows for 16 different rolls .* use fewer slots, or \.md"):
        card_svg(game)
    with pytest.raises(TooLarge, match="149 rows"):
        card_html(game)
    assert len(read_markdown(game)) == 149 * 16
    with pytest.raises(TooLarge, match="501 slots; at most 500"):
        card_markdown(Game.parse("3d6", "1-501"))


@pytest.mark.parametrize("write", [card_markdown, card_html, card_svg])
def test_the_same_game_gives_the_same_text(write: Callable[[Game], str]) -> None:
    assert write(Game.classic()) == write(Game.classic())


def test_html_has_every_colour_that_its_style_uses() -> None:
    style = card_html(Game.classic()).split("<style>")[1].split("</style>")[0]
    root = style[: style.index("}")]
    assert "color-scheme: light;" in root
    assert "dark" not in style
    sizes = {"panels", "columns", "least", "label", "pitch", "gap", "head", "type", "rolls", "notch"}
    assert set(re.findall(r"var\(--([\w-]+)\)", style)) - sizes == set(re.findall(r"--([\w-]+):", root))
