// A position: which roll is in which slot, in the order of play; placing a roll gives a new one.

import { toNumber } from "./exact.js";
import { canShow, shownRolls } from "./distribution.js";
import { Wrong, quoted } from "./wrong.js";

/**
 * @typedef {object} Position
 * @property {import("./game.js").Game} game
 * @property {[number, number][]} placements  pairs of roll and slot
 */

/** The empty board of a game. @param {import("./game.js").Game} game @returns {Position} */
export function start(game) {
  return Object.freeze({ game, placements: Object.freeze([]) });
}

/** The position with this roll in this slot; throws `Wrong` where that is no move. @returns {Position} */
export function place(position, roll, slot) {
  verify(position, slot, roll);
  return Object.freeze({ game: position.game, placements: Object.freeze([...position.placements, [roll, slot]]) });
}

/** The position without the roll in this slot. @param {Position} position @param {number} slot @returns {Position} */
export function without(position, slot) {
  const placements = position.placements.filter((placement) => placement[1] !== slot);
  return Object.freeze({ game: position.game, placements: Object.freeze(placements) });
}

/** The position after these placements, each checked. @param {Iterable<[number, number]>} placements @returns {Position} */
export function replay(game, placements) {
  let position = start(game);
  for (const [roll, slot] of placements) position = place(position, roll, slot);
  return position;
}

/** Throws `Wrong` unless the slot is free and the dice can show the roll. */
function verify(position, slot, roll) {
  const { game } = position;
  if (!Number.isInteger(slot) || slot < 1 || slot > game.size) {
    throw new Wrong(`there is no slot ${quoted(slot)}; slots are 1 to ${game.size}`, "moves");
  }
  const standing = rollIn(position, slot);
  if (standing !== null) {
    throw new Wrong(`slot ${slot} already holds ${standing}; free: ${freeSlots(position).join(",") || "none"}`, "moves");
  }
  verifyRoll(game, roll);
}

/** Throws `Wrong` unless the dice can show this roll. */
export function verifyRoll(game, roll, field = "moves") {
  if (!canShow(game.distribution, roll)) {
    const shown = game.dice.length <= 60 ? game.dice : "these dice";
    throw new Wrong(`${shown} never shows ${quoted(roll)}; its rolls are ${shownRolls(game.distribution)}`, field);
  }
}

/** The roll in a slot, or null. @param {Position} position @param {number} slot */
export function rollIn(position, slot) {
  return position.placements.find((placement) => placement[1] === slot)?.[0] ?? null;
}

/** The free slots by number, increasing. @param {Position} position @returns {number[]} */
export function freeSlots({ game, placements }) {
  const taken = new Set(placements.map(([, slot]) => slot));
  const free = [];
  for (let slot = 1; slot <= game.size; slot += 1) if (!taken.has(slot)) free.push(slot);
  return free;
}

/** The points on the board, exactly. @param {Position} position */
export function exactScore({ game, placements }) {
  return { n: placements.reduce((sum, [roll, slot]) => sum + game.scaled[slot - 1] * BigInt(roll), 0n), d: game.unit };
}

/** The points on the board. @param {Position} position */
export function score(position) {
  return toNumber(exactScore(position));
}

/** The points of one roll in one slot. */
export function pointsOf(game, roll, slot) {
  return toNumber({ n: game.scaled[slot - 1] * BigInt(roll), d: game.unit });
}

/** The board as the service tells it: rolls by slot. @param {Position} position @returns {Record<string, number>} */
export function boardOf(position) {
  return Object.fromEntries(position.placements.map(([roll, slot]) => [String(slot), roll]));
}

/** Whether the board is full. @param {Position} position */
export function isFinished(position) {
  return position.placements.length === position.game.size;
}
