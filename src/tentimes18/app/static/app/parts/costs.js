// How costs are told on the board: one decimal, and more where a cost would read as nothing; the length of a rail. No DOM.
import { exact2, points } from "../core/format.js";

/**
 * A cost without its sign: one decimal, two below a tenth, and never nought for what costs something.
 * @param {number} cost
 * @param {number} [digits]  2, where all costs have two decimals, as in a review
 */
export function shownCost(cost, digits = 1) {
  if (digits === 1 && (cost >= 0.095 || cost === 0)) return points(cost);
  return cost > 0 && cost < 0.005 ? "0.01" : exact2(cost);
}

/**
 * The points that a rail spans in a game: ten in the classic one, and as much of the game's spread in others, rounded.
 * @param {import("../game/game.js").Game} game
 */
export function railOf({ law, multipliers }) {
  const spread = ((multipliers.at(-1) - multipliers[0]) * law.sd * 3) / 8;
  if (!(spread > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(spread));
  return power * [1, 2, 5, 10].reduce((best, round) => (Math.abs(round - spread / power) < Math.abs(best - spread / power) ? round : best));
}
