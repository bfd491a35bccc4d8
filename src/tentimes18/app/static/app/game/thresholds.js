// E_j[i]: the expected rolls in j free slots under the best play, and what they say of every move.
//
// With E_j = (E_j[1] <= ... <= E_j[j]), E_j[0] = -∞ and E_j[j+1] = +∞, a roll x that finds j+1 slots free goes to that
// of rank i where E_j[i-1] <= x <= E_j[i], whatever the multipliers are (Derman, Lieberman and Ross 1972, Theorem 1), and
//
//     E_{j+1}[i] = φ(E_j[i]) + ψ(E_j[i-1]),   φ(t) = E[min(X, t)],   ψ(t) = t - φ(t).
//
// For dice with counts over a total T the rows are whole numbers N_j[i] = T^j E_j[i]; C and S being count and sum of the
// rolls up to t,  N_{j+1}[i] = T^j (S(E_j[i]) - S(E_j[i-1])) + (T - C(E_j[i])) N_j[i] + C(E_j[i-1]) N_j[i-1].
// The value of free slots with multipliers λ_1 <= ... <= λ_k is Σ λ_i E_k[i].

import { ZERO, minus, plus, toNumber } from "./exact.js";
import { exactScore, freeSlots } from "./position.js";
import { classify } from "./qualities.js";

/**
 * A row E_j as whole numbers over one denominator, T^j.
 * @typedef {object} Row
 * @property {bigint[]} numerators
 * @property {bigint} denominator
 * @property {number[]} expected  the same as plain numbers
 */

/** @type {WeakMap<import("./distribution.js").Distribution, Row[]>} */
const made = new WeakMap();

/** The rows E_1 to E_n, `rowsOf(distribution, n)[j - 1]` being E_j. @param {import("./distribution.js").Distribution} distribution @param {number} n @returns {Row[]} */
export function rowsOf(distribution, n) {
  const rows = made.get(distribution) ?? [];
  made.set(distribution, rows);
  while (rows.length < n) rows.push(nextRow(distribution, rows.at(-1)));
  return rows.slice(0, n);
}

function nextRow({ support, counts, total }, row) {
  const unit = row?.denominator ?? 1n;
  const numerators = [];
  let [below, count, sum, p] = [0n, 0n, 0n, 0];
  for (const t of row?.numerators ?? []) {
    for (; p < support.length && BigInt(support[p]) * unit <= t; p += 1) {
      count += counts[p];
      sum += BigInt(support[p]) * counts[p] * unit;
    }
    numerators.push(sum + (total - count) * t + below);
    below = count * t - sum;
  }
  for (; p < support.length; p += 1) sum += BigInt(support[p]) * counts[p] * unit;
  numerators.push(sum + below);
  const denominator = unit * total;
  return Object.freeze({ numerators, denominator, expected: numerators.map((n) => toNumber({ n, d: denominator })) });
}

/** The value of free slots, exactly: the points that the best play makes of them on average. */
export function exactValue(game, free) {
  if (!free.length) return ZERO;
  const { numerators, denominator } = rowsOf(game.distribution, free.length).at(-1);
  const dot = free.reduce((sum, slot, i) => sum + game.scaled[slot - 1] * numerators[i], 0n);
  return { n: dot, d: denominator * game.unit };
}

/** The value of free slots; of all slots of a game, its par. @param {import("./game.js").Game} game @param {number[]} free */
export function valueOf(game, free) {
  return toNumber(exactValue(game, free));
}

/** What the position is worth: points on the board and the best play from here on, exactly. */
export function exactWorth(position) {
  return plus(exactScore(position), exactValue(position.game, freeSlots(position)));
}

/** What the position is worth: the expected final score under the best play. @param {import("./position.js").Position} position */
export function worthOf(position) {
  return toNumber(exactWorth(position));
}

/** The points of placing a roll in each free slot and of the best play after it, exactly, in the order of `free`. */
export function exactMoveValues(game, free, roll) {
  const multipliers = free.map((slot) => game.scaled[slot - 1]);
  const row = free.length > 1 ? rowsOf(game.distribution, free.length - 1).at(-1) : { numerators: [], denominator: 1n };
  const scaledRoll = BigInt(roll) * row.denominator;
  let value = row.numerators.reduce((sum, n, i) => sum + multipliers[i + 1] * n, multipliers[0] * scaledRoll);
  const d = row.denominator * game.unit;
  return multipliers.map((multiplier, i) => {
    if (i) value += (multiplier - multipliers[i - 1]) * (scaledRoll - row.numerators[i - 1]);
    return { n: value, d };
  });
}

/**
 * A free slot for a roll.
 * @typedef {object} Move
 * @property {number} slot
 * @property {number} value  points of this move and of the best play after it, from here on
 * @property {number} worth  the same with the points on the board: the expected final score
 * @property {number} loss  what it costs on average against the best move
 * @property {string} class  of the move: best, fine, good, inaccuracy, mistake, blunder
 * @property {boolean} isBest
 */

/**
 * @typedef {object} Advice
 * @property {number} roll
 * @property {number} best  the slot to take
 * @property {number[]} bestSlots  every slot that costs nothing
 * @property {boolean} isChoice  whether some slot costs something
 * @property {Move[]} moves  best first
 * @property {Map<number, Move>} bySlot
 */

/** What every free slot of a position is worth for a roll. @param {import("./position.js").Position} position @returns {Advice} */
export function advise(position, roll) {
  return adviseSlots(position.game, freeSlots(position), roll, exactScore(position));
}

/** The same where these slots are free, increasing, whatever is in the others. @returns {Advice} */
export function adviseSlots(game, free, roll, score = ZERO) {
  const values = exactMoveValues(game, free, roll);
  const best = values.reduce((most, value) => (value.n > most.n ? value : most)); // over one denominator
  const moves = values.map((value, i) => {
    const loss = minus(best, value);
    return {
      slot: free[i],
      value: toNumber(value),
      worth: toNumber(plus(score, value)),
      loss: toNumber(loss),
      class: classify(loss).name,
      isBest: loss.n === 0n,
      lost: loss.n,
    };
  });
  moves.sort((a, b) => (a.lost < b.lost ? -1 : a.lost > b.lost ? 1 : a.slot - b.slot));
  for (const move of moves) delete move.lost;
  return {
    roll,
    best: moves[0].slot,
    bestSlots: moves.filter((move) => move.isBest).map((move) => move.slot),
    isChoice: !moves.at(-1).isBest,
    moves,
    bySlot: new Map(moves.map((move) => [move.slot, move])),
  };
}

/** The slot that the perfect player takes. @param {import("./game.js").Game} game @param {number[]} free @param {number} roll */
export function bestSlot(game, free, roll) {
  if (free.length === 1) return free[0];
  const row = rowsOf(game.distribution, free.length - 1).at(-1);
  const scaled = BigInt(roll) * row.denominator;
  const rank = row.numerators.filter((n) => n < scaled).length;
  let best = rank; // of slots with the same multiplier the first
  while (best > 0 && game.scaled[free[best - 1] - 1] === game.scaled[free[rank] - 1]) best -= 1;
  return free[best];
}

/**
 * Where each roll goes when these slots are free: runs of neighbouring rolls that have the same best slots.
 * @returns {{from: number, to: number, slots: number[]}[]}
 */
export function cutsOf(game, free) {
  const cuts = [];
  for (const roll of game.distribution.support) {
    const slots = adviseSlots(game, free, roll).bestSlots;
    const last = cuts.at(-1);
    if (last && last.slots.join() === slots.join()) last.to = roll;
    else cuts.push({ from: roll, to: roll, slots });
  }
  return cuts;
}
