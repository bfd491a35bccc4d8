// A reviewed game, wherever it comes from: one's own by its id, or any record. The service measures it; where it is away,
// or there is none, the browser does, with the same numbers.
import { Away, Problem, get, post } from "../../core/api.js";
import { gameOf } from "../../game/game.js";
import { isFinished, replay, start } from "../../game/position.js";
import { formatRecord, parseMoves, recordOf } from "../../game/record.js";
import { review } from "../../game/review.js";
import { atMost, isQuick, scoreLaw } from "../../game/scores.js";
import { Wrong } from "../../game/wrong.js";

const ASKED = ["name", "date", "comment", "aim", "takebacks"]; // what a review depends on, or tells again
const TOO_MANY = 429;

/**
 * @typedef {object} Reviewed
 * @property {import("../../game/record.js").GameRecord} record
 * @property {object} found  the fields of `ten18 review --json`
 * @property {boolean} isChance  measured by a chance (of a target, to win a duel) and not in points
 * @property {?object} source  of one's own game: the Game of the service
 * @property {boolean} isHere  measured in the browser
 */

/** A finished game of one's own. @param {string} id @returns {Promise<Reviewed>} */
export async function reviewOfGame(id) {
  const path = `/games/${encodeURIComponent(id)}`;
  const [found, source] = await Promise.all([get(`${path}/review`), get(path)]);
  const game = gameOf(found.dice, found.slots);
  const position = replay(game, found.moves.map(({ roll, slot }) => [roll, slot]));
  const opponent = found.opponent === null ? null : replay(game, parseMoves(found.opponent));
  return measured(recordOf(position, { opponent, tags: tagsOf(found, source) }), found, { source });
}

/**
 * Any record.
 * @param {import("../../game/record.js").GameRecord} record
 * @param {(reviewed: Reviewed) => void} [early]  called at once where the browser has the same numbers: a game that was played for points
 * @returns {Promise<Reviewed>}
 */
export async function reviewOfRecord(record, early = () => {}) {
  const tags = Object.fromEntries(Object.entries(record.tags).filter(([name]) => ASKED.includes(name)));
  if ((tags.aim ?? "mean") === "mean") early(measured(record, reviewHere(record), { isHere: true }));
  try {
    return measured(record, await post("/lab/review", formatRecord({ ...record, roll: null, tags }), { type: "text/plain" }));
  } catch (error) {
    if (error instanceof Problem && error.status !== TOO_MANY) throw new Wrong(error.detail, error.field);
    if (!(error instanceof Away || error instanceof Problem)) throw error;
    return measured(record, reviewHere(record), { isHere: true });
  }
}

/** The same without the service: by points, whatever the game was played for. @param {import("../../game/record.js").GameRecord} record */
export function reviewHere({ position, opponent, tags }) {
  const found = review(position, tags);
  const isCompared = isFinished(position) && isQuick(start(position.game));
  return {
    ...found,
    moves: found.moves.map((move) => ({ ...move, gift: 0 })),
    aim: "mean",
    gift: 0,
    percentile: isCompared ? atMost(scoreLaw(start(position.game)), found.score) : null,
    played_for: typeof tags.aim === "string" ? tags.aim : "mean",
    takebacks: Number.isInteger(tags.takebacks) && tags.takebacks > 0 ? tags.takebacks : 0,
    opponent_score: opponent && review(opponent).score,
  };
}

function measured(record, found, { source = null, isHere = false } = {}) {
  return { record, found, isChance: found.aim !== "mean", source, isHere };
}

/** What a record of one's own game says besides its moves; with it the rolls can be checked. */
function tagsOf(found, { id, kind, coach, day, opponent, ended_by: endedBy, result, commitments, opened }) {
  const tags = {
    id, kind, coach, day, aim: found.aim, against: opponent?.name, ended_by: endedBy, result,
    name: found.name, date: found.date, comment: found.comment,
    commitments, nonces: opened.map(({ nonce }) => nonce),
  };
  return Object.fromEntries(Object.entries(tags).filter(([, value]) => value !== undefined && value !== null));
}
