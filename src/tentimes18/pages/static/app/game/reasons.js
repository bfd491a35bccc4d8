// Why a slot is best, in one sentence; what a slot can expect is the mean of what comes there later.

import { compare, fixed } from "./exact.js";
import { adviseSlots, rowsOf } from "./thresholds.js";

/**
 * The reason for the best slot of a roll: the same sentence as the command's.
 * @param {import("./game.js").Game} game @param {number[]} free slots, increasing @param {number} roll
 */
export function reasonFor(game, free, roll) {
  if (free.length === 1) return `Slot ${free[0]} is the only free one.`;
  const { bestSlots, isChoice } = adviseSlots(game, free, roll);
  if (!isChoice) return `All free slots are equally good for ${roll}.`.replaceAll("-", "−");
  const row = rowsOf(game.law, free.length - 1).at(-1);
  const low = free.indexOf(bestSlots[0]);
  const high = free.indexOf(bestSlots.at(-1));
  const parts = [];
  if (low > 0) parts.push(`above what slot ${free[low - 1]} can expect (${shown(row, low - 1, roll)})`);
  if (high < free.length - 1) {
    const expected = shown(row, high, roll);
    parts.push(
      parts.length ? `below slot ${free[high + 1]}'s ${expected}` : `below what slot ${free[high + 1]} can expect (${expected})`,
    );
  }
  const listed = `${bestSlots.slice(0, -1).join(", ")} and ${bestSlots.at(-1)}`;
  const where = bestSlots.length > 1 ? `is equally good in slots ${listed}` : `goes to slot ${bestSlots[0]}`;
  return `${roll} ${where}: ${parts.join(", ")}.`.replaceAll("-", "−");
}

// Two digits after the point, or as many as it takes to tell it from the roll.
function shown(row, i, roll) {
  for (let digits = 2; digits < 10; digits += 1) {
    const text = fixed(row.expected[i], digits);
    if (Number(text) !== roll) return text;
  }
  const isBelow = compare({ n: row.numerators[i], d: row.denominator }, { n: BigInt(roll), d: 1n }) < 0;
  return `just ${isBelow ? "below" : "above"} ${roll}`;
}
