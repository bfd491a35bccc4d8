// What a Game of a duel says, as pure functions: which of two versions is the later one, which roll is where, who leads.

/** The slot of a placement that the service has not taken yet. @typedef {{round: number, slot: number}} Unsent */

/**
 * How far a Game has come: an answer that was overtaken on its way has a smaller number.
 * @param {object} game  a Game of the API
 */
function progressOf(game) {
  const { opponent } = game;
  const seen = opponent === null ? 0 : opponent.placed ? 2 : 1;
  return game.opened.length * 8 + Object.keys(game.board).length * 4 + seen + (game.finished ? 1000 : 0);
}

/**
 * The later of two tellings of a game; of equal ones the new one, with the chances that the old one knew.
 * @param {object} known
 * @param {object} told
 */
export function later(known, told) {
  const steps = progressOf(told) - progressOf(known);
  if (steps < 0) return known;
  return steps === 0 ? { ...told, chances: told.chances ?? known.chances } : told;
}

/** The slots of a board that another one has not. @param {Record<string, number>} board @param {Record<string, number>} before @returns {number[]} */
export function newSlots(board, before) {
  return Object.keys(board).filter((slot) => !(slot in before)).map(Number);
}

/** The roll to place, or null; none once a slot is named for it. @param {object} game @param {?Unsent} unsent */
export const rollToPlace = (game, unsent) => (unsent && unsent.round === game.round ? null : game.roll);

/** My board with what was placed and is still on its way. @param {object} game @param {?Unsent} unsent @returns {Record<string, number>} */
export function ownBoard(game, unsent) {
  const isOnItsWay = unsent && unsent.round === game.round && game.roll !== null;
  return isOnItsWay ? { ...game.board, [unsent.slot]: game.roll } : game.board;
}

/** The round that is played: the one whose roll was shown last. @param {object} game */
export const roundOf = (game) => (game.finished ? game.slots.length + 1 : game.opened.length);

/** The roll of the round, placed or not. @param {object} game */
export const shownRoll = (game) => (game.finished ? null : game.opened.at(-1)?.roll ?? null);

/** Whether the opponent is a bot: a duel with a friend has an invite. @param {object} game */
export const isBot = (game) => game.invite === null;

/** The largest change of the chance to win between two rounds. @param {number[]} chances  after each round @returns {?{round: number, from: number, to: number}} */
export function largestSwing(chances) {
  const all = [0.5, ...chances];
  let found = null;
  for (let round = 1; round < all.length; round += 1) {
    const swing = Math.abs(all[round] - all[round - 1]);
    if (swing > (found ? Math.abs(found.to - found.from) : 0)) found = { round, from: all[round - 1], to: all[round] };
  }
  return found;
}
