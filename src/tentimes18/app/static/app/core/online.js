// Whether there is a network, and a service behind the app at all.
import { useEffect, useState } from "../html.js";
import { isStatic } from "./links.js";

export { isStatic };

let reached = true; // whether the last request came through: a browser may be online where the service is away
const told = new EventTarget();

/** Whether the service can be asked, as far as is known. */
export const isOnline = () => !isStatic && navigator.onLine && reached;

/** Record whether the last request was answered. @param {boolean} came */
export function noteReached(came) {
  if (came === reached) return;
  reached = came;
  told.dispatchEvent(new Event("change"));
}

/** Have a function called whenever the answer to `isOnline` may have changed; returns what ends it. @param {() => void} listener */
export function watchOnline(listener) {
  const sources = [[window, "online"], [window, "offline"], [told, "change"]];
  for (const [source, event] of sources) source.addEventListener(event, listener);
  return () => sources.forEach(([source, event]) => source.removeEventListener(event, listener));
}

window.addEventListener("online", () => noteReached(true)); // to be tried again

/** Whether the service can be asked. @returns {boolean} */
export function useOnline() {
  const [online, show] = useState(isOnline);
  useEffect(() => {
    const look = () => show(isOnline());
    look();
    return watchOnline(look);
  }, []);
  return online;
}
