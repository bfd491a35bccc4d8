// The keyboard of a board: digits pick a slot, Enter places, Esc puts back, arrows go from one free slot to the next.
import { useLayoutEffect, useRef } from "../html.js";

const TYPING = 1200; // ms in which a second digit belongs to the first

/**
 * Listen to the keys of a board as long as it is shown.
 * @param {object} board
 * @param {number} board.size  slots
 * @param {(slot: number) => boolean} board.isFree
 * @param {(slot: number) => void} board.pick  a digit was typed
 * @param {(slot: number) => void} board.arm  of a slot that needs two digits: picked, and never placed at once
 * @param {() => void} [board.commit]  Enter
 * @param {() => void} [board.cancel]  Esc
 * @param {Record<string, () => void>} [board.others]  further keys, lower case
 */
export function useBoardKeys(board) {
  const latest = useRef(board);
  latest.current = board;
  useLayoutEffect(() => { // no key is lost between the first sight of the board and an effect after it
    let typed = "";
    let last = 0;
    const listen = (event) => {
      const { size, isFree, pick, arm, commit, cancel, others = {} } = latest.current;
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.repeat || isBusy(event.target)) return;
      const key = event.key.toLowerCase();
      if (/^[0-9]$/.test(key)) {
        typed = size > 10 && event.timeStamp - last < TYPING ? typed + key : key;
        last = event.timeStamp;
        const slot = size > 10 ? Number(typed) : Number(key) || 10;
        if (!isFree(slot)) return;
        event.preventDefault();
        (size > 10 ? arm : pick)(slot);
      } else if (key === "enter" && commit && !isControl(event.target)) {
        event.preventDefault();
        commit();
      } else if (key === "escape" && cancel) {
        cancel();
      } else if (key === "arrowdown" || key === "arrowup") {
        if (step(key === "arrowdown" ? 1 : -1)) event.preventDefault();
      } else if (others[key]) {
        event.preventDefault();
        others[key]();
      }
    };
    window.addEventListener("keydown", listen);
    return () => window.removeEventListener("keydown", listen);
  }, []);
}

/** Where keys mean something else: fields, and anything below an open dialog. */
function isBusy(target) {
  return document.querySelector("dialog[open]") !== null || (target instanceof Element && target.closest("input, select, textarea, [contenteditable]") !== null);
}

/** Where Enter is the element's own. */
function isControl(target) {
  return target instanceof Element && target.closest("a[href], button, summary") !== null;
}

/** The focus goes to the next free slot; from elsewhere to the first one, or the last. */
function step(way) {
  const free = [...document.querySelectorAll("button[data-slot]")];
  if (!free.length) return false;
  const place = free.indexOf(document.activeElement);
  const next = place < 0 ? (way > 0 ? 0 : free.length - 1) : Math.min(free.length - 1, Math.max(0, place + way));
  free[next].focus();
  return true;
}
