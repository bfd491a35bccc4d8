// The way from a game in play to another one: a button in the header, and a sheet where the next game is picked.
import { html, useEffect, useRef } from "../html.js";
import { Picker } from "./picker.js";

/** @param {{open: () => void}} props */
export function NewGameButton({ open }) {
  return html`<button type="button" class="iconbtn" aria-label="New game" aria-haspopup="dialog" onClick=${open}>
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d="M12 5v14M5 12h14" /></svg></button>`;
}

/**
 * @param {object} props
 * @param {import("./rounds.js").Solo} props.solo  the game on the table
 * @param {boolean} props.isDone  whether it is over
 * @param {{field: string | null, detail: string} | null} props.wrong
 * @param {boolean} props.busy
 * @param {(wanted: {dice: string, slots: string}) => void} props.begin
 * @param {() => void} props.close
 */
export function NewGameSheet({ solo, isDone, wrong, busy, begin, close }) {
  const dialog = useRef(null);
  useEffect(() => dialog.current.showModal(), []);
  const onClick = (event) => event.target === dialog.current && dialog.current.close();
  return html`<dialog class="sheet-up" ref=${dialog} aria-labelledby="new-title" onClose=${close} onClick=${onClick}><div class="stack">
    <h2 id="new-title">New game</h2>
    ${!isDone && html`<p class="muted">${solo.local ? "The game on the table is given up." : "The game on the table stays as it is: History has it."}</p>`}
    <${Picker} last=${{ dice: solo.dice, slots: solo.slots }} wrong=${wrong} busy=${busy} begin=${begin} />
  </div></dialog>`;
}
