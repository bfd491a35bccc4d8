// A dialog that rises from the bottom of a phone and is in the middle of a desktop: a title, a button that closes it, and its content.
import { html, useEffect, useRef } from "../html.js";
import { texts } from "../texts.js";
import { Icon } from "./icons.js";

/**
 * @param {{id: string, title: string, kind?: string, close: () => void, children: any}} props  id: of the title. close: called when it is closed,
 *   by its button, Esc, a click beside it, or a link in it
 */
export function Sheet({ id, title, kind = "", close, children }) {
  const dialog = useRef(null);
  useEffect(() => dialog.current.showModal(), []);
  const onClick = (event) => {
    if (event.target === dialog.current || event.target.closest("a")) dialog.current.close();
  };
  return html`<dialog class=${`sheet-up ${kind}`} ref=${dialog} aria-labelledby=${id} onClose=${close} onClick=${onClick}>
    <div class="menu-head"><h2 id=${id}>${title}</h2>
      <button class="iconbtn" type="button" aria-label=${texts.shell.close} onClick=${() => dialog.current.close()}><${Icon} name="close" /></button></div>
    ${children}
  </dialog>`;
}

/**
 * One of a few, as radio buttons.
 * @param {{name: string, legend: string, options: Record<string, string>, value: string, about?: Record<string, string>, choose: (value: string) => void}} props
 *   about: what each option does
 */
export function Choice({ name, legend, options, value, about, choose }) {
  return html`<fieldset class=${about ? "menu-choice stacked" : "menu-choice"}><legend class="s muted">${legend}</legend>
    ${Object.entries(options).map(([option, label]) => html`<label class="radio" key=${option}><input type="radio" name=${name} value=${option}
      checked=${option === value} onChange=${() => choose(option)} />${about ? html`<span><b>${label}</b> <span class="s muted">${about[option]}</span></span>` : label}</label>`)}</fieldset>`;
}
