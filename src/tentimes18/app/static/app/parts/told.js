// What the app tells beside the page: above the tabs of a phone, in a corner of a desk.
import { html, useEffect, useState } from "../html.js";
import { told, untell, watchTold } from "../core/told.js";
import { Icon } from "./icons.js";

/** A text, one thing to do about it, and a way to put it away. */
export function Told() {
  const [shown, show] = useState(told);
  useEffect(() => watchTold(() => show(told())), []);
  const act = () => {
    untell();
    shown.act();
  };
  return html`<div class="told" role="status">${shown && html`<div>
    <p>${shown.text}</p>
    ${shown.action && html`<button class="btn small" type="button" onClick=${act}>${shown.action}</button>`}
    <button class="iconbtn" type="button" aria-label="Put away" onClick=${untell}><${Icon} name="close" /></button>
  </div>`}</div>`;
}
