"""`ten18 duel ...`: two players on the same rolls, answered exactly."""

from enum import StrEnum
from math import ceil, log10, sqrt
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from tentimes18.cli.commands.simulate import INTERRUPTED, ClusterOption, GamesOption, SeedOption, play_games
from tentimes18.cli.options import DiceOption, JsonOption, SlotsOption, read_free
from tentimes18.cli.output import console, print_json, progress_bar, table, tell, write
from tentimes18.errors import InvalidGame, Ten18Error, TooLarge
from tentimes18.game import Game, Number, read_score

if TYPE_CHECKING:
    from tentimes18.solve.duel.equilibrium import Equilibrium
    from tentimes18.solve.duel.outcome import Outcome
    from tentimes18.solve.duel.response import DuelChances
    from tentimes18.solve.rules import Rule

__all__ = ["register"]

FreeOption: TypeAlias = Annotated[
    str | None, typer.Option("--free", metavar="SLOTS", help="My free slots, like 1,4,7.", show_default="all")
]
OpponentOption: TypeAlias = Annotated[
    str | None,
    typer.Option("--opponent-free", metavar="SLOTS", help="The opponent's free slots.", show_default="as mine"),
]
LeadOption: TypeAlias = Annotated[str, typer.Option("--lead", metavar="POINTS", help="My score minus the opponent's.")]
CacheOption: TypeAlias = Annotated[
    Path | None,
    typer.Option("--cache", metavar="FOLDER", help="Where tables are kept.", show_default="TEN18_CACHE, or the user's"),
]


class Rolls(StrEnum):
    """Whose rolls they are."""

    same = "same"
    own = "own"


RollsOption: TypeAlias = Annotated[
    Rolls, typer.Option("--rolls", help="The same rolls for both, or own dice and the other board out of sight.")
]


def register(app: typer.Typer) -> None:
    """Add these commands."""
    duel = typer.Typer()
    for command in (response, equilibrium, play, cycle):
        duel.command()(command)
    duel.callback(invoke_without_command=True)(duels)
    app.add_typer(duel, name="duel")


def duels(context: typer.Context) -> None:
    """Two players on the same rolls; the higher score wins."""
    if context.invoked_subcommand is None:
        write(context.get_help() + "\n")


def response(
    to: Annotated[
        str, typer.Option("--to", metavar="NAME", help="The opponent: optimal, nearest, bands, greedy or equilibrium.")
    ] = "optimal",
    with_: Annotated[
        str | None,
        typer.Option("--with", metavar="NAME", help="My strategy (also random, hunter) instead of the best response."),
    ] = None,
    draw: Annotated[
        str | None, typer.Option("--draw", metavar="WORTH", help="What a draw is worth, 0 to 1.", show_default="0.5")
    ] = None,
    players: Annotated[
        int | None, typer.Option("--players", metavar="N", help="A table of N; all others play the same strategy.")
    ] = None,
    free: FreeOption = None,
    opponent_free: OpponentOption = None,
    lead: LeadOption = "0",
    rolls: RollsOption = Rolls.same,
    dice: DiceOption = "3d6",
    slots: SlotsOption = "1-10",
    cache: CacheOption = None,
    as_json: JsonOption = False,
) -> None:
    """The best response to a strategy, exactly: how often it wins."""
    game = Game.parse(dice, slots)
    worth = _draw_worth(draw, players)
    from_start = (free, opponent_free, lead, worth) == (None, None, "0", 0.5)
    if rolls is Rolls.own:
        if with_ or not from_start:
            raise Ten18Error("--rolls own: from the start only, with a draw worth one half, and the best response")
        _show_outcome("The best response", f"{to}, each with own rolls", game, _own_response(game, to), worth, as_json)
        return
    if to == "equilibrium":
        if not from_start:
            raise Ten18Error("'equilibrium' is answered from the start only, with a draw worth one half", field="to")
        _show_against_equilibrium(game, with_, cache, as_json)
        return
    from tentimes18.solve.duel.response import Response, best_response, fixed_chances

    theirs = _rule(to, game, "to")
    mine = _rule(with_, game, "with") if with_ and with_ != "random" else None
    position = _position(game, free, opponent_free, lead)
    with progress_bar("response") as progress:
        solved = (
            fixed_chances(game, mine, theirs, draw=worth, progress=progress)
            if with_
            else best_response(game, theirs, draw=worth, progress=progress)
        )
        outcome = solved.at(*position)
        scores = _scores(solved, mine, theirs) if position[0] == game.all_free else {}
    line = "Mean score {mean:.4f}, standard deviation {sd:.4f}; {to}: {opponent_mean:.4f}, {opponent_sd:.4f}."
    said = line.format(to=to, **scores) if scores else None
    _show_outcome(with_ or "the best response", to, game, outcome, worth, as_json, scores, said)
    if isinstance(solved, Response) and position[0] == game.all_free and not as_json:
        _show_first_moves(game, lambda roll: solved.choose(*position, roll), to)


def _show_outcome(
    who: str,
    to: str,
    game: Game,
    outcome: "Outcome",
    worth: float,
    as_json: bool,
    facts: dict[str, float] | None = None,
    line: str | None = None,
) -> None:
    """The chances; further facts for programs, and the line that says them to people."""
    if as_json:
        names = ("equity", "win", "draw", "loss")
        print_json({name: getattr(outcome, name) for name in names} | (facts or {}))
        return
    grid = table(f"{who[0].upper()}{who[1:]} against {to}, {game}", "chance", label="")
    for name in ("win", "draw", "loss"):
        grid.add_row(name, f"{getattr(outcome, name):.8f}")
    grid.add_row("equity", f"{outcome.equity:.8f}", style="bold")
    screen = console()
    screen.print(grid)
    screen.print(f"equity: win + draw × {worth:g}")
    if line:
        screen.print(line)


def _scores(solved: "DuelChances", mine: "Rule | None", theirs: "Rule") -> dict[str, float]:
    """Mean and standard deviation of both scores from the start; nothing where their laws are too large."""
    from tentimes18.solve.duel.path import ResponsePath
    from tentimes18.solve.duel.response import Response
    from tentimes18.solve.scores.float_laws import float_rule_law
    from tentimes18.solve.scores.laws import random_law

    game = solved.windows.game
    try:
        if isinstance(solved, Response):
            own = ResponsePath(solved).law
        else:
            own = float_rule_law(game, mine) if mine else random_law(game)
        other = float_rule_law(game, theirs)
    except TooLarge:
        return {}
    return {"mean": float(own.mean), "sd": own.sd, "opponent_mean": float(other.mean), "opponent_sd": other.sd}


def _show_against_equilibrium(game: Game, with_: str | None, cache: Path | None, as_json: bool) -> None:
    """The exact result of a strategy against the equilibrium; of the best reply, with the most it gains anywhere."""
    from tentimes18.solve.duel.path import EquilibriumPath
    from tentimes18.strategies.solved import hunter

    rule = None if with_ in (None, "hunter", "random") else _rule(str(with_), game, "with")
    solved = _equilibrium(game, cache)
    with progress_bar("response") as progress:
        if with_:
            mine = hunter(game, None, cache, tell) if with_ == "hunter" else rule
            outcome = EquilibriumPath(solved, mine, at_random=with_ == "random", progress=progress).outcome
            facts, line = {}, None
        else:
            certificate = solved.certify(progress)
            outcome = certificate.response
            facts = {"largest_gain": certificate.largest, "positions": certificate.positions}
            # A power of ten, not below what rounding alone may make of it on another machine.
            bound = 10.0 ** max(-12, ceil(log10(max(certificate.largest, 1e-300))))
            line = (
                f"At none of {certificate.positions:,} open positions, from either side, does it gain more than "
                f"{bound:.0e}."
            )
    _show_outcome(with_ or "the best response", "equilibrium", game, outcome, 0.5, as_json, facts, line)


def _own_response(game: Game, to: str) -> "Outcome":
    from tentimes18.game import Board
    from tentimes18.solve.duel.own_rolls import outcome, response_to_law
    from tentimes18.strategies.named import named
    from tentimes18.strategies.strategy import score_law

    try:
        theirs = score_law(Board(game), named(to), exact=False)
    except Ten18Error as error:
        raise error.about("to") if error.field == "strategy" else error from None
    with progress_bar("response"):
        return outcome(response_to_law(game, theirs).law(exact=False), theirs)


def _show_first_moves(game: Game, choose: Any, to: str) -> None:
    rule = _rule(to, game, "to")
    grid = table("The first move", "response", to, label="roll")
    for roll in game.dice.support:
        mine, theirs = choose(roll), rule(game.all_free, roll)
        grid.add_row(str(roll), f"#{mine}", f"#{theirs}", style="bold" if mine != theirs else None)
    console().print(grid)


def _rule(name: str, game: Game, option: str) -> "Rule":
    from tentimes18.strategies.named import rule_named

    strategy = rule_named(name)
    if strategy is None:
        others = "equilibrium" if option == "to" else "random, and against equilibrium hunter"
        raise Ten18Error(
            f"{name!r} cannot be answered exactly; accepted: optimal, nearest, bands, greedy, "
            f"which look at their own free slots and the roll only; {others}",
            field=option,
        )
    return strategy.rule(game)


def _draw_worth(draw: str | None, players: int | None) -> float:
    if players is not None:
        if draw is not None:
            raise InvalidGame("at a table of N a draw is worth 1/N; leave --draw out", field="players")
        if players < 2:
            raise InvalidGame(f"{players} is too few; a table has at least 2", field="players")
        return 1 / players
    worth = float(read_score(draw, "draw")) if draw is not None else 0.5
    if not 0 <= worth <= 1:
        raise InvalidGame(f"{draw} is not what a draw can be worth; accepted: 0 to 1", field="draw")
    return worth


def _position(game: Game, free: str | None, opponent_free: str | None, lead: str) -> tuple[int, int, Number]:
    mine = read_free(game, free)
    theirs = mine if opponent_free is None else read_free(game, opponent_free, "opponent-free")
    return mine, theirs, read_score(lead, "lead")


def equilibrium(
    free: FreeOption = None,
    opponent_free: OpponentOption = None,
    lead: LeadOption = "0",
    dice: DiceOption = "3d6",
    slots: SlotsOption = "1-10",
    rolls: RollsOption = Rolls.same,
    cache: CacheOption = None,
    as_json: JsonOption = False,
) -> None:
    """The Nash equilibrium: the value of a position, and a mixed move for every roll."""
    game = Game.parse(dice, slots)
    if rolls is Rolls.own:
        if (free, opponent_free, lead) != (None, None, "0"):
            raise Ten18Error("--rolls own: from the start only; leave out --free, --opponent-free and --lead")
        _show_own_rolls(game, as_json)
        return
    position = _position(game, free, opponent_free, lead)
    solved = _equilibrium(game, cache)
    value = solved.value(*position)
    moves = {roll: solved.moves(*position, roll) for roll in game.dice.support}
    if as_json:
        print_json(
            {
                "value": value,
                "moves": {str(roll): [[slot, share] for slot, share in move.items()] for roll, move in moves.items()},
            }
        )
        return
    grid = table(f"Equilibrium of the duel, {game}", "move", label="roll")
    for roll, move in moves.items():
        text = " or ".join(f"#{slot}" if len(move) == 1 else f"#{slot} {share:.2%}" for slot, share in move.items())
        grid.add_row(str(roll), text)
    screen = console()
    screen.print(f"Value: {value:.10f} (chance to win, a draw counting one half)")
    screen.print(grid)


def _equilibrium(game: Game, cache: Path | None) -> "Equilibrium":
    from tentimes18.strategies.solved import equilibrium

    with progress_bar("equilibrium") as progress:
        return equilibrium(game, progress, cache, tell)


def _verify_player(place: str, name: str) -> None:
    """Raise where nobody of this name plays duels; they stand at a place, not after an option."""
    from tentimes18.strategies.named import ACCEPTED, DUEL_STRATEGIES, UnknownStrategy
    from tentimes18.strategies.user_code import find

    try:
        if name not in DUEL_STRATEGIES:
            find(name)
    except UnknownStrategy:
        raise UnknownStrategy(f"not known; accepted: {ACCEPTED}, {', '.join(DUEL_STRATEGIES)}", place, name) from None
    except Ten18Error as error:
        raise error.about(place) from None


def play(
    first: Annotated[str, typer.Argument(metavar="A", help="A strategy by name.")],
    second: Annotated[str, typer.Argument(metavar="B", help="The one it plays against.")],
    games: GamesOption = 1_000_000,
    seed: SeedOption = 1987,
    dice: DiceOption = "3d6",
    slots: SlotsOption = "1-10",
    cluster: ClusterOption = None,
    as_json: JsonOption = False,
) -> None:
    """A against B on the same rolls: how often A wins."""
    from tentimes18.simulate.run import Run
    from tentimes18.solve.lattice import lattice_of
    from tentimes18.strategies.user_code import find

    for place, name in (("A", first), ("B", second)):
        _verify_player(place, name)
    run = Run(Game.parse(dice, slots), (first, second), seed, find)
    counts, _, finished = play_games(run, games, cluster)
    n, unit = counts.games, float(lattice_of(run.game).unit)
    shares = {
        "win": int(counts.wins[0, 1]) / n,
        "draw": int(counts.draws[0, 1]) / n,
        "loss": int(counts.wins[1, 0]) / n,
    }
    errors = {name: sqrt(share * (1 - share) / n) for name, share in shares.items()}
    mean = unit * counts.difference / n
    spread = sqrt(max(0.0, unit**2 * counts.squared_difference / n - mean**2) / n)
    low, high = (unit * gap for gap in counts.largest)
    if as_json:
        print_json(
            {
                "games": n,
                **shares,
                "stderr": errors,
                "mean_difference": mean,
                "mean_difference_stderr": spread,
                "largest_win": max(0.0, high),
                "largest_loss": max(0.0, -low),
            }
        )
    else:
        grid = table(f"{first} against {second}, {n:,} games, {run.game}", "share", "standard error", label="")
        for name, share in shares.items():
            grid.add_row(name, f"{share:.6f}", f"{errors[name]:.6f}")
        screen = console()
        screen.print(grid)
        screen.print(f"Mean difference {mean:+.4f} ± {spread:.4f} points; largest win {high:g}, largest loss {-low:g}.")
    if not finished:
        raise typer.Exit(INTERRUPTED)


def cycle(dice: DiceOption = "1d6", slots: SlotsOption = "1-4", as_json: JsonOption = False) -> None:
    """Who beats whom in a circle: an exact proof in a small game, by best replies to best replies."""
    from tentimes18.solve.duel.cycle import find_cycle

    game = Game.parse(dice, slots)
    found = find_cycle(game)
    if as_json:
        results = [] if found is None else found.results
        print_json(
            {
                "names": [] if found is None else list(found.names),
                "results": [{name: str(getattr(r, name)) for name in ("win", "draw", "loss")} for r in results],
            }
        )
        return
    screen = console()
    if found is None:
        screen.print(f"No circle among the best replies in {game}.")
        return
    grid = table(f"A circle in {game}, exactly", "against", "win", "draw", "loss", label="")
    for name, other, r in zip(found.names, [*found.names[1:], found.names[0]], found.results, strict=True):
        grid.add_row(name, other, str(r.win), str(r.draw), str(r.loss))
    screen.print(grid)
    screen.print("hunter: the best reply to optimal; reply 2: the best reply to hunter; and so on.")


def _show_own_rolls(game: Game, as_json: bool) -> None:
    from tentimes18.solve.duel.own_rolls import equity, own_rolls_equilibrium
    from tentimes18.solve.rules import optimal_rule
    from tentimes18.solve.scores.float_laws import float_rule_law

    with progress_bar("own rolls") as progress:
        solved = own_rolls_equilibrium(game, progress=progress)
    against = equity(solved.law, float_rule_law(game, optimal_rule(game)))
    facts = {
        "value": 0.5,
        "exploitability": solved.exploitability,
        "against_optimal": against,
        "mean": float(solved.law.mean),
        "sd": solved.law.sd,
    }
    if as_json:
        print_json({**facts, "shares": [share for share in solved.shares if share > 0]})
        return
    names = ("value", "the best reply to it gains", "equity against optimal", "mean score", "standard deviation")
    grid = table(f"Equilibrium with own rolls, {game}", "", label="")
    for name, value in zip(names, facts.values(), strict=True):
        grid.add_row(name, f"{value:.2e}" if name.endswith("gains") else f"{value:.6f}")
    console().print(grid)
