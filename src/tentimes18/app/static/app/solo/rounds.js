// A solo game as the page keeps it: its rolls and slots in the order of play, from the service's Game or drawn here. No DOM.
import { drawId, drawRoll } from "../game/distribution.js";
import { gameOf } from "../game/game.js";
import { replay } from "../game/position.js";

/**
 * @typedef {object} Solo
 * @property {string} id  of the game; its dice show the faces that follow from it
 * @property {boolean} local  drawn in this browser, without the service
 * @property {string} dice
 * @property {string} slots
 * @property {"off" | "warn" | "full"} coach  as the game was begun
 * @property {{roll: number, slot: number | null, faces?: number[]}[]} rounds  those that are open; the last one waits while its slot
 *   is null. faces: of the waiting roll, as the server shows them to everybody who plays these rolls
 * @property {boolean} unsent  the last placement is kept here, and the service does not have it yet
 * @property {boolean} ordered  whether it is known which of equal rolls was placed first
 * @property {string} [day]  the day whose rolls are practised
 * @property {string} begun  when, ISO
 */

/**
 * A game drawn here: the first roll is open.
 * @param {{dice: string, slots: string, coach: string}} wanted
 * @returns {Solo}
 */
export function beginHere({ dice, slots, coach }) {
  const game = gameOf(dice, slots);
  return { id: drawId(), local: true, dice: game.dice, slots: game.slots, coach, rounds: [{ roll: drawRoll(game.distribution), slot: null }],
    unsent: false, ordered: true, begun: new Date().toISOString() };
}

/**
 * The game that the service tells, with the order of play as far as it is known from what was kept.
 * @param {object} told  a Game of the API
 * @param {Solo | null} kept  the same game as it was known before
 * @returns {Solo}
 */
export function fromService(told, kept = null) {
  const known = kept && kept.id === told.id ? kept : null;
  const { dice, slots } = gameOf(told.dice, told.slots);
  const left = new Map(Object.entries(told.board).map(([slot, roll]) => [Number(slot), roll]));
  const rounds = told.opened.map(({ roll }, place) => {
    const slot = known?.rounds[place]?.slot ?? null;
    if (slot === null || left.get(slot) !== roll) return { roll, slot: null };
    left.delete(slot);
    return { roll, slot };
  });
  let ordered = known?.ordered ?? true;
  for (const round of rounds.slice(0, told.round - 1)) {
    if (round.slot !== null) continue;
    const fitting = [...left.keys()].filter((slot) => left.get(slot) === round.roll);
    if (fitting.length > 1) ordered = false;
    round.slot = fitting[0] ?? null;
    left.delete(round.slot);
  }
  const kind = { id: told.id, local: false, dice, slots, coach: told.coach, day: told.day, begun: known?.begun ?? new Date().toISOString() };
  const waiting = known?.unsent && known.rounds.length === rounds.length ? known.rounds.at(-1) : null;
  const last = rounds.at(-1);
  if (last && last.slot === null && told.faces?.length) last.faces = told.faces;
  const isUnsent = waiting !== null && !told.finished && waiting.slot !== null && rounds.at(-1).slot === null && !(waiting.slot in told.board);
  if (isUnsent) rounds[rounds.length - 1] = waiting;
  return { ...kind, rounds, unsent: isUnsent, ordered };
}

/**
 * The game with the waiting roll in a slot. A game drawn here opens its next roll; of another one it is not known yet.
 * @param {Solo} solo
 * @param {number} slot
 * @returns {Solo}
 */
export function placed(solo, slot) {
  const rounds = [...solo.rounds.slice(0, -1), { ...solo.rounds.at(-1), slot }];
  const game = gameOf(solo.dice, solo.slots);
  if (solo.local && rounds.length < game.size) rounds.push({ roll: drawRoll(game.distribution), slot: null });
  return { ...solo, rounds, unsent: !solo.local };
}

/** The roll that waits, or null. @param {Solo} solo */
export function waitingRoll({ rounds }) {
  const last = rounds.at(-1);
  return last && last.slot === null ? last.roll : null;
}

/** The position of what is placed, in the order of play. @param {Solo} solo */
export function positionOfSolo({ dice, slots, rounds }) {
  const placements = rounds.filter(({ slot }) => slot !== null).map(({ roll, slot }) => [roll, slot]);
  return replay(gameOf(dice, slots), placements);
}

/** Whether every slot is filled, and the service (where there is one) has it. @param {Solo} solo */
export function isOver({ dice, slots, rounds, unsent }) {
  return !unsent && rounds.length === gameOf(dice, slots).size && rounds.at(-1).slot !== null;
}

/**
 * Whether this is a game that the page wrote, as far as one can see: what storage holds may be of any age.
 * @param {any} found
 */
export function isSolo(found) {
  try {
    const { size } = gameOf(found.dice, found.slots);
    const fits = found.rounds.length >= 1 && found.rounds.length <= size && found.rounds.slice(0, -1).every(({ slot }) => slot !== null);
    return fits && typeof found.id === "string" && positionOfSolo(found).placements.length >= found.rounds.length - 1;
  } catch {
    return false;
  }
}
