// The one who keeps a duel: follows it, shows a placement at once, sends it until the service has it, and opens both moves together.
import { useEffect, useRef, useState } from "../html.js";
import { Away, Problem, get, post } from "../core/api.js";
import { follow } from "../core/follow.js";
import { kept } from "../core/kept.js";
import { isOnline, watchOnline } from "../core/online.js";
import { later, newSlots } from "./rounds.js";

const OPENING = 240; // ms in which both moves open
const FIRST_PAUSE = 1500; // ms before a placement is sent again; twice as long each time
const LONGEST_PAUSE = 20_000;

const keyOf = (id) => `duel.${id}`;

/**
 * @typedef {object} State
 * @property {object} game  a Game of the API, the latest one received
 * @property {?import("./rounds.js").Unsent} unsent  a placement on its way
 * @property {"live" | "asking" | "away" | "gone"} how  the game is followed
 * @property {boolean} isLate  the placement was not taken at the first try
 * @property {?string} rejected  why a placement was not taken at all
 * @property {{left: ?number, right: ?number}} fresh  the slots that were filled last
 * @property {boolean} opening  both moves open just now
 */

/**
 * A duel, live.
 * @param {object} told  a Game of the API
 * @returns {State & {place: (slot: number) => void, sendAgain: () => void, refresh: () => Promise<void>}}
 */
export function useDuel(told) {
  const [state, show] = useState(() => first(told));
  const latest = useRef(state);
  const timers = useRef({ opening: 0, again: 0 });
  const pause = useRef(FIRST_PAUSE);

  const change = (part) => {
    latest.current = { ...latest.current, ...part };
    show(latest.current);
  };

  const adopt = (answer) => {
    const { game: before, unsent, fresh } = latest.current;
    const game = later(before, answer);
    if (game === before) return;
    const isTaken = unsent !== null && (game.round > unsent.round || game.finished);
    if (isTaken) kept.remove(keyOf(game.id));
    const opened = game.opponent && before.opponent ? newSlots(game.opponent.board, before.opponent.board) : [];
    const part = { game, unsent: isTaken ? null : unsent, isLate: isTaken ? false : latest.current.isLate };
    if (opened.length === 0) {
      change(part);
      return;
    }
    const mine = newSlots(game.board, before.board)[0] ?? unsent?.slot ?? fresh.left;
    change({ ...part, opening: true, fresh: { left: mine, right: opened.at(-1) } });
    clearTimeout(timers.current.opening);
    timers.current.opening = setTimeout(() => change({ opening: false }), OPENING);
  };

  const send = async () => {
    const { game, unsent } = latest.current;
    clearTimeout(timers.current.again);
    if (unsent === null) return;
    try {
      const answer = await post(`/games/${game.id}/moves`, unsent);
      pause.current = FIRST_PAUSE;
      adopt(answer);
      if (latest.current.unsent === unsent) forget();
    } catch (error) {
      if (error instanceof Away || error.status === 429) sendLater();
      else if (error instanceof Problem) await undo(error);
      else throw error;
    }
  };
  const forget = (rejected = null) => {
    kept.remove(keyOf(latest.current.game.id));
    change({ unsent: null, isLate: false, rejected });
  };
  const sendLater = () => {
    change({ isLate: true });
    clearTimeout(timers.current.again);
    timers.current.again = setTimeout(send, pause.current);
    pause.current = Math.min(pause.current * 2, LONGEST_PAUSE);
  };
  /** Placed in another tab, or the duel is over: what the service says holds. */
  const undo = async (error) => {
    const { unsent } = latest.current;
    await refresh();
    if (latest.current.unsent === unsent) forget(error.status === 404 ? null : error.detail);
    if (error.status === 404) change({ how: "gone" });
  };
  const refresh = async () => {
    try {
      adopt(await get(`/games/${latest.current.game.id}`));
    } catch (error) {
      if (!(error instanceof Away || error instanceof Problem)) throw error;
    }
  };

  useEffect(() => {
    const ends = [watchOnline(() => void (isOnline() && latest.current.isLate && send()))];
    if (!latest.current.game.finished) ends.push(follow(`/games/${told.id}`, { event: "game", isLast: (game) => game.finished, show: adopt, now: (how) => change({ how }) }));
    send();
    return () => {
      ends.forEach((end) => end());
      Object.values(timers.current).forEach(clearTimeout);
    };
  }, [told.id]);

  return {
    ...state,
    place: (slot) => {
      const { game, unsent } = latest.current;
      if (unsent !== null || game.roll === null) return;
      const next = { round: game.round, slot };
      kept.set(keyOf(game.id), next);
      change({ unsent: next, rejected: null, fresh: { left: slot, right: null } });
      send();
    },
    sendAgain: send,
    refresh,
  };
}

/** A game with what was placed and not taken when the page was left. */
function first(game) {
  const found = kept.get(keyOf(game.id), null);
  const isDue = found && !game.finished && found.round === game.round && !(String(found.slot) in game.board) && Number.isInteger(found.slot);
  if (found && !isDue) kept.remove(keyOf(game.id));
  return { game, unsent: isDue ? found : null, how: "live", isLate: false, rejected: null, fresh: { left: null, right: null }, opening: false };
}
