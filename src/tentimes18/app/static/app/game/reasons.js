// Why a slot is best, in one sentence. A slot expects the mean of the rolls that it may get later.

import { decimal } from "../core/format.js";
import { compare, fixed } from "./exact.js";
import { adviseSlots, rowsOf } from "./thresholds.js";
import { texts } from "../texts.js";

/**
 * The reason for the best slot of a roll: the same sentence as the command's.
 * @param {import("./game.js").Game} game @param {number[]} free slots, increasing @param {number} roll
 * @param {(slot: number) => string} [named]  how a slot is called: by its number, as the command does, or as pages do
 */
export function reasonFor(game, free, roll, named = texts.reasons.slot) {
  if (free.length === 1) return texts.reasons.only(named(free[0]));
  const { bestSlots, isChoice } = adviseSlots(game, free, roll);
  if (!isChoice) return texts.reasons.equal(roll).replaceAll("-", "−");
  const row = rowsOf(game.distribution, free.length - 1).at(-1);
  const low = free.indexOf(bestSlots[0]);
  const high = free.indexOf(bestSlots.at(-1));
  const parts = [];
  if (low > 0) parts.push(texts.reasons.above(named(free[low - 1]), shown(row, low - 1, roll)));
  if (high < free.length - 1) {
    const expected = shown(row, high, roll);
    parts.push((parts.length ? texts.reasons.belowToo : texts.reasons.below)(named(free[high + 1]), expected));
  }
  return texts.reasons.goes(roll, bestSlots.map(named), parts.join(", ")).replaceAll("-", "−");
}

/**
 * What every free slot can expect after one move and after another, and the points between the two: m (chosen - other).
 * The points of all slots add up to the difference of both moves.
 * @param {import("./game.js").Game} game @param {number[]} free  slots, increasing @param {number} roll
 * @param {number} slot  the chosen one @param {number} best  the other one
 * @returns {{slot: number, chosen: number, other: number, points: number}[]}
 */
export function differences(game, free, roll, slot, best) {
  const { expected } = rowsOf(game.distribution, free.length - 1).at(-1);
  const after = (taken) => {
    const left = free.filter((other) => other !== taken);
    return new Map([[taken, roll], ...left.map((other, rank) => [other, expected[rank]])]);
  };
  const [ofSlot, ofBest] = [after(slot), after(best)];
  return free.map((number) => {
    const [chosen, other] = [ofSlot.get(number), ofBest.get(number)];
    return { slot: number, chosen, other, points: game.multipliers[number - 1] * (chosen - other) };
  });
}

// Two digits after the point, or as many as it takes to tell it from the roll.
function shown(row, i, roll) {
  for (let digits = 2; digits < 10; digits += 1) {
    const text = fixed(row.expected[i], digits);
    if (Number(text) !== roll) return decimal(text);
  }
  const isBelow = compare({ n: row.numerators[i], d: row.denominator }, { n: BigInt(roll), d: 1n }) < 0;
  return isBelow ? texts.reasons.justBelow(roll) : texts.reasons.justAbove(roll);
}
