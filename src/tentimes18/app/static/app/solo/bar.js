// The bar below the board: before a game, in it, and when the server is away.
import { html, useEffect, useState } from "../html.js";
import { link } from "../core/links.js";
import { isStatic, useOnline } from "../core/online.js";
import { GAMES, gameOf, isClassic, namedGame } from "../game/game.js";
import { Wrong } from "../game/wrong.js";
import { Actions, Keys } from "../parts/actions.js";
import { told } from "../parts/scale.js";
import { Sheet } from "../parts/sheet.js";
import { texts } from "../texts.js";
import { coachWords } from "./words.js";

const COMMON = 2; // games that are always in sight; the others are behind a button
const PATIENCE = 3000; // ms for the next roll, before more is said

/** Before a game: which one, whether it counts, and the first roll. */
export function StartActions({ keeper, last, game, coach, pick, begin }) {
  const online = useOnline();
  const isBusy = keeper.status === "beginning";
  return html`<div class="act start-act">
    <${Picker} last=${last} wrong=${keeper.wrong} busy=${isBusy} pick=${pick} begin=${begin}>
      ${isBusy ? html`<p class="late" role="status">${texts.play.setting}</p>` : html`<p>${countsWords(game, coach, online)}</p>`}
    <//>
  </div>`;
}

/** Whether a game that begins now counts for the rating, and why not. */
function countsWords(game, coach, online) {
  if (isStatic) return "";
  if (!online) return texts.play.away;
  if (!isClassic(game)) return coach === "off" ? texts.play.countsClassic : "";
  return coach === "off" ? texts.play.counts : texts.play.practice;
}

/** In a game. */
export function GameActions({ keeper, game, roll, coach, chosen, placing, advice, armed, warning, commit, putBack }) {
  const { solo, status, note, sendAgain, leave } = keeper;
  if (status === "gone") {
    return html`<${Actions} words=${html`<b>${texts.play.gone}</b> ${texts.play.goneText}`} primary=${{ label: texts.play.newGame, act: leave }} />`;
  }
  if (status === "away") {
    return html`<div class="act"><p class="note" role="status"><b>${texts.play.notSent}</b> ${texts.play.notSentText}</p>
      <button type="button" class="btn quiet" onClick=${sendAgain}>${texts.play.sendAgain}</button></div>`;
  }
  if (roll === null) return html`<${Waiting} />`;
  if (warning) {
    return html`<${Actions} words=${html`<b>${warning.head}</b> <span class="more">${warning.rest}</span>`} second=${{ label: texts.play.placeAnyway, act: () => commit(armed) }}
      primary=${{ label: texts.play.pickAnother, act: putBack }} />`;
  }
  const keys = html`<${Keys} most=${game.size} places=${placing === "tap"} />`;
  if (armed !== null) return html`<${Actions} primary=${{ label: texts.play.place(told(roll), game.labels[armed - 1]), act: () => commit(armed) }}>${keys}<//>`;
  const words = coach === "full" ? coachWords(game, advice) : null;
  return html`<${Actions} ask=${texts.play.ask(told(roll))} words=${words && html`<b>${words.head}</b> ${words.rest}`}>
    ${solo.local && !isStatic && solo.rounds.length === 1 && html`<p role="status">${texts.play.localGame}</p>`}
    ${note === "elsewhere" && html`<p role="status">${texts.play.elsewhere}</p>`}
    ${coach !== chosen && html`<p>${texts.play.ratedGame}</p>`}
    ${keys}
  <//>`;
}

/** Until the next roll is known; where that takes long, a note that the move is safe. */
function Waiting() {
  const [isLong, say] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => say(true), PATIENCE);
    return () => clearTimeout(timer);
  }, []);
  return html`<${Actions} ask=${html`<span class="late">${texts.play.waiting}</span>`}>
    ${isLong && html`<p role="status">${texts.play.waitingLong}</p>`}
  <//>`;
}

// Here the player picks a game: a named one, or any dice and slots. Errors of the server appear at their field.

/**
 * The picker.
 * @param {object} props
 * @param {{dice: string, slots: string}} props.last  the last game, which is picked at first
 * @param {{field: string | null, detail: string} | null} props.wrong  why the last try failed
 * @param {boolean} props.busy
 * @param {(wanted: {dice: string, slots: string}) => void} [props.pick]  called on every change, before the game begins
 * @param {any} [props.children]  shown between the choice and the button
 * @param {(wanted: {dice: string, slots: string}) => void} props.begin
 */
function Picker({ last, wrong, busy, pick, children, begin }) {
  const [name, setName] = useState(namedGame(last)?.name ?? "own");
  const [own, setOwn] = useState({ dice: last.dice, slots: last.slots });
  const named = GAMES.find((game) => game.name === name);
  const [isOpen, open] = useState(GAMES.findIndex((game) => game.name === name) >= COMMON || !named);
  const wantedOf = (game) => ({ dice: game.dice, slots: game.slots });
  const choose = (chosen) => {
    setName(chosen);
    pick?.(wantedOf(GAMES.find((game) => game.name === chosen) ?? own));
  };
  const [isEdited, edit] = useState(false);
  const unreadable = !named && isEdited ? problemOf(own) : null;
  const problem = unreadable ?? (isEdited ? null : wrong);
  const write = (part) => {
    edit(true);
    setOwn({ ...own, ...part });
    pick?.({ ...own, ...part });
  };
  const submit = (event) => {
    event.preventDefault();
    edit(false);
    begin(wantedOf(named ?? own));
  };
  const option = (game) => html`<label key=${game.name}><input type="radio" name="game" value=${game.name} checked=${game.name === name} onChange=${() => choose(game.name)} />${game.short}</label>`;
  return html`<form class="picker" onSubmit=${submit}>
    <fieldset class="games"><legend class="vh">${texts.play.game}</legend>
      <div class="seg">${GAMES.slice(0, COMMON).map(option)}${!isOpen && html`<button type="button" class="more-games" aria-expanded="false" onClick=${() => open(true)}>${texts.first.moreGames}</button>`}</div>
      ${isOpen && html`<div class="seg">${[...GAMES.slice(COMMON), { name: "own", ...texts.games.own }].map(option)}</div>`}
    </fieldset>
    ${named ? html`<p>${named.about} <a href=${link("about")}>${texts.play.rules}</a></p>` : html`<div class="pair own">
      <${OwnField} name="dice" label=${texts.play.dice} hint=${texts.play.diceHint} value=${own.dice} isWrong=${problem !== null && problem.field !== "slots"} write=${write} />
      <${OwnField} name="slots" label=${texts.play.slots} hint=${texts.play.slotsHint} value=${own.slots} isWrong=${problem?.field === "slots"} write=${write} />
    </div>`}
    ${problem && html`<p class="wrong" id="own-wrong" role="alert">${problem.detail}</p>`}
    ${children}
    <button class="btn" disabled=${busy}>${texts.play.roll}</button>
  </form>`;
}

/** What is wrong with dice and slots as they are typed, or null. */
function problemOf({ dice, slots }) {
  try {
    gameOf(dice, slots);
    return null;
  } catch (error) {
    if (!(error instanceof Wrong)) throw error;
    return { field: error.field, detail: error.words };
  }
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

// From a game in play to another one: a button in the header, and a sheet with the picker.

/** @param {{open: () => void}} props */
export function NewGameButton({ open }) {
  return html`<button type="button" class="iconbtn" aria-label=${texts.play.newGame} aria-haspopup="dialog" onClick=${open}>
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
  return html`<${Sheet} id="new-title" title=${texts.play.newGame} close=${close}><div class="stack">
    ${!isDone && html`<p class="muted">${solo.local ? texts.play.leftLocal : texts.play.leftKept}</p>`}
    <${Picker} last=${{ dice: solo.dice, slots: solo.slots }} wrong=${wrong} busy=${busy} begin=${begin} />
  </div><//>`;
}
