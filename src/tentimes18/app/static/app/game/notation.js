// The notation of dice and of slots (docs/reference/notation.md), read here so that the pages need no service for it.
//
//     dice = term { ("+" | "-") term }      term = pool | integer
//     pool = [count] "d" (sides | "{" face {"," face} "}") [":" load {"," load}]
//            ["!" ["x" explosions]] [("kh" | "kl" | "dh" | "dl") [number]] ["*" factor]
//
// What the server accepts is accepted here, and what it rejects is rejected, before a distribution is computed.

import { fraction, fromNumber, gcd, readFraction, shownFraction } from "./exact.js";
import { exploded, keptDistribution, power, primitive, sumDistribution, totalOf } from "./pools.js";
import { Wrong, quoted } from "./wrong.js";

/** The largest games that are played and asked about: those of the service. */
export const LIMITS = {
  characters: 200,
  slots: 20,
  rolls: 100,
  roll: 1e6,
  totalBits: 64,
  multiplier: 1e6,
  denominator: 1000,
  positions: 20_000_000,
};

/** Read games of any size: for a page with games in it that are measured already. */
export function liftLimits() {
  Object.assign(LIMITS, { characters: 1e9, slots: 1e4, rolls: 1e7, roll: 1e16, totalBits: 1e5, multiplier: 1e300, denominator: 1e300, positions: Infinity });
}

const EXPLOSIONS = 3; // of a die that does not say how many
const MOST_EXPLOSIONS = 100;
const MOST_KEPT_WORK = 2e6; // weights that are multiplied, to keep some dice of a pool
const ACCEPTED = "accepted: 3d6, 2d12:12=2, d{1,1,2,3,5,8}, d{0:3,5:1}, 4d6kh3, 1d6!, 2d6*2, and sums like 2d6+1d8-3";
const ACCEPTED_SLOTS = "accepted: a range like 1-10, multipliers like 1,3,5.5,7/2, or both like 1-5,10";
const INTEGER = "[+-]?[0-9]{1,15}";
const FACE = `${INTEGER}(?::[+-]?[0-9]{1,40})?`;
const TERM = new RegExp(
  `^(?<dice>(?<count>[0-9]{1,15})?d(?:(?<sides>[0-9]{1,15})|\\{(?<faces>${FACE}(?:,${FACE})*)?\\})(?::(?<loads>[^!*a-z]*))?)` +
    "(?<explodes>!(?:x(?<explosions>[0-9]{1,15}))?)?(?<keeps>[kd][hl](?<number>[0-9]{1,15})?)?(?:\\*(?<factor>[0-9]{1,15}))?$",
);
const LOAD = new RegExp(`^(${INTEGER})=([+-]?[0-9]{1,40})$`);

/**
 * A pool as it was read.
 * @typedef {object} Pool
 * @property {import("./pools.js").Weights} one  one die without explosions
 * @property {number} count  dice
 * @property {number} explosions  at most this many; 0: none
 * @property {number} kept  of them
 * @property {boolean} keepsHighest
 * @property {number} factor  with the sign of the term
 */

/**
 * Dice from their notation: the weights of each roll, the notation without blanks, and the parts it is made of.
 * @param {string} text
 * @returns {{weights: import("./pools.js").Weights, notation: string, pools: Pool[], constant: number}}
 */
export function readDice(text) {
  if (text.length > LIMITS.characters) throw wrongDice(tooLong(text));
  const plain = text.trim().split(/\s+/).join(" ").replace(/ ?([-+:=,{}dDkKhHlLxX!*]) ?/g, "$1").toLowerCase();
  const pools = [];
  let constant = 0;
  let notation = "";
  for (const part of plain.split(/(?<=[^=:,{])(?=[+-])/)) {
    const sign = /^[+-]/.test(part) ? part[0] : "";
    const body = part.slice(sign.length);
    const factor = sign === "-" ? -1 : 1;
    if (/^[0-9]{1,15}$/.test(body)) {
      constant += factor * Number(body);
      notation += part;
      continue;
    }
    const [pool, written] = readPool(part, body);
    pools.push({ ...pool, factor: pool.factor * factor });
    notation += sign + written;
  }
  if (notation.length > LIMITS.characters) throw wrongDice(`written out it takes more than ${LIMITS.characters} characters`);
  return { weights: distributionOf(pools, constant), notation, pools, constant };
}

function distributionOf(pools, constant) {
  verifyRoom(pools);
  let distribution = new Map([[constant, 1n]]);
  for (const pool of pools) {
    const one = primitive(pool.explosions ? exploded(pool.one, pool.explosions) : pool.one);
    const all = pool.kept < pool.count ? keptDistribution(one, pool.count, pool.kept, pool.keepsHighest) : power(one, pool.count);
    distribution = sumDistribution(distribution, primitive(new Map([...all].map(([roll, weight]) => [pool.factor * roll, weight]))));
  }
  distribution = primitive(distribution);
  if (distribution.size > LIMITS.rolls) throw wrongDice(`${distribution.size} different rolls, at most ${LIMITS.rolls} are accepted`);
  if ([...distribution.keys()].some((roll) => Math.abs(roll) > LIMITS.roll)) {
    throw wrongDice(`a roll is too large, at most ${LIMITS.roll.toLocaleString("en")} are accepted`);
  }
  if (totalOf(distribution) > 1n << BigInt(LIMITS.totalBits)) throw wrongDice(`the weights add up to more than 2^${LIMITS.totalBits}`);
  return distribution;
}

// What a sum will need, counted before anything is computed.
function verifyRoom(pools) {
  let [rolls, total, work] = [1, 0, 0];
  for (const { one, count, explosions, kept } of pools) {
    const faces = one.size === 1 ? 1 : (one.size - 1) * (explosions + 1) + 1;
    rolls += kept * (faces - 1);
    total += one.size === 1 ? 0 : count * (explosions + 1) * Math.log2(Number(totalOf(primitive(one))));
    if (kept < count) work += faces * kept * kept * kept * faces;
    if (one.size === 1 && count > 1e6) throw wrongDice(`${count} dice are too many`);
  }
  if (rolls > LIMITS.rolls) throw wrongDice(`too many different rolls; at most ${LIMITS.rolls} are accepted`);
  if (total > LIMITS.totalBits + 1e-6) {
    throw wrongDice(`the weights multiply to more than 2^${LIMITS.totalBits}; take fewer dice or faces`);
  }
  if (work > MOST_KEPT_WORK) throw wrongDice("too many dice to keep the highest or lowest of");
}

function readPool(part, body) {
  const found = TERM.exec(body)?.groups;
  if (!found) {
    const hint = /![0-9]/.test(body) ? "write !x3 for at most 3 explosions, of the highest face" : ACCEPTED;
    throw wrongDice(`cannot read ${quoted(part)}; ${hint}`);
  }
  const count = Number(found.count ?? 1);
  if (count < 1) throw wrongDice("the number of dice must be at least 1");
  let written = found.dice;
  const explosions = found.explodes ? Number(found.explosions ?? EXPLOSIONS) : 0;
  const one = readFaces(found);
  if (found.explodes) {
    if (explosions < 1 || explosions > MOST_EXPLOSIONS) {
      throw wrongDice(`a die that explodes ${explosions} times; accepted: 1 to ${MOST_EXPLOSIONS}`);
    }
    written += `!x${explosions}`;
  }
  let [kept, keepsHighest] = [count, true];
  if (found.keeps) {
    [kept, keepsHighest] = readKept(found, count);
    written += `k${keepsHighest ? "h" : "l"}${kept}`;
  }
  const factor = Number(found.factor ?? 1);
  if (factor < 1) throw wrongDice("dice are multiplied by at least 1");
  if (found.factor) written += `*${factor}`;
  return [{ one, count, explosions, kept, keepsHighest, factor }, written];
}

function readKept(found, count) {
  const drops = found.keeps[0] === "d";
  const ofTheHigh = found.keeps[1] === "h";
  const number = drops ? count - Number(found.number ?? 1) : Number(found.number ?? 1);
  if (number < 1 || number > count) {
    throw wrongDice(`${quoted(found.keeps)} of ${count} dice; accepted: to keep 1 to ${count} of them`);
  }
  return [number, ofTheHigh !== drops];
}

function readFaces(found) {
  const one = new Map();
  if (found.sides === undefined) {
    if (!found.faces) throw wrongDice("a die without faces; give at least one, as in d{1,2,3}");
    for (const item of found.faces.split(",")) {
      const [face, weight] = item.split(":");
      one.set(Number(face), (one.get(Number(face)) ?? 0n) + positive(weight ?? "1", face));
    }
  } else {
    const sides = Number(found.sides);
    if (sides < 1) throw wrongDice("a die without faces; the number of sides must be at least 1");
    if (sides > LIMITS.rolls) throw wrongDice(`a die with ${sides} faces is too large; at most ${LIMITS.rolls} are accepted`);
    for (let face = 1; face <= sides; face += 1) one.set(face, 1n);
  }
  const given = new Set();
  for (const item of found.loads === undefined ? [] : found.loads.split(",")) {
    const pair = LOAD.exec(item);
    if (!pair) throw wrongDice(`cannot read the weight ${quoted(item)}; write face=weight, as in 2d12:12=2`);
    const face = Number(pair[1]);
    if (!one.has(face)) throw wrongDice(`there is no face ${face} to give a weight to`);
    if (given.has(face)) throw wrongDice(`face ${face} is given a weight twice`);
    given.add(face);
    one.set(face, one.get(face) * positive(pair[2], face));
  }
  return one;
}

function positive(text, face) {
  const weight = BigInt(text.replace("+", ""));
  if (weight <= 0n) throw wrongDice(`weight ${weight} of ${face} must be positive`);
  return weight;
}

function wrongDice(problem) {
  return new Wrong(problem, "dice");
}

function tooLong(text) {
  return `${text.length} characters, at most ${LIMITS.characters} are accepted`;
}

/**
 * The multipliers of slots, increasing: from text like `1-10` or `1,3,5.5,7/2`, or from a list of numbers and texts.
 * @param {string | (number | string)[]} given
 * @returns {import("./exact.js").Fraction[]}
 */
export function readSlots(given) {
  const found = typeof given === "string" ? readSlotsText(given) : given.map(readMultiplier);
  if (!found.length) throw wrongSlots("none given; a game has at least one slot");
  if (found.length > LIMITS.slots) throw wrongSlots(`${found.length} slots, at most ${LIMITS.slots} are accepted`);
  const most = BigInt(LIMITS.multiplier);
  if (found.some(({ n, d }) => n > most * d || -n > most * d)) {
    throw wrongSlots(`a multiplier is too large, at most ${LIMITS.multiplier.toLocaleString("en")} are accepted`);
  }
  if (commonDenominator(found) > BigInt(LIMITS.denominator)) {
    throw wrongSlots(`the multipliers have a common denominator above ${LIMITS.denominator.toLocaleString("en")}`);
  }
  found.sort((a, b) => (a.n * b.d < b.n * a.d ? -1 : a.n * b.d > b.n * a.d ? 1 : 0));
  if (slotsText(found).length > LIMITS.characters) {
    throw wrongSlots(`written out they take more than ${LIMITS.characters} characters`);
  }
  return found;
}

function readSlotsText(text) {
  if (text.length > LIMITS.characters) throw wrongSlots(tooLong(text));
  const found = [];
  for (const part of text.trim().split(/\s+/).join(" ").replace(/ ?([-,/]) ?/g, "$1").split(",")) {
    const ends = /^([+-]?[0-9]{1,400})-([+-]?[0-9]{1,400})$/.exec(part);
    const number = ends ? null : readFraction(part);
    if (!ends && !number) throw wrongSlots(`cannot read ${quoted(part)}; ${ACCEPTED_SLOTS}`);
    if (number) {
      found.push(number);
      continue;
    }
    let [low, high] = [BigInt(ends[1].replace("+", "")), BigInt(ends[2].replace("+", ""))];
    if (low > high) [low, high] = [high, low];
    const count = BigInt(found.length) + high - low + 1n;
    if (count > BigInt(LIMITS.slots)) throw wrongSlots(`${count} slots, at most ${LIMITS.slots} are accepted`);
    for (let multiplier = low; multiplier <= high; multiplier += 1n) found.push(fraction(multiplier));
  }
  return found;
}

// One of a list; a decimal means what it says, and of a rounded fraction such as 0.3333333333333333 the fraction is meant.
function readMultiplier(given) {
  if (typeof given === "string") return readSlotsText(given)[0];
  if (typeof given !== "number" || !Number.isFinite(given)) throw wrongSlots(`multiplier ${quoted(given)} is not a number`);
  for (let d = 1; d <= LIMITS.denominator; d += 1) {
    const n = Math.round(given * d);
    if (n / d === given) return fraction(BigInt(n), BigInt(d));
  }
  return readFraction(String(given)) ?? fromNumber(given);
}

function wrongSlots(problem) {
  return new Wrong(problem, "slots");
}

/** The least common denominator of fractions. @param {import("./exact.js").Fraction[]} found */
export function commonDenominator(found) {
  return found.reduce((common, { d }) => (common * d) / gcd(common, d), 1n);
}

/** Multipliers in the notation of slots: `1-3,7`. @param {import("./exact.js").Fraction[]} multipliers, increasing */
export function slotsText(multipliers) {
  const runs = [];
  for (const multiplier of multipliers) {
    const run = runs.at(-1);
    const last = run?.at(-1);
    if (last && multiplier.d === 1n && last.d === 1n && multiplier.n === last.n + 1n) run.push(multiplier);
    else runs.push([multiplier]);
  }
  return runs
    .map((run) => (run.length > 2 ? `${run[0].n}-${run.at(-1).n}` : run.map(shownFraction).join(",")))
    .join(",");
}
