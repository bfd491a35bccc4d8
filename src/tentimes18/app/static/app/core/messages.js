// Messages beside the page, and what a screen reader hears.
// A message is shown until it is dismissed or replaced: a new version, games that were sent.

const changed = new EventTarget();

/** @type {?{text: string, action?: string, act?: () => void}} */
let shown = null;

/** The message that is shown now, or null. */
export const message = () => shown;

/** Show a text, with an action or without. @param {string} text @param {{action?: string, act?: () => void}} [options] */
export function showMessage(text, options = {}) {
  shown = { text, ...options };
  changed.dispatchEvent(new Event("change"));
}

/** Remove the message. */
export function dismiss() {
  shown = null;
  changed.dispatchEvent(new Event("change"));
}

/** Call a function whenever the message changes; returns a function that ends this. @param {() => void} listener */
export function watchMessage(listener) {
  changed.addEventListener("change", listener);
  return () => changed.removeEventListener("change", listener);
}

// What a screen reader hears while the eye sees it: the roll, a placement, its cost, a warning, the end.

const PAUSE = 50; // ms: screen readers skip a region that is emptied and filled at once

let timer = 0;

/** Say a text through the polite live region; the last one wins. @param {string} text */
export function announce(text) {
  const region = document.getElementById("said");
  if (region === null) return;
  clearTimeout(timer);
  region.textContent = "";
  timer = setTimeout(() => {
    region.textContent = text;
  }, PAUSE);
}
