// What the app tells the player beside the page: a new version, games that were sent. One thing at a time, and it can be
// put away.
const changed = new EventTarget();

/** @type {?{text: string, action?: string, act?: () => void}} */
let shown = null;

/** What is told now, or null. */
export const told = () => shown;

/** Tell a text, with one thing to do about it, or without. @param {string} text @param {{action?: string, act?: () => void}} [options] */
export function tell(text, options = {}) {
  shown = { text, ...options };
  changed.dispatchEvent(new Event("change"));
}

/** Put it away. */
export function untell() {
  shown = null;
  changed.dispatchEvent(new Event("change"));
}

/** Have a function called whenever something else is told; returns what ends it. @param {() => void} listener */
export function watchTold(listener) {
  changed.addEventListener("change", listener);
  return () => changed.removeEventListener("change", listener);
}
