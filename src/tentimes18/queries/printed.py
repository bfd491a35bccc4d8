"""What is made to be printed or exported: the paper's numbers beside ours, the strategy card, the game for checkers."""

from collections.abc import Sequence
from dataclasses import dataclass

from msgspec import Struct

from tentimes18.game import Game
from tentimes18.paper.checks import Check, summary
from tentimes18.pictures.strategy_card import Row, make_card
from tentimes18.queries import DiceText, Progress, SlotsText, query
from tentimes18.queries.json_numbers import Plain, Written, plain
from tentimes18.solve.prism_model import PROPERTY, prism_model


class CheckAnswer(Struct, frozen=True):
    """One thing that the paper prints, and ours; the note explains a slip."""

    where: str
    printed: str
    computed: Written
    agrees: bool
    note: str


class PaperAnswer(Struct, frozen=True):
    """All checks, and how many agree, are explained, and differ."""

    checks: list[CheckAnswer]
    agree: int
    explained: int
    differ: int


@dataclass(frozen=True)
class CheckedPaper:
    """The numbers of the paper that were checked."""

    checks: list[Check]

    @property
    def answer(self) -> PaperAnswer:
        """The answer."""
        checks = [
            CheckAnswer(
                f"{check.where}: {check.item}",
                check.printed,
                check.computed if isinstance(check.computed, str) else plain(check.computed),
                check.agrees,
                check.note,
            )
            for check in self.checks
        ]
        return PaperAnswer(checks, **summary(self.checks))


@query(PaperAnswer)
def paper(progress: Progress | None = None) -> CheckedPaper:
    """Every number of the paper beside ours; exit code 1 if one differs without an explanation."""
    from tentimes18.paper.sections import check_paper

    return CheckedPaper(check_paper(progress))


class CardExpected(Struct, frozen=True):
    """Expected scores by strategy."""

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
    multipliers = [plain(multiplier) for multiplier in game.multipliers]
    expected = CardExpected(float(content.random), float(content.optimal))
    return CardAnswer(str(game.dice), multipliers, expected, content.rows)


class PrismAnswer(Struct, frozen=True):
    """The text of a model, and the property whose answer is the value of the game."""

    model: str
    property: str


@query(PrismAnswer)
def prism(dice: DiceText = "3d6", slots: SlotsText = "1-10") -> PrismAnswer:
    """The game as a Markov decision process, for the model checkers PRISM and Storm."""
    return PrismAnswer(f"{prism_model(Game.parse(dice, slots))}\n", PROPERTY)
