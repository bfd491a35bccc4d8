// How a game is drawn: from multipliers and rolls to lengths, thicknesses and ticks. No DOM.
// A block is as long as its roll and as thick as its multiplier, whatever the game: the largest multiplier is a beam, and
// a groove reaches from nought (or the lowest roll, where that is below it) to the highest roll.
import { count, decimal, exact2, points } from "../core/format.js";

const BEAM = 10; // the thickness of the largest multiplier, in the unit of board.css
const STEPS = [1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50, 60, 80];

/**
 * @typedef {object} Scale
 * @property {number} low        the left end of a groove: the lowest roll, or 0
 * @property {number} high       its right end: the highest roll, or 0
 * @property {number} span       from one to the other
 * @property {number[]} ticks    the rolls that are written above
 * @property {Record<string, number>} style   custom properties of the whole board
 * @property {(multiplier: number) => number} heft   a multiplier's thickness, 0 to 10
 */

/**
 * The scale of a game.
 * @param {import("../game/game.js").Game} game
 * @param {number} [chars]  letters of the longest text beside a groove, if it is not the most points of a slot
 * @returns {Scale}
 */
export function scaleOf({ distribution, multipliers, labels }, chars) {
  const ends = [distribution.support[0], distribution.support.at(-1)];
  const low = Math.min(0, ...ends);
  const high = Math.max(0, ...ends);
  const span = high - low || 1;
  const top = Math.max(...multipliers.map(Math.abs)) || 1;
  const step = STEPS.findLast((whole) => high / whole >= 3 && high / whole <= 4 && high % whole === 0 && !low) ?? roundStep(span / 3.5);
  const ticks = [];
  for (let tick = Math.ceil(low / step) * step; tick <= high; tick += step) if (tick || low) ticks.push(tick);
  const most = ends.flatMap((roll) => [multipliers[0], multipliers.at(-1)].map((multiplier) => told(multiplier * roll).length));
  return {
    low,
    high,
    span,
    ticks,
    heft: (multiplier) => (Math.abs(multiplier) / top) * BEAM,
    style: {
      "--span": span,
      "--zero": 0 - low,
      "--tick": step % 2 ? step : step / 2,
      "--step": span <= 30 ? 1 : roundStep(span / 20),
      "--label": Math.max(...labels.map((label) => label.length)),
      "--chars": chars ?? Math.max(...most),
    },
  };
}

/**
 * Where a roll lies on the scale, as custom properties of its block.
 * @param {Scale} scale
 * @param {number} roll
 */
export function reach(scale, roll) {
  return { "--r": Math.abs(roll), "--from": Math.min(roll, 0) - scale.low, "--origin": roll < 0 ? 1 : 0 };
}

/**
 * Where the number of a block is written: in it, behind it, or over its end where neither has room.
 * @param {Scale} scale
 * @param {number} multiplier
 * @param {number} roll
 * @returns {"inside" | "behind" | "tucked"}
 */
export function numberAt(scale, multiplier, roll) {
  const share = Math.abs(roll) / scale.span;
  const letters = told(roll).length;
  if (scale.heft(multiplier) >= 4.5 && share > 0.05 + 0.065 * letters) return "inside";
  return (roll - scale.low) / scale.span > 1 - 0.07 * letters ? "tucked" : "behind";
}

/**
 * A number of the game (a roll, points) as it is written: no more digits than it has, three decimals at most.
 * @param {number} number
 */
export function told(number) {
  const rounded = Math.round(number * 1000) / 1000;
  const whole = count(Math.trunc(rounded));
  if (Number.isInteger(rounded)) return whole;
  const decimals = Math.abs(rounded).toFixed(3).split(".")[1].replace(/0+$/, "");
  return `${rounded < 0 && !Math.trunc(rounded) ? "−" : ""}${whole}${decimal(".")}${decimals}`;
}

/** Slots as people read them: "1-10", and "−3 to −1, 1 to 3" where some are below nought. @param {string} slots */
export function shownSlots(slots) {
  if (!/(^|,|-)-/.test(slots)) return slots;
  return slots.split(",").map((part) => part.replace(/^(-?[\d./]+)-(-?[\d./]+)$/, "$1 to $2").replaceAll("-", "−")).join(", ");
}

/** The least round number that is not below. */
function roundStep(least) {
  const power = 10 ** Math.max(0, Math.floor(Math.log10(least)) - 1);
  return power * (STEPS.find((step) => step * power >= least) ?? 100);
}

// How costs are shown on the board: one decimal, and more where a cost would read as nothing; the length of a rail. No DOM.

/**
 * A cost without its sign: one decimal, two below a tenth, and never nought for what costs something.
 * @param {number} cost
 * @param {number} [digits]  2, where all costs have two decimals, as in a review
 */
export function shownCost(cost, digits = 1) {
  if (digits === 1 && (cost >= 0.095 || cost === 0)) return points(cost);
  return cost > 0 && cost < 0.005 ? exact2(0.01) : exact2(cost);
}

/**
 * The points that a rail spans in a game: ten in the classic one, and as much of the game's spread in others, rounded.
 * @param {import("../game/game.js").Game} game
 */
export function railOf({ distribution, multipliers }) {
  const spread = ((multipliers.at(-1) - multipliers[0]) * distribution.sd * 3) / 8;
  if (!(spread > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(spread));
  return power * [1, 2, 5, 10].reduce((best, round) => (Math.abs(round - spread / power) < Math.abs(best - spread / power) ? round : best));
}
