// What the drill says: the grade of an answer, why, when it comes back, and how the round went. Plain text, no DOM.
import { points } from "../core/format.js";
import { freeSlots } from "../game/position.js";
import { reasonFor } from "../game/reasons.js";
import { shownCost } from "../parts/costs.js";
import { told } from "../parts/scale.js";
import { listed } from "../solo/words.js";
import { daysUntil } from "./schedule.js";

/** Where a question comes from, in two words. @param {import("./questions.js").Question} question */
export function originOf({ isBack, source }) {
  if (isBack) return "It is back";
  return source === "history" ? "Your move" : "Close call";
}

/**
 * The grade of an answer.
 * @param {import("./session.js").Answer} answer
 * @param {import("../game/thresholds.js").Advice} advice
 * @returns {{head: string, rest: string}}
 */
export function gradeOf({ question, slot, loss }, advice) {
  const { game } = question.position;
  const times = (number) => `×${game.labels[number - 1]}`;
  const others = advice.bestSlots.filter((number) => number !== slot).map(times);
  const rest = reasonFor(game, freeSlots(question.position), question.roll, times);
  if (loss === 0) return { head: `${times(slot)} is best${others.length ? `, and so ${others.length > 1 ? "are" : "is"} ${listed(others)}` : ""}.`, rest };
  return { head: `${times(slot)} gives up ${shownCost(loss)} points on average. ${listed(others)} ${others.length > 1 ? "are" : "is"} best.`, rest };
}

/** When an answered position comes back; nothing where it does not. @param {import("./schedule.js").Card | null} card */
export function backWords(card) {
  if (card === null) return "";
  const days = daysUntil(card);
  return days <= 0 ? "It comes back." : `It comes back in ${counted(days)}.`;
}

/**
 * The end of a round.
 * @param {import("./session.js").Session} session
 */
export function roundWords({ right, cost, answers }) {
  const head = right === answers.length ? `All ${told(right)} best.` : `${told(right)} of ${told(answers.length)} best.`;
  return { head, rest: cost === 0 ? "Nothing was given up." : `An answer gave up ${points(Math.max(cost, 0.1))} on average.` };
}

/**
 * What waits, and until when.
 * @param {import("./schedule.js").Card[]} cards  of the game, in the order they come back
 */
export function waitingWords(cards) {
  const counts = new Map();
  for (const card of cards) {
    const days = Math.max(0, daysUntil(card));
    counts.set(days, (counts.get(days) ?? 0) + 1);
  }
  const parts = [...counts].map(([days, number]) => `${number} ${days ? `in ${counted(days)}` : "the next time"}`);
  return parts.length ? `Coming back: ${parts.join(", ")}.` : "";
}

function counted(days) {
  return days === 1 ? "a day" : `${days} days`;
}
