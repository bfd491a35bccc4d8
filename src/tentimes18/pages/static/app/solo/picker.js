// Where a game is picked: the named ones, or dice and slots of one's own. Errors of the service stand at their field.
import { html, useState } from "../html.js";
import { GAMES, namedGame } from "./games.js";

/**
 * The picker.
 * @param {object} props
 * @param {{dice: string, slots: string}} props.last  what was played last: picked at first
 * @param {{field: string | null, detail: string} | null} props.wrong  why the last try was refused
 * @param {boolean} props.busy
 * @param {any} [props.children]  what stands between the choice and the button
 * @param {(wanted: {dice: string, slots: string}) => void} props.begin
 */
export function Picker({ last, wrong, busy, children, begin }) {
  const [name, setName] = useState(namedGame(last)?.name ?? "own");
  const [own, setOwn] = useState({ dice: last.dice, slots: last.slots });
  const picked = GAMES.find((game) => game.name === name);
  const submit = (event) => {
    event.preventDefault();
    begin(picked ? { dice: picked.dice, slots: picked.slots } : own);
  };
  const field = (key) => ({ value: own[key], wrong: wrong && (wrong.field === key || (key === "dice" && wrong.field !== "slots")) ? wrong.detail : null,
    set: (value) => setOwn({ ...own, [key]: value }) });
  return html`<form class="picker" onSubmit=${submit}>
    <fieldset class="seg games">
      <legend class="vh">Game</legend>
      ${[...GAMES, { name: "own", title: "Own" }].map((game) => html`<label key=${game.name}>
        <input type="radio" name="game" value=${game.name} checked=${game.name === name} onChange=${() => setName(game.name)} />${game.title}
      </label>`)}
    </fieldset>
    ${picked ? html`<p class="muted">${picked.words}</p>` : html`<div class="pair own">
      <${OwnField} name="dice" label="Dice" hint="like 3d6, 2d12 or 1d20-5" ...${field("dice")} />
      <${OwnField} name="slots" label="Slots" hint="like 1-10 or 1,3,5.5" ...${field("slots")} />
    </div>`}
    ${picked && wrong && html`<p class="wrong" role="alert">${wrong.detail}</p>`}
    ${children}
    <button class="btn" disabled=${busy}>Roll the dice</button>
  </form>`;
}

function OwnField({ name, label, hint, value, wrong, set }) {
  const id = `own-${name}`;
  return html`<div class="field">
    <label for=${id}>${label} <span class="xs">${hint}</span></label>
    <input class="in" id=${id} name=${name} value=${value} maxlength="200" required autocomplete="off" autocapitalize="off" spellcheck="false"
      aria-invalid=${wrong ? "true" : undefined} aria-describedby=${wrong ? `${id}-wrong` : undefined} onInput=${(event) => set(event.target.value)} />
    ${wrong && html`<p class="wrong" id=${`${id}-wrong`} role="alert">${wrong}</p>`}
  </div>`;
}
