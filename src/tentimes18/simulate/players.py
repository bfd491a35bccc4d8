"""How strategies play many games at once: the rolls of a run, and players that turn them into scores.

A player fills in the score indices of a block of games from their rolls. Rules become tables for a kernel; whatever has
no kernel is played board by board.
"""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from math import prod
from typing import TYPE_CHECKING, Any, Final, Protocol

from tentimes18.errors import Ten18Error, TooLarge
from tentimes18.game import Board, Game
from tentimes18.solve.lattice import lattice_of
from tentimes18.strategies.named import DUEL_STRATEGIES, Finder, named
from tentimes18.strategies.strategy import Hindsight, ObjectiveStrategy, RandomSlot, RuleStrategy, Strategy, play_game

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = [
    "Player",
    "Run",
    "draw",
    "drawn_rolls",
    "duel_player",
    "is_duel",
    "is_fast",
    "played_boards",
    "players_of",
]

WORD_PRODUCT: Final = 2**44  # numbers drawn from one word multiply up to this at most: one word in 10^6 is drawn anew
MAX_TABLE_SLOTS: Final = 16
MAX_WIDTH: Final = 50_000_000
MAX_CHOICES: Final = 10**9  # bytes of a table of choices
MAX_RULE_CALLS: Final = 5_000_000  # of a rule in Python, to make its table
WIDE_LIMBS: Final = 4


@dataclass(frozen=True)
class Run:
    """What is played: the game, the strategies by name, all on the same rolls, and the seed of these rolls.

    >>> Run(Game.classic(), ("optimal", "nearest"), seed=18).strategies
    ('optimal', 'nearest')
    """

    game: Game
    strategies: tuple[str, ...]
    seed: int
    find: Finder = named
    """What a name means; code of the user's own is a matter of `strategies.user_code`."""


def drawn_rolls(run: Run, first: int, games: int) -> list[list[int]]:
    """The rolls of these games of a run.

    >>> run = Run(Game.classic(), ("optimal",), seed=18)
    >>> drawn_rolls(run, 0, 3)[2] == drawn_rolls(run, 2, 1)[0]
    True
    """
    support = run.game.dice.support
    return [[support[position] for position in game] for game in draw(run, first, games).T.tolist()]


class Player(Protocol):
    """Fills in the score indices of games from ``start`` on, given their rolls by position."""

    def __call__(self, start: int, rolls: "NDArray[Any]", scores: "NDArray[np.int32]", /) -> None:
        """Play."""


def is_fast(run: Run) -> bool:
    """Whether kernels play all strategies of this run."""
    return all(
        isinstance(run.find(name), RuleStrategy | RandomSlot | Hindsight | ObjectiveStrategy) for name in run.strategies
    )


@lru_cache(maxsize=8)
def players_of(run: Run) -> list[Player]:
    """A player for each strategy of a run; their tables are made once."""
    width = lattice_of(run.game).width(run.game.all_free)
    if width > MAX_WIDTH:
        raise TooLarge(f"the score can take {width:,} values; at most {MAX_WIDTH:,} are counted", field="slots")
    return [_player(run, run.find(name), place) for place, name in enumerate(run.strategies)]


def _player(run: Run, strategy: Strategy, place: int) -> Player:
    if isinstance(strategy, RuleStrategy):
        return _choice_player(run.game, strategy)
    if isinstance(strategy, Hindsight):
        return _hindsight_player(run.game)
    if isinstance(strategy, RandomSlot):
        return _random_player(run, place)
    if isinstance(strategy, ObjectiveStrategy):
        return _aim_player(run.game, strategy)
    return _slow_player(run.game, strategy)


def is_duel(run: Run) -> bool:
    """Whether a strategy of this run looks at the opponent's board."""
    return any(name in DUEL_STRATEGIES for name in run.strategies)


@lru_cache(maxsize=2)
def duel_player(run: Run) -> Player:
    """Plays the two strategies of a run against each other, with both boards in sight."""
    import numpy as np

    from tentimes18.kernels import duel_play as kernel
    from tentimes18.kernels.types import DuelPlayers, Hunter
    from tentimes18.solve.rule_slots import rule_slots
    from tentimes18.strategies.solved import equilibrium, hunter

    if len(run.strategies) != 2:
        raise Ten18Error(
            f"{', '.join(DUEL_STRATEGIES)} play duels of two, not alone or at larger tables", field="strategies"
        )
    game = run.game
    rules = [run.find(name) if name not in DUEL_STRATEGIES else named("optimal") for name in run.strategies]
    if not all(isinstance(rule, RuleStrategy) for rule in rules):
        names = "optimal, nearest, bands, greedy, hunter, equilibrium"
        raise Ten18Error(f"against {' and '.join(DUEL_STRATEGIES)} only these play: {names}", field="strategy")
    choices: Any = tuple(rule_slots(game, rule.rule(game)) for rule in rules if isinstance(rule, RuleStrategy))
    kinds: Any = tuple(1 + DUEL_STRATEGIES.index(name) if name in DUEL_STRATEGIES else 0 for name in run.strategies)
    response = hunter(game) if 1 in kinds else None
    table = equilibrium(game) if 2 in kinds else None
    windows = (response or table).windows  # type: ignore[union-attr]
    nothing = windows.table(np.zeros(1))
    nobody = Hunter(np.zeros((1, 1), dtype=np.int8), np.zeros((1, 1, 1), dtype=np.int8), nothing)
    mixes = table.windows.table(table.values) if table else nothing
    players = DuelPlayers(kinds, choices, response.hunter if response else nobody, mixes)
    key = _key(run.seed, "mixed moves")

    def player(start: int, rolls: "NDArray[Any]", scores: "NDArray[np.int32]") -> None:
        chances = drawn_fractions(key, start, 2 * game.size, rolls.shape[1])
        kernel.play_duel(players, windows.shifts, rolls, chances, scores)

    return player


def drawn_fractions(key: "np.uint64", first: int, rounds: int, games: int) -> "NDArray[np.float64]":
    """Numbers between 0 and 1, [round, game], by the number of the game."""
    import numpy as np

    from tentimes18.kernels import simulate as kernel

    words = np.empty((rounds, games), dtype=np.uint64)
    for which in range(rounds):
        kernel.fill_words(key, rounds, which, first, np.uint64(1), words[which])
    fractions: NDArray[np.float64] = (words >> np.uint64(11)) * np.float64(2.0**-53)
    return fractions


def _points(game: Game) -> "NDArray[np.int32]":
    import numpy as np

    return np.array(lattice_of(game).shifts, dtype=np.int32)


def _choice_player(game: Game, strategy: RuleStrategy) -> Player:
    import numpy as np

    from tentimes18.kernels import simulate as kernel
    from tentimes18.solve.rule_slots import optimal_ranks, rule_slots

    points = _points(game)
    is_optimal = strategy.name == "optimal"
    entries = len(game.dice.support) << min(game.size, 64)
    if game.size <= MAX_TABLE_SLOTS and entries <= (MAX_CHOICES if is_optimal else MAX_RULE_CALLS):
        slots = rule_slots(game, strategy.rule(game)).astype(np.uint8)
        if points.max() >= 1 << 16:
            return lambda _, rolls, scores: kernel.play_choices(slots, points, rolls, scores)
        after = np.arange(len(slots))[:, np.newaxis] ^ (1 << slots.astype(np.int64))
        moves = (points[slots, np.arange(slots.shape[1])].astype(np.int64) << 16 | after).astype(np.uint32)
        return lambda _, rolls, scores: kernel.play_moves(moves, rolls, scores)
    if not is_optimal:
        raise TooLarge(
            f"on {game.size} slots and {len(game.dice.support)} rolls it needs a table of {float(entries):.1e} "
            f"choices; at most {MAX_RULE_CALLS:.0e}, and {MAX_TABLE_SLOTS} slots",
            "strategy",
            strategy.name,
        )
    ranks = optimal_ranks(game)
    return lambda _, rolls, scores: kernel.play_by_rank(ranks, points, rolls, scores)


def _hindsight_player(game: Game) -> Player:
    import numpy as np

    from tentimes18.kernels import simulate as kernel

    by_roll = _points(game).T
    upto = np.zeros((len(by_roll), game.size + 1), dtype=np.int32)  # units of roll x in the slots below i
    upto[:, 1:] = np.cumsum(by_roll, axis=1)
    bits = 8 if game.size < 256 else 32
    patterns = np.zeros((len(by_roll) // (64 // bits) + 1, len(by_roll)), dtype=np.uint64)
    for x in range(len(by_roll)):
        word, place = divmod(x, 64 // bits)
        patterns[word, : x + 1] |= np.uint64(1 << (bits * place))
    gains, most = np.diff(upto, axis=0), int(upto[-1, -1])
    return lambda _, rolls, scores: kernel.play_sorted(patterns, bits, gains, most, rolls, scores)


def _random_player(run: Run, place: int, chosen: "NDArray[np.uint16] | None" = None) -> Player:
    """Plays at random; the slots, from 0, go into ``chosen`` where that is given."""
    import numpy as np

    from tentimes18.kernels import simulate as kernel
    from tentimes18.kernels.types import RandomWords

    n, points = run.game.size, _points(run.game)
    words: list[list[int]] = [[]]
    for free in range(n, 0, -1):
        if prod(words[-1]) * free > WORD_PRODUCT:
            words.append([])
        words[-1].append(free)
    products = np.array([prod(word) for word in words], dtype=np.uint64)
    groups = np.repeat(np.arange(len(words)), [len(word) for word in words])
    source = RandomWords(_key(run.seed, f"random {place}"), products, groups)
    slots: Any = np.empty((0, 0), dtype=np.uint16) if chosen is None else chosen
    return lambda start, rolls, scores: kernel.play_random(source, points, start, rolls, scores, slots)


def played_boards(run: Run, first: int, games: int) -> Iterator[Board]:
    """The full boards of these games under the first strategy of a run, as they are counted.

    >>> run = Run(Game.classic(), ("random",), seed=18)
    >>> [board.score for board in played_boards(run, 0, 50)][:2] == [
    ...     board.score for board in played_boards(run, 0, 2)]
    True
    """
    import numpy as np

    strategy = run.find(run.strategies[0])
    rolls = drawn_rolls(run, first, games)
    if not isinstance(strategy, RandomSlot):
        yield from (play_game(run.game, strategy, sequence) for sequence in rolls)
        return
    chosen = np.empty((run.game.size, games), dtype=np.uint16)
    _random_player(run, 0, chosen)(first, draw(run, first, games), np.empty(games, dtype=np.int32))
    for sequence, slots in zip(rolls, (chosen.T + 1).tolist(), strict=True):
        yield Board.replay(run.game, zip(sequence, slots, strict=True))


def _aim_player(game: Game, strategy: ObjectiveStrategy) -> Player:
    import numpy as np

    from tentimes18.kernels import simulate as kernel

    n = game.size
    size = 2.0 ** min(n, 300) * (lattice_of(game).width(game.all_free) / 2 + 1) * len(game.dice.support)
    if size > MAX_CHOICES:
        raise TooLarge(
            f"{strategy.name} on {n} slots has {size:.1e} choices by free set, score and roll; "
            f"at most {MAX_CHOICES:.0e}: use fewer slots",
            field="slots",
        )
    offsets, choices = strategy.solve(game).choice_table()
    points, slots = _points(game), choices.astype(np.uint8)
    return lambda _, rolls, scores: kernel.play_score_choices(slots, offsets, points, rolls, scores)


def _slow_player(game: Game, strategy: Strategy) -> Player:
    lattice = lattice_of(game)
    low, support = lattice.low(game.all_free), game.dice.support

    def player(_: int, rolls: "NDArray[Any]", scores: "NDArray[np.int32]") -> None:
        for g, positions in enumerate(rolls.T.tolist()):
            board = play_game(game, strategy, [support[position] for position in positions])
            scores[g] = int((board.score - low) / lattice.unit)

    return player


def _key(seed: int, purpose: str) -> "np.uint64":
    import numpy as np

    digest = hashlib.blake2b(f"{purpose} {seed}".encode(), digest_size=8).digest()
    return np.uint64(int.from_bytes(digest, "little"))


def draw(run: Run, first: int, games: int) -> "NDArray[Any]":
    """The positions of the rolls, [round, game]."""
    import numpy as np

    from tentimes18.kernels import simulate as kernel

    dice, n = run.game.dice, run.game.size
    kind = np.uint8 if len(dice.support) <= 256 else np.uint16
    rolls = np.empty((n, games), dtype=kind)
    key = _key(run.seed, "rolls")
    if dice.total <= 1 << 16:
        per_word = next(m for m in range(n, 0, -1) if dice.total**m <= WORD_PRODUCT)
        kernel.draw_rolls(key, np.uint64(dice.total), per_word, _outcomes(run.game), first, rolls)
    else:
        kernel.draw_wide_rolls(key, _bounds(run.game), first, rolls)
    return rolls


@lru_cache(maxsize=8)
def _outcomes(game: Game) -> "NDArray[Any]":
    import numpy as np

    kind = np.uint8 if len(game.dice.support) <= 256 else np.uint16
    return np.repeat(np.arange(len(game.dice.support), dtype=kind), game.dice.counts)


@lru_cache(maxsize=8)
def _bounds(game: Game) -> "NDArray[np.uint64]":
    """The words of the binary expansions of P(X <= x), for all rolls but the last."""
    import numpy as np

    total = game.dice.total
    rests = list(accumulate(game.dice.counts))[:-1]
    words = []
    for _ in range(WIDE_LIMBS):
        words.append([(rest << 64) // total for rest in rests])
        rests = [(rest << 64) % total for rest in rests]
    return np.array(words, dtype=np.uint64).reshape(WIDE_LIMBS, -1)
