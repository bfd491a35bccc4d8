// A game: dice and the multipliers of its slots, which are numbered 1 to n by increasing multiplier.
import { shownFraction, toNumber } from "./exact.js";
import { parseDistribution } from "./distribution.js";
import { LIMITS, commonDenominator, readSlots, slotsText } from "./notation.js";
import { Wrong } from "./wrong.js";
import { texts } from "../texts.js";

/**
 * @typedef {object} Game
 * @property {string} dice  as text
 * @property {string} slots  as text, `1-10`
 * @property {import("./distribution.js").Distribution} distribution  of one roll
 * @property {number} size  slots, which is also the number of rounds
 * @property {number[]} multipliers  by slot, from index 0; plain numbers
 * @property {string[]} labels  the multipliers as people read them: `7`, `7/2`
 * @property {bigint[]} scaled  the multipliers times `unit`, whole numbers
 * @property {bigint} unit
 */

export const CLASSIC = Object.freeze({ dice: "3d6", slots: "1-10" });

const KEPT = 64;
const kept = new Map();

/**
 * The game of these dice and slots, the classic ones where none are given; throws `Wrong` with the field to blame.
 * Of equal dice and slots it is the same object.
 * @param {string} [dice] @param {string | (number | string)[]} [slots] @returns {Game}
 */
export function gameOf(dice = CLASSIC.dice, slots = CLASSIC.slots) {
  const key = `${dice} ${slots}`;
  const known = kept.get(key);
  if (known) return known;
  const distribution = parseDistribution(dice);
  const multipliers = readSlots(slots);
  const positions = 2 ** multipliers.length * distribution.support.length;
  if (positions > LIMITS.positions) {
    throw new Wrong(
      `${multipliers.length} slots and ${distribution.support.length} different rolls make ${positions.toLocaleString("en")} ` +
        `positions (2^slots x rolls), at most ${LIMITS.positions.toLocaleString("en")} are accepted: ` +
        "take fewer slots, or dice with fewer rolls",
      "slots",
    );
  }
  const unit = commonDenominator(multipliers);
  const text = slotsText(multipliers);
  const game = kept.get(`${distribution.notation} ${text}`) ?? {
    dice: distribution.notation,
    slots: text,
    distribution,
    size: multipliers.length,
    multipliers: multipliers.map(toNumber),
    labels: multipliers.map((multiplier) => shownFraction(multiplier).replace("-", "−")),
    scaled: multipliers.map(({ n, d }) => n * (unit / d)),
    unit,
  };
  if (kept.size >= KEPT) kept.clear();
  kept.set(key, game);
  kept.set(`${game.dice} ${game.slots}`, game);
  return game;
}

/** All slots by number. @param {Game} game */
export function allSlots(game) {
  return game.multipliers.map((_, i) => i + 1);
}

/** Whether this is the classic game. @param {Game} game */
export function isClassic(game) {
  return game.dice === CLASSIC.dice && game.slots === CLASSIC.slots;
}

/** @typedef {{name: string, title: string, short: string, about: string, dice: string, slots: string}} NamedGame */

/** The games that have a name. @type {readonly NamedGame[]} */
export const GAMES = Object.freeze([
  { name: "classic", ...texts.games.classic, ...CLASSIC },
  { name: "blitz", ...texts.games.blitz, dice: "3d6", slots: "1-5" },
  { name: "house", ...texts.first.house, dice: "1d6", slots: "1,10,100" },
  { name: "loaded", ...texts.games.loaded, dice: "2d12:12=2", slots: "1,3,5,7,9,11,13,15,17" },
]);

/** The named game that this is, or null. @param {{dice: string, slots: string}} game */
export function namedGame({ dice, slots }) {
  return GAMES.find((named) => named.dice === dice && named.slots === slots) ?? null;
}
