"""The strategy card, read as a person at a table reads it, against the oracle and against the exact thresholds."""

import re
from collections.abc import Callable
from itertools import combinations
from xml.etree import ElementTree

import pytest

from tentimes18.errors import TooLarge
from tentimes18.game import Game
from tentimes18.pictures.strategy_card import (
    HEIGHT,
    MARGIN,
    MIN_TYPE,
    RIGHT,
    WIDTH,
    Rectangle,
    card_html,
    card_markdown,
    card_pdf,
    card_svg,
    choose_layout,
    make_card,
    page,
)
from tentimes18.solve.thresholds import exact_thresholds

SVG = "{http://www.w3.org/2000/svg}"
GAMES = {
    "classic": Game.classic(),
    "ties": Game.parse("1d3", "1-4"),
    "odd": Game.parse("d{-7,1,1,2,3,5,8}", "1,2,5/2,7/2,3,100"),
    "many slots": Game.parse("3d6", "1-60"),
    "many rolls": Game.parse("1d100", "1-10"),
    "many of both": Game.parse("10d20", "1-20"),
    "negative": Game.parse("1d60-30", "1-10"),
    "one roll": Game.parse("d{5}", "1-3"),
    "one slot": Game.parse("3d6", "7"),
    "long names": Game.parse("d{-100000000000,5,200000000000000}", "1.123456789123456789,123456789123,3/7,5,6,7"),
    "narrow": Game.parse("1d40", "1-10"),
}
EACH = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
LARGE = Game.parse("3d6", "1-150")

# What the card says: rank and tie mark, by number of free slots and roll.
Reading = dict[tuple[int, int], tuple[int, bool]]


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


def read_svg(game: Game) -> Reading:
    """By what is inside and above each rectangle, and by its title: both must say the same."""
    root = ElementTree.fromstring(card_svg(game))
    texts = [(text.text or "", float(text.get("x", 0)), float(text.get("y", 0))) for text in root.iter(f"{SVG}text")]
    place = next(place for place, (text, *_) in enumerate(texts) if text.startswith("your roll"))
    has_heads = texts[place][0] == "your roll"
    heads = texts[place + 1 : place + 1 + len(game.dice.support)] if has_heads else []
    reading: Reading = {}
    for rect in root.iter(f"{SVG}rect"):
        match = re.fullmatch(r"(\d+) free, (.+): (\w+)", rect.findtext(f"{SVG}title") or "")
        if match is None:
            continue
        free = int(match[1])
        rank, rolls = rank_of(match[3], free), rolls_of(match[2], game.dice.support)
        x, y, width, height = (float(rect.get(name, 0)) for name in ("x", "y", "width", "height"))
        *first, last = [text for text, left, base in texts if x < left < x + width and y < base < y + height]
        assert rank_of(last, free) == rank
        if has_heads:
            assert [int(text) for text, left, _ in heads if x < left < x + width] == list(rolls)
            has_mark = first == ["="]
        else:
            assert first[0].rstrip("=") == match[2]
            has_mark = first[0].endswith("=")
        for roll in rolls:
            reading[free, roll] = rank, has_mark and roll == rolls[-1]
    return reading


READERS: list[Callable[[Game], Reading]] = [read_markdown, read_svg]


@pytest.mark.parametrize("read", READERS)
@EACH
def test_the_card_says_what_the_thresholds_say(game: Game, read: Callable[[Game], Reading]) -> None:
    rows = exact_thresholds(game.dice, game.size)
    assert read(game) == {
        (free, roll): (rows[free - 2].rank(roll), roll in rows[free - 2])
        for free in range(2, game.size + 1)
        for roll in game.dice.support
    }


@EACH
def test_the_page_is_legible(game: Game) -> None:
    """Nothing leaves it, and no two bands overlap."""
    card = make_card(game)
    layout = choose_layout(card)
    assert layout.type_size >= MIN_TYPE
    assert all(sum(layout.widths(row)) <= RIGHT - MARGIN + 1e-9 for row in card.rows)
    boxes = []
    for mark in page(card):
        assert 0 <= mark.x <= WIDTH
        assert 0 <= mark.y <= HEIGHT
        if isinstance(mark, Rectangle):
            assert mark.x + mark.width <= WIDTH
            assert mark.y + mark.height <= HEIGHT
            if mark.title:
                boxes.append(mark)
    for one, other in combinations(boxes, 2):
        beside = one.x + one.width < other.x or other.x + other.width < one.x
        assert beside or one.y + one.height < other.y or other.y + other.height < one.y


@EACH
def test_the_example_follows_the_card(game: Game) -> None:
    card = make_card(game)
    framed = [rect for rect in ElementTree.fromstring(card_svg(game)).iter(f"{SVG}rect") if rect.get("stroke")]
    assert len(framed) == (card.example is not None) == (game.size > 1)
    if card.example is not None:
        free = len(card.example.multipliers)
        assert exact_thresholds(game.dice, free - 1)[-1].rank(card.example.roll) == card.example.rank
        assert set(card.example.multipliers) <= set(game.multipliers)
        assert all(line in card_markdown(game) for line in card.example_lines)


@pytest.mark.parametrize("write", [card_markdown, card_html, card_svg])
def test_title_scores_and_the_same_text_again(write: Callable[[Game], str]) -> None:
    text = write(Game.classic())
    assert all(part in text for part in ("Ten times eighteen: 3d6, slots 1-10", "642.2", "577.5"))
    assert text == write(Game.classic())


@pytest.mark.parametrize(("game", "has_ties"), [("3d6 1-10", False), ("2d6 1-10", True), ("1d3 1-3", True)])
def test_ties_and_equal_multipliers_have_a_note(game: str, has_ties: bool) -> None:
    for write in (card_markdown, card_html):
        assert ("= marks a tie" in write(Game.parse(*game.split()))) == has_ties
    assert "same multiplier" in card_markdown(Game.parse("3d6", "1,1,2"))
    assert "same multiplier" not in card_markdown(Game.classic())


def test_html_needs_nothing_else() -> None:
    html = card_html(Game.classic())
    assert set(re.findall(r"http\S*?\"", html)) == {'http://www.w3.org/2000/svg"'}
    assert "url(" not in html
    assert "size: A4" in html


def test_pdf_is_one_page_of_a4() -> None:
    pdf = card_pdf(Game.classic())
    assert len(re.findall(rb"/Type\s*/Page\b", pdf)) == 1
    box = re.search(rb"/MediaBox\s*\[\s*0 0 ([\d.]+) ([\d.]+)", pdf)
    assert box is not None
    assert [round(float(length)) for length in box.groups()] == [595, 842]
    assert b"/BaseFont /Helvetica" in pdf
    assert pdf == card_pdf(Game.classic())


def test_what_is_too_large_is_rejected_with_the_figure() -> None:
    for write in (card_svg, card_html):
        with pytest.raises(TooLarge, match=r"^slots: 149 rows for 16 different rolls .* use fewer slots, or \.md"):
            write(LARGE)
    assert len(read_markdown(LARGE)) == 149 * 16
    with pytest.raises(TooLarge, match="501 slots; at most 500"):
        card_markdown(Game.parse("3d6", "1-501"))


def test_the_best_rule_with_one_number() -> None:
    """Below the card; nothing where every strategy is as good."""
    assert make_card(Game.classic()).notes[-1].startswith("With one number: 11 or more into your highest free slot")
    assert make_card(Game.classic()).notes[-1].endswith(": 631.9 points.")
    assert not any("With one number" in note for note in make_card(Game.parse("1d6", "2,2")).notes)
