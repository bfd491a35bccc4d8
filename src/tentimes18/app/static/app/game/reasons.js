// Why a slot is best, in one sentence; what a slot can expect is the mean of what comes there later.

import { compare, fixed } from "./exact.js";
import { adviseSlots, rowsOf } from "./thresholds.js";

/**
 * The reason for the best slot of a roll: the same sentence as the command's.
 * @param {import("./game.js").Game} game @param {number[]} free slots, increasing @param {number} roll
 * @param {(slot: number) => string} [named]  how a slot is called: by its number, as the command does, or as pages do
 */
export function reasonFor(game, free, roll, named = (slot) => `slot ${slot}`) {
  if (free.length === 1) return `${capital(named(free[0]))} is the only free one.`;
  const { bestSlots, isChoice } = adviseSlots(game, free, roll);
  if (!isChoice) return `All free slots are equally good for ${roll}.`.replaceAll("-", "−");
  const row = rowsOf(game.law, free.length - 1).at(-1);
  const low = free.indexOf(bestSlots[0]);
  const high = free.indexOf(bestSlots.at(-1));
  const parts = [];
  if (low > 0) parts.push(`above what ${named(free[low - 1])} can expect (${shown(row, low - 1, roll)})`);
  if (high < free.length - 1) {
    const expected = shown(row, high, roll);
    parts.push(
      parts.length ? `below ${named(free[high + 1])}'s ${expected}` : `below what ${named(free[high + 1])} can expect (${expected})`,
    );
  }
  const where = bestSlots.length > 1 ? `is equally good in ${listed(bestSlots.map(named))}` : `goes to ${named(bestSlots[0])}`;
  return `${roll} ${where}: ${parts.join(", ")}.`.replaceAll("-", "−");
}

function capital(text) {
  return text[0].toUpperCase() + text.slice(1);
}

// Several names: slots 1 and 2, ×1 and ×2.
function listed(names) {
  const bare = names.every((name) => name.startsWith("slot ")) ? names.map((name) => name.slice(5)) : names;
  return `${bare === names ? "" : "slots "}${bare.slice(0, -1).join(", ")} and ${bare.at(-1)}`;
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
