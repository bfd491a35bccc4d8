// When positions are repeated: each is in a box (Leitner 1972), and rests there the longer the higher the box is. An answer
// that is right moves it to the next box, one that is wrong to the first. The same rule as coach/schedule.py, kept here.
import { kept } from "../core/kept.js";
import { freeSlots, isFinished, place, replay, start } from "../game/position.js";
import { classNamed, isError } from "../game/qualities.js";
import { formatRecord, isFinishedRecord, parseRecord, recordOf } from "../game/record.js";
import { review } from "../game/review.js";
import { advise } from "../game/thresholds.js";

const KEY = "drill";
const VERSION = 1;
const MOST = 500; // cards; the ones that come back last go first
const DAY = 86_400_000;

/** The days that a position rests in each box. */
export const RESTS = Object.freeze([0, 1, 3, 7, 21, 60]);

/**
 * @typedef {object} Card
 * @property {Question} question
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
 * @param {Question} question
 * @param {boolean} isRight
 * @returns {Card}
 */
export function move(question, isRight, day = today()) {
  const all = new Map(cards().map((card) => [keyOf(card.question), card])); // read again: it may be open in another tab
  const known = all.get(keyOf(question));
  const box = isRight ? Math.min((known?.box ?? 1) + 1, RESTS.length) : 1;
  const due = new Date(Date.parse(day) + RESTS[box - 1] * DAY).toISOString().slice(0, 10);
  const card = { question, box, due };
  all.set(keyOf(question), card);
  const rows = [...all.values()].sort((one, other) => (one.due < other.due ? -1 : 1)).slice(0, MOST);
  kept.set(KEY, { version: VERSION, cards: rows.map((row) => ({ record: lineOf(row.question), source: row.question.source, box: row.box, due: row.due })) });
  return card;
}

// Positions to answer: where the player erred, and close calls, as coach/drill.py and coach/past_errors.py find them. No DOM.
//
// A call is close where the runner-up gives up something, but little: at most a ninth of what the game spreads, the
// difference of its outermost multipliers times the standard deviation of a roll, and not less than a five-hundredth.

const CLOSEST = 1 / 500;
const WIDEST = 1 / 9;
const MOST_GAMES = 200; // without a new position, until there seem to be no more

/**
 * @typedef {object} Question
 * @property {import("../game/position.js").Position} position  the board before the roll
 * @property {number} roll
 * @property {"history" | "close"} source  the player erred here, or the choice is close
 * @property {boolean} isBack  it was answered wrongly before
 */

/** What makes two positions the same question: the free slots and the roll, however the board was filled. @param {Question} question */
function keyOf({ position, roll }) {
  return `${position.game.dice} ${position.game.slots}: ${freeSlots(position).join(",")} ${roll}`;
}

/** A question as one line of text, a record whose last roll waits. @param {Question} question */
function lineOf({ position, roll }) {
  return formatRecord(recordOf(position, { roll }));
}

/**
 * Where the player lost a point or more, the latest first, none twice.
 * @param {import("../game/game.js").Game} game
 * @param {import("../game/record.js").GameRecord[]} records  the latest first; those of other games are passed over
 * @returns {Question[]}
 */
export function pastErrors(game, records) {
  const found = new Map();
  for (const record of records) {
    const isMeant = record.position.game === game && isFinishedRecord(record) && !record.opponent && (record.tags.aim ?? "mean") === "mean";
    if (!isMeant) continue;
    for (const question of movesOf(record.position, (move) => isError(classNamed(move.class)))) {
      if (!found.has(keyOf(question))) found.set(keyOf(question), question);
    }
  }
  return [...found.values()];
}

/**
 * The moves of one game that gave something up, the dearest first.
 * @param {import("../game/position.js").Position} position
 * @returns {Question[]}
 */
export function mistakesOf(position) {
  const dear = new Map(review(position).moves.map((move) => [move.round, move.loss]));
  const found = movesOf(position, (move) => move.loss > 0);
  return found.sort((one, other) => dear.get(other.position.placements.length + 1) - dear.get(one.position.placements.length + 1));
}

function movesOf(position, isMeant) {
  const { game, placements } = position;
  return review(position).moves.filter(isMeant).map(({ round, roll }) => (
    { position: replay(game, placements.slice(0, round - 1)), roll, source: "history", isBack: false }));
}

/**
 * Close calls in games that are played half with sense, no two the same; then whatever else is a choice.
 * @param {import("../game/game.js").Game} game
 * @param {() => number} random  numbers from 0 to 1
 * @returns {Generator<Question>}
 */
function* closeCalls(game, random = Math.random) {
  const spread = (game.multipliers.at(-1) - game.multipliers[0]) * game.distribution.sd;
  const known = new Set();
  const choices = new Map();
  for (let empty = 0; empty < MOST_GAMES; empty += 1) {
    const questions = played(game, random).filter(({ advice }) => advice.isChoice);
    for (const { question } of questions) choices.set(keyOf(question), question);
    const close = questions.filter(({ question, advice }) => {
      const { loss } = advice.moves.find(({ isBest }) => !isBest);
      return !known.has(keyOf(question)) && CLOSEST * spread <= loss && loss <= WIDEST * spread;
    });
    if (!close.length) continue;
    const { question } = close[Math.floor(random() * close.length)]; // one a game, so that they are not all alike
    known.add(keyOf(question));
    empty = -1;
    yield question;
  }
  for (const [key, question] of choices) if (!known.has(key)) yield question;
}

/** The positions of one game: mostly one of the best three slots, sometimes any. */
function played(game, random) {
  const found = [];
  let position = start(game);
  while (!isFinished(position)) {
    const roll = rollOf(game.distribution, random);
    const advice = advise(position, roll);
    found.push({ question: { position, roll, source: "close", isBack: false }, advice });
    const slots = advice.moves.map(({ slot }) => slot).slice(0, random() < 0.1 ? undefined : 3);
    position = place(position, roll, slots[Math.floor(random() * slots.length)]);
  }
  return found;
}

function rollOf({ support, chances }, random) {
  let left = random();
  const found = chances.findIndex((chance) => (left -= chance) < 0);
  return support[found < 0 ? support.length - 1 : found];
}

// A round of questions: first what comes back, then where the player erred, then close calls. What is answered wrongly is
// asked again a few questions later, and comes back the next time. No DOM.

const REPEAT_AFTER = 4; // questions later
const REPEATED = 3; // at most one question in three is asked again, each once: a round does not go in circles
const LATEST = 100; // errors

/**
 * @typedef {object} Answer
 * @property {Question} question
 * @property {number} slot
 * @property {number} loss  what it gives up on average
 * @property {Card | null} card  when it comes back, if it does
 */

/** A session, which knows what to ask next. */
export class Session {
  /**
   * @param {import("../game/game.js").Game} game
   * @param {object} [given]
   * @param {number} [given.count]  how many questions
   * @param {Question[]} [given.errors]  where the player erred, the latest first
   * @param {boolean} [given.only]  nothing but these errors
   * @param {boolean} [given.isRun]  no question comes twice, and none is kept for later
   * @param {() => number} [given.random]
   */
  constructor(game, { count = 10, errors = [], only = false, isRun = false, random = Math.random } = {}) {
    this.repeats = isRun ? 0 : Math.ceil(count / REPEATED);
    this.isRun = isRun;
    this.count = only ? Math.min(count, errors.length) : count;
    /** @type {Answer[]} */
    this.answers = [];
    this.later = new Map(); // questions by the number of answers after which they are asked again
    this.failed = new Set();
    this.fresh = isRun ? closeCalls(game, random) : questions(game, errors, only, random);
    /** @type {Question | null} */
    this.question = this.next();
  }

  /** The next question; none when all are answered, or there are no more. */
  next() {
    const asked = this.answers.length;
    if (asked >= this.count) return null;
    const due = Math.min(...this.later.keys());
    if (due <= asked) return this.takeLater(due);
    const { value } = this.fresh.next();
    return value ?? (this.later.size ? this.takeLater(due) : null);
  }

  takeLater(due) {
    const question = this.later.get(due);
    this.later.delete(due);
    return question;
  }

  /** Grade the answer to the question that waits, and keep it. @param {number} slot @returns {Answer} */
  answer(slot) {
    const { question } = this;
    const { loss } = advise(question.position, question.roll).bySlot.get(slot);
    const isRight = loss === 0;
    if (!isRight) {
      const isAgain = this.failed.has(keyOf(question)) || this.repeats === 0;
      this.failed.add(keyOf(question));
      if (!isAgain) this.repeats -= 1;
      if (!isAgain) this.later.set(this.answers.length + REPEAT_AFTER, { ...question, isBack: true });
    }
    const isKept = !this.isRun && (!isRight || question.isBack || question.source === "history");
    const card = isKept ? move(question, isRight && !this.failed.has(keyOf(question))) : null;
    const answer = { question, slot, loss, card };
    this.answers.push(answer);
    return answer;
  }

  /** Go on to the next question. */
  advance() {
    this.question = this.next();
  }

  /** How many answers were best. */
  get right() {
    return this.answers.filter(({ loss }) => loss === 0).length;
  }

  /** What an answer gave up on average. */
  get cost() {
    return this.answers.reduce((sum, { loss }) => sum + loss, 0) / this.answers.length;
  }
}

function* questions(game, errors, only, random) {
  const back = only ? [] : cards().filter((card) => card.question.position.game === game);
  const known = new Set(back.map(({ question }) => keyOf(question)));
  for (const card of back) if (daysUntil(card) <= 0) yield card.question;
  for (const question of errors.slice(0, LATEST)) {
    if (known.has(keyOf(question))) continue;
    known.add(keyOf(question));
    yield question;
  }
  if (only) return;
  for (const question of closeCalls(game, random)) if (!known.has(keyOf(question))) yield question;
}
