// The one who keeps a solo game: shows it at once, sends what is placed, keeps it here until the service has it, and follows
// what happens in another tab. The page sees one plain state and a few actions.
import { useEffect, useRef, useState } from "../html.js";
import { Away, Problem, get, post } from "../core/api.js";
import { kept } from "../core/kept.js";
import { isOnline, watchOnline } from "../core/online.js";
import { outbox } from "../core/outbox.js";
import { Wrong } from "../game/wrong.js";
import { keepFinished } from "./finished.js";
import { beginHere, fromService, isOver, isSolo, placed } from "./rounds.js";

const KEY = "solo";
const FIRST_PAUSE = 2000; // ms, before an unsent placement is tried again; twice as long each time
const LONGEST_PAUSE = 30000;

/**
 * @typedef {object} State
 * @property {import("./rounds.js").Solo | null} solo  none: nothing is begun
 * @property {"idle" | "beginning" | "ready" | "sending" | "away" | "gone"} status
 *   away: a placement waits here for the service. gone: the service does not know the game
 * @property {{field: string | null, detail: string} | null} wrong  why a game could not be begun
 * @property {"elsewhere" | null} note  the round was placed in another tab first
 * @property {number | null} fresh  the slot that was filled last, since the page is open
 */

/** What storage holds under a key, checked. @returns {import("./rounds.js").Solo | null} */
function stored(key) {
  const found = kept.get(key, null);
  return isSolo(found) ? found : null;
}

/**
 * The game on the table.
 * @param {object | null} told  a Game of the API to go on with, instead of the one that is kept
 * @param {string} key  under which it is kept on this device: the daily game has another than the one of Play
 * @returns {State & {begin: (wanted: {dice: string, slots: string, coach: string}) => void, place: (slot: number) => void, sendAgain: () => void, leave: () => void}}
 */
export function useSolo(told = null, key = KEY) {
  const [state, show] = useState(() => first(told, key));
  const latest = useRef(state);
  const pause = useRef(FIRST_PAUSE);

  const change = (part) => {
    latest.current = { ...latest.current, ...part };
    if ("solo" in part) keep(part.solo, key);
    show(latest.current);
  };

  /** What the service told of a game goes on the table, unless another one lies there by now. */
  const adopt = (answer, part = {}) => {
    const { solo } = latest.current;
    if (solo?.id !== answer.id) return;
    const next = fromService(answer, solo);
    change({ solo: next, status: next.unsent ? "away" : "ready", ...part });
  };

  const send = async () => {
    const { solo } = latest.current;
    if (!solo?.unsent) return;
    change({ status: "sending" });
    const { slot } = solo.rounds.at(-1);
    try {
      const answer = await post(`/games/${solo.id}/moves`, { round: solo.rounds.length, slot });
      pause.current = FIRST_PAUSE;
      adopt(answer);
    } catch (error) {
      await settle(error, solo, change, latest, adopt);
    }
  };

  const refresh = async () => {
    const { solo } = latest.current;
    if (!solo || solo.local || isOver(solo)) return;
    if (solo.unsent) {
      await send();
      return;
    }
    try {
      adopt(await get(`/games/${solo.id}`), { fresh: null });
    } catch (error) {
      if (error instanceof Problem && error.status === 404 && latest.current.solo?.id === solo.id) change({ status: "gone" });
      else if (!(error instanceof Away || error instanceof Problem)) throw error;
    }
  };

  useEffect(() => {
    if (!told) refresh();
    const follow = () => {
      const found = stored(key);
      if (JSON.stringify(found) === JSON.stringify(latest.current.solo) || latest.current.status === "sending") return;
      latest.current = { ...latest.current, solo: found, status: found ? "ready" : "idle", fresh: null };
      show(latest.current);
    };
    const back = () => void (isOnline() && latest.current.status === "away" && send());
    const ends = [kept.watch(key, follow), watchOnline(back)];
    return () => ends.forEach((end) => end());
  }, []);

  useEffect(() => {
    // Away, or placed in another tab, which may have been closed before the service had it.
    if (!state.solo?.unsent || (state.status !== "away" && state.status !== "ready")) return undefined;
    const timer = setTimeout(send, pause.current);
    pause.current = Math.min(pause.current * 2, LONGEST_PAUSE);
    return () => clearTimeout(timer);
  }, [state.status, state.solo]);

  return {
    ...state,
    begin: (wanted) => begin(wanted, change, latest.current.solo),
    place: (slot) => {
      const next = placed(latest.current.solo, slot);
      change({ solo: next, status: next.unsent ? "sending" : "ready", fresh: slot, note: null });
      if (next.unsent) send();
    },
    sendAgain: send,
    leave: () => change({ solo: null, status: "idle", wrong: null, note: null, fresh: null }),
  };
}

function first(told, key) {
  const known = stored(key);
  const solo = told ? fromService(told, known) : known;
  if (told) kept.set(key, solo);
  return { solo, status: solo ? (solo.unsent ? "away" : "ready") : "idle", wrong: null, note: null, fresh: null };
}

/** Keep the game here; a finished one also among those that are over. */
function keep(solo, key) {
  if (solo) kept.set(key, solo);
  else kept.remove(key);
  if (solo && isOver(solo)) keepFinished(solo);
}

async function begin(wanted, change, left) {
  change({ status: "beginning", wrong: null, note: null });
  const rejected = (field, detail) => change({ status: left ? (left.unsent ? "away" : "ready") : "idle", wrong: { field, detail } });
  try {
    const solo = await begun(wanted);
    if (left?.unsent) outbox.move(left.id, left.rounds.length, left.rounds.at(-1).slot); // a game that is left is not lost
    change({ solo, status: "ready", fresh: null });
  } catch (error) {
    if (error instanceof Problem) rejected(error.field, error.detail);
    else if (error instanceof Wrong) rejected(error.field, error.words);
    else throw error;
  }
}

/** A new game: of the service, or drawn here where nobody can be asked. */
async function begun(wanted) {
  if (!isOnline()) return beginHere(wanted);
  try {
    return fromService(await post("/games", wanted));
  } catch (error) {
    if (error instanceof Away) return beginHere(wanted);
    throw error;
  }
}

/** A placement that was not taken: it waits, or the round was placed elsewhere, or the game is gone. */
async function settle(error, solo, change, latest, adopt) {
  if (latest.current.solo?.id !== solo.id) return;
  if (error instanceof Away || error.status === 429) change({ status: "away" });
  else if (error instanceof Problem && error.status === 404) change({ status: "gone" });
  else if (error instanceof Problem) {
    try {
      const answer = await get(`/games/${solo.id}`);
      latest.current = { ...latest.current, solo: { ...latest.current.solo, unsent: false } };
      adopt(answer, { note: "elsewhere", fresh: null });
    } catch (again) {
      change({ status: again instanceof Problem && again.status === 404 ? "gone" : "away" });
    }
  } else throw error;
}
