// Pairs of free sets in a duel: sets of one size have ranks 0, ..., N - 1, and pairs (a, b) come row by row, all of them
// or those with a <= b.
#pragma once
#include "portable.cuh"

struct Pair {  // the leads low + t, 0 <= t < size, stand from `offset` on in the table of their layer
  u64 offset;
  int low, size;
};

DEVICE int low_slot(u32 set) { return __ffs(set) - 1; }
DEVICE int high_slot(u32 set) { return 31 - __clz(set); }

DEVICE u64 place_of(u32 a, u32 b, u32 N, bool is_half) {
  return is_half ? (u64)a * (2 * (u64)N - a + 1) / 2 + (b - a) : (u64)a * N + b;
}

DEVICE void pair_at(u64 place, u32 N, bool is_half, u32& a, u32& b) {
  if (!is_half) {
    a = (u32)(place / N);
    b = (u32)(place - (u64)a * N);
    return;
  }
  // The row from the square root, then put right: that is rounded.
  const double m = 2.0 * N + 1;
  a = (u32)smaller((m - sqrt(m * m - 8.0 * (double)place)) / 2, N - 1.0);
  while (a > 0 && place_of(a, a, N, true) > place) a--;
  while (a + 1 < N && place_of(a + 1, a + 1, N, true) <= place) a++;
  b = (u32)(place - place_of(a, a, N, true)) + a;
}
