// The player's finished games, from the service and from this device: where their mistakes are.
import { Away, Problem, get } from "../core/api.js";
import { isOnline } from "../core/online.js";
import { formatMoves, recordFromJson } from "../game/record.js";
import { Wrong } from "../game/wrong.js";
import { finishedHere } from "../solo/finished.js";

const LATEST = 200; // games

/** All that can be had, the latest first, none twice. @returns {Promise<import("../game/record.js").GameRecord[]>} */
export async function pastGames() {
  const found = new Map();
  for (const record of [...(await fromService()), ...(await finishedHere())]) {
    const { game, placements } = record.position;
    const key = `${game.dice} ${game.slots}: ${formatMoves(placements)}`;
    if (!found.has(key)) found.set(key, record);
  }
  const date = ({ tags }) => String(tags.date ?? "");
  return [...found.values()].sort((one, other) => (date(one) < date(other) ? 1 : -1));
}

async function fromService() {
  if (!isOnline()) return [];
  try {
    const text = await get(`/me/games?limit=${LATEST}`);
    return text.split("\n").filter(Boolean).flatMap(readable);
  } catch (error) {
    if (error instanceof Away || error instanceof Problem) return [];
    throw error;
  }
}

function readable(line) {
  try {
    return [recordFromJson(JSON.parse(line))];
  } catch (error) {
    if (error instanceof Wrong || error instanceof SyntaxError) return [];
    throw error;
  }
}
