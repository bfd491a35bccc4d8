// The bar at the bottom of a phone, beside the board on a desk: the question, the coach's words, and the next action.
import { html, useEffect, useState } from "../html.js";
import { texts } from "../texts.js";

/**
 * The keys that place a roll, on a desk.
 * @param {{places?: boolean, most?: number}} props  places: a digit places at once. most: slots of the game
 */
export function Keys({ places = false, most = 10 }) {
  const digits = most > 9 ? html`<kbd>1</kbd>${texts.board.keysTo}<kbd>9</kbd>${texts.board.keysAnd}<kbd>0</kbd>` : html`<kbd>1</kbd>${texts.board.keysTo}<kbd>${most}</kbd>`;
  const [words, keys] = most > 10 ? [texts.board.keysLong, ["Enter", "Esc"]] : places ? [texts.board.keysTap, [digits]] : [texts.board.keysArm, [digits, "Enter", "Esc"]];
  const shown = (key) => (typeof key === "string" ? html`<kbd>${key}</kbd>` : key);
  return html`<p class="only-desk keys-line">${words.map((word, place) => html`${word}${place < keys.length && shown(keys[place])}`)}</p>`;
}

/**
 * The action bar. Everything in it is optional.
 * @param {{ask?: any, words?: any, primary?: Action, second?: Action, settled?: boolean, children?: any}} props
 *   ask: one bold line. words: the coach’s or the page’s words. settled: of useSettled. primary, second: {label, act, href, disabled, busy}.
 * @typedef {{label: any, act?: () => void, href?: string, disabled?: boolean}} Action
 */
export function Actions({ ask, words, primary, second, settled = true, children }) {
  const buttons = [second && html`<${Button} key="second" settled=${settled} ...${second} quiet />`, primary && html`<${Button} key="primary" settled=${settled} ...${primary} />`].filter(Boolean);
  return html`<div class="act">
    ${ask && html`<p class="ask" tabindex="-1">${ask}</p>`}
    ${words && html`<p>${words}</p>`}
    ${buttons.length === 2 ? html`<div class="pair">${buttons}</div>` : buttons}
    ${children}
  </div>`;
}

export function Button({ label, act, href, disabled = false, quiet = false, settled = true }) {
  const kind = quiet ? "btn quiet" : "btn";
  return href ? html`<a class=${kind} href=${href} onClick=${act}>${label}</a>` : html`<button type="button" class=${kind} onClick=${settled ? act : undefined} aria-disabled=${settled ? undefined : "true"} disabled=${disabled}>${label}</button>`;
}

const DOUBLE_TAP = 600; // ms in which a second tap belongs to what was there before

/** Whether a view has been there long enough for a tap to be meant for it. */
export function useSettled() {
  const [isSettled, settle] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => settle(true), DOUBLE_TAP);
    return () => clearTimeout(timer);
  }, []);
  return isSettled;
}
