"""How strategies play many games at once: a player for each computes the scores of a block of rolls.

The class of a strategy decides which player it gets. Rules and objectives become tables for a kernel; a strategy
without a kernel is played board by board. The tables are those of a game: with them a player goes on from any board.

`hunter` and `equilibrium` respond to one opponent. At a table with others they play their duel with one other seat,
their rival: `optimal` if it sits there, else the first strategy that plays no duels. They ignore the other seats. A
rival plays by its own board, so its slots of a game are known before theirs.

A kernel starts from a board with these slots ``free``, one for each round. ``scores`` hold the units that the board has
made already, and the kernel adds those of the rest of the game.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from math import prod
from typing import Any, NamedTuple, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tentimes18.arrays import Ints, Slots, Words
from tentimes18.compiled import compiled
from tentimes18.duel.best_response import no_hunter
from tentimes18.duel.lead_windows import Standing
from tentimes18.duel.several_players import MAX_PLAYERS, Seat, duel_seat, rule_seat
from tentimes18.duel.slot_choice import ANY, HUNTER, MIXED, DuelPlayers, play_duel
from tentimes18.errors import Ten18Error, TooLarge
from tentimes18.game import Board, Game, slots_of
from tentimes18.limits import as_float, check_size
from tentimes18.random_words import fill_words, next_numbers
from tentimes18.simulate.drawing import Rolls, draw, drawn_fractions, drawn_rolls, key_of
from tentimes18.simulate.run import WORD_PRODUCT, Run
from tentimes18.solve.lattice import lattice_of, lattice_width
from tentimes18.solve.move_arrays import moves_of, optimal_ranks, same_everywhere
from tentimes18.solve.parallel import Progress, thread_count
from tentimes18.solve.thresholds import optimal_rule
from tentimes18.strategies.named import DUEL_STRATEGIES, RULES, Finder, named
from tentimes18.strategies.solved import equilibrium, hunter, rule_table
from tentimes18.strategies.strategy import Hindsight, ObjectiveStrategy, RandomSlot, RuleStrategy, Strategy, play_on
from tentimes18.tables import table_cache

ONE = np.uint64(1)
NO_SLOTS = np.empty((0, 0), dtype=np.uint16)
NUMBERS = {"hunter": HUNTER, "equilibrium": MIXED}
Scores = NDArray[np.int32]
Chosen = NDArray[np.uint16]
TableStrategy: TypeAlias = RuleStrategy | ObjectiveStrategy
KERNEL_STRATEGIES = TableStrategy | RandomSlot | Hindsight


class SlotTable(NamedTuple):
    """The slot, from 0, for a free set A, the units so far, and roll x: slots[offsets[A] + looks * units, x].

    Rules do not look at the units.
    """

    slots: NDArray[np.uint8]
    offsets: Ints
    looks: int


class RandomWords(NamedTuple):
    """A stream of random words for one player: round r draws from word groups[r], below products[groups[r]]."""

    key: np.uint64
    products: NDArray[np.uint64]
    groups: Ints

    @classmethod
    def of(cls, seed: int, place: int, rounds: int) -> Self:
        """The words of random play at a place in a run: as few as hold numbers below the rounds, rounds - 1, ..., 1."""
        words: list[list[int]] = [[]]
        for bound in range(rounds, 0, -1):
            if prod(words[-1]) * bound > WORD_PRODUCT:
                words.append([])
            words[-1].append(bound)
        products = np.array([prod(word) for word in words], dtype=np.uint64)
        groups = np.repeat(np.arange(len(words)), [len(word) for word in words])
        return cls(key_of(seed, f"random {place}"), products, groups)


MAX_TABLE_SLOTS = 16
MAX_TABLE_BYTES = 10**9
"""A table of slots for all free sets, up to here; beyond it `optimal` plays by the rank of a slot."""
MAX_WIDTH = 2**31 - 2  # of scores, which are counted in 32 bits
NOWHERE = np.empty((0, 0), dtype=np.uint16)  # for slots that nobody asks for
Play: TypeAlias = Callable[[int, NDArray[Any], Scores], None]
"""Sets the score indices of games from a number on, given the places of their rolls in the support, [round, game].

A player sets one row of them, the players of a run one row each.
"""
SlotChooser: TypeAlias = Callable[[int, NDArray[Any]], Chosen]
"""Returns the slots, from 0, [round, game], of games from a number on, given the places of their rolls."""


@dataclass(frozen=True, eq=False)
class Player:
    """Plays blocks of games: ``start`` returns how, from a board whose units the scores hold already."""

    start: Callable[[Board], Play]
    nbytes: int = 0

    def going_on(self, board: Board) -> Play:
        play, units = self.start(board), units_on(board)

        def fill(first: int, rolls: NDArray[Any], scores: Scores) -> None:
            scores.fill(units)
            play(first, rolls, scores)

        return fill


class Players:
    """The players of a run, one for each strategy; together they set a row of scores for each."""

    def __init__(self, players: Sequence[Player], run: Run) -> None:
        self.players = players
        self.nbytes = sum(player.nbytes for player in players)
        self.plays = [player.going_on(run.board(place)) for place, player in enumerate(players)]

    def __call__(self, first: int, rolls: NDArray[Any], scores: Scores) -> None:
        for play, row in zip(self.plays, scores, strict=True):
            play(first, rolls, row)


def units_on(board: Board) -> int:
    """The units that a board has made: its part of the index of a score."""
    support, shifts = board.game.dice.support, lattice_of(board.game).shifts
    return sum(shifts[slot - 1][support.index(roll)] for roll, slot in board.placements)


def is_fast(run: Run) -> bool:
    """Whether kernels play all strategies of this run."""
    return all(isinstance(run.find(name), KERNEL_STRATEGIES) for name in run.strategies)


def player_of(strategy: Strategy, run: Run, place: int) -> Player:
    """The player of a strategy at its place in a run.

    Rules are played by a table of moves, or where units do not fit into it by a table of slots; `optimal` on many slots
    by the rank of the slot among the free ones. Random play draws its own numbers at every place, so that it does not
    copy itself. A strategy of any other class is played board by board.
    """
    game, points = run.game, _points(run.game)
    if isinstance(strategy, RuleStrategy):
        if strategy.name == "optimal" and not has_table(game):
            ranks = optimal_ranks(game)
            return Player(lambda board: partial(play_by_rank, ranks, points, _free(board)), ranks.nbytes)
        moves = move_table(game, rule_table(strategy, game))
        if moves is not None:
            return Player(lambda board: partial(play_moves, moves, board.free), moves.nbytes)
    if isinstance(strategy, TableStrategy):
        table = slot_table(strategy, game)
        return Player(lambda board: partial(play_table, table, points, board.free, NOWHERE), table.slots.nbytes)
    if isinstance(strategy, RandomSlot):
        return Player(lambda board: random_play(run.seed, place, board, NOWHERE))
    if isinstance(strategy, Hindsight):
        return Player(sorted_play)
    return Player(lambda board: partial(play_boards, board, strategy))


def slot_chooser(strategy: Strategy, run: Run, place: int) -> SlotChooser:
    """How a strategy at a place in a run chooses its slots."""
    board, support = run.board(place), run.game.dice.support
    if not isinstance(strategy, TableStrategy | RandomSlot):

        def choose(positions: list[int]) -> list[int]:
            played = play_on(board, strategy, [support[position] for position in positions])
            return [slot - 1 for _, slot in played.placements[board.rounds :]]

        return lambda _, rolls: np.array([choose(game) for game in rolls.T.tolist()], dtype=np.uint16).T

    table = None if isinstance(strategy, RandomSlot) else slot_table(strategy, run.game)

    def chosen(first: int, rolls: NDArray[Any]) -> Chosen:
        slots = np.empty(rolls.shape, dtype=np.uint16)
        if table is None:
            play = random_play(run.seed, place, board, slots)
        else:
            play = partial(play_table, table, _points(run.game), board.free, slots)
        play(first, rolls, np.full(rolls.shape[1], units_on(board), dtype=np.int32))
        return slots

    return chosen


def slot_table(strategy: TableStrategy, game: Game, progress: Progress | None = None) -> SlotTable:
    if isinstance(strategy, RuleStrategy):
        slots = rule_table(strategy, game, progress)
        return SlotTable(slots.view(np.uint8), np.arange(len(slots)), 0)
    offsets, slots = strategy.solve(game, progress).slot_table()
    return SlotTable(slots.view(np.uint8), offsets, 1)


def play_boards(board: Board, strategy: Strategy, _first: int, rolls: NDArray[Any], scores: Scores) -> None:
    """Any strategy, board by board."""
    game, lattice = board.game, lattice_of(board.game)
    low, support = lattice.low(game.all_free), game.dice.support
    for g, positions in enumerate(rolls.T.tolist()):
        played = play_on(board, strategy, [support[position] for position in positions])
        scores[g] = int((played.score - low) / lattice.unit)


def sorted_play(board: Board) -> Play:
    """Plays in hindsight: count the rolls up to each value, and that gives the roll in each slot."""
    by_roll = _points(board.game)[_free(board)].T
    upto = np.zeros((len(by_roll), by_roll.shape[1] + 1), dtype=np.int32)  # units of roll x in the slots below i
    upto[:, 1:] = np.cumsum(by_roll, axis=1)
    bits = 8 if by_roll.shape[1] < 256 else 32
    patterns = np.zeros((len(by_roll) // (64 // bits) + 1, len(by_roll)), dtype=np.uint64)
    for x in range(len(by_roll)):
        word, place_in_word = divmod(x, 64 // bits)
        patterns[word, : x + 1] |= np.uint64(1 << (bits * place_in_word))
    return partial(play_sorted, patterns, bits, np.diff(upto, axis=0), int(upto[-1, -1]))


def move_table(game: Game, slots: NDArray[Any]) -> NDArray[np.uint32] | None:
    """What the slots of a rule do, [set, roll]: the units in the high half, the next free set in the low.

    Nothing where the units of a slot do not fit.
    """
    points = _points(game)
    if points.max() >= 1 << 16:
        return None
    after = np.arange(len(slots))[:, np.newaxis] ^ (1 << slots.astype(np.int64))
    units = points[slots, np.arange(slots.shape[1])].astype(np.int64)
    moves: NDArray[np.uint32] = (units << 16 | after).astype(np.uint32)
    return moves


def _points(game: Game) -> NDArray[np.int32]:
    return np.array(lattice_of(game).shifts, dtype=np.int32)


def _free(board: Board) -> NDArray[np.int64]:
    return np.array(slots_of(board.free), dtype=np.int64) - 1


def random_play(seed: int, place: int, board: Board, chosen: Chosen) -> Play:
    """Plays at random; the slots, from 0, go into ``chosen`` where that has room for them."""
    points, free = _points(board.game), _free(board)
    source = RandomWords.of(seed, place, len(free))
    return partial(play_random, source, points, free, chosen)


def played_boards(run: Run, first: int, games: int) -> Iterator[Board]:
    """The full boards of these games under the first strategy of a run, as they are counted."""
    strategy, board = run.find(run.strategies[0]), run.board()
    rolls = drawn_rolls(run, first, games)
    if not isinstance(strategy, RandomSlot):
        yield from (play_on(board, strategy, sequence) for sequence in rolls)
        return
    chosen = slot_chooser(strategy, run, 0)(first, draw(run, first, games)) + 1
    for sequence, slots in zip(rolls, chosen.T.tolist(), strict=True):
        yield Board.replay(run.game, [*board.placements, *zip(sequence, slots, strict=True)])


def check_tables(run: Run) -> None:
    """Raise ``TooLarge`` if a rule has no table for this number of slots, or the counts need too much memory."""
    for name in run.strategies:
        strategy = None if name in DUEL_STRATEGIES else run.find(name)
        is_rule = isinstance(strategy, RuleStrategy) and strategy.rule is not optimal_rule
        if is_rule and run.game.size > MAX_TABLE_SLOTS:
            raise TooLarge(f"plays on at most {MAX_TABLE_SLOTS} slots, not on {run.game.size}", "strategy", name)
    width = lattice_width(run.game)
    counts = 8 * len(run.strategies) * as_float(width) * (2 * thread_count() + 2)
    check_size(f"counting the scores on {run.game.size:,} slots", bytes=counts)
    if width > MAX_WIDTH:
        raise TooLarge(f"the score can take {width:,} values; at most {MAX_WIDTH:,} are counted", field="slots")


def has_table(game: Game) -> bool:
    """Whether `optimal` plays by a table of all free sets, not by the rank of a slot."""
    return game.size <= MAX_TABLE_SLOTS and len(game.dice.support) << game.size <= MAX_TABLE_BYTES


class DuelPlayer:
    """Plays the two strategies of a run against each other: sets two rows of scores."""

    def __init__(self, run: Run, progress: Progress | None) -> None:
        if len(run.strategies) != 2:
            raise Ten18Error(f"{' and '.join(DUEL_STRATEGIES)} play duels of two", field="strategies")
        game = run.game
        strategies = [named("optimal") if name in DUEL_STRATEGIES else run.find(name) for name in run.strategies]
        rules = [rule for rule in strategies if isinstance(rule, RuleStrategy)]
        if len(rules) < 2:
            names = ", ".join((*RULES, *DUEL_STRATEGIES))
            raise Ten18Error(f"against {' and '.join(DUEL_STRATEGIES)} only these play: {names}", field="strategy")
        check_tables(run)
        mine, theirs = (
            same_everywhere(game, NUMBERS[name]) if name in NUMBERS else rule_table(rule, game)
            for name, rule in zip(run.strategies, rules, strict=True)
        )
        self._players, self.nbytes = _duel_players(game, (mine, theirs), progress)
        self._shifts = moves_of(game).shifts
        self._key = key_of(run.seed, "mixed moves")
        self._play = self.going_on([run.board(place) for place in (0, 1)])

    def __call__(self, first: int, rolls: NDArray[Any], scores: NDArray[np.int32]) -> None:
        self._play(first, rolls, scores)

    def going_on(self, boards: Sequence[Board], slot: int = 0) -> Play:
        """Play on from these boards; the first player's first move is ``slot``, if that is not 0."""
        mine, theirs = boards
        units = np.array([[units_on(board)] for board in boards], dtype=np.int32)
        at = Standing(mine.free, theirs.free, len(mine.free_slots), int(units[0, 0] - units[1, 0]))

        def play(first: int, rolls: NDArray[Any], scores: NDArray[np.int32]) -> None:
            scores[:] = units
            chances = drawn_fractions(self._key, first, 2 * at.k, rolls.shape[1])
            play_duel(self._players, self._shifts, at, slot - 1, NO_SLOTS, rolls, chances, scores)

        return play


def duel_player(run: Run, progress: Progress | None = None) -> DuelPlayer:
    """The player of the two strategies of a run against each other, from the cache."""
    return table_cache.get(("duel player", run), lambda: DuelPlayer(run, progress))


def rivals_of(strategies: Sequence[str]) -> list[int]:
    """The rival of each seat: -1 for strategies that look at their own board only.

    Two strategies of a duel, alone, play it with each other.

    >>> rivals_of(("nearest", "hunter", "optimal")), rivals_of(("nearest", "hunter"))
    ([-1, 2, -1], [-1, 0])
    """
    others = [seat for seat, name in enumerate(strategies) if name not in DUEL_STRATEGIES]
    if len(strategies) == 2 and not others:
        return [1, 0]
    if strategies and not others:
        problem = "play their duel with another seat at the table, and there is none"
        raise Ten18Error(f"{' and '.join(DUEL_STRATEGIES)} {problem}", field="strategies")
    rival = next((seat for seat in others if strategies[seat] == "optimal"), others[0])
    return [rival if name in DUEL_STRATEGIES else -1 for name in strategies]


def verify_players(run: Run) -> None:
    if run.is_duel and len(run.strategies) == 1:
        raise Ten18Error(f"{' and '.join(DUEL_STRATEGIES)} play duels, not alone", field="strategies")
    rivals_of(run.strategies)


def verify_table(run: Run) -> None:
    m = len(run.strategies)
    if not 2 <= m <= MAX_PLAYERS:
        many = "few" if m < 2 else "many"
        raise Ten18Error(f"{m} players are too {many}; accepted: 2 to {MAX_PLAYERS}", field="strategies")
    rivals_of(run.strategies)


def players_of(run: Run, progress: Progress | None = None) -> Players:
    """A player for each strategy of a run at one table, those of a duel beside their rivals; from the cache."""

    def make() -> Players:
        verify_players(run)
        check_tables(run)
        rivals = rivals_of(run.strategies)
        return Players([seat_player(run, seat, rival, progress) for seat, rival in enumerate(rivals)], run)

    return table_cache.get(("players", run), make)


def seat_player(run: Run, seat: int, rival: int, progress: Progress | None = None) -> Player:
    """The player at a seat: with a rival (-1: none), of the duel with that seat, from empty boards on."""
    game, name = run.game, run.strategies[seat]
    if rival < 0:
        return player_of(run.find(name), run, seat)
    chosen = slot_chooser(run.find(run.strategies[rival]), run, rival)
    pair, nbytes = _duel_players(game, (same_everywhere(game, NUMBERS[name]),) * 2, progress)
    shifts, key = moves_of(game).shifts, key_of(run.seed, f"mixed moves {seat}")
    start = Standing(game.all_free, game.all_free, game.size, 0)

    def play(first: int, rolls: NDArray[Any], scores: NDArray[np.int32]) -> None:
        chances = drawn_fractions(key, first, *rolls.shape)
        two = np.zeros((2, len(scores)), dtype=np.int32)  # the rival's row is not needed
        play_duel(pair, shifts, start, -1, chosen(first, rolls), rolls, chances, two)
        scores[:] = two[0]

    return Player(lambda _: play, nbytes)


def _duel_players(game: Game, slots: tuple[Slots, Slots], progress: Progress | None) -> tuple[DuelPlayers, int]:
    """Two players of a duel, and the bytes of their tables, also of shared ones, which they hold after the cache."""
    numbers = [int(table[0, 0]) for table in slots]
    response = hunter(game, progress) if HUNTER in numbers else None
    table = equilibrium(game, progress) if MIXED in numbers else None
    hunting = response.hunter if response else no_hunter((response or table).windows)  # type: ignore[union-attr]
    nbytes = sum(part.nbytes for part in (*slots, response, table) if part is not None)
    return DuelPlayers(slots, hunting, table.table if table else hunting.table), nbytes


def has_seat(name: str, find: Finder = named) -> bool:
    """Whether the moves of a strategy can be followed exactly."""
    return name in DUEL_STRATEGIES or isinstance(find(name), TableStrategy | RandomSlot)


def seat_of(name: str, game: Game, find: Finder = named, progress: Progress | None = None) -> Seat:
    """A strategy at a table, by name; its tables stay in the cache."""
    if name in DUEL_STRATEGIES:
        return duel_seat((hunter if name == "hunter" else equilibrium)(game, progress))
    strategy = find(name)
    if isinstance(strategy, TableStrategy):
        slots, offsets, looks = slot_table(strategy, game, progress)
        return Seat(slots.view(np.int8), offsets, bool(looks))
    return rule_seat(same_everywhere(game, ANY))


@compiled()
def play_moves(moves: NDArray[np.uint32], free: int, _first: int, rolls: Rolls, scores: Scores) -> None:
    """The same for a rule, from one table: moves[A, x] has the units in its high half, the next free set in the low."""
    rounds, games = rolls.shape
    s = np.uint32(moves.shape[1])
    entry = moves.ravel()
    sets = np.full(games, free, dtype=np.uint16)
    for r in range(rounds):
        row = rolls[r]
        for g in range(games):
            move = entry[np.uint32(sets[g]) * s + np.uint32(row[g])]
            scores[g] += np.int32(move >> np.uint32(16))
            sets[g] = np.uint16(move)


@compiled()
def play_table(
    table: SlotTable, points: Scores, free: int, chosen: Chosen, _first: int, rolls: Rolls, scores: Scores
) -> None:
    """The slots of a table; points[i, x] are the units that roll x makes in slot i.

    ``chosen[r, g]`` gets the slot, from 0, unless it is empty.
    """
    slots, offsets, looks = table
    rounds, games = rolls.shape
    s = slots.shape[1]
    slot_of = slots.ravel()
    sets = np.full(games, free, dtype=np.uint32)
    for r in range(rounds):
        row = rolls[r]
        for g in range(games):
            slot = slot_of[(offsets[sets[g]] + looks * scores[g]) * s + row[g]]
            scores[g] += points[slot, row[g]]
            sets[g] ^= np.uint32(1) << np.uint32(slot)
            if len(chosen) > 0:
                chosen[r, g] = slot


@compiled()
def play_by_rank(ranks: Ints, points: Scores, free: Ints, _first: int, rolls: Rolls, scores: Scores) -> None:
    """The free slot of rank ranks[k, x], from 0, with k slots free: for more slots than a table of sets can hold."""
    rounds, games = rolls.shape
    slots = np.empty(rounds, dtype=np.int64)
    for g in range(games):
        slots[:] = free
        score = scores[g]
        for r in range(rounds):
            rank = ranks[rounds - r, rolls[r, g]]
            score += points[slots[rank], rolls[r, g]]
            for i in range(rank, rounds - r - 1):
                slots[i] = slots[i + 1]
        scores[g] = score


@compiled()
def play_random(
    source: RandomWords, points: Scores, free: Ints, chosen: Chosen, first: int, rolls: Rolls, scores: Scores
) -> None:
    """Any free slot: numbers below k, k - 1, ..., 1 from words of their own, k being the number of rounds.

    ``chosen[r, g]`` gets the slot, from 0, unless it is empty.
    """
    key, products, groups = source
    rounds, games = rolls.shape
    slots = np.empty((rounds, games), dtype=np.uint16)
    words = np.empty(games, dtype=np.uint64)
    numbers = np.empty(games, dtype=np.uint32)
    for i in range(rounds):
        slots[i] = free[i]
    for r in range(rounds):
        if r == 0 or groups[r] != groups[r - 1]:
            fill_words(key, len(products), groups[r], first, products[groups[r]], words)
        next_numbers(np.uint64(rounds - r), words, numbers)
        row = rolls[r]
        last = slots[rounds - r - 1]
        for g in range(games):
            slot = slots[numbers[g], g]
            slots[numbers[g], g] = last[g]
            scores[g] += points[slot, row[g]]
            if len(chosen) > 0:
                chosen[r, g] = slot


@compiled()
def play_sorted(
    patterns: Words, bits: int, gains: Scores, most: int, _first: int, rolls: Rolls, scores: Scores
) -> None:
    """All rolls sorted into the free slots: most - Σ_x gains[x, rolls up to x].

    Each word holds counters of ``bits`` bits; patterns[w, x] adds one to all those of rolls from x on.
    """
    rounds, games = rolls.shape
    counters = np.empty(games, dtype=np.uint64)
    mask = (ONE << np.uint64(bits)) - ONE
    scores += most
    for x in range(len(gains)):
        word, place = divmod(x, 64 // bits)
        if place == 0:
            counters[:] = 0
            pattern = patterns[word]
            for r in range(rounds):
                row = rolls[r]
                for g in range(games):
                    counters[g] += pattern[row[g]]
        gain = gains[x]
        shift = np.uint64(bits * place)
        for g in range(games):
            scores[g] -= gain[(counters[g] >> shift) & mask]
