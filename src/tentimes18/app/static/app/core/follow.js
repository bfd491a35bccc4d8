// Something of the server as it changes: from its stream of events, and by asking again and again where there is no stream.
import { Away, Problem, apiAddress, get } from "./api.js";

const POLL = 2000; // ms
const POLL_HIDDEN = 10_000; // while the page is not in sight
const PATIENCE = 6000; // ms for a stream to open before the page asks as well
const AGAIN = 60_000; // ms until a stream that was rejected is tried again

/**
 * Follow a game or a group until it is over.
 * @param {string} path  of the API; its events are at PATH/events
 * @param {object} listener
 * @param {string} listener.event  the name of the events
 * @param {(state: object) => boolean} [listener.isLast]  whether nothing follows this state
 * @param {(state: object) => void} listener.show  called with each state
 * @param {(how: "live" | "asking" | "away" | "gone") => void} listener.now  how it is followed
 * @returns {() => void} ends it
 */
export function follow(path, { event, isLast = () => false, show, now }) {
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
  const tell = (state) => {
    if (isOver) return;
    show(state);
    if (isLast(state)) end();
  };
  const poll = async () => {
    clearTimeout(timer);
    try {
      const state = await get(path, { retries: 0 });
      if (isOver || isLive()) return;
      now("asking");
      tell(state);
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
    source = new EventSource(apiAddress(`${path}/events`));
    silence = setTimeout(askMeanwhile, PATIENCE);
    source.addEventListener("open", () => {
      clearTimeout(silence);
      clearTimeout(timer);
      now("live");
    });
    source.addEventListener(event, ({ data }) => tell(JSON.parse(data)));
    source.addEventListener("error", () => {
      if (isOver) return;
      if (source.readyState === EventSource.CLOSED) retry = setTimeout(open, AGAIN); // rejected: the browser does not try again
      askMeanwhile();
    });
  };
  open();
  return end;
}
