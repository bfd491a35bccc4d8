// Positions to answer: where the player erred, and close calls, as coach/drill.py and coach/past_errors.py find them. No DOM.
//
// A call is close where the runner-up gives up something, but little: at most a ninth of what the game spreads, the
// difference of its outermost multipliers times the standard deviation of a roll, and not less than a five-hundredth.
import { formatRecord, isFinishedRecord, recordOf } from "../game/record.js";
import { freeSlots, isFinished, place, replay, start } from "../game/position.js";
import { classNamed, isError } from "../game/qualities.js";
import { review } from "../game/review.js";
import { advise } from "../game/thresholds.js";

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
export function keyOf({ position, roll }) {
  return `${position.game.dice} ${position.game.slots}: ${freeSlots(position).join(",")} ${roll}`;
}

/** A question as one line of text, a record whose last roll waits. @param {Question} question */
export function lineOf({ position, roll }) {
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
export function* closeCalls(game, random = Math.random) {
  const spread = (game.multipliers.at(-1) - game.multipliers[0]) * game.law.sd;
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
    const roll = rollOf(game.law, random);
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
