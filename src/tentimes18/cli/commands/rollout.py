"""`ten18 rollout`: every move of a position tried by playing on many times, with any strategy."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from math import floor, log10
from typing import TYPE_CHECKING, Annotated, Final

import typer

from tentimes18.cli.commands.duel import duel_play_page
from tentimes18.cli.commands.simulate import (
    ClusterOption,
    GamesOption,
    SeedOption,
    exit_code,
    played,
    runner_of,
    simulation_page,
    spread,
    tables_of,
    tell_speed,
)
from tentimes18.cli.options import DiceOption, MovesOption, SlotsOption, StrategyOption
from tentimes18.cli.output import progress_bar
from tentimes18.cli.results import Form, Part, Result, add_command
from tentimes18.cli.tables import Column, Entry, number, table
from tentimes18.errors import Ten18Error
from tentimes18.game import Game, Number, read_score
from tentimes18.number_format import counted
from tentimes18.queries.positions import read_position
from tentimes18.records.notation import format_moves

if TYPE_CHECKING:
    from tentimes18.answers.rollout import DuelRolloutAnswer, RolloutAnswer
    from tentimes18.simulate.run import Run

__all__ = ["register"]

CERTAIN: Final = 3  # standard errors: what two moves must differ by to be told apart


def register(app: typer.Typer) -> None:
    """Add this command."""
    add_command(app, rollout, tables=["result"])


def rollout(
    moves: MovesOption = "",
    roll: Annotated[
        int | None, typer.Option("--roll", help="The roll to place; without one the position itself is rolled out.")
    ] = None,
    strategy: StrategyOption = "optimal",
    target: Annotated[
        str | None, typer.Option("--target", metavar="SCORE", help="Show the chance of this score or more as well.")
    ] = None,
    against: Annotated[
        str | None,
        typer.Option("--against", metavar="NAME", help="Count duels won against this strategy, on the same rolls."),
    ] = None,
    opponent: Annotated[
        str | None, typer.Option("--opponent", metavar="MOVES", help="The opponent's moves so far, in a duel.")
    ] = None,
    games: GamesOption = 1_000_000,
    seed: SeedOption = 1987,
    dice: DiceOption = "3d6",
    slots: SlotsOption = "1-10",
    cluster: ClusterOption = None,
    form: Form = Form.text,
) -> Result:
    """Try every place for a roll by playing on, many times and with any strategy.

    All moves meet the same rolls, so that their differences are known better than their means. A strategy may be a
    function of your own, as in simulate; in a duel hunter and equilibrium play as well.
    """
    from tentimes18.answers import rollout as answers
    from tentimes18.strategies.user_code import find

    if opponent is not None and against is None:
        raise Ten18Error("the moves of someone who plays on by no strategy; name one with --against", field="opponent")
    if target is not None and against is not None:
        raise Ten18Error("in a duel the higher score wins; leave --target or --against out", field="target")
    game = Game.parse(dice, slots)
    wanted = None if target is None else read_score(target, "target")
    position = read_position(game, moves, opponent, is_duel=against is not None)
    run = answers.position_run(position, strategy, seed, against, find)
    if roll is None:
        return _position(run, games, wanted, cluster, form)
    game.verify_roll(roll)
    tables = tables_of(run, games, cluster, times=len(position.board.free_slots))
    with tables, progress_bar("games", late=True) as progress:
        done = answers.roll_out(run, roll, games, target=wanted, runner=runner_of(cluster), progress=progress)
    with progress_bar("exact values"):
        result = _duel_result(run, answers.duel_rollout(done)) if against else _result(run, answers.rollout(done))
    if form is Form.text:
        tell_speed(done.games, done.seconds)
    return replace(result, code=exit_code(done.finished))


def _result(run: "Run", answer: "RolloutAnswer") -> Result:
    return Result(answer, partial(_moves_page, run, answer))


def _duel_result(run: "Run", answer: "DuelRolloutAnswer") -> Result:
    return Result(answer, partial(_duel_page, run, answer))


def _position(run: "Run", games: int, target: Number | None, cluster: str | None, form: Form) -> Result:
    """The games from a position on, whatever is rolled next."""
    from tentimes18.answers.simulation import duel_play, simulation

    done = played(run, games, cluster)
    if form is Form.text:
        tell_speed(done.counts.games, done.seconds)
    code = exit_code(done.finished)
    if len(run.strategies) == 2:
        duels = duel_play(done)
        title = f"{' against '.join(run.strategies)}{_after(run)}"
        return Result(duels, partial(duel_play_page, title, run.game, duels), code=code)
    answer = simulation(done, target)
    return Result(answer, partial(simulation_page, run, answer, "result"), code=code)


def _moves_page(run: "Run", answer: "RolloutAnswer") -> Iterator[Part]:
    rows, target, games = answer["moves"], answer.get("target"), answer["games"]
    above = "" if target is None else f"{number(target, '.10g').text} or more"
    has_exact = any(move["exact"] is not None for move in rows)
    columns: list[str | Column] = ["mean", Column("±", "stderr"), Column("to the best", "difference")]
    columns += [Column("±", "difference_stderr"), *(["exact"] if has_exact else [])]
    if target is not None:
        columns += [Column(f"P({above})", "chance"), Column("±", "chance_stderr")]
        columns += [Column("exact", "exact_chance")] if has_exact else []
    grid = table(_title(run, answer), *columns, label="slot", name="result")
    fine, finer = _form(move["stderr"] for move in rows), _form(move["difference_stderr"] for move in rows)
    for move in rows:
        cells = [
            Entry(move["slot"], f"#{move['slot']}"),
            number(move["mean"], fine),
            spread(move["stderr"], games, fine),
            *_difference(move["difference"], move["difference_stderr"], games, finer),
            *([number(move["exact"], finer)] if has_exact else []),
        ]
        if target is not None:
            cells += [number(move["chance"], ".3%"), spread(move["chance_stderr"], games, ".3%")]
            cells += [number(move["exact_chance"], ".3%")] if has_exact else []
        grid.add_row(*cells, style="bold" if move["slot"] == answer["best"] else None)
    yield grid
    gaps = [(move["slot"], -move["difference"], move["difference_stderr"]) for move in rows]
    yield _verdict(gaps, games, finer, " points")
    if target is not None and games > 1:
        most = max(rows, key=lambda move: move["chance"])
        yield f"{above} comes most often after #{most['slot']}: in {most['chance']:.3%} of the games."


def _duel_page(run: "Run", answer: "DuelRolloutAnswer") -> Iterator[Part]:
    rows, games = answer["moves"], answer["games"]
    has_exact = any(move["exact"] is not None for move in rows)
    columns: list[str | Column] = ["win", "draw", "loss", "equity", Column("±", "stderr")]
    columns += [Column("to the best", "difference"), Column("±", "difference_stderr")]
    grid = table(_title(run, answer), *columns, *(["exact"] if has_exact else []), label="slot", name="result")
    for move in rows:
        grid.add_row(
            Entry(move["slot"], f"#{move['slot']}"),
            *(number(share, ".2%") for share in (move["win"], move["draw"], move["loss"])),
            number(move["equity"], ".3%"),
            spread(move["stderr"], games, ".3%"),
            *_difference(move["difference"], move["difference_stderr"], games, ".3%"),
            *([number(move["exact"], ".3%")] if has_exact else []),
            style="bold" if move["slot"] == answer["best"] else None,
        )
    yield grid
    yield "equity: win + draw × 0.5"
    gaps = [(move["slot"], -move["difference"], move["difference_stderr"]) for move in rows]
    yield _verdict(gaps, games, ".3%", "")


def _title(run: "Run", answer: "RolloutAnswer | DuelRolloutAnswer") -> str:
    who = " against ".join(run.strategies)
    number_of = counted(answer["games"], "game")
    return f"A roll of {answer['roll']}{_after(run)}, {run.game}: {number_of} of {who} a slot, seed {run.seed}"


def _after(run: "Run") -> str:
    placements = run.board().placements
    return f" after {format_moves(placements)}" if placements else ""


def _difference(difference: float, error: float, games: int, form: str) -> tuple[Entry, Entry]:
    """How far a move is from the best one, which has no distance to tell."""
    if difference == 0 and error == 0:
        return Entry(0.0, "best"), Entry(0.0, "")
    return number(difference, form), spread(error, games, form)


def _verdict(gaps: Sequence[tuple[int, float, float]], games: int, form: str, unit: str) -> str:
    """Whether the best move is told apart from the next one: slot, distance to the best and its standard error."""
    (best, _, _), *others = gaps
    if not others:
        return f"#{best} is the only free slot."
    if games == 1:
        return "One game tells no moves apart. More games may tell."
    slot, gap, error = min(others, key=lambda other: other[1])
    if gap == error == 0:
        return f"#{best} and #{slot} came to the same in every game."
    distance = f"{gap:{form}} ± {error:{form}}{unit}"
    if gap > CERTAIN * error:
        return f"#{best} is best: #{slot}, the next one, is behind by {distance}."
    return f"#{best} and #{slot} cannot be told apart: they differ by {distance}. More games may tell."


def _form(errors: Iterable[float]) -> str:
    """As many decimals as the smallest standard error has, with two digits of it; at least two, at most six."""
    least = min((error for error in errors if error > 0), default=1.0)
    return f".{min(6, max(2, 1 - floor(log10(least))))}f"
