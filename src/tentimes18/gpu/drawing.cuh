// Random words and rolls by the number of a game: those of `kernels/simulate.py`, to the bit.
#pragma once
#include "portable.cuh"

#define GAMMA 0x9E3779B97F4A7C15ull
#define ANEW 0xD1B54A32D192ED03ull
#define MOST_ROUNDS 32

struct Drawing {
  u64 key;
  u64 product, rejected;  // of the numbers drawn from a word: words whose last rest is below `rejected` are drawn anew
  const u16* position;    // of outcome o < T in the support
  const u64* bounds;      // [limb, roll], of dice with a large total
  u32 T;                  // equal outcomes; 0 where the total is large
  u32 per_word, per_game; // numbers drawn from a word; words of a game
  u32 rounds;
  u32 limbs, size;        // of the bounds
};

DEVICE u64 mix(u64 z) {
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9ull;
  z = (z ^ z >> 27) * 0x94D049BB133111EBull;
  return z ^ z >> 31;
}

// Word number `which` of a game that has `per_game` of them.
DEVICE u64 word_of(u64 key, u64 game, u32 per_game, u32 which, u64 product, u64 rejected) {
  u64 word = mix(key + (game * per_game + which + 1) * GAMMA);
  while (word * product < rejected) word = mix(word ^ ANEW);
  return word;
}

// The next number below T from a word, which keeps the rest.
DEVICE u32 next_number(u64& word, u32 T) {
  const u64 low = (word & 0xFFFFFFFFull) * T, high = (word >> 32) * T + (low >> 32);
  word = high << 32 | (low & 0xFFFFFFFFull);
  return (u32)(high >> 32);
}

// The number of bounds that a fraction of many words reaches; the next word is drawn only where one is equal.
DEVICE u32 wide_roll(const Drawing& d, u64 word) {
  u32 low = 0, high = d.size;
  for (u32 limb = 0; limb < d.limbs; limb++) {
    const u64* bounds = d.bounds + (u64)limb * d.size;
    u32 a = low, b = high;
    while (a < b) {
      const u32 middle = (a + b) >> 1;
      if (bounds[middle] < word) a = middle + 1;
      else b = middle;
    }
    low = a;
    while (a < high && bounds[a] == word) a++;
    high = a;
    if (low == high) break;
    word = mix(word ^ ANEW);
  }
  return high;
}

DEVICE void draw_rolls(const Drawing& d, u64 game, u16* rolls) {
  u64 word = 0;
  for (u32 r = 0; r < d.rounds; r++) {
    if (d.T == 0) {
      rolls[r] = (u16)wide_roll(d, word_of(d.key, game, d.per_game, r, 1, 0));
    } else {
      if (r % d.per_word == 0) word = word_of(d.key, game, d.per_game, r / d.per_word, d.product, d.rejected);
      rolls[r] = d.position[next_number(word, d.T)];
    }
  }
}
