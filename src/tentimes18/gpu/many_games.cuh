// Games of several strategies on the same rolls: their scores counted, who beats whom, and who is first.
#pragma once
#include "drawing.cuh"

#define MOST_PLAYERS 32
#define BY_MOVES 0   // a table of moves for (set, roll)
#define BY_SCORE 1   // a table of slots for (set, score, roll)
#define AT_RANDOM 2
#define SORTED 3     // all rolls known: the larger one in the larger slot
#define BY_SLOTS 4   // a table of slots for (set, roll): where units do not fit beside the next set

struct Player {
  u64 key;               // of numbers of its own
  const void* table;
  const long long* offsets;
  const u64* products;   // of the numbers of each word
  const int* groups;     // the word of a round
  u32 kind, words, free;
  int units;             // on the board that it starts from
};

struct Playing {
  Drawing rolls;
  const Player* players;
  const int* points;     // [slot, roll]: units
  u64 *histograms;       // [player, units]
  u64 *wins, *places;    // [player, other]; [player, how many are first]
  long long* differences;  // of the first two: their sum, and the sum of squares
  int* largest;          // least and most of them
  u64 first, games;
  u32 count;             // of players
  u32 width, bins;       // rolls; of a histogram
  u32 is_shared;         // whether a block counts scores in memory of its own
};

DEVICE int play_one(const Playing& g, const Player& player, u64 game, const u16* rolls) {
  const u32 rounds = g.rolls.rounds, width = g.width;
  u32 set = player.free;
  int score = player.units;
  if (player.kind == BY_MOVES) {
    const u32* moves = (const u32*)player.table;
    for (u32 r = 0; r < rounds; r++) {
      const u32 move = moves[set * width + rolls[r]];
      score += (int)(move >> 16);
      set = move & 0xFFFF;
    }
  } else if (player.kind == BY_SCORE || player.kind == BY_SLOTS) {
    const u8* slots = (const u8*)player.table;
    for (u32 r = 0; r < rounds; r++) {
      const u64 row = player.kind == BY_SLOTS ? set : (u64)(player.offsets[set] + score);
      const u32 slot = slots[row * width + rolls[r]];
      score += g.points[slot * width + rolls[r]];
      set ^= 1u << slot;
    }
  } else {
    u8 slots[MOST_ROUNDS];
    for (u32 i = 0; i < rounds; i++, set &= set - 1) slots[i] = (u8)(__ffs(set) - 1);
    if (player.kind == AT_RANDOM) {
      u64 word = 0;
      for (u32 r = 0; r < rounds; r++) {
        if (r == 0 || player.groups[r] != player.groups[r - 1]) {
          const u64 product = player.products[player.groups[r]];
          word = word_of(player.key, game, player.words, player.groups[r], product, (0ull - product) % product);
        }
        const u32 at = next_number(word, rounds - r), slot = slots[at];
        slots[at] = slots[rounds - r - 1];
        score += g.points[slot * width + rolls[r]];
      }
    } else {
      u16 sorted[MOST_ROUNDS];
      for (u32 r = 0; r < rounds; r++) {
        u32 at = r;
        for (; at > 0 && sorted[at - 1] > rolls[r]; at--) sorted[at] = sorted[at - 1];
        sorted[at] = rolls[r];
      }
      for (u32 r = 0; r < rounds; r++) score += g.points[slots[r] * width + sorted[r]];
    }
  }
  return score;
}

// Adds to a counter for all threads in step for which it is so: one of them adds for all.
DEVICE void count_where(bool is_so, u32* counter) {
  const u32 found = __ballot_sync(0xFFFFFFFFu, is_so);
  if (found && threadIdx.x % LANES == 0) atomicAdd(counter, (u32)__popc(found));
}

KERNEL(play_games, Playing, BOUNDS(256, 2)) {
  SHARED u32 wins[MOST_PLAYERS * MOST_PLAYERS], places[MOST_PLAYERS * (MOST_PLAYERS + 1)];
  u32* counts = (u32*)block_memory;
  const u32 m = g.count;
  for (u32 i = threadIdx.x; i < m * m; i += blockDim.x) wins[i] = 0;
  for (u32 i = threadIdx.x; i < m * (m + 1); i += blockDim.x) places[i] = 0;
  if (g.is_shared)
    for (u32 i = threadIdx.x; i < m * g.bins; i += blockDim.x) counts[i] = 0;
  __syncthreads();
  const u64 stride = (u64)gridDim.x * blockDim.x, rounds = (g.games + stride - 1) / stride;
  long long sum = 0, squares = 0;
  int least = 0, most = 0;
  for (u64 round = 0; round < rounds; round++) {
    const u64 number = round * stride + (u64)blockIdx.x * blockDim.x + threadIdx.x;
    const bool is_played = number < g.games;
    u16 rolls[MOST_ROUNDS];
    int scores[MOST_PLAYERS];
    if (is_played) {
      draw_rolls(g.rolls, g.first + number, rolls);
      for (u32 i = 0; i < m; i++) {
        scores[i] = play_one(g, g.players[i], g.first + number, rolls);
        if (g.is_shared) atomicAdd(counts + i * g.bins + scores[i], 1u);
        else atomicAdd(g.histograms + (u64)i * g.bins + scores[i], (u64)1);
      }
    }
    if (m == 1) continue;
    int best = -1;
    u32 among = 0;
    if (is_played) {
      const int difference = scores[0] - scores[1];
      sum += difference;
      squares += (long long)difference * difference;
      least = smaller(least, difference);
      most = larger(most, difference);
      for (u32 i = 0; i < m; i++) {
        if (scores[i] > best) { best = scores[i]; among = 0; }
        among += scores[i] == best;
      }
    }
    for (u32 i = 0; i < m; i++) {
      if (is_played && scores[i] == best) atomicAdd(places + i * (m + 1) + among, 1u);
      for (u32 j = 0; j < m; j++)
        if (j != i) count_where(is_played && scores[i] > scores[j], wins + i * m + j);
    }
  }
  __syncthreads();
  if (g.is_shared)
    for (u32 i = threadIdx.x; i < m * g.bins; i += blockDim.x)
      if (counts[i]) atomicAdd(g.histograms + i, (u64)counts[i]);
  if (m == 1) return;
  for (u32 i = threadIdx.x; i < m * m; i += blockDim.x)
    if (wins[i]) atomicAdd(g.wins + i, (u64)wins[i]);
  for (u32 i = threadIdx.x; i < m * (m + 1); i += blockDim.x)
    if (places[i]) atomicAdd(g.places + i, (u64)places[i]);
  atomicAdd((u64*)g.differences, (u64)sum);
  atomicAdd((u64*)g.differences + 1, (u64)squares);
  atomicMin(g.largest, least);
  atomicMax(g.largest + 1, most);
}
