// What the tabs mark with a dot: today's daily game while it is not played, and duels with a move to make. Pages that know it write it down here.
import { useEffect, useState } from "../html.js";
import { kept } from "./kept.js";

const KEY = "waiting";

/** @typedef {{day: string, isPlayed: boolean, turns: number}} Waiting */

/** Write down what is known. @param {Partial<Waiting>} part */
export const noteWaiting = (part) => kept.set(KEY, { ...kept.get(KEY, {}), ...part });

/** What waits, and what writes it down. @returns {[{daily: boolean, duel: boolean}, (part: Partial<Waiting>) => void]} */
export function useWaiting() {
  const [known, show] = useState(() => kept.get(KEY, {}));
  useEffect(() => kept.watch(KEY, () => show(kept.get(KEY, {}))), []);
  const isToday = known.day === new Date().toISOString().slice(0, 10);
  return [{ daily: !(isToday && known.isPlayed), duel: known.turns > 0 }, noteWaiting];
}
