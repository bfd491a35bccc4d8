// The bar at the bottom of a phone, beside the board on a desk: what is asked, what the coach says, and the next action.
import { html } from "../html.js";

/**
 * The keys that place a roll, told where there is a keyboard.
 * @param {{places?: boolean, most?: number}} props  places: a digit places at once. most: slots of the game
 */
export function Keys({ places = false, most = 10 }) {
  const digits = most > 9 ? html`<kbd>1</kbd> to <kbd>9</kbd> and <kbd>0</kbd>` : html`<kbd>1</kbd> to <kbd>${most}</kbd>`;
  if (most > 10) return html`<p class="only-desk">Type a slot’s number, then <kbd>Enter</kbd>. <kbd>Esc</kbd> puts back.</p>`;
  if (places) return html`<p class="only-desk">Keys ${digits} place the roll.</p>`;
  return html`<p class="only-desk">Keys ${digits} pick a slot, <kbd>Enter</kbd> places, <kbd>Esc</kbd> puts back.</p>`;
}

/**
 * The action bar. Everything in it is optional.
 * @param {{ask?: any, words?: any, primary?: Action, second?: Action, children?: any}} props
 *   ask: one bold line. words: what the coach or the page says. primary, second: {label, act, href, disabled, busy}.
 * @typedef {{label: any, act?: () => void, href?: string, disabled?: boolean}} Action
 */
export function Actions({ ask, words, primary, second, children }) {
  const buttons = [second && html`<${Button} key="second" ...${second} quiet />`, primary && html`<${Button} key="primary" ...${primary} />`].filter(Boolean);
  return html`<div class="act">
    ${ask && html`<p class="ask" tabindex="-1">${ask}</p>`}
    ${words && html`<p>${words}</p>`}
    ${buttons.length === 2 ? html`<div class="pair">${buttons}</div>` : buttons}
    ${children}
  </div>`;
}

function Button({ label, act, href, disabled = false, quiet = false }) {
  const kind = quiet ? "btn quiet" : "btn";
  return href ? html`<a class=${kind} href=${href} onClick=${act}>${label}</a>` : html`<button type="button" class=${kind} onClick=${act} disabled=${disabled}>${label}</button>`;
}
