// What the lab shows, as its address: /lab?dice=&slots=&board=&roll=&target=, so that it can be shared and gone back to.
import { link } from "../../core/links.js";
import { CLASSIC, gameOf } from "../../game/game.js";
import { canShow } from "../../game/law.js";
import { replay, start } from "../../game/position.js";
import { formatMoves, parseMoves } from "../../game/record.js";
import { Wrong } from "../../game/wrong.js";

/**
 * @typedef {object} LabState
 * @property {{dice: string, slots: string}} written  the fields as they stand, also where they cannot be read
 * @property {Record<string, string>} wrong  what is wrong with a field, by its name
 * @property {import("../../game/position.js").Position} position  of the last game that could be read
 * @property {number} roll  the one that is picked
 * @property {number | null} target  the score to reach, where that is the aim; else the average
 */

/** The state that an address stands for. @param {Record<string, string>} query @returns {LabState} */
export function readAddress(query) {
  const written = { dice: query.dice ?? CLASSIC.dice, slots: query.slots ?? CLASSIC.slots };
  const wrong = {};
  const kept = (field, read, instead) => {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof Wrong)) throw error;
      wrong[error.field === "slots" || error.field === "dice" ? error.field : field] = error.problem;
      return instead();
    }
  };
  const game = kept("dice", () => gameOf(written.dice, written.slots), () => gameOf());
  const position = kept("board", () => replay(game, parseMoves(query.board ?? "")), () => start(game));
  const target = query.target === undefined || !Number.isFinite(Number(query.target)) ? null : Number(query.target);
  return { written, wrong, position, roll: rollFrom(game, Number(query.roll ?? NaN)), target };
}

/** The address of a state. @param {LabState} state */
export function addressOf({ position, roll, target }) {
  const { dice, slots } = position.game;
  return link("lab", {
    dice: dice === CLASSIC.dice ? undefined : dice,
    slots: slots === CLASSIC.slots ? undefined : slots,
    board: formatMoves(position.placements).replaceAll(" ", ",") || undefined,
    roll: roll === rollFrom(position.game, NaN) ? undefined : roll,
    target: target ?? undefined,
  });
}

/** The state with other dice or slots: what still fits stays on the board. @param {LabState} state */
export function withGame(state, written) {
  let game;
  try {
    game = gameOf(written.dice, written.slots);
  } catch (error) {
    if (!(error instanceof Wrong)) throw error;
    return { ...state, written, wrong: { [error.field ?? "dice"]: error.problem } };
  }
  if (game === state.position.game) return { ...state, written, wrong: {} };
  const { placements } = state.position;
  const fits = ([roll, slot]) => canShow(game.law, roll) && slot <= game.size;
  const position = replay(game, game.slots === state.position.game.slots || game.dice === state.position.game.dice ? placements.filter(fits) : []);
  return { ...state, written, wrong: {}, position, roll: rollFrom(game, state.roll), target: state.target };
}

// The roll that was asked for, or the likeliest one that is above the mean: there is most to choose.
function rollFrom(game, roll) {
  if (canShow(game.law, roll)) return roll;
  const { support, mean } = game.law;
  return support.find((shown) => shown > mean + game.law.sd / 2) ?? support.at(-1);
}
