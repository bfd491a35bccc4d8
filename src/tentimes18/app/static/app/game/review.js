// The review of a played game by expected points: the bill par + luck - mistakes = score, and every move of it.
//
// With w the worth of a position, a round is described by  luck = max_i w(move i) - w(before)  and
// loss = max_i w(move i) - w(the move); summed over all rounds: score = par + luck - loss, exactly.

import { ZERO, minus, plus, toNumber } from "./exact.js";
import { exactRandom } from "./expected.js";
import { allSlots } from "./game.js";
import { exactScore, freeSlots, isFinished, place, start } from "./position.js";
import { CLASSES, classify, levelOf } from "./qualities.js";
import { bestSlot, exactMoveValues, exactValue, exactWorth } from "./thresholds.js";

/**
 * @typedef {object} ReviewedMove
 * @property {number} round
 * @property {number} roll
 * @property {number} slot
 * @property {number[]} best  the slots that would have lost nothing
 * @property {number} loss
 * @property {string} class
 * @property {string} mark
 * @property {number} luck
 * @property {number} before  the worth of the position before the roll
 * @property {number} after  and after the move
 * @property {boolean} choice  whether some slot lost something
 */

/**
 * The moves of a position, measured: what `ten18 review --json` says of a game, but for the percentile (`scores.js`).
 * @param {import("./position.js").Position} position  with the placements in the order of play
 * @param {Record<string, any>} [tags]  of its record: a game with takebacks, or for another aim, has no level
 */
export function review(position, tags = {}) {
  const { game } = position;
  let board = start(game);
  const par = exactWorth(board);
  let before = par;
  let [luck, loss, choices] = [ZERO, ZERO, 0];
  const counts = Object.fromEntries(CLASSES.map(({ name }) => [name, 0]));
  const moves = position.placements.map(([roll, slot], i) => {
    const free = freeSlots(board);
    const score = exactScore(board);
    const values = exactMoveValues(game, free, roll);
    const best = values.reduce((most, value) => (value.n > most.n ? value : most));
    const lost = minus(best, values[free.indexOf(slot)]);
    const lucky = minus(plus(score, best), before);
    const choice = values.some((value) => value.n < best.n);
    board = place(board, roll, slot);
    const after = exactWorth(board);
    const found = classify(lost);
    const move = {
      round: i + 1,
      roll,
      slot,
      best: free.filter((_, place) => values[place].n === best.n),
      loss: toNumber(lost),
      class: found.name,
      mark: found.mark,
      luck: toNumber(lucky),
      before: toNumber(before),
      after: toNumber(after),
      choice,
    };
    [before, luck, loss, choices] = [after, plus(luck, lucky), plus(loss, lost), choices + choice];
    counts[found.name] += 1;
    return move;
  });
  const skill = choices ? { n: loss.n, d: loss.d * BigInt(choices) } : null;
  const finished = isFinished(position);
  const rolls = position.placements.map(([roll]) => roll);
  return {
    dice: game.dice,
    slots: game.slots,
    moves,
    score: toNumber(exactScore(position)),
    finished,
    value: toNumber(par),
    luck: toNumber(luck),
    loss: toNumber(loss),
    skill: skill && toNumber(skill),
    classes: counts,
    choices,
    level: hasLevel(tags) ? (levelOf(skill, randomLoss(game))?.name ?? null) : null,
    optimal_score: finished ? toNumber(exactScore(perfectPlay(game, rolls))) : null,
    best_score: finished ? toNumber(exactScore(hindsight(game, rolls))) : null,
  };
}

function hasLevel({ takebacks, aim = "mean" }) {
  return aim === "mean" && !(Number.isInteger(takebacks) && takebacks > 0);
}

/** The board that the perfect player makes of these rolls. @returns {import("./position.js").Position} */
export function perfectPlay(game, rolls) {
  let board = start(game);
  for (const roll of rolls) board = place(board, roll, bestSlot(game, freeSlots(board), roll));
  return board;
}

/** The best board possible on these rolls: all of them sorted into the slots. @returns {import("./position.js").Position} */
function hindsight(game, rolls) {
  const free = allSlots(game);
  let board = start(game);
  rolls.forEach((roll, i) => {
    const rank = rolls.filter((other, j) => other < roll || (other === roll && j < i)).length;
    board = place(board, roll, free[rank]);
  });
  return board;
}

// What a choice loses on average when slots are taken at random; null where the moves decide nothing.
function randomLoss(game) {
  if (game.size < 2) return null;
  const stake = minus(exactValue(game, allSlots(game)), exactRandom(game));
  return stake.n > 0n ? { n: stake.n, d: stake.d * BigInt(game.size - 1) } : null;
}
