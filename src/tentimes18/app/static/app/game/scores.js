// The distribution of the final score under the best play for the mean, made in the browser for games of moderate size.
//
// With A the free slots and i(x) the slot that the roll x goes to,  distribution[A] = Σ_x P(x) (distribution[A - i(x)] shifted by λ x):
// one distribution for every set of free slots that can come, in float64. Larger games are a matter for the service.

import { gcd, toNumber } from "./exact.js";
import { exactScore, freeSlots } from "./position.js";
import { rowsOf } from "./thresholds.js";

/** Steps of the inner loop that take hundredths of a second; and the most that a player waits for without a server. */
export const STEPS = Object.freeze({ instant: 1e7, most: 6e7 });

/**
 * The distribution of a score: the scores that can happen, increasing, and the chance of each.
 * @typedef {{scores: number[], chances: number[]}} ScoreDistribution
 */

/** Whether the distribution from this position on takes at most this many steps here. @param {import("./position.js").Position} position */
export function isQuick(position, most = STEPS.most) {
  const { game } = position;
  const free = freeSlots(position);
  return 2 ** free.length * game.distribution.support.length * (latticeOf(game, free).width / 2) <= most;
}

/** The distribution of the final score from this position on. @param {import("./position.js").Position} position @returns {ScoreDistribution} */
export function scoreDistribution(position) {
  const { game } = position;
  const free = freeSlots(position);
  const lattice = latticeOf(game, free);
  const distribution = distributionOfSet(game, free, lattice, (1 << free.length) - 1, new Map([[0, Float64Array.of(1)]]));
  const base = exactScore(position);
  const scores = [];
  const chances = [];
  distribution.forEach((chance, index) => {
    if (!chance) return;
    scores.push(toNumber({ n: base.n + lattice.low + BigInt(index) * lattice.step, d: game.unit }));
    chances.push(chance);
  });
  return { scores, chances };
}

// Points of slots as whole numbers: the least, plus a common step times an index.
function latticeOf({ distribution, scaled }, free) {
  const points = free.map((slot) => distribution.support.map((roll) => scaled[slot - 1] * BigInt(roll)));
  const lows = points.map((row) => row.reduce((least, value) => (value < least ? value : least)));
  const step = points.flat().reduce((common, value, i) => gcd(common, value - lows[Math.floor(i / distribution.support.length)]), 0n) || 1n;
  const shifts = points.map((row, i) => row.map((value) => Number((value - lows[i]) / step)));
  const widths = shifts.map((row) => Math.max(...row));
  return { step, shifts, widths, low: lows.reduce((sum, low) => sum + low, 0n), width: widths.reduce((sum, width) => sum + width, 1) };
}

function distributionOfSet(game, free, lattice, mask, made) {
  const known = made.get(mask);
  if (known) return known;
  const places = free.map((_, place) => place).filter((place) => mask & (1 << place));
  const ranks = ranksOf(game.distribution, places.length);
  const distribution = new Float64Array(places.reduce((width, place) => width + lattice.widths[place], 1));
  game.distribution.chances.forEach((chance, x) => {
    const place = places[ranks[x]];
    const rest = distributionOfSet(game, free, lattice, mask & ~(1 << place), made);
    const shift = lattice.shifts[place][x];
    for (let i = 0; i < rest.length; i += 1) distribution[shift + i] += chance * rest[i];
  });
  made.set(mask, distribution);
  return distribution;
}

// The rank, from 0, of the free slot that each roll goes to.
function ranksOf(distribution, count) {
  if (count === 1) return distribution.support.map(() => 0);
  const { numerators, denominator } = rowsOf(distribution, count - 1).at(-1);
  return distribution.support.map((roll) => numerators.filter((n) => n < BigInt(roll) * denominator).length);
}

/** A distribution from the `pmf` of the service's answer. @param {{pmf: [number, number][]}} answer @returns {ScoreDistribution} */
export function scoreDistributionFromJson({ pmf }) {
  return { scores: pmf.map(([score]) => score), chances: pmf.map(([, chance]) => chance) };
}

/** The chance of this score or less: the percentile, as a share. @param {ScoreDistribution} distribution */
export function atMost({ scores, chances }, score) {
  return Math.min(1, chances.reduce((sum, chance, i) => (scores[i] <= score ? sum + chance : sum), 0));
}

/** The chance of this score or more. @param {ScoreDistribution} distribution */
export function atLeast({ scores, chances }, score) {
  return Math.min(1, chances.reduceRight((sum, chance, i) => (scores[i] >= score ? sum + chance : sum), 0));
}

/** The smallest score s with P(S <= s) >= share. @param {ScoreDistribution} distribution */
export function quantile({ scores, chances }, share) {
  let sum = 0;
  const place = chances.findIndex((chance) => (sum += chance) >= share - 1e-12);
  return scores[place < 0 ? scores.length - 1 : place];
}

/** Mean and standard deviation. @param {ScoreDistribution} distribution */
export function moments({ scores, chances }) {
  const mean = scores.reduce((sum, score, i) => sum + score * chances[i], 0);
  const variance = scores.reduce((sum, score, i) => sum + (score - mean) ** 2 * chances[i], 0);
  return { mean, sd: Math.sqrt(variance) };
}
