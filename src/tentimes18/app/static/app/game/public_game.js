// What is public of a game that was played with commitments, read from JSON that anybody may have written.
//
// It comes in two forms: the object that the service gives of a game, and a record (docs/notation.md) with the tags
// `commitments` and `nonces`. Read is only what is said; whether it is true is a matter of verify.js.

import { fraction, fromNumber, readFraction } from "./exact.js";
import { CLASSIC, gameOf } from "./game.js";
import { VERSION, parseMoves } from "./record.js";
import { Wrong, quoted } from "./wrong.js";

const LONGEST_NAME = 200;
const GIVEN_UP = ["time", "leave"]; // how a duel may have ended before its last move

/**
 * What is said to stand on a board, and the score it is said to make; a record has none for the opponent.
 * @typedef {{placements: [number, number][], score: ?import("./exact.js").Fraction}} PublicBoard
 */

/**
 * @typedef {object} PublicGame
 * @property {?string} id
 * @property {?string} day
 * @property {import("./game.js").Game} game
 * @property {boolean} finished
 * @property {boolean} isGivenUp  a duel that ended before its last move
 * @property {string[]} commitments
 * @property {{round: number, roll: number, nonce: string}[]} opened
 * @property {PublicBoard} board
 * @property {?PublicBoard} opponent
 * @property {boolean} hasOrder  whether the placements stand in the order of play
 * @property {boolean} isRounded  whether a score may be off by rounding: some multipliers were given as decimals
 */

/** A game from its JSON; throws `Wrong` with the field that is no part of one. @returns {PublicGame} */
export function readPublicGame(source) {
  if (!isObject(source)) throw new Wrong(`${quoted(source)} is not a game; accepted: an object as the service gives it`, "JSON");
  if ("opened" in source) return readGame(source);
  if ("moves" in source) return readRecord(source);
  throw new Wrong("missing; a game that can be checked has opened rounds, or is a record with moves", "opened");
}

function readGame(source) {
  const [game, isRounded] = gameIn(source);
  if (typeof source.finished !== "boolean") throw refused(source, "finished", "true or false");
  const opponent = source.opponent ?? null;
  if (opponent !== null && !isObject(opponent)) throw refused(source, "opponent", "null, or an object with board and score");
  return {
    id: nameIn(source, "id"),
    day: nameIn(source, "day"),
    game,
    finished: source.finished,
    isGivenUp: GIVEN_UP.includes(source.ended_by),
    commitments: textsIn(source, "commitments"),
    opened: openedIn(source.opened),
    board: { placements: placementsIn(game, source, "board"), score: scoreIn(source, "score") },
    opponent: opponent && { placements: placementsIn(game, opponent, "opponent"), score: scoreIn(opponent, "opponent") },
    hasOrder: false,
    isRounded,
  };
}

function readRecord(source) {
  if ((source.version ?? VERSION) !== VERSION) throw refused(source, "version", String(VERSION));
  const [game, isRounded] = gameIn({ ...CLASSIC, ...source });
  const placements = movesIn(game, source, "moves");
  const rolls = placements.map(([roll]) => roll);
  if ((source.roll ?? null) !== null) rolls.push(whole(source.roll, "roll"));
  const nonces = "nonces" in source ? textsIn(source, "nonces") : [];
  if (nonces.length > rolls.length) {
    throw new Wrong(`${nonces.length} are given for ${rolls.length} rolls; accepted: one a roll`, "nonces");
  }
  return {
    id: nameIn(source, "id"),
    day: nameIn(source, "day"),
    game,
    finished: placements.length === game.size,
    isGivenUp: false,
    commitments: "commitments" in source ? textsIn(source, "commitments") : [],
    opened: nonces.map((nonce, i) => ({ round: i + 1, roll: rolls[i], nonce })),
    board: { placements, score: "score" in source ? scoreIn(source, "score") : null },
    opponent: (source.opponent ?? null) === null ? null : { placements: movesIn(game, source, "opponent"), score: null },
    hasOrder: true,
    isRounded,
  };
}

function isObject(value) {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}

function refused(source, field, accepted) {
  const problem =
    field in source ? `${quoted(source[field])} is not accepted; accepted: ${accepted}` : "missing; a game that can be checked has it";
  return new Wrong(problem, field);
}

function nameIn(source, field) {
  const found = source[field] ?? null;
  if (found !== null && (typeof found !== "string" || found.length > LONGEST_NAME)) {
    throw refused(source, field, `text of at most ${LONGEST_NAME} letters`);
  }
  return found;
}

// Dice and multipliers, and whether some of these are decimals.
function gameIn(source) {
  const { dice, slots } = source;
  if (typeof dice !== "string") throw refused(source, "dice", "text like '3d6'");
  if (typeof slots === "string") return [gameOf(dice, slots), false];
  const isMultiplier = (part) => Number.isFinite(part) || (typeof part === "string" && readFraction(part) !== null);
  if (!Array.isArray(slots) || !slots.length || !slots.every(isMultiplier)) {
    throw refused(source, "slots", "a list of multipliers like [1, 2, 3], or text like '1-10'");
  }
  return [gameOf(dice, slots), slots.some((part) => typeof part === "number" && !Number.isInteger(part))];
}

/** A field that holds a list of texts. @returns {string[]} */
export function textsIn(source, field) {
  const found = source[field];
  if (!Array.isArray(found) || !found.every((part) => typeof part === "string")) {
    throw refused(source, field, "a list of texts, one a round");
  }
  return found;
}

function openedIn(found) {
  if (!Array.isArray(found)) throw new Wrong(`${quoted(found)} is not a list; accepted: one object a round`, "opened");
  return found.map((part) => {
    if (!isObject(part) || !["round", "roll", "nonce"].every((field) => field in part)) {
      throw new Wrong(`${quoted(part)} is no round; accepted: objects with round, roll and nonce`, "opened");
    }
    if (typeof part.nonce !== "string") throw new Wrong(`the nonce ${quoted(part.nonce)} is not text`, "opened");
    return { round: whole(part.round, "opened"), roll: whole(part.roll, "opened"), nonce: part.nonce };
  });
}

function whole(value, field) {
  if (!Number.isSafeInteger(value)) throw new Wrong(`${quoted(value)} is not a whole number`, field);
  return value;
}

function placementsIn(game, source, field) {
  const { board } = source;
  const isSlot = (slot) => /^[1-9][0-9]{0,8}$/.test(slot) && Number(slot) <= game.size;
  if (!isObject(board) || !Object.keys(board).every(isSlot)) {
    const accepted = `slots 1 to ${game.size} and their rolls, like {"5": 8}`;
    throw new Wrong("board" in source ? `${quoted(board)} is not accepted; accepted: ${accepted}` : refused(source, "board", accepted).problem, field);
  }
  return Object.entries(board).map(([slot, roll]) => [whole(roll, field), Number(slot)]);
}

function movesIn(game, source, field) {
  const text = source[field];
  if (typeof text !== "string") throw new Wrong(`${quoted(text)} is not text; accepted: rolls and slots like '8@5 4@1'`, field);
  const placements = parseMoves(text);
  const named = new Set();
  for (const [, slot] of placements) {
    if (slot < 1 || slot > game.size) throw new Wrong(`there is no slot ${slot}; slots are 1 to ${game.size}`, field);
    if (named.has(slot)) throw new Wrong(`slot ${slot} is named twice`, field);
    named.add(slot);
  }
  return placements;
}

function scoreIn(source, field) {
  const { score } = source;
  const found = typeof score === "string" ? readFraction(score) : null;
  if (found) return found;
  if (!Number.isFinite(score)) throw new Wrong(refused(source, "score", "a number, or a fraction like '7/2'").problem, field);
  return Number.isInteger(score) ? fraction(BigInt(score)) : { ...fromNumber(score), isRounded: true };
}
