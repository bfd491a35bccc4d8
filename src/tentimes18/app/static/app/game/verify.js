// Checking a finished game from public data alone: its rolls were fixed before it, and its score is what they make.
//
// Of each round: its roll is one that the dice can show, and the SHA-256 of `NONCE:ROUND:ROLL` is what was published for
// it before the first move. Of the game: all rounds are opened, in order, no commitment and no nonce appears twice, the
// boards hold exactly the opened rolls, and each score is the sum of multiplier times roll.
import { compare, fraction, fromNumber, minus, readFraction, shownFraction, times, toNumber } from "./exact.js";
import { CLASSIC, gameOf } from "./game.js";
import { canShow, shownRolls } from "./distribution.js";
import { VERSION, parseMoves, parseRecord, readPasted, recordToJson } from "./record.js";
import { sha256 } from "./sha256.js";
import { Wrong, quoted } from "./wrong.js";

const DIGEST = /^[0-9a-f]{64}$/;
const NO_DIGEST = "not 64 lower-case hexadecimal digits";
const NAMED = 5; // rolls in one problem
const ROUNDING = Object.freeze({ n: 1n, d: 1n << 50n }); // of a sum of products in float64, relative to the sum of their sizes

/** What is published before the game instead of a roll. @returns {Promise<string>} */
function commitmentOf(nonce, round, roll) {
  return sha256(`${nonce}:${round}:${roll}`);
}

/**
 * @typedef {object} CheckedRound
 * @property {number} round
 * @property {?number} roll  null where the round is not opened
 * @property {?string} commitment  null where it is no digest
 * @property {boolean} verified
 * @property {?string} problem
 */

/**
 * @typedef {object} CheckedGame
 * @property {?string} id
 * @property {string} dice
 * @property {string} slots
 * @property {number} score  that the board makes
 * @property {boolean} finished
 * @property {boolean} verified
 * @property {CheckedRound[]} rounds
 * @property {string[]} problems  beside those of single rounds
 */

/**
 * Checks a game from its JSON, with that of its start where it was kept; throws `Wrong` where that is no game.
 * @param {object} source @param {?object} [start]  the game at its start, or the public list of daily commitments
 * @returns {Promise<CheckedGame>}
 */
export async function checkGame(source, start = null) {
  const game = readPublicGame(source);
  const rounds = await checkRounds(game);
  const problems = [...problemsOf(game), ...(start === null ? [] : startProblems(game, start))];
  return {
    id: game.id,
    dice: game.game.dice,
    slots: game.game.slots,
    score: toNumber(scoreOf(game.game, game.board.placements)),
    finished: game.finished,
    verified: !problems.length && rounds.every((round) => round.verified),
    rounds,
    problems,
  };
}

/**
 * Checks every game of a pasted text: a Game or a record as JSON, several of them, or lines of records.
 * @param {string} text @param {?object} [start]
 * @returns {Promise<({line: number, checked: CheckedGame} | {line: number, problem: string})[]>}
 */
export async function checkPasted(text, start = null) {
  return Promise.all(
    readPasted(text).map(async (found) => {
      try {
        const source = "value" in found ? found.value : recordToJson(parseRecord(found.text));
        return { line: found.line, checked: await checkGame(source, start) };
      } catch (error) {
        if (!(error instanceof Wrong)) throw error;
        return { line: found.line, problem: error.message };
      }
    }),
  );
}

async function checkRounds({ game, commitments, opened }) {
  const first = new Map([...opened].reverse().map((part) => [part.round, part]));
  const [committed, nonces] = [new Map(), new Map()];
  const rounds = [];
  for (const [i, text] of commitments.slice(0, game.size).entries()) {
    const round = i + 1;
    const found = first.get(round) ?? null;
    const problems = found ? await openingProblems(game, found, text) : [];
    if (!DIGEST.test(text)) problems.push(`the commitment is ${NO_DIGEST}`);
    if (committed.has(text)) problems.push(`the commitment is that of round ${committed.get(text)}`);
    else committed.set(text, round);
    if (!found) problems.push("not opened");
    else if (nonces.has(found.nonce)) problems.push(`the nonce is that of round ${nonces.get(found.nonce)}`);
    else nonces.set(found.nonce, round);
    rounds.push({
      round,
      roll: found ? found.roll : null,
      commitment: DIGEST.test(text) ? text : null,
      verified: !problems.length,
      problem: problems.join("; ") || null,
    });
  }
  return rounds;
}

async function openingProblems({ distribution, dice }, { round, roll, nonce }, committed) {
  if (!canShow(distribution, roll)) {
    return [`${dice.length <= 60 ? dice : "these dice"} never shows ${roll}; its rolls are ${shownRolls(distribution)}`];
  }
  if (!DIGEST.test(nonce)) return [`the nonce is ${NO_DIGEST}`];
  return (await commitmentOf(nonce, round, roll)) === committed ? [] : ["the nonce and the roll do not make the commitment"];
}

function problemsOf(game) {
  const { commitments, opened, board, opponent, finished } = game;
  const { size } = game.game;
  if (!commitments.length && !opened.length) return ["nothing was committed to, so that nothing can be checked"];
  const found = [];
  if (commitments.length !== size) found.push(`commitments are given for ${commitments.length} rounds, and the game has ${size}`);
  const wrong = opened.findIndex(({ round }, i) => round !== i + 1);
  if (wrong >= 0) {
    found.push(`round ${opened[wrong].round} is opened in place ${wrong + 1}; rounds are opened in order, each once`);
  }
  if (opened.length > size) found.push(`${opened.length} rounds are opened, and the game has ${size}`);
  if (!finished) found.push(`the game is not finished: ${board.placements.length} of ${size} rolls are placed`);
  found.push(...boardProblems(game, board, "the board"));
  if (opponent) found.push(...boardProblems(game, opponent, "the opponent's board"));
  return found;
}

function boardProblems(game, board, name) {
  const found = [];
  const placed = board.placements.length;
  const standing = board.placements.map(([roll]) => roll);
  const opened = game.opened.slice(0, placed).map(({ roll }) => roll); // a roll is placed before the next one is shown
  const [foreign, missing] = [lessOf(standing, opened), lessOf(opened, standing)];
  if (foreign.length || missing.length) {
    const told = missing.length ? ` where ${listed(missing)} was opened` : ", which was not opened";
    found.push(`${name} holds ${listed(foreign)}${told}`);
  } else if (game.hasOrder && standing.join() !== opened.join()) {
    found.push(`${name} has the rolls in another order than they were opened in`);
  }
  if (game.finished && !game.isGivenUp && placed < game.game.size) {
    found.push(`the game is said to be finished, and ${name} has free slots`);
  }
  if (board.score !== null && !isScore(game, board)) {
    const made = shownFraction(scoreOf(game.game, board.placements));
    const said = board.score.isRounded ? String(toNumber(board.score)) : shownFraction(board.score);
    found.push(`the score of ${name} is said to be ${said}, and it makes ${made}`);
  }
  return found;
}

// What is in the first list more often than in the second, sorted.
function lessOf(rolls, others) {
  const left = [...others];
  const found = rolls.filter((roll) => {
    const place = left.indexOf(roll);
    if (place >= 0) left.splice(place, 1);
    return place < 0;
  });
  return found.sort((a, b) => a - b);
}

function listed(rolls) {
  return rolls.slice(0, NAMED).join(", ") + (rolls.length > NAMED ? ` and ${rolls.length - NAMED} more` : "");
}

function scoreOf(game, placements) {
  return { n: placements.reduce((sum, [roll, slot]) => sum + game.scaled[slot - 1] * BigInt(roll), 0n), d: game.unit };
}

// Exactly, or, where decimals were given, but for their rounding.
function isScore({ game, isRounded }, { placements, score }) {
  const difference = minus(score, scoreOf(game, placements));
  if (!isRounded && !score.isRounded) return difference.n === 0n;
  const sizes = placements.reduce((sum, [roll, slot]) => {
    const product = game.scaled[slot - 1] * BigInt(roll);
    return sum + (product < 0n ? -product : product);
  }, 0n);
  const size = { n: difference.n < 0n ? -difference.n : difference.n, d: difference.d };
  return compare(size, times(ROUNDING, { n: sizes, d: game.unit })) <= 0;
}

// Where a game is not the one that was begun.
function startProblems(game, start) {
  const sources = Array.isArray(start) ? start : [start];
  const days = new Map(sources.flatMap((source) => daysIn(source)));
  const starts = sources.filter((source) => !(source && "days" in source)).map(readPublicGame);
  const isOnly = starts.length === 1 && (game.id === null || starts[0].id === null);
  const begun = isOnly ? starts[0] : starts.find(({ id }) => id === game.id);
  const published = game.day === null ? undefined : days.get(game.day);
  const found = [];
  if (!begun && !published) found.push("what was published before this game is not given");
  if (begun) {
    if (begun.board.placements.length || begun.opened.length > 1) {
      found.push("what is given as the start is no start: rolls are placed, or more than one is opened");
    }
    if (begun.game !== game.game) found.push("the start has other dice or slots");
    if (begun.commitments.join() !== game.commitments.join()) found.push("the commitments are not those of the start");
  }
  if (published && published.join() !== game.commitments.join()) {
    found.push(`the commitments are not those that were published for ${quoted(game.day)}`);
  }
  return found;
}

function daysIn(source) {
  if (!source || typeof source !== "object" || !("days" in source)) return [];
  if (!Array.isArray(source.days)) throw new Wrong(`${quoted(source.days)} is not a list; accepted: one object per day`, "days");
  return source.days.map((part) => {
    if (typeof part?.day !== "string") throw new Wrong(`${quoted(part)} is not a day; accepted: objects with day and commitments`, "days");
    return [part.day, textsIn(part, "commitments")];
  });
}

// What is public of a game that was played with commitments, read from JSON that anybody may have written.
//
// It comes in two forms: the object that the service gives of a game, and a record (docs/reference/notation.md) with the tags
// `commitments` and `nonces`. Read is only what is said; whether it is true is a matter of verify.js.

const LONGEST_NAME = 200;
const GIVEN_UP = ["time", "leave", "resign"]; // how a duel may have ended before its last move

/**
 * What a board is said to hold, and its claimed score; a record has none for the opponent.
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
 * @property {boolean} hasOrder  whether the placements are in the order of play
 * @property {boolean} isRounded  whether a score may be off by rounding: some multipliers were given as decimals
 */

/** A game from its JSON; throws `Wrong` with the field that is no part of one. @returns {PublicGame} */
function readPublicGame(source) {
  if (!isObject(source)) throw new Wrong(`${quoted(source)} is not a game; accepted: an object as the server returns it`, "JSON");
  if ("opened" in source) return readGame(source);
  if ("moves" in source) return readRecord(source);
  throw new Wrong("missing; a game that can be checked has opened rounds, or is a record with moves", "opened");
}

function readGame(source) {
  const [game, isRounded] = gameIn(source);
  if (typeof source.finished !== "boolean") throw rejection(source, "finished", "true or false");
  const opponent = source.opponent ?? null;
  if (opponent !== null && !isObject(opponent)) throw rejection(source, "opponent", "null, or an object with board and score");
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
  if ((source.version ?? VERSION) !== VERSION) throw rejection(source, "version", String(VERSION));
  const [game, isRounded] = gameIn({ ...CLASSIC, ...source });
  const placements = movesIn(game, source, "moves");
  const rolls = placements.map(([roll]) => roll);
  if ((source.roll ?? null) !== null) rolls.push(whole(source.roll, "roll"));
  const nonces = "nonces" in source ? textsIn(source, "nonces") : [];
  if (nonces.length > rolls.length) {
    throw new Wrong(`${nonces.length} are given for ${rolls.length} rolls; accepted: one per roll`, "nonces");
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

function rejection(source, field, accepted) {
  const problem =
    field in source ? `${quoted(source[field])} is not accepted; accepted: ${accepted}` : "missing; a game that can be checked has it";
  return new Wrong(problem, field);
}

function nameIn(source, field) {
  const found = source[field] ?? null;
  if (found !== null && (typeof found !== "string" || found.length > LONGEST_NAME)) {
    throw rejection(source, field, `text of at most ${LONGEST_NAME} letters`);
  }
  return found;
}

// Dice and multipliers, and whether some of these are decimals.
function gameIn(source) {
  const { dice, slots } = source;
  if (typeof dice !== "string") throw rejection(source, "dice", "text like '3d6'");
  if (typeof slots === "string") return [gameOf(dice, slots), false];
  const isMultiplier = (part) => Number.isFinite(part) || (typeof part === "string" && readFraction(part) !== null);
  if (!Array.isArray(slots) || !slots.length || !slots.every(isMultiplier)) {
    throw rejection(source, "slots", "a list of multipliers like [1, 2, 3], or text like '1-10'");
  }
  return [gameOf(dice, slots), slots.some((part) => typeof part === "number" && !Number.isInteger(part))];
}

/** A field that holds a list of texts. @returns {string[]} */
function textsIn(source, field) {
  const found = source[field];
  if (!Array.isArray(found) || !found.every((part) => typeof part === "string")) {
    throw rejection(source, field, "a list of texts, one per round");
  }
  return found;
}

function openedIn(found) {
  if (!Array.isArray(found)) throw new Wrong(`${quoted(found)} is not a list; accepted: one object per round`, "opened");
  return found.map((part) => {
    if (!isObject(part) || !["round", "roll", "nonce"].every((field) => field in part)) {
      throw new Wrong(`${quoted(part)} is not a round; accepted: objects with round, roll and nonce`, "opened");
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
    throw new Wrong("board" in source ? `${quoted(board)} is not accepted; accepted: ${accepted}` : rejection(source, "board", accepted).problem, field);
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
  if (!Number.isFinite(score)) throw new Wrong(rejection(source, "score", "a number, or a fraction like '7/2'").problem, field);
  return Number.isInteger(score) ? fraction(BigInt(score)) : { ...fromNumber(score), isRounded: true };
}
