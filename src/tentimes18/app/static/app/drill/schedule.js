// When positions come back: each stands in a box (Leitner 1972), and rests there the longer the higher the box is. An answer
// that is right moves it to the next box, one that is wrong to the first. The same rule as coach/schedule.py, kept here.
import { kept } from "../core/kept.js";
import { parseRecord } from "../game/record.js";
import { keyOf, lineOf } from "./questions.js";

const KEY = "drill";
const VERSION = 1;
const MOST = 500; // cards; the ones that come back last go first
const DAY = 86_400_000;

/** The days that a position rests in each box. */
export const RESTS = Object.freeze([0, 1, 3, 7, 21, 60]);

/**
 * @typedef {object} Card
 * @property {import("./questions.js").Question} question
 * @property {number} box  from 1
 * @property {string} due  the day it comes back, as 2026-11-16
 */

/** Today, as text. */
function today() {
  return new Date().toISOString().slice(0, 10);
}

/** In how many days a card comes back; none or less: the next time. @param {Card} card */
export function daysUntil(card, day = today()) {
  return Math.round((Date.parse(card.due) - Date.parse(day)) / DAY);
}

/** All cards, those that come back first at the front. @returns {Card[]} */
export function cards() {
  const found = kept.get(KEY, null);
  if (found?.version !== VERSION || !Array.isArray(found.cards)) return [];
  return found.cards.flatMap(read).sort((one, other) => (one.due < other.due ? -1 : Number(one.due > other.due)));
}

function read({ record, source, box, due }) {
  try {
    const { position, roll } = parseRecord(record);
    const isCard = roll !== null && RESTS[box - 1] !== undefined && !Number.isNaN(Date.parse(due));
    return isCard ? [{ question: { position, roll, source, isBack: true }, box, due }] : [];
  } catch {
    return []; // written by nobody we know
  }
}

/**
 * Put an answered position where it belongs.
 * @param {import("./questions.js").Question} question
 * @param {boolean} isRight
 * @returns {Card}
 */
export function move(question, isRight, day = today()) {
  const all = new Map(cards().map((card) => [keyOf(card.question), card])); // anew: it may be open in another tab
  const known = all.get(keyOf(question));
  const box = isRight ? Math.min((known?.box ?? 1) + 1, RESTS.length) : 1;
  const due = new Date(Date.parse(day) + RESTS[box - 1] * DAY).toISOString().slice(0, 10);
  const card = { question, box, due };
  all.set(keyOf(question), card);
  const rows = [...all.values()].sort((one, other) => (one.due < other.due ? -1 : 1)).slice(0, MOST);
  kept.set(KEY, { version: VERSION, cards: rows.map((row) => ({ record: lineOf(row.question), source: row.question.source, box: row.box, due: row.due })) });
  return card;
}
