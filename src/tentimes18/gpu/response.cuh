// Chances in a duel against a rule, a layer of pairs of free sets from the one before: a block of threads for each pair.
//
// With the opponent's slot j known for every set and roll, my slots are tried in the order that is given for my set and
// the roll: the best of them, the first of equals; or the mean over all of them. One slot in the list is a rule of mine.
#pragma once
#include "pairs.cuh"

#define EQUAL 1e-14    // equities that are closer are the same
#define MOST_MOVES 512 // looked up at a time

struct Answering {
  const u32 *sets, *ranks;
  const int* shifts;        // [slot, roll]: units
  const double* P;
  const signed char* theirs;  // [set, roll]: the opponent's slot
  const signed char* order;   // [set, roll, place]: my slots, filled up with -1
  const Pair *here, *after;
  const double *before, *before_draw;
  double *values, *draws;   // no chances of a draw where that is null
  u64 first;                // pair of this launch
  u32 N, smaller_N, slots, rolls;
  u32 is_mean;              // over all slots of the list, instead of the best
};

struct Move {  // lead `low` of the pair becomes place `first` in this window
  u64 offset;
  int first, size;
};

KERNEL(answer_pairs, Answering, BOUNDS(128, 8)) {
  SHARED Move moves[MOST_MOVES];
  const u64 place = g.first + blockIdx.x;
  const Pair pair = g.here[place];
  if (pair.size <= 0) return;
  u32 a, b;
  pair_at(place, g.N, false, a, b);
  const u32 A = g.sets[a], B = g.sets[b];
  const int slots = (int)g.slots, free = __popc(A), at_once = MOST_MOVES / free;
  for (u32 x0 = 0; x0 < g.rolls; x0 += at_once) {
    const int count = smaller(at_once, (int)(g.rolls - x0));
    __syncthreads();
    for (int m = threadIdx.x; m < count * free; m += blockDim.x) {
      const u32 x = x0 + m / free;
      const int j = g.theirs[B * g.rolls + x], i = g.order[(u64)(A * g.rolls + x) * slots + m % free];
      if (i < 0) {
        moves[m].size = -1;
        continue;
      }
      const Pair after = g.after[place_of(g.ranks[A ^ 1u << i], g.ranks[B ^ 1u << j], g.smaller_N, false)];
      const int shift = g.shifts[i * g.rolls + x] - g.shifts[j * g.rolls + x];
      moves[m] = Move{after.offset, pair.low + shift - after.low, after.size};
    }
    __syncthreads();
    for (int t = threadIdx.x; t < pair.size; t += blockDim.x) {
      double* value = g.values + pair.offset + t;
      double* draw = g.draws ? g.draws + pair.offset + t : nullptr;
      double total = x0 ? *value : 0, drawn = x0 && draw ? *draw : 0;
      for (int x = 0; x < count; x++) {
        const double P = g.P[x0 + x];
        double best = g.is_mean ? 0 : -1, best_draw = 0;
        int tried = 0;
        for (; tried < free && moves[x * free + tried].size >= 0; tried++) {
          const Move move = moves[x * free + tried];
          const int u = move.first + t;
          const bool is_open = (u32)u < (u32)move.size;
          const double v = is_open ? g.before[move.offset + (u32)u] : u < 0 ? 0.0 : 1.0;
          const bool is_better = g.is_mean || v > best + EQUAL;
          double w = 0;
          if (draw && is_better && is_open) w = g.before_draw[move.offset + (u32)u];
          if (g.is_mean) { best += v; best_draw += w; }
          else if (is_better) { best = v; best_draw = w; }
        }
        if (g.is_mean) { best /= tried; best_draw /= tried; }
        total += P * best;
        drawn += P * best_draw;
      }
      *value = total;
      if (draw) *draw = drawn;
    }
  }
}
