// What the dice of a roll show: the rolls are drawn as sums, and faces are picked for them, each way with its chance, by a
// seed, so that a reload shows the same dice.

import { readDice } from "./notation.js";
import { binomial, exploded, primitive } from "./pools.js";

const MOST_DICE = 8; // that are drawn one by one; for more, only the sum is shown
const KEPT = 64;
const pools = new Map();

/**
 * A die that was rolled.
 * @typedef {{face: number, sides: number}} ShownDie  `sides`: faces of the die; pips are for those of six
 */

/**
 * Dice that add up to the roll; none where the notation has parts that no dice show (a constant, a factor, many dice).
 * @param {string} dice @param {number} roll @param {string | number} seed  of the game and the round
 * @returns {ShownDie[]}
 */
export function facesOf(dice, roll, seed) {
  const pool = poolOf(dice);
  if (!pool) return [];
  const random = generator(`${seed} ${roll}`);
  const values = pool.kept < pool.count ? drawKept(pool, roll, random) : drawAll(pool, roll, random);
  const faces = values.flatMap((value) => facesOfValue(pool, value));
  return faces.length > MOST_DICE ? [] : faces.map((face) => ({ face, sides: pool.sides }));
}

/** The faces of a roll that the server shows, `faces` of a Game. @param {string} dice @param {number[]} faces @returns {ShownDie[]} */
export function facesShown(dice, faces) {
  return faces.map((face) => ({ face, sides: poolOf(dice)?.sides ?? 0 }));
}

/** How many dice a roll shows, 0 where none: for a tray before the first roll. @param {string} dice */
export function diceShown(dice) {
  return poolOf(dice)?.kept ?? 0;
}

// The one pool that a notation is, ready to draw from; null where its dice are not shown.
function poolOf(dice) {
  if (!pools.has(dice)) {
    if (pools.size >= KEPT) pools.clear();
    pools.set(dice, read(dice));
  }
  return pools.get(dice);
}

function read(dice) {
  const { pools: found, constant } = readDice(dice);
  const [pool] = found;
  if (found.length !== 1 || constant || pool.factor !== 1 || pool.kept > MOST_DICE || pool.count > 20) return null;
  if (pool.explosions && ((pool.explosions + 1) * pool.count > 50 || Math.min(...pool.one.keys()) < 1)) return null;
  const one = primitive(pool.explosions ? exploded(pool.one, pool.explosions) : pool.one);
  const top = Math.max(...pool.one.keys());
  return { ...pool, values: [...one.keys()], weights: [...one.values()], top, sides: pool.one.size, ways: new Map() };
}

// Die by die, each value by the ways in which the others make the rest.
function drawAll(pool, roll, random) {
  const shown = [];
  let rest = roll;
  for (let left = pool.count - 1; left >= 0; left -= 1) {
    const value = pick(pool.values, pool.weights.map((weight, i) => weight * waysOf(pool, left, rest - pool.values[i])), random);
    shown.push(value);
    rest -= value;
  }
  return shown;
}

function waysOf(pool, dice, total) {
  if (dice === 0) return total === 0 ? 1n : 0n;
  const key = `${dice} ${total}`;
  if (!pool.ways.has(key)) {
    const found = pool.weights.reduce((sum, weight, i) => sum + weight * waysOf(pool, dice - 1, total - pool.values[i]), 0n);
    pool.ways.set(key, found);
  }
  return pool.ways.get(key);
}

// Value by value, from those that are kept first: how many dice show it. What is kept comes in any order.
function drawKept(pool, roll, random) {
  const order = pool.values.map((_, i) => i);
  if (pool.keepsHighest) order.reverse();
  const shown = [];
  let [count, kept, rest] = [pool.count, pool.kept, roll];
  order.forEach((_, place) => {
    const numbers = Array.from({ length: count + 1 }, (_, showing) => showing);
    const showing = pick(numbers, numbers.map((number) => keptWays(pool, order, place, count, kept, rest, number)), random);
    const taken = Math.min(showing, kept);
    for (let i = 0; i < taken; i += 1) shown.push(pool.values[order[place]]);
    [count, kept, rest] = [count - showing, kept - taken, rest - taken * pool.values[order[place]]];
  });
  for (let i = shown.length - 1; i > 0; i -= 1) {
    const j = Math.floor(random() * (i + 1));
    [shown[i], shown[j]] = [shown[j], shown[i]];
  }
  return shown;
}

// In how many ways the dice that count add up, given how many dice show the value at this place.
function keptWays(pool, order, place, count, kept, total, showing) {
  const key = `k ${place} ${count} ${kept} ${total} ${showing}`;
  if (!pool.ways.has(key)) {
    const taken = Math.min(showing, kept);
    const [left, more, rest] = [count - showing, kept - taken, total - taken * pool.values[order[place]]];
    const here = binomial(count, showing) * pool.weights[order[place]] ** BigInt(showing);
    let found = 0n;
    if (place + 1 === order.length) found = left === 0 && more === 0 && rest === 0 ? here : 0n;
    else for (let n = 0; n <= left; n += 1) found += here * keptWays(pool, order, place + 1, left, more, rest, n);
    pool.ways.set(key, found);
  }
  return pool.ways.get(key);
}

// What a die showed one after the other: its highest face as long as it exploded, then the last.
function facesOfValue({ top, explosions }, value) {
  if (!explosions) return [value];
  const times = Math.min(Math.max(0, Math.ceil(value / top) - 1), explosions);
  return [...Array(times).fill(top), value - times * top];
}

function pick(values, weights, random) {
  const total = weights.reduce((sum, weight) => sum + weight, 0n);
  let left = random() * Number(total);
  const found = weights.findIndex((weight) => (left -= Number(weight)) < 0);
  return values[found < 0 ? weights.findLastIndex((weight) => weight > 0n) : found];
}

// A small generator of numbers from 0 to 1 (mulberry32), from the text of a seed (FNV-1a).
function generator(seed) {
  let state = 2166136261;
  for (const letter of seed) state = Math.imul(state ^ letter.codePointAt(0), 16777619);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
