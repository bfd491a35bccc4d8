// The leads of each pair of free sets that are stored, and values read from them: `duel/lead_windows.py`, on a GPU.
//
// On the lattice of a game, roll y (0 <= y <= Y) makes base_i + slope_i y units in slot i, slots by increasing slope: so
// the most that slot i gains on slot j is at y = 0 or at y = Y, and a convex function of slope_i - slope_j besides what
// each of them adds by itself. The most that set A gains on set B pairs the slots of A in increasing order with those of
// B in decreasing order.
#pragma once
#include "pairs.cuh"

struct Layout {
  Pair* pairs;
  u64* sizes;
  u64* facts;         // the sum of all sizes, and the largest
  const u32* sets;    // by rank
  const int* gains;   // [i, j]: the most that slot i gains on slot j
  u64 count;          // of pairs
  u32 N, all, slots;  // of sets; the set of all slots; their number
  u32 is_half;
};

DEVICE int largest_gain(u32 A, u32 B, const int* gains, u32 slots) {
  int gain = 0;
  while (A) {
    const int i = low_slot(A), j = high_slot(B);
    A ^= 1u << i;
    B ^= 1u << j;
    gain += gains[i * slots + j];
  }
  return gain;
}

// The leads that can come about and are not yet decided, of each pair.
KERNEL(lay_out, Layout, BOUNDS(256, 1)) {
  for (u64 place = (u64)blockIdx.x * blockDim.x + threadIdx.x; place < g.count; place += (u64)gridDim.x * blockDim.x) {
    u32 a, b;
    pair_at(place, g.N, g.is_half, a, b);
    const u32 A = g.sets[a], B = g.sets[b], F = g.all ^ A, G = g.all ^ B;
    const int low = larger(-largest_gain(A, B, g.gains, g.slots), -largest_gain(G, F, g.gains, g.slots));
    const int high = smaller(largest_gain(B, A, g.gains, g.slots), largest_gain(F, G, g.gains, g.slots));
    const int size = larger(0, high - low + 1);
    g.pairs[place] = Pair{0, low, size};
    g.sizes[place] = (u64)size;
    if ((u64)size > ((volatile u64*)g.facts)[1]) atomicMax(g.facts + 1, (u64)size);
  }
}

struct Offsets {
  Pair* pairs;
  const u64* ends;  // sums of the sizes so far
  u64* facts;
  u64 count;
};

KERNEL(set_offsets, Offsets, BOUNDS(256, 1)) {
  for (u64 place = (u64)blockIdx.x * blockDim.x + threadIdx.x; place < g.count; place += (u64)gridDim.x * blockDim.x)
    g.pairs[place].offset = g.ends[place] - (u64)g.pairs[place].size;
  if (blockIdx.x == 0 && threadIdx.x == 0) g.facts[0] = g.ends[g.count - 1];
}

struct Reading {  // single positions of one layer: my set and the opponent's by rank, and my lead
  const Pair* pairs;
  const double* values;
  const u32 *mine, *theirs;
  const int* leads;
  double* found;
  u64 count;
  u32 N, is_half;
};

KERNEL(read_positions, Reading, BOUNDS(256, 1)) {
  for (u64 at = (u64)blockIdx.x * blockDim.x + threadIdx.x; at < g.count; at += (u64)gridDim.x * blockDim.x) {
    const u32 a = g.mine[at], b = g.theirs[at];
    const bool is_mirrored = g.is_half && a > b;
    const Pair pair = g.pairs[is_mirrored ? place_of(b, a, g.N, true) : place_of(a, b, g.N, g.is_half)];
    const int t = (is_mirrored ? -g.leads[at] : g.leads[at]) - pair.low;
    const double value = t < 0 ? 0.0 : t >= pair.size ? 1.0 : g.values[pair.offset + (u32)t];
    g.found[at] = is_mirrored ? 1 - value : value;
  }
}
