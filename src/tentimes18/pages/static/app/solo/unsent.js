// Placements of games that were left before the service had them: kept here, and sent when it is back.
import { Away, Problem, post } from "../core/api.js";
import { kept } from "../core/kept.js";
import { isOnline } from "../core/online.js";

const KEY = "unsent";

/** Keep the last placement of a game that is left. @param {import("./rounds.js").Solo} solo */
export function keepUnsent({ id, rounds }) {
  const others = kept.get(KEY, []).filter((move) => move.id !== id);
  kept.set(KEY, [...others, { id, round: rounds.length, slot: rounds.at(-1).slot }]);
}

/** Send what is kept; what the service takes, or refuses for good, is forgotten. */
export async function sendUnsent() {
  for (const { id, round, slot } of isOnline() ? kept.get(KEY, []) : []) {
    try {
      await post(`/games/${id}/moves`, { round, slot });
    } catch (error) {
      if (error instanceof Away || error.status === 429) return;
      if (!(error instanceof Problem)) throw error;
    }
    kept.set(KEY, kept.get(KEY, []).filter((move) => move.id !== id));
  }
}
