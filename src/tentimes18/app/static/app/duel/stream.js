// A game as it changes: told by the service's stream of events, and asked for again and again where there is no stream.
import { Away, Problem, apiAddress, get } from "../core/api.js";

const POLL = 2000; // ms
const POLL_HIDDEN = 10_000; // where nobody looks
const PATIENCE = 6000; // ms for a stream to say something before the game is asked for as well
const AGAIN = 60_000; // ms until a stream is tried anew

/**
 * Follow a game until it is finished.
 * @param {string} id
 * @param {object} listener
 * @param {(game: object) => void} listener.told  a Game, whenever one comes
 * @param {(how: "live" | "asking" | "away" | "gone") => void} listener.now  how it is followed
 * @returns {() => void} ends it
 */
export function follow(id, { told, now }) {
  let source = null;
  let timer = 0;
  let silence = 0;
  let retry = 0;
  let isOver = false;

  const end = () => {
    isOver = true;
    source?.close();
    for (const one of [timer, silence, retry]) clearTimeout(one);
  };
  const tell = (game) => {
    if (isOver) return;
    told(game);
    if (game.finished) end();
  };
  const poll = async () => {
    clearTimeout(timer);
    try {
      const game = await get(`/games/${id}`, { retries: 0 });
      if (isOver || isLive()) return;
      now("asking");
      tell(game);
    } catch (error) {
      if (isOver) return;
      if (error instanceof Problem && error.status === 404) {
        now("gone");
        end();
        return;
      }
      if (!(error instanceof Away || error instanceof Problem)) throw error;
      now("away");
    }
    if (!isOver && !isLive()) timer = setTimeout(poll, document.hidden ? POLL_HIDDEN : POLL);
  };
  const isLive = () => source !== null && source.readyState === EventSource.OPEN;
  const askMeanwhile = () => {
    clearTimeout(silence);
    if (!isOver) poll();
  };
  const open = () => {
    if (isOver || typeof EventSource === "undefined") {
      askMeanwhile();
      return;
    }
    source?.close();
    source = new EventSource(apiAddress(`/games/${id}/events`));
    silence = setTimeout(askMeanwhile, PATIENCE);
    source.addEventListener("open", () => {
      clearTimeout(silence);
      clearTimeout(timer);
      now("live");
    });
    source.addEventListener("game", ({ data }) => tell(JSON.parse(data)));
    source.addEventListener("error", () => {
      if (isOver) return;
      if (source.readyState === EventSource.CLOSED) retry = setTimeout(open, AGAIN); // refused: it does not come back by itself
      askMeanwhile();
    });
  };
  open();
  return end;
}
