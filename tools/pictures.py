"""The pictures in README and docs, made by the program: ``make pictures`` writes them into docs/pictures/."""

from collections.abc import Callable
from pathlib import Path
from typing import Final

from matplotlib.figure import Figure

from tentimes18.assignment import Problem, UniformLaw
from tentimes18.cli.number_files import read_rate, read_samples
from tentimes18.coach.review import review
from tentimes18.coach.summary import summarise
from tentimes18.dice import Dice
from tentimes18.files import write_whole
from tentimes18.game import Board, Game
from tentimes18.pictures.plot_aims import plot_front, plot_target
from tentimes18.pictures.plot_assignment import plot_bounds, plot_prices, plot_regret
from tentimes18.pictures.plot_games import plot_course, plot_game, plot_progress
from tentimes18.pictures.plot_moves import plot_first_move, plot_slots, plot_thresholds
from tentimes18.pictures.plot_scores import plot_dice, plot_scores
from tentimes18.pictures.plot_style import save
from tentimes18.pictures.strategy_card import card_svg, draw_card
from tentimes18.queries.assignment import read_problem
from tentimes18.records.formats import Line, read_records
from tentimes18.records.notation import Record, parse_moves
from tentimes18.strategies.front import front_of
from tools.terminal import terminal_svg

FOLDER: Final = Path(__file__).resolve().parents[1] / "docs" / "pictures"
CLASSIC: Final = Game.classic()
# It starts as the game of the paper's first figure does, and ends with the same score.
GAME: Final = "8@5 4@1 16@10 13@9 8@2 12@6 8@4 11@7 18@8 12@3"

PICTURES: Final[dict[str, Callable[[], Figure]]] = {
    "thresholds": lambda: plot_thresholds(CLASSIC),
    "first-move": lambda: plot_first_move(CLASSIC),
    "slots": lambda: plot_slots(CLASSIC),
    "scores": lambda: plot_scores(CLASSIC),
    "target": lambda: plot_target(CLASSIC),
    "front": lambda: plot_front(CLASSIC, front_of(CLASSIC)),
    "game": lambda: plot_game(Board.replay(CLASSIC, parse_moves(GAME))),
}
LAWS: Final[dict[str, Callable[[], Figure]]] = {
    "scores-cumulative": lambda: plot_scores(CLASSIC, cumulative=True),
    "dice": lambda: plot_dice([Dice.parse(text) for text in ("3d6", "4d6kh3", "2d6!", "1d20")]),
}
ASSIGNMENTS: Final[dict[str, Callable[[], Figure]]] = {
    "hiring": lambda: plot_bounds(read_problem("normal(100, 15)", "1,1,2", "40"), "normal(100, 15)"),
    "seats": lambda: plot_prices(
        read_problem("gamma(4, 25)", "20", poisson="2", until=30.0, revenue=True), "gamma(4, 25)"
    ),
    "alerts": lambda: plot_bounds(_alerts(), "of a month of alerts"),
    "regret": lambda: plot_regret(UniformLaw(0, 1), 10_000, "uniform(0, 1)"),
}
REVIEWS: Final[dict[str, Callable[[], Figure]]] = {
    "review-course": lambda: plot_course(review(_games("paper.txt")[0])),
    "review-progress": lambda: plot_progress(summarise(_games("learner.txt"))),
}


def _alerts() -> Problem:
    folder = FOLDER.parent / "assignment"
    return read_problem(
        f"samples:{folder / 'alerts.csv'}:severity",
        "1,1,1,1.5,2",
        poisson=str(folder / "alerts-by-hour.csv"),
        until=24.0,
        read_samples=read_samples,
        read_rate=read_rate,
    )


def _games(name: str) -> list[Record]:
    lines = (FOLDER.parent / "games" / name).read_text(encoding="utf-8").splitlines()
    return [line.record for line in read_records(lines) if isinstance(line, Line)]


def make_pictures(folder: Path = FOLDER) -> None:
    """Write every picture as .svg and as .png."""
    for name, draw in (PICTURES | LAWS | ASSIGNMENTS | REVIEWS).items():
        figure = draw()
        save(figure, folder / f"{name}.svg")
        save(figure, folder / f"{name}.png")
    write_whole(folder / "card.svg", card_svg(CLASSIC).encode())
    save(draw_card(CLASSIC, "DejaVu Sans", scale=0.84), folder / "card.png", dpi=110)
    write_whole(folder / "play.svg", terminal_svg().encode())


if __name__ == "__main__":
    make_pictures()
