// What a screen reader is told while the eye sees it: the roll, a placement, what it cost.
const PAUSE = 50; // ms: a region that is emptied and filled at once is read by nobody

let waiting = 0;

/** Say a text through the polite live region; the last one wins. @param {string} text */
export function announce(text) {
  const region = document.getElementById("said");
  if (region === null) return;
  clearTimeout(waiting);
  region.textContent = "";
  waiting = setTimeout(() => {
    region.textContent = text;
  }, PAUSE);
}
