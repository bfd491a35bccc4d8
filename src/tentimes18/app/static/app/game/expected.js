// Expected scores of the three players that describe a game: any slot at random, the best play, and hindsight.
//
// Hindsight sorts all rolls into the slots: the slot of rank i gets the i-th smallest of n rolls, X_(i). With C(x) the count
// of rolls up to x, over T, and the rolls x_1 < ... < x_s,
//
//     E[X_(i)] = x_1 + Σ_{m<s} (x_{m+1} - x_m) Σ_{b<i} binom(n, b) C(x_m)^b (T - C(x_m))^(n-b) / T^n.

import { toNumber } from "./exact.js";
import { allSlots } from "./game.js";
import { exactMean } from "./distribution.js";
import { binomial } from "./pools.js";
import { exactValue } from "./thresholds.js";

/** The expected score of one who takes any free slot, exactly. @param {import("./game.js").Game} game */
export function exactRandom({ distribution, scaled, unit }) {
  const { n, d } = exactMean(distribution);
  return { n: n * scaled.reduce((sum, multiplier) => sum + multiplier, 0n), d: d * unit };
}

/** The expected score of one who knows all rolls before, exactly. @param {import("./game.js").Game} game */
function exactHindsight({ distribution, scaled, unit, size }) {
  const { support, counts, total } = distribution;
  const whole = total ** BigInt(size);
  const row = scaled.map(() => BigInt(support[0]) * whole);
  let count = 0n;
  for (let m = 0; m < support.length - 1; m += 1) {
    count += counts[m];
    const gap = BigInt(support[m + 1] - support[m]);
    let fewer = 0n;
    for (let b = 0; b < size; b += 1) {
      fewer += binomial(size, b) * count ** BigInt(b) * (total - count) ** BigInt(size - b);
      row[b] += gap * fewer;
    }
  }
  return { n: row.reduce((sum, n, i) => sum + scaled[i] * n, 0n), d: whole * unit };
}

/** The expected scores, as `ten18 solve` gives them. @param {import("./game.js").Game} game */
export function expectedScores(game) {
  return {
    random: toNumber(exactRandom(game)),
    optimal: toNumber(exactValue(game, allSlots(game))),
    hindsight: toNumber(exactHindsight(game)),
  };
}
