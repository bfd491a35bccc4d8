"""The pictures in README and docs, made by the program: ``make pictures`` writes them into docs/pictures/."""

from collections.abc import Callable
from pathlib import Path

from matplotlib.colors import to_rgba
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from tentimes18.assignment import Problem, UniformDistribution
from tentimes18.cli.number_files import read_rate, read_samples
from tentimes18.coach.review import review
from tentimes18.coach.summary import summarise
from tentimes18.dice import Dice
from tentimes18.files import write_whole
from tentimes18.game import Board, Game
from tentimes18.pictures.colours import FELT, INK, LUCK
from tentimes18.pictures.plot_aims import plot_front, plot_target
from tentimes18.pictures.plot_assignment import plot_bounds, plot_prices, plot_regret
from tentimes18.pictures.plot_games import plot_course, plot_game, plot_progress
from tentimes18.pictures.plot_moves import plot_first_move, plot_slots, plot_thresholds
from tentimes18.pictures.plot_scores import plot_dice, plot_scores
from tentimes18.pictures.plot_style import save
from tentimes18.pictures.strategy_card import card_svg
from tentimes18.queries.assignment import read_problem
from tentimes18.records.formats import Line, read_records
from tentimes18.records.notation import Record, parse_moves
from tentimes18.solve.thresholds import optimal_rule
from tentimes18.strategies.front import front_of
from tentimes18.strategies.named import nearest
from tools.terminal import terminal_svg

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "pictures"
CLASSIC = Game.classic()
# It starts as the game of the paper's first figure does, and ends with the same score.
GAME = "8@5 4@1 16@10 13@9 8@2 12@6 8@4 11@7 18@8 12@3"

PICTURES: dict[str, Callable[[], Figure]] = {
    "thresholds": lambda: plot_thresholds(CLASSIC),
    "first-move": lambda: plot_first_move(CLASSIC),
    "slots": lambda: plot_slots(CLASSIC),
    "scores": lambda: plot_scores(CLASSIC),
    "target": lambda: plot_target(CLASSIC),
    "front": lambda: plot_front(CLASSIC, front_of(CLASSIC)),
    "nearest": lambda: plot_rule(),
    "game": lambda: plot_game(Board.replay(CLASSIC, parse_moves(GAME))),
}
LAWS: dict[str, Callable[[], Figure]] = {
    "scores-cumulative": lambda: plot_scores(CLASSIC, cumulative=True),
    "dice": lambda: plot_dice([Dice.parse(text) for text in ("3d6", "4d6kh3", "2d6!", "1d20")]),
}
ASSIGNMENTS: dict[str, Callable[[], Figure]] = {
    "hiring": lambda: plot_bounds(read_problem("normal(100, 15)", "1,1,2", "40"), "normal(100, 15)"),
    "seats": lambda: plot_prices(
        read_problem("gamma(4, 25)", "20", poisson="2", until=30.0, revenue=True), "gamma(4, 25)"
    ),
    "alerts": lambda: plot_bounds(_alerts(), "of a month of alerts"),
    "regret": lambda: plot_regret(UniformDistribution(0, 1), 10_000, "uniform(0, 1)"),
}
REVIEWS: dict[str, Callable[[], Figure]] = {
    "review-course": lambda: plot_course(review(_games("paper.txt")[0])),
    "review-progress": lambda: plot_progress(summarise(_games("learner.txt"))),
}
VECTORS = frozenset({"first-move", "game", "dice", *REVIEWS})


def plot_rule() -> Figure:
    """Where each roll goes under `nearest`, as a rank among the free slots; outlined where perfect play differs."""
    rule, best, n = nearest(CLASSIC), optimal_rule(CLASSIC), CLASSIC.size
    figure = Figure(figsize=(7.2, 7.2), layout="constrained")
    axes = figure.subplots()
    for row, roll in enumerate(CLASSIC.dice.support):
        for free in range(1, n + 1):
            rank, other = rule((1 << free) - 1, roll), best((1 << free) - 1, roll)
            is_same = rank == other
            cell = Rectangle(
                (free - 0.47, row - 0.46),
                0.94,
                0.92,
                facecolor=to_rgba(FELT, 0.08 + 0.6 * rank / n),
                edgecolor="none" if is_same else LUCK,
                linewidth=2.5,
            )
            axes.add_patch(cell)
            axes.text(free, row, str(rank), ha="center", va="center", color=INK, fontsize=11)
    axes.set_xlim(0.4, n + 0.6)
    axes.set_ylim(len(CLASSIC.dice.support) - 0.4, -0.6)
    axes.set_xticks(range(1, n + 1))
    axes.set_yticks(range(len(CLASSIC.dice.support)), [str(roll) for roll in CLASSIC.dice.support])
    axes.xaxis.tick_top()
    axes.xaxis.set_label_position("top")
    axes.set_xlabel("free slots")
    axes.set_ylabel("roll")
    axes.tick_params(length=0)
    for side in axes.spines.values():
        side.set_visible(False)
    return figure


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
    """Write every picture in the format that the pages use."""
    for name, draw in (PICTURES | LAWS | ASSIGNMENTS | REVIEWS).items():
        save(draw(), folder / f"{name}{'.svg' if name in VECTORS else '.png'}")
    write_whole(folder / "card.svg", card_svg(CLASSIC).encode())
    write_whole(folder / "play.svg", terminal_svg().encode())


if __name__ == "__main__":
    make_pictures()
