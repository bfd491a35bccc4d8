// The distribution of one roll: a finite set of whole numbers with exact chances, from the notation of dice.
import { fraction, toNumber } from "./exact.js";
import { readDice } from "./notation.js";
import { primitive, totalOf } from "./pools.js";

/**
 * @typedef {object} Distribution
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

/** The distribution of dice written like `3d6`; throws `Wrong` where they cannot be read. @param {string} dice @returns {Distribution} */
export function parseDistribution(dice) {
  const known = kept.get(dice);
  if (known) return known;
  const { weights, notation } = readDice(dice);
  const distribution = distributionFrom(weights, notation);
  if (kept.size >= KEPT) kept.delete(kept.keys().next().value);
  kept.set(dice, distribution);
  return distribution;
}

function distributionFrom(weights, notation) {
  const distribution = primitive(weights);
  const support = [...distribution.keys()];
  const counts = [...distribution.values()];
  const total = totalOf(distribution);
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

/** The expected roll, exactly. @param {Distribution} distribution */
export function exactMean(distribution) {
  return fraction(distribution.support.reduce((sum, roll, i) => sum + BigInt(roll) * distribution.counts[i], 0n), distribution.total);
}

/** Whether the dice can show this roll. @param {Distribution} distribution @param {number} roll */
export function canShow(distribution, roll) {
  return distribution.support.includes(roll);
}

/** The rolls of dice in words: `3 to 18`, or all of them. @param {Distribution} distribution */
export function shownRolls({ support }) {
  const [least, most] = [support[0], support.at(-1)];
  if (most - least === support.length - 1) return `${least} to ${most}`;
  return support.length <= 20 ? support.join(",") : `${support.length} numbers from ${least}`;
}

// Rolls drawn in the browser, each with exactly its chance: for games without the service.

/**
 * `count` rolls from the browser's generator. Numbers of as many random bits as the total of the distribution needs are drawn, and
 * those that are not below it are passed over: all that are left have the same chance, and each stands for a roll.
 * @param {Distribution} distribution @param {number} count @returns {number[]}
 */
export function drawRolls(distribution, count) {
  const bits = distribution.total > 1n ? (distribution.total - 1n).toString(2).length : 0;
  return Array.from({ length: count }, () => {
    let number = drawBits(bits);
    while (number >= distribution.total) number = drawBits(bits);
    return distribution.support[distribution.counts.findIndex((weight) => (number -= weight) < 0n)];
  });
}

/** One roll. @param {Distribution} distribution */
export function drawRoll(distribution) {
  return drawRolls(distribution, 1)[0];
}

/** An id for a game that was made here, and the seed of what its dice show: 32 hexadecimal digits. */
export function drawId() {
  return drawBits(128).toString(16).padStart(32, "0");
}

function drawBits(bits) {
  const bytes = crypto.getRandomValues(new Uint8Array(Math.ceil(bits / 8)));
  const number = bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
  return number & ((1n << BigInt(bits)) - 1n);
}
