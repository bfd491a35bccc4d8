// A played game as one line of text, and as one JSON object (docs/reference/notation.md, version 1).
//
//     3d6 1-10: 8@5 4@1 12@7; name=Ada; date=2026-11-15 # on the train
//
// First the game, then the moves in the order of play: a roll, `@`, and the slot it was placed in. `9@?` at the end is a
// roll that is not placed yet. What follows are tags, each after a semicolon, and a comment after `#`. Without a game the
// moves are those of the classic one.
import { compare, fromNumber, readFraction, shownFraction, toNumber } from "./exact.js";
import { CLASSIC, gameOf } from "./game.js";
import { exactScore, freeSlots, isFinished, replay, verifyRoll } from "./position.js";
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

/** A game from one line of text; throws `Wrong` if it is not a game. @param {string} line @returns {GameRecord} */
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
  if (version !== VERSION) throw new Wrong(`${quoted(version)} is not a known version; accepted: ${VERSION}`, "version");
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
      if (roll !== null) throw new Wrong("given twice, after the moves and as a field", "roll");
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
 * @returns {({line: number, value: any} | {line: number, text: string})[]}  `value`: JSON; `text`: a line that is not JSON
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

// Tags: what else is known of a played game, as text (docs/reference/notation.md).
//
//     ; name=Ada; date=2026-11-15; elo=1500 # on the train
//
// A tag holds what JSON can hold. Text is written unchanged where that is clear, everything else as JSON. What follows `#` is
// the comment, up to the end of the line.

const KEY = /^[A-Za-z][A-Za-z0-9_-]*$/;
const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/u;

/** Tags as written at the end of a line. @param {Record<string, any>} tags */
function formatTags(tags) {
  let [text, comment] = ["", ""];
  for (const [key, value] of Object.entries(tags)) {
    if (key === "comment" && typeof value === "string") comment = ` # ${formatText(value)}`;
    else text += `; ${KEY.test(key) ? key : dumps(key)}=${formatValue(value)}`;
  }
  return text + comment;
}

/** The tags of a line from here on, and its comment. @param {string} line @param {number} start @returns {Record<string, any>} */
function parseTags(line, start = 0) {
  const tags = new Map();
  while (start < line.length) {
    if (line[start] === "#") {
      setNew(tags, "comment", parseText(line.slice(start + 1)));
      break;
    }
    start = skip(line, start + 1);
    if (start === line.length || ";#".includes(line[start])) continue;
    const isQuoted = line[start] === '"';
    let key;
    [key, start] = isQuoted ? token(line, start, "=;#") : plainToken(line, start, "=;#");
    if (start === line.length || line[start] !== "=" || !(key || isQuoted)) {
      throw new Wrong(`cannot read ${quoted(key)}; accepted: name=Ada, each after a semicolon`, "tags");
    }
    const [value, end] = token(line, skip(line, start + 1), ";#");
    setNew(tags, key, value);
    start = end;
  }
  return Object.fromEntries(tags);
}

function setNew(tags, key, value) {
  if (tags.has(key)) throw new Wrong(`${quoted(key)} is given twice`, "tags");
  tags.set(key, value);
}

function formatValue(value) {
  const isClear = typeof value === "string" && isPlain(value) && !/[;#"]/.test(value);
  return isClear && parseValue(value) === value ? value : dumps(value);
}

function parseValue(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function formatText(text) {
  return isPlain(text) && !text.startsWith('"') ? text : dumps(text);
}

function parseText(text) {
  const plain = text.trim();
  const found = plain.startsWith('"') ? parseValue(plain) : plain;
  return typeof found === "string" ? found : plain;
}

function isPlain(text) {
  return text !== "" && !UNPRINTABLE.test(text) && text.trim() === text;
}

// A JSON value, or plain text, up to one of these characters.
function token(line, start, ends) {
  const end = endOfJson(line, start);
  if (end !== null) {
    const after = skip(line, end);
    if (after === line.length || ends.includes(line[after])) {
      try {
        return [JSON.parse(line.slice(start, end)), after];
      } catch {
        // not JSON after all: plain text
      }
    }
  }
  return plainToken(line, start, ends);
}

function plainToken(line, start, ends) {
  let end = start;
  while (end < line.length && !ends.includes(line[end])) end += 1;
  return [line.slice(start, end).trim(), end];
}

const STRING = /"(?:[^"\\]|\\.)*"/y;
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

// Where the JSON value that begins here ends; null where none does.
function endOfJson(line, start) {
  if (!"[{".includes(line[start] ?? "?")) return match(STRING, line, start) ?? match(SCALAR, line, start);
  let depth = 0;
  for (let i = start; i < line.length; i += 1) {
    if (line[i] === '"') {
      const end = match(STRING, line, i);
      if (end === null) return null;
      i = end - 1;
    } else if ("[{".includes(line[i])) depth += 1;
    else if ("]}".includes(line[i])) {
      depth -= 1;
      if (depth === 0) return i + 1;
    }
  }
  return null;
}

function match(pattern, line, start) {
  pattern.lastIndex = start;
  return pattern.test(line) ? pattern.lastIndex : null;
}

function skip(line, start) {
  while (start < line.length && /\s/.test(line[start])) start += 1;
  return start;
}

// JSON in ASCII, with blanks after commas and colons: the same text as the command writes.
function dumps(value) {
  if (Array.isArray(value)) return `[${value.map(dumps).join(", ")}]`;
  if (value !== null && typeof value === "object") {
    return `{${Object.entries(value).map(([key, part]) => `${dumps(key)}: ${dumps(part)}`).join(", ")}}`;
  }
  return JSON.stringify(value).replace(/[\u007f-\uffff]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
