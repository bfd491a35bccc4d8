// A pool: a handful of equal dice that are rolled together, and what counts of them; distributions as weights by roll.
//
// The k highest of n: with D[a] the weights, by their sum, of a dice that show more than y, whichever a,
//
//     D'[a + j] += binom(n - a, j) w_y^j (D[a] shifted by j y),
//
// and y is the k-th highest where at least b = k - a of the N = n - a others show y and the rest less, C in weight:
//
//     distribution += (D[a] shifted by b y) ((C + w_y)^N - sum over i < b of binom(N, i) w_y^i C^(N-i)).
//
// The k lowest are the highest of the dice with all signs changed.

import { gcd } from "./exact.js";

/** @typedef {Map<number, bigint>} Weights  a distribution as weights by roll, over their sum */

/** The same distribution in the smallest whole numbers, by roll. @param {Weights} distribution @returns {Weights} */
export function primitive(distribution) {
  let common = 0n;
  for (const weight of distribution.values()) common = gcd(common, weight);
  return new Map([...distribution].sort(([a], [b]) => a - b).map(([roll, weight]) => [roll, weight / common]));
}

/** The sum of all weights. @param {Weights} distribution */
export function totalOf(distribution) {
  let total = 0n;
  for (const weight of distribution.values()) total += weight;
  return total;
}

/** The distribution of the sum of two independent rolls. @param {Weights} left @param {Weights} right @returns {Weights} */
export function sumDistribution(left, right) {
  const distribution = new Map();
  for (const [roll, weight] of left) for (const [other, more] of right) add(distribution, roll + other, weight * more);
  return distribution;
}

/** The distribution of the sum of `count` equal dice. @param {Weights} one @param {number} count @returns {Weights} */
export function power(one, count) {
  if (count === 1) return one;
  const half = power(one, Math.floor(count / 2));
  const even = sumDistribution(half, half);
  return count % 2 ? sumDistribution(even, one) : even;
}

/** The distribution of a die that is rolled again when it shows its highest face, up to a limit, and added up. */
export function exploded(one, most) {
  const top = Math.max(...one.keys());
  const total = totalOf(one);
  const distribution = new Map();
  for (let j = 0; j <= most; j += 1) {
    const scale = one.get(top) ** BigInt(j) * total ** BigInt(most - j);
    for (const [face, weight] of one) if (face !== top || j === most) add(distribution, j * top + face, scale * weight);
  }
  return distribution;
}

/** The distribution of the sum of the `kept` highest (or lowest) of `count` dice. @returns {Weights} */
export function keptDistribution(one, count, kept, keepsHighest) {
  const sign = keepsHighest ? 1 : -1;
  const faces = [...one].map(([face, weight]) => [sign * face, weight]).sort(([a], [b]) => b - a);
  const distribution = new Map();
  let below = totalOf(one);
  let above = Array.from({ length: kept }, (_, taken) => (taken ? new Map() : new Map([[0, 1n]])));
  for (const [face, weight] of faces) {
    below -= weight;
    above.forEach((sums, taken) => {
      const ends = atLeast(kept - taken, count - taken, weight, below);
      for (const [sum, ways] of sums) add(distribution, sign * (sum + (kept - taken) * face), ways * ends);
    });
    const next = above.map(() => new Map());
    above.forEach((sums, taken) => {
      for (let more = 0; taken + more < kept; more += 1) {
        const ways = binomial(count - taken, more) * weight ** BigInt(more);
        for (const [sum, found] of sums) add(next[taken + more], sum + more * face, found * ways);
      }
    });
    above = next;
  }
  for (const [roll, weight] of distribution) if (!weight) distribution.delete(roll);
  return distribution;
}

/** How many ways there are to choose k of n. */
export function binomial(n, k) {
  let found = 1n;
  for (let i = 1; i <= k; i += 1) found = (found * BigInt(n - k + i)) / BigInt(i);
  return k < 0 || k > n ? 0n : found;
}

function atLeast(wanted, dice, weight, below) {
  let found = (below + weight) ** BigInt(dice);
  for (let i = 0; i < wanted; i += 1) found -= binomial(dice, i) * weight ** BigInt(i) * below ** BigInt(dice - i);
  return found;
}

function add(distribution, roll, weight) {
  distribution.set(roll, (distribution.get(roll) ?? 0n) + weight);
}
