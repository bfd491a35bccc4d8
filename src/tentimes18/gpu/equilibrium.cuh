// The equilibrium of the duel, a layer of pairs of free sets from the one before: a block of threads for each pair.
//
// Only pairs with rank(A) <= rank(B) are stored: V[A, B][e] = 1 - V[B, A][-e]. A block takes a tile of leads and of
// rolls. It copies what the K² smaller pairs hold for them into memory of its own, the right way round: from there any
// matrix game of the tile is read, and each number serves several games. Then
//
//   1. best replies to best replies, for all games of the tile: nine in ten have a saddle point there;
//   2. two moves a side for the others, which are gathered first, so that threads in step do the same;
//   3. what is left waits in a queue: the next kernel solves it by the simplex method, a thread a game, and a third one
//      adds it to the values.
//
// FREE is the number of free slots, THREADS and BLOCKS are those of a block and of a multiprocessor; those of the queue
// have names of their own.
#pragma once
#include "matrix.cuh"
#include "pairs.cuh"

#define MOST_ROLLS 32   // of a tile
#define MOST_LEADS 256
#define SOLVED (1u << 31)  // of a game in the list

struct Queued {
  u32 pair, lead, roll, unused;
};

struct Solving {
  const u32 *sets, *ranks;       // the sets of this layer by rank; the rank of every set among those of its size
  const int *slopes, *bases;     // of a slot
  const int* steps;              // y of a roll
  const double* P;               // and its chance
  const int* cuts;               // the tiles of rolls: from cuts[i] up to cuts[i + 1]
  const Pair *here, *after;
  const double* before;          // the values of the smaller pairs
  double* values;
  Queued* queue;
  double* solved;                // what the queue comes to
  u32* queued;                   // how many games are in it
  u64* counts;                   // games without a saddle point, games of the queue, bits of the widest bounds
  u32 N, smaller_N;              // of sets
  u32 first;                     // pair of this launch
  u32 tiles;                     // of rolls
  u32 rolls;                     // the most in one of them
  u32 span;                      // the most that y differs in one of them
  u32 room;                      // doubles that a block can share
};

struct Source {  // where entry (r, c) of the games comes from
  u64 offset;      // of its window
  int first;       // place of lead `low` of the pair in it, counted backwards where the pair is mirrored
  int size;
  int base, slope; // what the two moves add to the lead
  int wider;       // Σ |slope| of the sources before it
  int is_mirrored;
};

struct Entry {  // of lead t, at the roll that is y above the first of the tile: at start + t + slope y, counted in bytes
  int start, slope;
};

template <int K>
struct Tile {  // the game of one lead and one roll
  const unsigned char* at;
  const Entry* entries;
  int y;
  DEVICE double operator()(int r, int c) const {
    const Entry entry = entries[r * K + c];
    return *(const double*)(at + (entry.start + entry.slope * y));
  }
};

DEVICE double unknown() { return __longlong_as_double(0x7ff8000000000000LL); }
DEVICE void widen(u64* widest, double gap) {
  // Bits of floats that are not negative have their order. What is no number is wider than any.
  if (!(gap <= 2e-15)) atomicMax(widest, (u64)__double_as_longlong(gap < 0 ? -gap : gap));
}

template <int K>
DEVICE void find_sources(const Solving& g, u32 A, u32 B, int low, Source* sources) {
  for (int q = threadIdx.x; q < K * K; q += blockDim.x) {
    u32 rest = A, others = B;
    for (int r = 0; r < q / K; r++) rest &= rest - 1;
    for (int c = 0; c < q % K; c++) others &= others - 1;
    const int i = low_slot(rest), j = low_slot(others);
    const u32 a = g.ranks[A ^ 1u << i], b = g.ranks[B ^ 1u << j];
    const bool is_mirrored = a > b;
    const Pair pair = g.after[is_mirrored ? place_of(b, a, g.smaller_N, true) : place_of(a, b, g.smaller_N, true)];
    const int first = is_mirrored ? -low - pair.low : low - pair.low;
    sources[q] = Source{pair.offset, first, pair.size, g.bases[i] - g.bases[j], g.slopes[i] - g.slopes[j], 0, is_mirrored};
  }
}

DEVICE int absolute(int v) { return v < 0 ? -v : v; }

// Copies what the tile's leads, from t0 on, and rolls, y from `from` up to `upto`, need of the smaller pairs.
template <int K>
DEVICE void copy_tile(const Solving& g, const Source* sources, int t0, int leads, int from, int upto, double* tile) {
  for (int q = threadIdx.x / LANES; q < K * K; q += (blockDim.x + LANES - 1) / LANES) {
    const Source source = sources[q];
    const int least = source.slope < 0 ? source.slope * upto : source.slope * from;
    const int length = leads + (upto - from) * absolute(source.slope);
    const int step = source.is_mirrored ? -1 : 1, start = source.first + step * (t0 + source.base + least);
    const double sign = step, outside = source.is_mirrored ? 1 : 0;
    const double* values = g.before + source.offset;
    double* to = tile + q * leads + (int)g.span * source.wider;
#pragma unroll 4
    for (int e = threadIdx.x % LANES; e < length; e += LANES) {
      const int u = start + step * e;
      double v = u < 0 ? 0.0 : 1.0;
      if ((u32)u < (u32)source.size) v = values[u];
      to[e] = outside + sign * v;
    }
  }
}

struct Counters {      // of a block
  int listed, left;    // games of the tile without a saddle point so far, and those of them for the queue
  u32 queue_start;
  u32 mixed, queued;   // of all tiles: games without a saddle point, games for the queue
  u64 widest;
};

template <int K>
struct Block {  // what the threads of a block share beside the tile
  Source sources[K * K];
  Entry entries[K * K];
  int steps[MOST_ROLLS];
  double chances[MOST_ROLLS];
  Counters counters;
};

struct Room {  // for a tile
  double* tile;
  double* found;  // [roll, lead]: the values of the games
  double* sums;   // [lead]: those of earlier tiles of rolls; nothing where there is one
  u32* list;      // games: lead, roll, row and column, 8 bits and 4 bits each
  int leads;
};

DEVICE u32 listed_game(int t, int x, int r, int c) { return (u32)t | (u32)x << 8 | (u32)r << 16 | (u32)c << 20; }

template <int K>
DEVICE Tile<K> game_of(const Block<K>& block, const Room& room, int t, int x) {
  return Tile<K>{(const unsigned char*)(room.tile + t), block.entries, block.steps[x]};
}

// Best replies in all games of `count` rolls. Threads in step take neighbouring leads of one roll, and go on to the next
// roll from column c, where the replies have come to. Of the leads, `open` are the pair's.
template <int K>
DEVICE void reply_in_all(Block<K>& block, const Room& room, int count, int open, int& c) {
  const int items = room.leads / 32 * count, crews = (blockDim.x + LANES - 1) / LANES;
  const int share = (items + crews - 1) / crews;
  const int begin = threadIdx.x / LANES * share, end = smaller(begin + share, items);
  for (int lane = threadIdx.x % LANES; lane < 32; lane += LANES)
    for (int item = begin; item < end; item++) {
      const int strip = item / count, x = item - strip * count, t = strip * 32 + lane;
      int r;
      double value;
      const bool met = replies_meet<K>(game_of(block, room, t, x), r, c, value);
      room.found[x * room.leads + t] = value;
      if (K > 1 && !met && t < open) room.list[atomicAdd(&block.counters.listed, 1)] = listed_game(t, x, r, c);
    }
}

// Two moves a side in the games of the list; what they do not solve is left for the queue.
template <int K>
DEVICE void mix_in_listed(Block<K>& block, const Room& room) {
  Counters& counters = block.counters;
  for (int e = threadIdx.x; e < counters.listed; e += blockDim.x) {
    const u32 game = room.list[e];
    const int t = game & 255, x = game >> 8 & 255;
    double& found = room.found[x * room.leads + t];
    double value, gap;
    int c0, c1;
    if (two_moves<K>(game_of(block, room, t, x), game >> 16 & 15, game >> 20 & 15, value, gap, c0, c1)) {
      found = value;
      widen(&counters.widest, gap);
      room.list[e] = listed_game(t, x, c0, c1) | SOLVED;
    } else {
      found = unknown();
      atomicAdd(&counters.left, 1);
    }
  }
  for (int e = threadIdx.x; e < counters.listed; e += blockDim.x) {  // apart: both at once take too many registers
    const u32 game = room.list[e];
    if (!(game & SOLVED)) continue;
    const int t = game & 255, x = game >> 8 & 255;
    const double value = room.found[x * room.leads + t];
    if (!has_saddle<K>(game_of(block, room, t, x), value, game >> 16 & 15, game >> 20 & 15))
      atomicAdd(&counters.mixed, 1u);
  }
}

// Adds the values of lead t over the rolls from x0 on; the games that have none go into the queue, one after the other.
template <int K>
DEVICE double add_rolls(const Solving& g, Block<K>& block, const Room& room, int t, int x0, int count, Queued game) {
  double sum = 0;
  int missing = 0;
  for (int x = 0; x < count; x++) {
    const double v = room.found[x * room.leads + t];
    if (v == v) sum += block.chances[x] * v;
    else missing++;
  }
  if (missing) {
    u32 at = block.counters.queue_start + (u32)atomicAdd(&block.counters.listed, missing);
    for (int x = 0; x < count; x++) {
      game.roll = (u32)(x0 + x);
      const double v = room.found[x * room.leads + t];
      if (v != v) g.queue[at++] = game;
    }
  }
  return sum;
}

// Room for a tile of as many leads as there is room for: a lead takes its entries, half a word of the list and a value for
// each roll, and its sum between tiles of rolls. The windows take `wider` more for each step between the rolls.
template <int K>
DEVICE Room room_for(const Solving& g, int size, int wider) {
  const int rolls = (int)g.rolls, is_cut = g.tiles > 1, more = (int)g.span * wider;
  int most = (2 * ((int)g.room - more) / (2 * K * K + 3 * rolls + 2 * is_cut)) & ~31;
  most = smaller(most, MOST_LEADS);
  const int parts = (size + most - 1) / most, leads = ((size + parts - 1) / parts + 31) & ~31;
  double* tile = (double*)block_memory;
  double* found = tile + K * K * leads + more;
  double* sums = found + rolls * leads;
  return Room{tile, found, sums, (u32*)(sums + is_cut * leads), leads};
}

template <int K>
DEVICE void solve_pair(const Solving& g, u32 place) {
  SHARED Block<K> block;
  Counters& counters = block.counters;
  const Pair pair = g.here[place];
  if (pair.size <= 0) return;
  u32 a, b;
  pair_at(place, g.N, true, a, b);
  find_sources<K>(g, g.sets[a], g.sets[b], pair.low, block.sources);
  if (threadIdx.x == 0) counters.mixed = counters.queued = 0, counters.widest = 0;
  __syncthreads();
  int wider = 0;
  for (int q = 0; q < K * K; q++) {
    if (threadIdx.x == 0) block.sources[q].wider = wider;
    wider += absolute(block.sources[q].slope);
  }
  const Room room = room_for<K>(g, pair.size, wider);
  int c = K - 1;
  for (int t0 = 0; t0 < pair.size; t0 += room.leads) {
    const int open = smaller(room.leads, pair.size - t0);
    for (u32 part = 0; part < g.tiles; part++) {
      const int x0 = g.cuts[part], count = g.cuts[part + 1] - x0;
      const int from = g.steps[x0], upto = g.steps[x0 + count - 1];
      __syncthreads();
      if (threadIdx.x == 0) counters.listed = counters.left = 0;
      for (int x = threadIdx.x; x < count; x += blockDim.x) {
        block.steps[x] = g.steps[x0 + x] - from;
        block.chances[x] = g.P[x0 + x];
      }
      for (int q = threadIdx.x; q < K * K; q += blockDim.x) {
        const int slope = block.sources[q].slope, least = slope < 0 ? slope * (upto - from) : 0;
        block.entries[q] = Entry{8 * (q * room.leads + (int)g.span * block.sources[q].wider - least), 8 * slope};
      }
      __syncthreads();
      copy_tile<K>(g, block.sources, t0, room.leads, from, upto, room.tile);
      __syncthreads();
      reply_in_all<K>(block, room, count, open, c);
      __syncthreads();
      if (K > 1 && counters.listed > 0) {
        mix_in_listed<K>(block, room);
        __syncthreads();
        if (threadIdx.x == 0) {
          if (counters.left) counters.queue_start = atomicAdd(g.queued, (u32)counters.left);
          counters.queued += (u32)counters.left;
          counters.listed = 0;
        }
        __syncthreads();
      }
      for (int t = threadIdx.x; t < open; t += blockDim.x) {
        const double earlier = part > 0 ? room.sums[t] : 0;
        const double sum = earlier + add_rolls<K>(g, block, room, t, x0, count, Queued{place, (u32)(t0 + t), 0, 0});
        if (part + 1 == g.tiles) g.values[pair.offset + (u32)(t0 + t)] = sum;
        else room.sums[t] = sum;
      }
    }
  }
  if (threadIdx.x == 0) {
    if (counters.mixed) atomicAdd(g.counts, (u64)counters.mixed);
    if (counters.queued) atomicAdd(g.counts + 1, (u64)counters.queued);
    if (counters.widest) atomicMax(g.counts + 2, counters.widest);
  }
}

template <int K>
struct Entries {
  double of[K][K];
  DEVICE double operator()(int r, int c) const { return of[r][c]; }
};

template <int K>
DEVICE void solve_one(const Solving& g, u32 number, double* tableau, int stride) {
  const Queued game = g.queue[number];
  u32 a, b;
  pair_at(game.pair, g.N, true, a, b);
  const u32 A = g.sets[a], B = g.sets[b];
  const int lead = g.here[game.pair].low + (int)game.lead, y = g.steps[game.roll];
  Entries<K> M;
  u32 rest = A;
  for (int r = 0; r < K; r++, rest &= rest - 1) {
    const int i = low_slot(rest);
    const u32 after = g.ranks[A ^ 1u << i];
    u32 others = B;
#pragma unroll  // so that a row is under way at once
    for (int c = 0; c < K; c++) {
      const int j = low_slot(others);
      others &= others - 1;
      const u32 their_after = g.ranks[B ^ 1u << j];
      const int then = lead + g.bases[i] - g.bases[j] + (g.slopes[i] - g.slopes[j]) * y;
      const bool is_mirrored = after > their_after;
      const Pair pair = g.after[is_mirrored ? place_of(their_after, after, g.smaller_N, true)
                                            : place_of(after, their_after, g.smaller_N, true)];
      const int u = (is_mirrored ? -then : then) - pair.low;
      const double v = u < 0 ? 0.0 : u >= pair.size ? 1.0 : g.before[pair.offset + (u32)u];
      M.of[r][c] = is_mirrored ? 1 - v : v;
    }
  }
  double lower, upper;
  solve_matrix<K>(M, tableau, stride, lower, upper);
  const double value = (lower + upper) / 2;
  g.solved[number] = value;
  widen(g.counts + 2, upper - lower);
  if (!has_saddle<K>(M, value, 0, K - 1)) atomicAdd(g.counts, (u64)1);
}

KERNEL(solve_pairs, Solving, BOUNDS(THREADS, BLOCKS)) { solve_pair<FREE>(g, g.first + blockIdx.x); }

KERNEL(solve_queue, Solving, BOUNDS(QUEUE_THREADS, QUEUE_BLOCKS)) {
  for (u32 e = blockIdx.x * blockDim.x + threadIdx.x; e < *g.queued; e += gridDim.x * blockDim.x)
    solve_one<FREE>(g, e, (double*)block_memory + threadIdx.x, (int)blockDim.x);
}

// The first of the games that stand together adds them all.
KERNEL(add_queue, Solving, BOUNDS(256, 1)) {
  const u32 count = *g.queued;
  for (u32 e = blockIdx.x * blockDim.x + threadIdx.x; e < count; e += gridDim.x * blockDim.x) {
    const Queued game = g.queue[e];
    if (e > 0 && g.queue[e - 1].pair == game.pair && g.queue[e - 1].lead == game.lead) continue;
    double sum = 0;
    for (u32 o = e; o < count && g.queue[o].pair == game.pair && g.queue[o].lead == game.lead; o++)
      sum += g.P[g.queue[o].roll] * g.solved[o];
    atomicAdd(g.values + g.here[game.pair].offset + game.lead, sum);  // those of another tile stand elsewhere
  }
}
