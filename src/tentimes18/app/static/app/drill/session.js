// A round of questions: first what comes back, then where the player erred, then close calls. What is answered wrongly is
// asked again a few questions later, and comes back the next time. No DOM.
import { advise } from "../game/thresholds.js";
import { closeCalls, keyOf } from "./questions.js";
import { cards, daysUntil, move } from "./schedule.js";

const REPEAT_AFTER = 4; // questions later
const LATEST = 100; // errors

/**
 * @typedef {object} Answer
 * @property {import("./questions.js").Question} question
 * @property {number} slot
 * @property {number} loss  what it gives up on average
 * @property {import("./schedule.js").Card | null} card  when it comes back, if it does
 */

/** A session, which knows what to ask next. */
export class Session {
  /**
   * @param {import("../game/game.js").Game} game
   * @param {object} [given]
   * @param {number} [given.count]  how many questions
   * @param {import("./questions.js").Question[]} [given.errors]  where the player erred, the latest first
   * @param {boolean} [given.only]  nothing but these errors
   * @param {() => number} [given.random]
   */
  constructor(game, { count = 10, errors = [], only = false, random = Math.random } = {}) {
    this.count = only ? Math.min(count, errors.length) : count;
    /** @type {Answer[]} */
    this.answers = [];
    this.later = new Map(); // questions by the number of answers after which they are asked again
    this.failed = new Set();
    this.fresh = questions(game, errors, only, random);
    /** @type {import("./questions.js").Question | null} */
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
      this.failed.add(keyOf(question));
      this.later.set(this.answers.length + REPEAT_AFTER, { ...question, isBack: true });
    }
    const isKept = !isRight || question.isBack || question.source === "history";
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
