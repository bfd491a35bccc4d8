// Small matrix games, with bounds for their values: best replies, two moves a side, the simplex method.
//
// A game is anything with `double operator()(int r, int c) const`, K rows and K columns of entries in [-1, 1]; the player
// of the rows wants much. What is proved of a value are bounds: what a move of either player guarantees.
#pragma once
#include "portable.cuh"

#define SADDLE 1e-13  // bounds that are closer are one value
#define CLOSE 1e-12   // bounds that are wider are computed again, in another way
#define ZERO 1e-13    // of the simplex method
#define ROUNDS 2      // of best replies to best replies
#define TURNS 2       // of two rows and two columns
#define MANY_STEPS 40 // of the simplex method: after them by Bland's rule, which never cycles
#define MOST_STEPS 200

// The game with the players exchanged: its entries lie in [-1, 0].
template <class Game>
struct Turned {
  const Game& M;
  DEVICE double operator()(int r, int c) const { return -M(c, r); }
};

// The same where that is known only when it runs.
template <class Game>
struct Sided {
  const Game& M;
  bool is_turned;
  DEVICE double operator()(int r, int c) const { return is_turned ? -M(c, r) : M(r, c); }
};

template <int K, class Game>
DEVICE int best_row(const Game& M, int c, double& most) {
  int best = 0;
  most = -2;
#pragma unroll
  for (int r = 0; r < K; r++) {
    double v = M(r, c);
    if (v > most) { most = v; best = r; }
  }
  return best;
}

template <int K, class Game>
DEVICE int best_column(const Game& M, int r, double& least) {
  int best = 0;
  least = 2;
#pragma unroll
  for (int c = 0; c < K; c++) {
    double v = M(r, c);
    if (v < least) { least = v; best = c; }
  }
  return best;
}

// Whether best replies to best replies, from column c on, meet in a saddle point: about 3 K entries of K². Then `value`
// is its value; r and c are where they have come to, and a good start for a game that is like this one.
template <int K, class Game>
DEVICE bool replies_meet(const Game& M, int& r, int& c, double& value) {
  double lower = -2, upper = 2;
#pragma unroll 1
  for (int round = 0; round < ROUNDS; round++) {
    double most, least;
    r = best_row<K>(M, c, most);
    int reply = best_column<K>(M, r, least);
    upper = smaller(upper, most);
    lower = larger(lower, least);
    if (least < most) c = reply;
    if (upper - lower <= SADDLE) break;
  }
  value = lower;
  return upper - lower <= SADDLE;
}

// Whether there is a saddle point at all, given the value of the game. Where columns c and d hold me to the value, a row
// that does not hold it is mostly seen at one of these.
template <int K, class Game>
DEVICE bool has_saddle(const Game& M, double value, int c, int d) {
  double maximin = -2, minimax = 2;
#pragma unroll 1
  for (int r = 0; r < K; r++) {
    if (M(r, c) < value - SADDLE || M(r, d) < value - SADDLE) continue;
    double least;
    best_column<K>(M, r, least);
    maximin = larger(maximin, least);
  }
  if (maximin < value - SADDLE) return false;
#pragma unroll 1
  for (int column = 0; column < K; column++) {
    double most;
    best_row<K>(M, column, most);
    minimax = smaller(minimax, most);
  }
  return minimax - maximin <= SADDLE;
}

// The most that a mix of rows r and s guarantees: max over p of min over c of p M(r, c) + (1 - p) M(s, c). The least of K
// lines is concave in p: the lines that are least at both ends cross, and the one that is least there takes the place of
// one of them, until none is below. `left` and `right` get the two columns that hold it.
template <int K, class Game>
DEVICE double mix_of_two(const Game& M, int r, int s, int& left, int& right) {
  double at_one[K], at_zero[K];
  double least_zero = 2, least_one = 2;
  left = right = 0;
#pragma unroll
  for (int c = 0; c < K; c++) {
    at_one[c] = M(r, c);
    at_zero[c] = M(s, c);
    if (at_zero[c] < least_zero) { least_zero = at_zero[c]; left = c; }
    if (at_one[c] < least_one) { least_one = at_one[c]; right = c; }
  }
  double left_zero = least_zero, left_one = M(r, left);
  double right_one = least_one, right_zero = M(s, right);
  if (left_one <= left_zero) return left_zero;    // row s alone
  if (right_one >= right_zero) return right_one;  // row r alone
  double best = -2;
  for (int step = 0; step < K + 2; step++) {
    double p = (right_zero - left_zero) / ((left_one - left_zero) + (right_zero - right_one));
    double crossing = left_zero + p * (left_one - left_zero), least = 2;
    int lowest = 0;
#pragma unroll
    for (int c = 0; c < K; c++) {
      double v = at_zero[c] + p * (at_one[c] - at_zero[c]);
      if (v < least) { least = v; lowest = c; }
    }
    best = larger(best, least);
    if (least >= crossing - 1e-16 || lowest == left || lowest == right) break;
    double one = M(r, lowest), zero = M(s, lowest);
    if (one > zero) { left = lowest; left_one = one; left_zero = zero; }
    else { right = lowest; right_one = one; right_zero = zero; }
  }
  return best;
}

// Whether two moves a side are enough: the best mix of two rows against all columns and of two columns against all rows
// in turn, from row r and column c on, each taking the two lines that hold the other. `gap` is between the bounds; c0 and
// c1 get the columns.
template <int K, class Game>
DEVICE bool two_moves(const Game& M, int r, int c, double& value, double& gap, int& c0, int& c1) {
  const Turned<Game> turned{M};
  double lower = -2, upper = 2, ignored;
  int s = best_row<K>(M, c, ignored);
  for (int turn = 0; turn < TURNS; turn++) {
    int r0, r1;
    lower = larger(lower, mix_of_two<K>(M, r, s, c0, c1));
    if (upper - lower <= SADDLE) break;
    if (c0 == c1) c1 = best_column<K>(M, best_row<K>(M, c0, ignored), ignored);
    upper = smaller(upper, -mix_of_two<K>(turned, c0, c1, r0, r1));
    if (upper - lower <= SADDLE) break;
    if (r0 == r1) r1 = best_row<K>(M, best_column<K>(M, r0, ignored), ignored);
    r = r0;
    s = r1;
  }
  gap = upper - lower;
  value = (lower + upper) / 2;
  return gap <= SADDLE;
}

// Which variable stands at each of up to 16 places of a tableau: a move, 4 bits each, or the slack of one.
struct Names {
  u64 moves = 0;
  u32 slacks = 0;
  DEVICE int move(int i) const { return (int)(moves >> 4 * i & 15); }
  DEVICE bool is_slack(int i) const { return slacks >> i & 1; }
  DEVICE int number(int i) const { return move(i) + (is_slack(i) ? 16 : 0); }
  DEVICE void exchange(int i, Names& other, int j) {
    u64 moved = (moves >> 4 * i ^ other.moves >> 4 * j) & 15;
    u32 turned = (slacks >> i ^ other.slacks >> j) & 1;
    moves ^= moved << 4 * i;
    other.moves ^= moved << 4 * j;
    slacks ^= turned << i;
    other.slacks ^= turned << j;
  }
};

// The simplex method for: maximise Σ y subject to (M + 1) y <= 1, y >= 0, with M stretched to [0, 1]. The tableau is
// condensed: K + 1 rows and columns, those of the basis left out; its numbers stand `stride` apart, so that the threads
// of a block share memory without waiting for each other. Both mixes come out; the bounds are what they guarantee, so
// they hold whatever rounding did on the way.
template <int K, class Game>
CALLED void simplex(const Game& M, double* tableau, int stride, int patience, double& lower, double& upper) {
  constexpr int W = K + 1;
#define T(r, c) tableau[((r) * W + (c)) * stride]
  Names rows, columns;
  double least = 2, most = -2;
  for (int r = 0; r < K; r++)
    for (int c = 0; c < K; c++) {
      double v = M(r, c);
      T(r, c) = v;
      least = smaller(least, v);
      most = larger(most, v);
    }
  const double stretch = most > least ? 1 / (most - least) : 1;
  for (int r = 0; r < K; r++) {
    for (int c = 0; c < K; c++) T(r, c) = (T(r, c) - least) * stretch + 1;
    T(r, K) = 1;
    T(K, r) = -1;
    rows.moves |= (u64)r << 4 * r;
    rows.slacks |= 1u << r;
  }
  columns.moves = rows.moves;
  T(K, K) = 0;
  for (int step = 0; step < MOST_STEPS; step++) {
    int enter = -1, leave = -1;
    double steepest = -ZERO, ratio = 0;
    for (int c = 0; c < K; c++) {
      double v = T(K, c);
      bool better = step < patience ? v < steepest
                                    : v < -ZERO && (enter < 0 || columns.number(c) < columns.number(enter));
      if (better) { enter = c; steepest = v; }
    }
    if (enter < 0) break;
    for (int r = 0; r < K; r++) {
      double v = T(r, enter);
      if (v <= 100 * ZERO) continue;
      double q = T(r, K) / v;
      if (leave < 0 || q < ratio || (q == ratio && rows.number(r) < rows.number(leave))) { leave = r; ratio = q; }
    }
    if (leave < 0) break;
    const double inverse = 1 / T(leave, enter);
    double pivot[W];
#pragma unroll
    for (int c = 0; c < W; c++) pivot[c] = T(leave, c) * inverse;
    for (int r = 0; r < W; r++) {
      const double factor = T(r, enter);
      if (r == leave || factor == 0) continue;
#pragma unroll
      for (int c = 0; c < W; c++) T(r, c) -= factor * pivot[c];
      T(r, enter) = -factor * inverse;
    }
#pragma unroll
    for (int c = 0; c < W; c++) T(leave, c) = pivot[c];
    T(leave, enter) = inverse;
    rows.exchange(leave, columns, enter);
  }
  // y stands in the last column, at the rows that are moves; the other mix in the last row, at the columns of slacks.
  double my_sum = 0, their_sum = 0;
  for (int i = 0; i < K; i++) {
    if (!rows.is_slack(i)) their_sum += larger(T(i, K), 0.0);
    if (columns.is_slack(i)) my_sum += larger(T(K, i), 0.0);
  }
  double mine[K], theirs[K];
#pragma unroll
  for (int i = 0; i < K; i++) mine[i] = theirs[i] = 0;
  for (int i = 0; i < K; i++) {
    const double their_share = T(i, K) / their_sum, my_share = T(K, i) / my_sum;
    const int column = rows.move(i), row = columns.move(i);
    if (!rows.is_slack(i) && their_share > 0)
#pragma unroll
      for (int r = 0; r < K; r++) theirs[r] += their_share * M(r, column);
    if (columns.is_slack(i) && my_share > 0)
#pragma unroll
      for (int c = 0; c < K; c++) mine[c] += my_share * M(row, c);
  }
  lower = 2;
  upper = -2;
#pragma unroll
  for (int i = 0; i < K; i++) {
    lower = smaller(lower, mine[i]);
    upper = larger(upper, theirs[i]);
  }
#undef T
}

// Bounds by the simplex method; where rounding keeps them apart, also from the other side and by other steps.
template <int K, class Game>
DEVICE void solve_matrix(const Game& M, double* tableau, int stride, double& lower, double& upper) {
  lower = -2;
  upper = 2;
#pragma unroll 1
  for (int attempt = 0; attempt < 4 && !(upper - lower < CLOSE); attempt++) {
    const Sided<Game> side{M, attempt % 2 == 1};
    double low, high;
    simplex<K>(side, tableau, stride, attempt < 2 ? MANY_STEPS : 0, low, high);
    if (side.is_turned) {
      const double other = -low;
      low = -high;
      high = other;
    }
    if (high - low < upper - lower) { lower = low; upper = high; }
  }
}
