// Games of one rule, their scores counted: the moves of all sets and rolls stand in the memory of a block.
#pragma once
#include "drawing.cuh"

struct PlayingRule {
  Drawing rolls;
  const u32* moves;  // [set, roll]: the units in the high half, the next free set in the low
  u64* histogram;
  u64 first, games;
  u32 entries, width, bins;  // of the table; of its rows; of the histogram
  u32 free, units;           // where a game starts
};

KERNEL(play_rule, PlayingRule, BOUNDS(1024, 2)) {
  u32* table = (u32*)block_memory;
  u32* counts = table + g.entries;
  u16* position = (u16*)(counts + g.bins);
  const Drawing& d = g.rolls;
  for (u32 i = threadIdx.x; i < g.entries; i += blockDim.x) table[i] = g.moves[i];
  for (u32 i = threadIdx.x; i < g.bins; i += blockDim.x) counts[i] = 0;
  for (u32 i = threadIdx.x; i < d.T; i += blockDim.x) position[i] = d.position[i];
  __syncthreads();
  const u64 stride = (u64)gridDim.x * blockDim.x;
  for (u64 game = g.first + (u64)blockIdx.x * blockDim.x + threadIdx.x; game < g.first + g.games; game += stride) {
    u32 set = g.free, score = g.units, left = d.rounds;
    for (u32 which = 0; which < d.per_game; which++) {
      u64 word = word_of(d.key, game, d.per_game, which, d.product, d.rejected);
      const u32 count = smaller(left, d.per_word);
#pragma unroll 5
      for (u32 r = 0; r < count; r++) {
        const u32 move = table[set * g.width + position[next_number(word, d.T)]];
        score += move >> 16;
        set = move & 0xFFFF;
      }
      left -= count;
    }
    atomicAdd(&counts[score], 1u);
  }
  __syncthreads();
  for (u32 i = threadIdx.x; i < g.bins; i += blockDim.x)
    if (counts[i]) atomicAdd(g.histogram + i, (u64)counts[i]);
}
