// What was done without the network, until the service has it: moves of its games, and records of games that were played
// here. All of it is sent when the network is back, when the app starts, and when it is seen again; the service takes
// what it knows already as known, so nothing counts twice.
import { Away, Problem, post } from "./api.js";
import { kept } from "./kept.js";
import { isStatic, watchOnline } from "./online.js";

const RECORDS = "outbox.records";
const MOVES = "outbox.moves";
const AGAIN = 30_000; // ms: the service may be back without the browser knowing
const MOST_LINES = 500; // at once
const NDJSON = "application/x-ndjson";

const told = new EventTarget();
let running = null;
let timer = 0;

/**
 * Keep the record of a finished game until the service has it. In an export there is none, and nothing is kept.
 * @param {object} record  as `recordToJson` of game/record.js gives it: the same record is kept once
 */
async function record(record) {
  if (isStatic) return;
  const line = JSON.stringify(record);
  await kept.db.put(RECORDS, line, Date.now());
  changed();
  flush();
}

/** Keep a move of a game of the service until the service has it. @param {string} game  its id @param {number} round @param {number} slot */
async function move(game, round, slot) {
  await kept.db.put(MOVES, `${game} ${round}`, { game, round, slot });
  changed();
  flush();
}

/** What is not sent yet. @returns {Promise<{records: object[], moves: {game: string, round: number, slot: number}[]}>} */
async function waiting() {
  if (isStatic) return { records: [], moves: [] };
  const [records, moves] = await Promise.all([kept.db.all(RECORDS), kept.db.all(MOVES)]);
  return { records: records.map(([line]) => JSON.parse(line)), moves: moves.map(([, found]) => found).sort((a, b) => a.round - b.round) };
}

/**
 * Have a function called with what became of things: `{kind: "move", move, game}` with the service's Game, or with
 * `problem` where it was rejected; `{kind: "records", sent}`; `{kind: "waiting"}` when something is kept. Returns what ends it.
 */
function watch(listener) {
  const heard = ({ detail }) => listener(detail);
  told.addEventListener("outbox", heard);
  return () => told.removeEventListener("outbox", heard);
}

const say = (detail) => told.dispatchEvent(new CustomEvent("outbox", { detail }));
const changed = () => say({ kind: "waiting" });

/** Send what waits, one at a time and in one tab alone; what cannot be sent waits on. */
function flush() {
  running ??= alone(sendAll).finally(() => {
    running = null;
  });
  return running;
}

const alone = (work) => (navigator.locks ? navigator.locks.request("ten18.outbox", work) : work());

async function sendAll() {
  clearTimeout(timer);
  if (isStatic) return;
  try {
    await sendMoves();
    await sendRecords();
  } catch (error) {
    if (!(error instanceof Away || error instanceof Problem)) throw error;
    if (error instanceof Away || error.status === 429) timer = setTimeout(flush, AGAIN); // else it stays rejected for now
  }
}

async function sendMoves() {
  for (const found of (await waiting()).moves) {
    const { game, round, slot } = found;
    const outcome = { kind: "move", move: found };
    try {
      outcome.game = await post(`/games/${encodeURIComponent(game)}/moves`, { round, slot });
    } catch (error) {
      if (!(error instanceof Problem) || error.status === 429) throw error;
      outcome.problem = error; // another tab or device was faster, or the game is gone: the service's word holds
    }
    await kept.db.remove(MOVES, `${game} ${round}`);
    say(outcome);
  }
}

async function sendRecords() {
  const found = (await kept.db.all(RECORDS)).sort(([, one], [, two]) => one - two).slice(0, MOST_LINES);
  if (!found.length) return;
  const answer = await post("/me/games", `${found.map(([line]) => line).join("\n")}\n`, { type: NDJSON });
  for (const [line] of found) await kept.db.remove(RECORDS, line);
  say({ kind: "records", sent: found.length, answer });
}

/** Send what waits now, and whenever there is a reason to try again. */
function start() {
  if (isStatic) return;
  watchOnline(() => navigator.onLine && flush());
  document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && flush());
  flush();
}

export const outbox = { record, move, waiting, watch, flush, start };
