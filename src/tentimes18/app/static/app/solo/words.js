// What the page says in a game: the coach's sentences, the result, and what is announced. Plain text, no DOM.
import { points } from "../core/format.js";
import { shownCost } from "../parts/costs.js";
import { told } from "../parts/scale.js";

/** What a slot costs on average, in points, where the coach warns. */
export const WARN_FROM = 1;

/**
 * What the coach says of all free slots.
 * @param {import("../game/game.js").Game} game
 * @param {import("../game/thresholds.js").Advice} advice
 * @returns {{head: string, rest: string}}
 */
export function coachWords(game, advice) {
  const times = (slot) => `×${game.labels[slot - 1]}`;
  if (advice.moves.length === 1) return { head: `${times(advice.best)} is the last free slot.`, rest: "" };
  if (!advice.isChoice) return { head: "All free slots are equally good.", rest: "" };
  const { bestSlots, moves } = advice;
  const head = bestSlots.length > 1 ? `${listed(bestSlots.map(times))} are equally good.` : `${times(advice.best)} is best.`;
  const others = moves.filter(({ isBest }) => !isBest);
  const near = others.filter(({ loss }) => loss < WARN_FROM);
  if (near.length > 3) return { head, rest: `${near.length} others cost less than a point.` };
  if (near.length) return { head, rest: `${listed(near.map(({ slot }) => slot).sort((one, other) => one - other).map(times))} ${near.length > 1 ? "cost" : "costs"} less than a point.` };
  return { head, rest: `${times(others[0].slot)} costs ${shownCost(others[0].loss)} on average.` };
}

/**
 * The warning before a costly placement; null where the slot costs less than a point.
 * @param {import("../game/game.js").Game} game
 * @param {import("../game/thresholds.js").Advice} advice
 * @param {number} slot
 * @returns {{cost: number, head: string, rest: string} | null}
 */
export function warningOf(game, advice, slot) {
  const move = advice.bySlot.get(slot);
  if (!move || move.loss < WARN_FROM) return null;
  const label = game.labels[slot - 1];
  const isLow = advice.best > slot;
  const rest = isLow ? `${article(advice.roll)} ${told(advice.roll)} is worth more higher up.` : `Keep ×${label} for a higher roll.`;
  return { cost: move.loss, head: `×${label} gives up ${shownCost(move.loss)} points on average.`, rest };
}

/**
 * The end of a game in a few words.
 * @param {{score: number, value: number, luck: number, loss: number, optimal_score: number}} found  of review()
 * @returns {{head: string, rest: string}}
 */
export function resultWords({ score, value, luck, loss, optimal_score: perfect }) {
  const over = score - value;
  const where = Math.abs(over) < 0.05 ? "Exactly par." : `${points(Math.abs(over))} ${over > 0 ? "above" : "below"} par.`;
  const dice = Math.abs(luck) < 0.05 ? "The dice were fair" : `The dice ${luck > 0 ? "gave you" : "took"} ${points(Math.abs(luck))}`;
  const head = `${told(score)}. ${where}`;
  if (score > perfect) return { head, rest: `${surplus(score - perfect)} more than the perfect player. Enjoy it.` };
  return { head, rest: loss === 0 ? `${dice}, and every move was best.` : `${dice}, you gave ${luck > 0.05 ? "back" : "up"} ${shownCost(loss)} on average.` };
}

/** What is announced of a placement. */
export function placedWords(game, roll, slot, made, cost) {
  const lost = cost === null ? "" : cost === 0 ? " The best slot." : ` It costs ${shownCost(cost)} on average.`;
  return `${told(roll)} placed in times ${game.labels[slot - 1]}: ${told(made)} points.${lost}`;
}

/** What is announced of a new roll. */
export function rollWords(round, rounds, roll) {
  return `Round ${round} of ${rounds}: you rolled ${told(roll)}.`;
}

/** Names in a row: "×6, ×7 and ×8". @param {string[]} names */
export function listed(names) {
  return names.length > 1 ? `${names.slice(0, -1).join(", ")} and ${names.at(-1)}` : names[0];
}

const SMALL = ["No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine"];

function surplus(points) {
  return SMALL[points] ?? told(points);
}

function article(number) {
  return /^(8|11|18|8\d|8\d\d)$/.test(String(number)) ? "An" : "A";
}
