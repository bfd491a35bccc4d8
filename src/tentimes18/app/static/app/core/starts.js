// The named games: their dice and slots, the law of a roll, par and the rows of thresholds, made by the solver.
import { fileAt } from "./place.js";

let asked = null;

/** @returns {Promise<{name: string, title: string, about: string, dice: string, slots: string, law: object, par: number, thresholds: number[][]}[]>} */
export function starts() {
  asked ??= fetch(fileAt("starts.json")).then((answer) => answer.json()).then(({ games }) => games);
  asked.catch(() => { asked = null; });
  return asked;
}
