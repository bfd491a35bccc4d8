// A played game as one line of text, and as one JSON object (docs/notation.md, version 1).
//
//     3d6 1-10: 8@5 4@1 12@7; name=Ada; date=2026-11-15 # on the train
//
// First the game, then the moves in the order of play: a roll, `@`, and the slot it was placed in. `9@?` at the end is a
// roll that is not placed yet. What follows are tags, each after a semicolon, and a comment after `#`. Without a game the
// moves are those of the classic one.

import { compare, fromNumber, readFraction, shownFraction, toNumber } from "./exact.js";
import { CLASSIC, gameOf } from "./game.js";
import { exactScore, freeSlots, isFinished, replay, verifyRoll } from "./position.js";
import { formatTags, parseTags } from "./tags.js";
import { Wrong, quoted } from "./wrong.js";

export const VERSION = 1;

const OWN_FIELDS = ["version", "dice", "slots", "moves", "roll", "score", "opponent"];
const LINE = /^(?:(?<dice>[^\s;#]+)\s+(?<slots>[^\s;#:]+):)?(?<moves>[^;#]*)/;

/**
 * @typedef {object} GameRecord
 * @property {import("./position.js").Position} position
 * @property {?number} roll  that waits to be placed
 * @property {?import("./position.js").Position} opponent  in a duel the other board
 * @property {Record<string, any>} tags
 */

/** A record of these parts, checked. @returns {GameRecord} */
export function recordOf(position, { roll = null, opponent = null, tags = {} } = {}) {
  if (OWN_FIELDS.some((field) => field in tags)) {
    throw new Wrong(`${OWN_FIELDS.join(", ")} are not tags, they say what was played`, "tags");
  }
  if (roll !== null) {
    if (isFinished(position)) throw new Wrong(`the board is full, the roll ${roll} has no slot`, "moves");
    verifyRoll(position.game, roll);
  }
  const rolls = ({ placements }) => placements.map(([shown]) => shown).join();
  if (opponent && (opponent.game !== position.game || rolls(opponent) !== rolls(position))) {
    throw new Wrong("in a duel both play the same game with the same rolls in the same order", "opponent");
  }
  return Object.freeze({ position, roll, opponent, tags });
}

/** A game from one line of text; throws `Wrong` where it is none. @param {string} line @returns {GameRecord} */
export function parseRecord(line) {
  const text = line.trim();
  if (/^[[{]/.test(text)) throw new Wrong("it breaks off, or something in it is mistyped; paste all of it", "JSON");
  const found = LINE.exec(text);
  const { dice, slots, moves } = found.groups;
  const tags = parseTags(text, found[0].length);
  const named = ["version", "dice", "slots", "moves", "roll"].find((field) => field in tags);
  if (named) throw new Wrong("not a tag; a line is written like 3d6 1-10: 8@5 4@1; name=Ada # a comment", named);
  return recordFromJson({ ...(dice ? { dice, slots } : {}), ...tags, moves });
}

/** A game as one line of text that `parseRecord` reads. @param {GameRecord} record */
export function formatRecord({ position, roll, opponent, tags }) {
  const { game, placements } = position;
  const parts = [`${game.dice} ${game.slots}:`];
  if (placements.length) parts.push(formatMoves(placements));
  if (roll !== null) parts.push(`${roll}@?`);
  return parts.join(" ") + formatTags({ ...(opponent ? { opponent: formatMoves(opponent.placements) } : {}), ...tags });
}

/** The moves of text like `8@5 4@1`. @returns {[number, number][]} */
export function parseMoves(text) {
  return partsOf(text).map((part) => {
    const found = /^([+-]?[0-9]{1,15})@([0-9]{1,9})$/.exec(part);
    if (!found) throw new Wrong(`cannot read ${quoted(part)}; accepted: rolls and slots like 8@5 4@1 12@7`, "moves");
    return [Number(found[1]), Number(found[2])];
  });
}

/** Moves as text that `parseMoves` reads. @param {[number, number][]} placements */
export function formatMoves(placements) {
  return placements.map(([roll, slot]) => `${roll}@${slot}`).join(" ");
}

function partsOf(text) {
  return text.split(/[\s,]+/).filter(Boolean);
}

/** The game as an object for JSON. @param {GameRecord} record */
export function recordToJson({ position, roll, opponent, tags }) {
  const score = exactScore(position);
  const plain = toNumber(score);
  return {
    version: VERSION,
    dice: position.game.dice,
    slots: position.game.slots,
    moves: formatMoves(position.placements),
    score: compare(fromNumber(plain), score) === 0 ? plain : shownFraction(score),
    ...(roll === null ? {} : { roll }),
    ...(opponent ? { opponent: formatMoves(opponent.placements) } : {}),
    ...tags,
  };
}

/** A game from an object as `recordToJson` makes it; what it does not know it keeps as a tag. @returns {GameRecord} */
export function recordFromJson(source) {
  if (source === null || typeof source !== "object" || Array.isArray(source)) {
    throw new Wrong(`${quoted(source)} is not a game; accepted: an object with moves`, "JSON");
  }
  if (!("moves" in source)) {
    throw new Wrong('missing; a game has them, as in {"moves": "8@5 4@1"}, even if there are none yet', "moves");
  }
  const version = source.version ?? VERSION;
  if (version !== VERSION) throw new Wrong(`${quoted(version)} is not one that can be read; accepted: ${VERSION}`, "version");
  const game = gameOf(textOf(source, "dice"), Array.isArray(source.slots) && source.slots.length ? source.slots : textOf(source, "slots"));
  const [position, roll] = readMoves(game, source.moves, source.roll ?? null);
  let opponent = null;
  if (source.opponent !== undefined && source.opponent !== null) {
    const [theirs, waiting] = readMoves(game, source.opponent, null);
    if (waiting !== null && waiting !== roll) {
      throw new Wrong(`the roll ${waiting} waits there, and not on the first board`, "opponent");
    }
    opponent = theirs;
  }
  const tags = Object.fromEntries(Object.entries(source).filter(([key]) => !OWN_FIELDS.includes(key)));
  const record = recordOf(position, { roll, opponent, tags });
  if ("score" in source && !isScore(source.score, exactScore(position))) {
    throw new Wrong(`${quoted(source.score)} is given, and the moves make ${shownFraction(exactScore(position))}`, "score");
  }
  return record;
}

function textOf(source, field) {
  const value = source[field] ?? CLASSIC[field];
  if (typeof value !== "string") throw new Wrong(`${quoted(value)} is not text; accepted: text like '${CLASSIC[field]}'`, field);
  return value;
}

function readMoves(game, moves, roll) {
  let placements;
  if (typeof moves === "string") {
    const parts = partsOf(moves);
    const waiting = /^([+-]?[0-9]{1,15})@\?$/.exec(parts.at(-1) ?? "");
    if (waiting) {
      if (roll !== null) throw new Wrong("given twice, after the moves and by itself", "roll");
      roll = Number(waiting[1]);
      parts.pop();
    }
    placements = parseMoves(parts.join(" "));
  } else {
    const isPair = (pair) => Array.isArray(pair) && pair.length === 2 && pair.every(Number.isSafeInteger);
    if (!Array.isArray(moves) || !moves.every(isPair)) {
      throw new Wrong(`cannot read ${quoted(moves)}; accepted: text like '8@5 4@1', or pairs [[8, 5]]`, "moves");
    }
    placements = moves;
  }
  if (roll !== null && !Number.isSafeInteger(roll)) {
    throw new Wrong(`${quoted(roll)} is not a roll; accepted: a whole number`, "roll");
  }
  return [replay(game, placements), roll];
}

function isScore(given, score) {
  const found = typeof given === "string" ? readFraction(given) : null;
  if (found) return compare(found, score) === 0;
  if (typeof given !== "number") throw new Wrong(`${quoted(given)} is not a number`, "score");
  return given === toNumber(score);
}

/** Whether the board of a record is full. @param {GameRecord} record */
export function isFinishedRecord({ position }) {
  return freeSlots(position).length === 0;
}

/**
 * The JSON values or lines of a pasted text: one object or array on any number of lines, or a game a line.
 * @param {string} text
 * @returns {({line: number, value: any} | {line: number, text: string})[]}  `value`: JSON; `text`: a line that is none
 */
export function readPasted(text) {
  const whole = parsed(text.trim());
  if (whole !== undefined && typeof whole === "object" && whole !== null) {
    return (Array.isArray(whole) ? whole : [whole]).map((value, i) => ({ line: i + 1, value }));
  }
  const lines = linesOf(text);
  const isBroken = /^\s*[[{]/.test(text) && !lines.some((found) => "value" in found); // one text of JSON, and not whole
  return isBroken ? [{ line: 1, text: text.trim() }] : lines;
}

function linesOf(text) {
  return text
    .split(/\r?\n/)
    .map((line, i) => ({ line: i + 1, text: line.replace(/^\ufeff/, "").trim() }))
    .filter(({ text: line }) => line && !line.startsWith("#"))
    .map((found) => {
      const value = found.text.startsWith("{") ? parsed(found.text) : undefined;
      return value === undefined ? found : { line: found.line, value };
    });
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
