// The game and the position of the lab: presets, dice and slots as text or by steps, the small board, the aim.
import { html, useState } from "../../html.js";
import { isStatic } from "../../core/online.js";
import { LIMITS } from "../../game/notation.js";
import { freeSlots, rollIn, score } from "../../game/position.js";
import { GAMES, namedGame } from "../../solo/games.js";
import { told } from "./matrix.js";

const SIMPLE_DICE = /^([1-9][0-9]?)d([1-9][0-9]?)$/;
const ACCEPTED = { dice: "3d6, 2d12:12=2, d{1,2,3,5,8}, 4d6kh3, 1d6!, 2d6+1", slots: "1-10, or multipliers like 1,3,5,7/2" };

/**
 * @param {object} props
 * @param {import("./address.js").LabState} props.state
 * @param {object} props.change  game(written, isDone), pick(roll), toggle(slot), clear(), aim(target)
 * @param {() => void} props.copy
 * @param {string} props.copied  what is said on the button
 */
export function GamePanel({ state, change, copy, copied }) {
  const { game } = state.position;
  const preset = namedGame(game);
  return html`<section class="card stack lab-game" aria-label="Game"><h2>The game</h2>
    <div class="field"><label for="lab-preset">Preset</label>
      <select id="lab-preset" value=${preset?.name ?? ""} onChange=${({ target }) => {
        const found = GAMES.find(({ name }) => name === target.value);
        if (found) change.game({ dice: found.dice, slots: found.slots }, true);
      }}>
        ${!preset && html`<option value="">Own game</option>`}
        ${GAMES.map(({ name, title }) => html`<option key=${name} value=${name}>${title}</option>`)}
      </select></div>
    <${Field} name="dice" title="Dice" state=${state} change=${change} />
    <${DiceSteps} state=${state} change=${change} />
    <${Field} name="slots" title="Slots" state=${state} change=${change} />
    <${SmallBoard} state=${state} change=${change} />
    ${!isStatic && html`<${AimChoice} state=${state} change=${change} />`}
    <button type="button" class="btn quiet" onClick=${copy}>${copied}</button>
  </section>`;
}

/** Dice or slots as text; what is wrong with it stands beneath. */
function Field({ name, title, state, change }) {
  const wrong = state.wrong[name];
  const write = (value, isDone) => change.game({ ...state.written, [name]: value }, isDone);
  return html`<div class="field"><label for=${`lab-${name}`}>${title}</label>
    <input class="in" id=${`lab-${name}`} value=${state.written[name]} maxlength=${LIMITS.characters} autocomplete="off" autocapitalize="off" spellcheck=${false}
      aria-invalid=${wrong ? "true" : undefined} aria-describedby=${`lab-${name}-says`}
      onInput=${({ target }) => write(target.value, false)} onChange=${({ target }) => write(target.value, true)} />
    <p id=${`lab-${name}-says`} class=${wrong ? "wrong" : "xs muted hint"} role=${wrong ? "alert" : undefined}>${wrong ?? ACCEPTED[name]}</p></div>`;
}

/** Dice of one kind, one more or one less. */
function DiceSteps({ state, change }) {
  const found = SIMPLE_DICE.exec(state.position.game.dice);
  if (!found) return null;
  const [count, sides] = [Number(found[1]), Number(found[2])];
  const set = (n, m) => change.game({ ...state.written, dice: `${n}d${m}` }, true);
  const fits = (n, m) => n >= 1 && m >= 2 && n * (m - 1) + 1 <= LIMITS.rolls && n * Math.log2(m) <= LIMITS.totalBits;
  return html`<div class="lab-steps">
    <${Stepper} label="How many" what="dice" value=${count} less=${fits(count - 1, sides) && (() => set(count - 1, sides))} more=${fits(count + 1, sides) && (() => set(count + 1, sides))} />
    <${Stepper} label="Sides" what="sides" value=${sides} less=${fits(count, sides - 1) && (() => set(count, sides - 1))} more=${fits(count, sides + 1) && (() => set(count, sides + 1))} />
  </div>`;
}

function Stepper({ label, what, value, less, more }) {
  return html`<div class="row between"><span class="s muted">${label}</span><span class="stepper">
    <button type="button" aria-label=${`Fewer ${what}`} disabled=${!less} onClick=${() => less && less()}>−</button><b>${value}</b>
    <button type="button" aria-label=${`More ${what}`} disabled=${!more} onClick=${() => more && more()}>+</button></span></div>`;
}

/** The position: a chip a slot. A free one takes the picked roll, a filled one gives it back. */
function SmallBoard({ state, change }) {
  const { position, roll, wrong } = state;
  const { game } = position;
  const { support } = game.law;
  const place = support.indexOf(roll);
  const isFull = freeSlots(position).length === 0;
  return html`<div class="stack tight"><h3>The position</h3>
    <div class="row between"><span class="s muted">Roll</span><span class="stepper">
      <button type="button" aria-label="Lower roll" disabled=${place === 0} onClick=${() => change.pick(support[place - 1])}>−</button><b class="pip" aria-live="polite">${told(roll)}</b>
      <button type="button" aria-label="Higher roll" disabled=${place === support.length - 1} onClick=${() => change.pick(support[place + 1])}>+</button></span></div>
    <p class="xs muted" id="lab-board-says">${isFull ? "The board is full. Press a slot to take its roll back." : `Press a slot to put the ${told(roll)} there, a filled one to take it back.`}</p>
    <ol class="chips lab-chips" aria-describedby="lab-board-says">${game.labels.map((label, i) => {
      const standing = rollIn(position, i + 1);
      return html`<li key=${i}><button type="button" class=${standing === null ? "chip" : "chip is-filled"} onClick=${() => change.toggle(i + 1)}
        aria-label=${standing === null ? `Slot times ${label}: free` : `Slot times ${label}: holds ${told(standing)}`}>
        <span>×${label}</span>${standing !== null && html`<b>${told(standing)}</b>`}</button></li>`;
    })}</ol>
    ${wrong.board && html`<p class="wrong" role="alert">${wrong.board}</p>`}
    <div class="row between so-far"><span class="s muted">Points so far</span><b>${told(score(position))}</b></div>
    ${position.placements.length > 0 && html`<button type="button" class="btn quiet small" onClick=${change.clear}>Clear the board</button>`}
  </div>`;
}

/** What is played for: the average, or a score to reach. */
function AimChoice({ state, change }) {
  const [text, setText] = useState(null); // while it is written
  const { target } = state;
  const shown = text ?? String(target ?? state.suggested ?? "");
  const isWrong = target !== null && text !== null && !isScore(text);
  const write = (value) => {
    setText(value);
    if (isScore(value)) change.aim(Number(value));
  };
  return html`<fieldset class="stack tight"><legend class="lab-legend">Aim</legend>
    <label class="radio"><input type="radio" name="lab-aim" checked=${target === null} onChange=${() => change.aim(null)} /> Highest average</label>
    <div class="radio"><input type="radio" name="lab-aim" id="lab-aim-target" checked=${target !== null} onChange=${() => change.aim(isScore(shown) ? Number(shown) : state.suggested)} />
      <label for="lab-aim-target">Reach at least</label>
      <input class="in num-in" inputmode="decimal" aria-label="Target score" value=${shown} maxlength="12" aria-invalid=${isWrong ? "true" : undefined}
        onInput=${({ target: field }) => write(field.value)} onBlur=${() => setText(null)} /></div>
    ${isWrong && html`<p class="wrong" role="alert">A target is a number, such as 700.</p>`}
  </fieldset>`;
}

function isScore(text) {
  return /^\s*[+-]?[0-9]{1,9}(\.[0-9]{1,3})?\s*$/.test(text);
}
