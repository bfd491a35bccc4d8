// What can be wrong with what a person gave: the problem in one line, and the field it is about.

import { texts } from "../texts.js";

const LONGEST = 60;

/** Bad input; `field` names what is to blame (dice, slots, moves, ...), the message says what is accepted. */
export class Wrong extends Error {
  /** @param {string} problem @param {string} [field] */
  constructor(problem, field) {
    super(field ? `${field}: ${problem}` : problem);
    this.name = "Wrong";
    this.problem = problem;
    this.field = field ?? null;
  }

  /** The problem in the player's language. */
  get words() {
    return texts.problems.words(this.problem, this.field, "invalid");
  }
}

/** A value that was given, as a person may read it in one line. */
export function quoted(value) {
  let text = typeof value === "string" ? `'${value.slice(0, LONGEST + 1)}'` : (JSON.stringify(value) ?? String(value));
  text = text.split(/\s+/).join(" ");
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST - 3)}...`;
}
