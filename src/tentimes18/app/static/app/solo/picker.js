// Where a game is picked: the named ones, or dice and slots of one's own. Errors of the service stand at their field.
import { html, useState } from "../html.js";
import { link } from "../core/links.js";
import { GAMES, namedGame } from "./games.js";

/**
 * The picker.
 * @param {object} props
 * @param {{dice: string, slots: string}} props.last  what was played last: picked at first
 * @param {{field: string | null, detail: string} | null} props.wrong  why the last try was refused
 * @param {boolean} props.busy
 * @param {(wanted: {dice: string, slots: string}) => void} [props.pick]  told of every change, before the game is begun
 * @param {any} [props.children]  what stands between the choice and the button
 * @param {(wanted: {dice: string, slots: string}) => void} props.begin
 */
export function Picker({ last, wrong, busy, pick, children, begin }) {
  const [name, setName] = useState(namedGame(last)?.name ?? "own");
  const [own, setOwn] = useState({ dice: last.dice, slots: last.slots });
  const named = GAMES.find((game) => game.name === name);
  const wantedOf = (game) => ({ dice: game.dice, slots: game.slots });
  const choose = (chosen) => {
    setName(chosen);
    pick?.(wantedOf(GAMES.find((game) => game.name === chosen) ?? own));
  };
  const write = (part) => {
    setOwn({ ...own, ...part });
    pick?.({ ...own, ...part });
  };
  const submit = (event) => {
    event.preventDefault();
    begin(wantedOf(named ?? own));
  };
  return html`<form class="picker" onSubmit=${submit}>
    <fieldset class="games"><legend class="vh">Game</legend><div class="seg">
      ${[...GAMES, { name: "own", short: "Own" }].map((game) => html`<label key=${game.name}>
        <input type="radio" name="game" value=${game.name} checked=${game.name === name} onChange=${() => choose(game.name)} />${game.short}
      </label>`)}
    </div></fieldset>
    ${named ? html`<p>${named.about} <a href=${link("about")}>The rules</a></p>` : html`<div class="pair own">
      <${OwnField} name="dice" label="Dice" hint="3d6, 2d12, 1d20-5" value=${own.dice} isWrong=${wrong !== null && wrong.field !== "slots"} write=${write} />
      <${OwnField} name="slots" label="Slots" hint="1-10, or 1,3,5.5" value=${own.slots} isWrong=${wrong?.field === "slots"} write=${write} />
    </div>`}
    ${wrong && html`<p class="wrong" id="own-wrong" role="alert">${wrong.detail}</p>`}
    ${children}
    <button class="btn" disabled=${busy}>Roll the dice</button>
  </form>`;
}

function OwnField({ name, label, hint, value, isWrong, write }) {
  const id = `own-${name}`;
  return html`<div class="field">
    <label for=${id}>${label}</label>
    <input class="in" id=${id} name=${name} value=${value} maxlength="200" required autocomplete="off" autocapitalize="off" spellcheck=${false}
      aria-invalid=${isWrong ? "true" : undefined} aria-describedby=${isWrong ? "own-wrong" : `${id}-hint`} onInput=${(event) => write({ [name]: event.target.value })} />
    <p id=${`${id}-hint`} class="xs muted">${hint}</p>
  </div>`;
}
