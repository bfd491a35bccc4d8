// The law of the final score under the best play for the mean, made in the browser for games of moderate size.
//
// With A the free slots and i(x) the slot that the roll x goes to,  law[A] = Σ_x P(x) (law[A - i(x)] shifted by λ x):
// one law for every set of free slots that can come, in float64. Larger games are a matter for the service.

import { gcd, toNumber } from "./exact.js";
import { exactScore, freeSlots } from "./position.js";
import { rowsOf } from "./thresholds.js";

/** Steps of the inner loop that take a moment, some hundredths of a second; and that may be waited for without a service. */
export const STEPS = Object.freeze({ instant: 1e7, most: 6e7 });

/**
 * The law of a score: the scores that can happen, increasing, and the chance of each.
 * @typedef {{scores: number[], chances: number[]}} ScoreLaw
 */

/** Whether the law from this position on is made here in so many steps. @param {import("./position.js").Position} position */
export function isQuick(position, most = STEPS.most) {
  const { game } = position;
  const free = freeSlots(position);
  return 2 ** free.length * game.law.support.length * (latticeOf(game, free).width / 2) <= most;
}

/** The law of the final score from this position on. @param {import("./position.js").Position} position @returns {ScoreLaw} */
export function scoreLaw(position) {
  const { game } = position;
  const free = freeSlots(position);
  const lattice = latticeOf(game, free);
  const law = lawOfSet(game, free, lattice, (1 << free.length) - 1, new Map([[0, Float64Array.of(1)]]));
  const base = exactScore(position);
  const scores = [];
  const chances = [];
  law.forEach((chance, index) => {
    if (!chance) return;
    scores.push(toNumber({ n: base.n + lattice.low + BigInt(index) * lattice.step, d: game.unit }));
    chances.push(chance);
  });
  return { scores, chances };
}

// Points of slots as whole numbers: the least, plus a common step times an index.
function latticeOf({ law, scaled }, free) {
  const points = free.map((slot) => law.support.map((roll) => scaled[slot - 1] * BigInt(roll)));
  const lows = points.map((row) => row.reduce((least, value) => (value < least ? value : least)));
  const step = points.flat().reduce((common, value, i) => gcd(common, value - lows[Math.floor(i / law.support.length)]), 0n) || 1n;
  const shifts = points.map((row, i) => row.map((value) => Number((value - lows[i]) / step)));
  const widths = shifts.map((row) => Math.max(...row));
  return { step, shifts, widths, low: lows.reduce((sum, low) => sum + low, 0n), width: widths.reduce((sum, width) => sum + width, 1) };
}

function lawOfSet(game, free, lattice, mask, made) {
  const known = made.get(mask);
  if (known) return known;
  const places = free.map((_, place) => place).filter((place) => mask & (1 << place));
  const ranks = ranksOf(game.law, places.length);
  const law = new Float64Array(places.reduce((width, place) => width + lattice.widths[place], 1));
  game.law.chances.forEach((chance, x) => {
    const place = places[ranks[x]];
    const rest = lawOfSet(game, free, lattice, mask & ~(1 << place), made);
    const shift = lattice.shifts[place][x];
    for (let i = 0; i < rest.length; i += 1) law[shift + i] += chance * rest[i];
  });
  made.set(mask, law);
  return law;
}

// The rank, from 0, of the free slot that each roll goes to.
function ranksOf(law, count) {
  if (count === 1) return law.support.map(() => 0);
  const { numerators, denominator } = rowsOf(law, count - 1).at(-1);
  return law.support.map((roll) => numerators.filter((n) => n < BigInt(roll) * denominator).length);
}

/** A law from the `pmf` of the service's answer. @param {{pmf: [number, number][]}} answer @returns {ScoreLaw} */
export function scoreLawFromJson({ pmf }) {
  return { scores: pmf.map(([score]) => score), chances: pmf.map(([, chance]) => chance) };
}

/** The chance of this score or less: the percentile, as a share. @param {ScoreLaw} law */
export function atMost({ scores, chances }, score) {
  return Math.min(1, chances.reduce((sum, chance, i) => (scores[i] <= score ? sum + chance : sum), 0));
}

/** The chance of this score or more. @param {ScoreLaw} law */
export function atLeast({ scores, chances }, score) {
  return Math.min(1, chances.reduceRight((sum, chance, i) => (scores[i] >= score ? sum + chance : sum), 0));
}

/** The smallest score s with P(S <= s) >= share. @param {ScoreLaw} law */
export function quantile({ scores, chances }, share) {
  let sum = 0;
  const place = chances.findIndex((chance) => (sum += chance) >= share - 1e-12);
  return scores[place < 0 ? scores.length - 1 : place];
}

/** Mean and standard deviation. @param {ScoreLaw} law */
export function moments({ scores, chances }) {
  const mean = scores.reduce((sum, score, i) => sum + score * chances[i], 0);
  const variance = scores.reduce((sum, score, i) => sum + (score - mean) ** 2 * chances[i], 0);
  return { mean, sd: Math.sqrt(variance) };
}
