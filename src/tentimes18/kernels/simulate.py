"""Many games at once: the rolls of a range of games, and the score indices that strategies make of them.

Word i of the random stream is mix(key + (i + 1) γ), the SplitMix64 sequence (Steele, Lea and Flood 2014) entered at any
place: game g uses its own words, so any part of a run can be made anywhere and in any order.

A word is a fraction u of 2^64. The integer part of u T is a number below T, and the rest is a fraction again: several
numbers are drawn from one word, below T_1, ..., T_m. They are exactly uniform once the words whose last rest is below
2^64 mod T_1...T_m are drawn anew (Brackett-Rozinsky and Lemire 2024); the product is kept so small that this is rare.

Arrays are [round, game]: each step runs over all games of a block, so that their memory latencies overlap.

Whoever plays starts from a board with these slots ``free``, as many as there are rounds; ``scores`` hold the units that
the board has made, and get those of the rest of the game.
"""

import numpy as np
from numpy.typing import NDArray

from tentimes18.compiled import compiled
from tentimes18.kernels.types import Ints, RandomWords

__all__ = [
    "add_histogram",
    "add_products",
    "compare",
    "draw_rolls",
    "draw_wide_rolls",
    "fill_words",
    "mix_word",
    "play_by_rank",
    "play_moves",
    "play_random",
    "play_score_slots",
    "play_slots",
    "play_sorted",
    "wide_place",
]

GAMMA = np.uint64(0x9E3779B97F4A7C15)
MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
MIX_2 = np.uint64(0x94D049BB133111EB)
ANEW = np.uint64(0xD1B54A32D192ED03)
LOW = np.uint64(0xFFFFFFFF)
HALF = np.uint64(32)
ONE = np.uint64(1)

Word = np.uint64
Words = NDArray[np.uint64]
Rolls = NDArray[np.uint8] | NDArray[np.uint16]
Scores = NDArray[np.int32]
ByteSlots = NDArray[np.uint8]


@compiled(inline="always")
def mix_word(z: Word) -> Word:
    """The word of the stream at this place."""
    z = (z ^ (z >> np.uint64(30))) * MIX_1
    z = (z ^ (z >> np.uint64(27))) * MIX_2
    return z ^ (z >> np.uint64(31))


@compiled()
def fill_words(key: Word, per_game: int, which: int, first: int, product: Word, words: Words) -> None:
    """Word number ``which`` of the games from ``first`` on; product is T_1...T_m, below 2^63."""
    start = key + (np.uint64(first) * np.uint64(per_game) + np.uint64(which) + ONE) * GAMMA
    step = np.uint64(per_game) * GAMMA
    rejected = (np.uint64(0) - product) % product
    anew = False
    for g in range(len(words)):
        words[g] = mix_word(start + np.uint64(g) * step)
        anew |= words[g] * product < rejected
    if anew:
        for g in range(len(words)):
            while words[g] * product < rejected:
                words[g] = mix_word(words[g] ^ ANEW)


@compiled()
def _next_numbers(T: Word, words: Words, numbers: NDArray[np.uint32]) -> None:
    """The next number below T from each word; T is below 2^32."""
    for g in range(len(words)):
        low = (words[g] & LOW) * T
        high = (words[g] >> HALF) * T + (low >> HALF)
        numbers[g] = high >> HALF
        words[g] = (high << HALF) | (low & LOW)


@compiled()
def draw_rolls(key: Word, T: Word, per_word: int, position_of: Rolls, first: int, rolls: Rolls) -> None:
    """rolls[r, g]: the position of the roll of round r in game first + g; position_of[o] for T equal outcomes o."""
    rounds, games = rolls.shape
    words = np.empty(games, dtype=np.uint64)
    numbers = np.empty(games, dtype=np.uint32)
    product = ONE
    for _ in range(per_word):
        product *= T
    per_game = (rounds + per_word - 1) // per_word
    for r in range(rounds):
        if r % per_word == 0:
            fill_words(key, per_game, r // per_word, first, product, words)
        _next_numbers(T, words, numbers)
        row = rolls[r]
        for g in range(games):
            row[g] = position_of[numbers[g]]


@compiled()
def wide_place(bounds: Words, word: Word) -> int:
    """How many of the bounds the fraction that begins with this word reaches."""
    limbs, size = bounds.shape
    low, high = 0, int(size)
    for limb in range(limbs):
        # Among bounds low..high, which agree with the fraction so far, find those equal in this word too.
        a, b = low, high
        while a < b:
            middle = (a + b) >> 1
            if bounds[limb, middle] < word:
                a = middle + 1
            else:
                b = middle
        low = a
        while a < high and bounds[limb, a] == word:
            a += 1
        high = a
        if low == high:
            break
        word = mix_word(word ^ ANEW)
    return high


@compiled()
def draw_wide_rolls(key: Word, bounds: Words, first: int, rolls: Rolls) -> None:
    """Rolls of dice with any total: the number of bounds[:, k] = P(X <= x_k) that a fraction of many words reaches.

    bounds[l, k] is word l of the binary expansion; the next word of the fraction is drawn only where one is equal.
    """
    rounds, games = rolls.shape
    words = np.empty(games, dtype=np.uint64)
    for r in range(rounds):
        fill_words(key, rounds, r, first, ONE, words)
        for g in range(games):
            rolls[r, g] = wide_place(bounds, words[g])


@compiled()
def play_slots(slots: ByteSlots, points: Scores, free: int, rolls: Rolls, scores: Scores) -> None:
    """A slot for (free set, roll): slots[A, x]; points[i, x] are the units that roll x makes in slot i."""
    rounds, games = rolls.shape
    s = np.uint32(slots.shape[1])
    slot_of = slots.ravel()
    worth = points.ravel()
    sets = np.full(games, free, dtype=np.uint32)
    for r in range(rounds):
        row = rolls[r]
        for g in range(games):
            slot = np.uint32(slot_of[sets[g] * s + row[g]])
            scores[g] += worth[slot * s + row[g]]
            sets[g] ^= np.uint32(1) << slot


@compiled()
def play_moves(moves: NDArray[np.uint32], free: int, rolls: Rolls, scores: Scores) -> None:
    """As `play_slots`, from one table: moves[A, x] has the units in its high half, the next free set in the low."""
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
def play_score_slots(slots: ByteSlots, offsets: Ints, points: Scores, free: int, rolls: Rolls, scores: Scores) -> None:
    """A slot for (free set, score so far, roll): slots[offsets[A] + score, x]."""
    rounds, games = rolls.shape
    s = slots.shape[1]
    slot_of = slots.ravel()
    sets = np.full(games, free, dtype=np.uint32)
    for r in range(rounds):
        row = rolls[r]
        for g in range(games):
            slot = slot_of[(offsets[sets[g]] + scores[g]) * s + row[g]]
            scores[g] += points[slot, row[g]]
            sets[g] ^= np.uint32(1) << np.uint32(slot)


@compiled()
def play_by_rank(ranks: Ints, points: Scores, free: Ints, rolls: Rolls, scores: Scores) -> None:
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
    source: RandomWords,
    points: Scores,
    free: Ints,
    first: int,
    rolls: Rolls,
    scores: Scores,
    chosen: NDArray[np.uint16],
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
        _next_numbers(np.uint64(rounds - r), words, numbers)
        row = rolls[r]
        last = slots[rounds - r - 1]
        for g in range(games):
            slot = slots[numbers[g], g]
            slots[numbers[g], g] = last[g]
            scores[g] += points[slot, row[g]]
            if len(chosen) > 0:
                chosen[r, g] = slot


@compiled()
def play_sorted(patterns: Words, bits: int, gains: Scores, most: int, rolls: Rolls, scores: Scores) -> None:
    """All rolls sorted into the free slots: most - Σ_x gains[x, rolls up to x].

    Each word holds counters of so many bits; patterns[w, x] adds one to all those of rolls from x on.
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


@compiled()
def add_histogram(scores: Scores, histogram: Ints) -> None:
    """Count the scores."""
    for score in scores:
        histogram[score] += 1


@compiled()
def add_products(numbers: Scores, products: Ints) -> None:
    """Add up the products of numbers[i, game] and numbers[j, game] for every pair, j <= i."""
    for i in range(len(numbers)):
        for j in range(i + 1):
            total = np.int64(0)
            for a, b in zip(numbers[i], numbers[j]):  # noqa: B905 (compiled)
                total += np.int64(a) * np.int64(b)
            products[i, j] += total


@compiled()
def compare(scores: NDArray[np.int32], wins: Ints, draws: Ints, first_places: Ints) -> None:
    """Add up over games, for scores[player, game]: who beats whom, who draws, and who is first among how many."""
    players, games = scores.shape
    for i in range(players):
        for j in range(i):
            a = 0
            b = 0
            for g in range(games):
                a += scores[i, g] > scores[j, g]
                b += scores[i, g] < scores[j, g]
            wins[i, j] += a
            wins[j, i] += b
            draws[i, j] += games - a - b
            draws[j, i] += games - a - b
    for g in range(games):
        best = scores[0, g]
        shared = 0
        for i in range(players):
            if scores[i, g] > best:
                best = scores[i, g]
                shared = 0
            shared += scores[i, g] == best
        for i in range(players):
            if scores[i, g] == best:
                first_places[i, shared] += 1
