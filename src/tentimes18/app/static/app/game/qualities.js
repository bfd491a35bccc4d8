// The classes of moves, from best to blunder, by what a move costs; and the levels of players.

import { compare, fraction, fromNumber } from "./exact.js";

const ROUNDING = 1e-10; // of costs that come as plain numbers

/**
 * The one table of classes: a best move costs nothing, a fine one anything above; `least` in points, or in percent.
 * `share` is the sign of a move in a text that tells nothing else: best, under a point, more.
 */
export const CLASSES = Object.freeze([
  { name: "best", mark: "", least: fraction(0n), share: "●" },
  { name: "fine", mark: "", least: fraction(0n), share: "◐" },
  { name: "good", mark: "", least: fraction(1n, 4n), share: "◐" },
  { name: "inaccuracy", mark: "?!", least: fraction(1n), share: "○" },
  { name: "mistake", mark: "?", least: fraction(3n), share: "○" },
  { name: "blunder", mark: "??", least: fraction(8n), share: "○" },
]);

/** The class of an exact cost in points. @param {import("./exact.js").Fraction} cost */
export function classify(cost) {
  return cost.n === 0n ? CLASSES[0] : CLASSES.findLast((found) => compare(cost, found.least) >= 0);
}

/** The class of a cost that is a plain number, in points (or in percent, where chances are measured). */
export function classOf(cost) {
  return cost === 0 ? CLASSES[0] : classify(fromNumber(Math.max(cost + ROUNDING, ROUNDING)));
}

/** The class of this name. @param {string} name */
export function classNamed(name) {
  return CLASSES.find((found) => found.name === name);
}

/** Whether a move of this class is an error: those with a mark. */
export function isError({ mark }) {
  return mark !== "";
}

/** The levels of players, the best first, by the most that a choice costs them, as a part of what chance loses. */
const LEVELS = Object.freeze([
  { name: "perfect", most: fraction(0n) },
  { name: "master", most: fraction(1n, 100n) },
  { name: "expert", most: fraction(3n, 100n) },
  { name: "advanced", most: fraction(1n, 10n) },
  { name: "intermediate", most: fraction(3n, 10n) },
  { name: "beginner", most: null },
]);

/**
 * The level of one who loses so much a choice where chance loses `unit`; null without either.
 * @param {?import("./exact.js").Fraction} skill @param {?import("./exact.js").Fraction} unit
 */
export function levelOf(skill, unit) {
  if (!skill || !unit) return null;
  if (skill.n === 0n) return LEVELS[0];
  return LEVELS.slice(1).find(({ most }) => !most || compare(skill, { n: most.n * unit.n, d: most.d * unit.d }) <= 0);
}
