// The strategy card: the whole best play of a game by the number of free slots.
//
// With k free slots and E the row of k - 1 slots, the free slot of rank r takes the rolls with E[r-1] < x <= E[r]: one
// band. Where E[r] is itself a roll, that roll is exactly as good in the free slot of rank r + 1.

import { rowsOf } from "./thresholds.js";
import { texts } from "../texts.js";

/**
 * Consecutive rolls that go to the free slot of this rank, from 1; `tied`: the highest also to the next one.
 * @typedef {{rank: number, rolls: number[], tied: boolean}} Band
 */

/**
 * A row for every number of free slots, from all down to two.
 * @param {import("./game.js").Game} game
 * @returns {{free: number, bands: Band[]}[]}
 */
export function cardRows({ distribution, size }) {
  const rows = rowsOf(distribution, size - 1);
  return rows.map((row, i) => ({ free: i + 2, bands: bandsOf(distribution, row) })).reverse();
}

function bandsOf({ support }, { numerators, denominator }) {
  const bands = [];
  for (const roll of support) {
    const scaled = BigInt(roll) * denominator;
    const rank = 1 + numerators.filter((n) => n < scaled).length;
    const last = bands.at(-1);
    if (last?.rank === rank) last.rolls.push(roll);
    else bands.push({ rank, rolls: [roll], tied: false });
    bands.at(-1).tied = numerators.some((n) => n === scaled);
  }
  return bands;
}

/** A rank in words: 1st, 2nd, ... last. */
export const rankName = (rank, free) => (rank === free ? texts.reasons.last : texts.reasons.ordinal(rank));

/** Rolls as people write them: 3–6, or one. @param {number[]} rolls */
export function shownSpan(rolls) {
  const shown = (roll) => String(roll).replace("-", "−");
  if (rolls.length === 1) return shown(rolls[0]);
  return rolls[0] < 0 ? `${shown(rolls[0])} to ${shown(rolls.at(-1))}` : `${rolls[0]}–${rolls.at(-1)}`;
}
