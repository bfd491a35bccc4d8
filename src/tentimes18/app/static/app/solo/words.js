// The page's words in a game: the coach's sentences, the result, and what a screen reader hears. Plain text, no DOM.
import { pointsOf } from "../game/position.js";
import { shownCost, told } from "../parts/scale.js";
import { texts } from "../texts.js";

/** What a slot costs on average, in points, where the coach warns. */
export const WARN_FROM = 1;

/**
 * The coach's view of all free slots.
 * @param {import("../game/game.js").Game} game
 * @param {import("../game/thresholds.js").Advice} advice
 * @returns {{head: string, rest: string}}
 */
export function coachWords(game, { moves, best, bestSlots, isChoice }) {
  const times = (slot) => texts.play.times(game.labels[slot - 1]);
  if (moves.length === 1) return { head: texts.play.coachLast(game.labels[best - 1]), rest: "" };
  if (!isChoice) return { head: texts.play.coachEqual, rest: "" };
  const head = texts.play.coachBest(bestSlots.map(times));
  const others = moves.filter(({ isBest }) => !isBest);
  const near = others.filter(({ loss }) => loss < WARN_FROM);
  if (near.length > 3) return { head, rest: texts.play.coachMany(near.length) };
  if (near.length) return { head, rest: texts.play.coachNear(near.map(({ slot }) => slot).sort((one, other) => one - other).map(times)) };
  return { head, rest: texts.play.coachNext(times(others[0].slot), shownCost(others[0].loss)) };
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
  const rest = advice.best > slot ? texts.play.warningLow(advice.roll, told(advice.roll)) : texts.play.warningHigh(label);
  return { cost: move.loss, head: texts.play.warning(label, shownCost(move.loss)), rest };
}

/** What a screen reader hears of a placement. `cost`: what the coach may say of it, or null */
export function placedWords(game, roll, slot, cost) {
  const lost = cost === null ? "" : cost === 0 ? ` ${texts.play.saidBest}` : ` ${texts.play.saidCost(shownCost(cost))}`;
  return texts.play.saidPlaced(told(roll), game.labels[slot - 1], texts.board.points(told(pointsOf(game, roll, slot)))) + lost;
}

/** What a screen reader hears of a slot that is picked. */
export const pickedWords = (game, roll, slot) => texts.play.saidPicked(told(roll), game.labels[slot - 1], texts.board.points(told(pointsOf(game, roll, slot))));

/** What a screen reader hears of a new roll. */
export const rollWords = (round, rounds, roll) => texts.play.saidRoll(round, rounds, told(roll));

/** Names in a row: "×6, ×7 and ×8". @param {string[]} names */
export const listed = (names) => (names.length > 1 ? `${names.slice(0, -1).join(", ")} and ${names.at(-1)}` : names[0]);
