"""What is made to be printed or exported: the paper's numbers beside ours, the strategy card, the game for checkers."""

from collections.abc import Sequence
from typing import NamedTuple

from msgspec import Struct

from tentimes18.game import Game
from tentimes18.paper import Check, summary
from tentimes18.pictures.strategy_card import Row, make_card
from tentimes18.queries import DiceText, SlotsText, query
from tentimes18.queries.json_numbers import Plain, Written, answer_from, plain
from tentimes18.solve.parallel import Progress
from tentimes18.solve.prism_model import PROPERTY, prism_model


class CheckAnswer(Struct, frozen=True):
    """A number that the paper prints, and ours; the note explains a misprint."""

    where: str
    printed: str
    computed: Written
    agrees: bool
    note: str


class PaperAnswer(Struct, frozen=True):
    checks: list[CheckAnswer]
    agree: int
    explained: int
    differ: int


class CheckedPaper(NamedTuple):
    checks: Sequence[Check]
    answer: PaperAnswer


@query(PaperAnswer)
def paper(progress: Progress | None = None) -> CheckedPaper:
    """Every number of the paper beside ours; exit code 1 if one differs without an explanation."""
    from tentimes18.paper.sections import check_paper

    checks = check_paper(progress)
    answers = [answer_from(CheckAnswer, check, where=f"{check.where}: {check.item}") for check in checks]
    return CheckedPaper(checks, PaperAnswer(answers, **summary(checks)))


class CardExpected(Struct, frozen=True):
    random: float
    optimal: float


class CardAnswer(Struct, frozen=True):
    """The strategy card: a row for every number of free slots, from all down to two."""

    dice: str
    slots: list[Plain]
    expected: CardExpected
    rows: Sequence[Row]


@query(CardAnswer)
def card(dice: DiceText = "3d6", slots: SlotsText = "1-10") -> CardAnswer:
    """The whole best play on one page, to play by without a computer."""
    game = Game.parse(dice, slots)
    content = make_card(game)
    expected = CardExpected(float(content.random), float(content.optimal))
    return CardAnswer(str(game.dice), [plain(multiplier) for multiplier in game.multipliers], expected, content.rows)


class PrismAnswer(Struct, frozen=True):
    """The text of a model, and the property whose answer is the value of the game."""

    model: str
    property: str


@query(PrismAnswer)
def prism(dice: DiceText = "3d6", slots: SlotsText = "1-10") -> PrismAnswer:
    """The game as a Markov decision process, for the model checkers PRISM and Storm."""
    return PrismAnswer(f"{prism_model(Game.parse(dice, slots))}\n", PROPERTY)
