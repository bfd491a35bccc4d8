// The law of one roll: a finite set of whole numbers with exact chances, from the notation of dice.

import { fraction, toNumber } from "./exact.js";
import { readDice } from "./notation.js";
import { primitive, totalOf } from "./pools.js";

/**
 * @typedef {object} Law
 * @property {string} notation  the dice as text
 * @property {number[]} support  the rolls, increasing
 * @property {bigint[]} counts  of each roll, over `total`
 * @property {bigint} total
 * @property {number[]} chances  of each roll, as plain numbers
 * @property {number} mean
 * @property {number} sd
 */

const KEPT = 64;
const kept = new Map();

/** The law of dice written like `3d6`; throws `Wrong` where they cannot be read. @param {string} dice @returns {Law} */
export function parseLaw(dice) {
  const known = kept.get(dice);
  if (known) return known;
  const { weights, notation } = readDice(dice);
  const law = lawFrom(weights, notation);
  if (kept.size >= KEPT) kept.delete(kept.keys().next().value);
  kept.set(dice, law);
  return law;
}

function lawFrom(weights, notation) {
  const law = primitive(weights);
  const support = [...law.keys()];
  const counts = [...law.values()];
  const total = totalOf(law);
  let [sum, squares] = [0n, 0n];
  support.forEach((roll, i) => {
    sum += BigInt(roll) * counts[i];
    squares += BigInt(roll) * BigInt(roll) * counts[i];
  });
  return Object.freeze({
    notation,
    support,
    counts,
    total,
    chances: counts.map((count) => toNumber({ n: count, d: total })),
    mean: toNumber({ n: sum, d: total }),
    sd: Math.sqrt(toNumber({ n: squares * total - sum * sum, d: total * total })),
  });
}

/** The expected roll, exactly. @param {Law} law */
export function exactMean(law) {
  return fraction(law.support.reduce((sum, roll, i) => sum + BigInt(roll) * law.counts[i], 0n), law.total);
}

/** Whether the dice can show this roll. @param {Law} law @param {number} roll */
export function canShow(law, roll) {
  return law.support.includes(roll);
}

/** The rolls of dice in words: `3 to 18`, or all of them. @param {Law} law */
export function shownRolls({ support }) {
  const [least, most] = [support[0], support.at(-1)];
  if (most - least === support.length - 1) return `${least} to ${most}`;
  return support.length <= 20 ? support.join(",") : `${support.length} numbers from ${least}`;
}
