// The way from a game in play to another one: a button in the header, and a sheet where the next game is picked.
import { html, useEffect, useRef, useState } from "../html.js";
import { isStatic } from "../core/online.js";
import { Picker } from "./picker.js";

/**
 * @param {object} props
 * @param {import("./rounds.js").Solo} props.solo  the game on the table
 * @param {boolean} props.isDone  whether it is over
 * @param {{field: string | null, detail: string} | null} props.wrong
 * @param {boolean} props.busy
 * @param {(wanted: {dice: string, slots: string}) => void} props.begin
 */
export function NewGame({ solo, isDone, wrong, busy, begin }) {
  const [isOpen, open] = useState(false);
  const dialog = useRef(null);
  useEffect(() => {
    if (isOpen) dialog.current.showModal();
  }, [isOpen]);
  const onClick = (event) => event.target === dialog.current && dialog.current.close();
  return html`<button type="button" class="iconbtn" aria-label="New game" aria-haspopup="dialog" onClick=${() => open(true)}>
      <svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d="M12 5v14M5 12h14" /></svg></button>
    ${isOpen && html`<dialog class="sheet-up stack" ref=${dialog} aria-labelledby="new-title" onClose=${() => open(false)} onClick=${onClick}>
      <h2 id="new-title">New game</h2>
      ${!isDone && html`<p class="muted">${solo.local ? "The game on the table is given up." : `The game on the table stays as it is${isStatic ? "" : ": History has it"}.`}</p>`}
      <${Picker} last=${{ dice: solo.dice, slots: solo.slots }} wrong=${wrong} busy=${busy} begin=${begin} />
    </dialog>`}`;
}
