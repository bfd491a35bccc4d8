// The lab: any dice and slots, a position in them, where each roll goes, what to expect, and a card to print.
import { html, useEffect, useMemo, useRef, useState } from "../html.js";
import { announce } from "../core/messages.js";
import { link } from "../core/links.js";
import { isStatic, useOnline } from "../core/online.js";
import { CLASSIC, GAMES, allSlots, gameOf, namedGame } from "../game/game.js";
import { canShow } from "../game/distribution.js";
import { LIMITS } from "../game/notation.js";
import { freeSlots, isFinished, place, pointsOf, replay, rollIn, score, start, without } from "../game/position.js";
import { formatMoves, parseMoves } from "../game/record.js";
import { valueOf } from "../game/thresholds.js";
import { Wrong } from "../game/wrong.js";
import { Answer, Cuts, Matrix, StrategyCard, told } from "./lab/answer.js";
import { Outlook, pathOf, toldError, useAnswers } from "./lab/outlook.js";
import { Shell } from "../parts/shell.js";
import { texts } from "../texts.js";

export const title = texts.lab.title;

const COPIED = 2000; // ms that the button says so

/** @param {{query: Record<string, string>}} props */
export default function Page({ query }) {
  const [state, setState] = useState(() => readAddress(query));
  const online = useOnline();
  const { position, roll, target } = state;
  const { game } = position;
  const isOver = isFinished(position);
  const [copied, copy] = useCopy(() => new URL(addressOf(state), location.href).href);
  const targetPaths = target === null || isOver || !online ? [] : [pathOf("target", position, { target: String(target) }), pathOf("advise", position, { aim: `target:${target}`, roll: String(roll) })];
  const { answers, error, isAsking } = useAnswers(targetPaths);
  const played = answers.get(targetPaths[0]) ?? null;
  const chances = answers.get(targetPaths[1]) ?? null;
  const [mark, setMark] = useState(null); // the target that the charts show
  const suggested = useMemo(() => mark ?? Math.round((valueOf(game, allSlots(game)) * 1.09) / 10) * 10, [game, mark]);
  const show = (next, { isNew = true } = {}) => {
    setState(next);
    const address = addressOf(next);
    if (address === location.pathname + location.search) return;
    if (isNew) history.replaceState({ ...history.state, scroll: window.scrollY }, "");
    history[isNew ? "pushState" : "replaceState"](isNew ? {} : history.state, "", address);
  };
  const change = {
    game: (written, isDone) => (isDone ? show(withGame(state, written)) : setState(withGame(state, written))),
    pick: (shown) => show({ ...state, roll: shown }, { isNew: false }),
    aim: (score) => show({ ...state, target: score }, { isNew: false }),
    clear: () => show({ ...state, position: start(game), wrong: {} }),
    toggle: (slot) => {
      const standing = rollIn(position, slot);
      const next = standing === null ? place(position, roll, slot) : without(position, slot);
      announce(standing === null ? texts.lab.saidPlaced(told(roll), game.labels[slot - 1]) : texts.board.slotFree(texts.board.slot(game.labels[slot - 1])));
      show({ ...state, position: next, wrong: {} });
    },
  };
  const isTargeted = target !== null;
  const isBeyond = isTargeted && played?.probability === 0;
  return html`<${Shell}><div class="page lab">
    <h1 class="vh">${texts.lab.title}</h1>
    <${GamePanel} state=${{ ...state, suggested }} change=${change} copy=${copy} copied=${copied} />
    <section class="stack lab-moves" aria-label=${texts.lab.where}>
      <div class="row between"><h2>${texts.lab.where}</h2>
        <p class="s muted">${isTargeted ? texts.lab.keyTarget(told(target)) : texts.lab.key}</p></div>
      ${isOver
        ? html`<p class="lead">${texts.lab.full(told(score(position)))}</p>`
        : html`${isTargeted && !online && html`<p class="note s">${texts.lab.targetAway}</p>`}
          ${isTargeted && error && html`<p class="note bad s" role="alert">${toldError(error)}</p>`}
          ${isTargeted && isAsking && !played && html`<p class="s muted" role="status">${texts.lab.asking(told(target))}</p>`}
          ${isBeyond ? html`<p class="lead" role="status">${texts.lab.beyond(told(target), told(mostOf(position)))}</p>` : html`
          <${Matrix} position=${position} roll=${roll} pick=${change.pick} forTarget=${isTargeted ? (played?.next_move ?? {}) : null} chances=${chances} />
          <${Answer} position=${position} roll=${roll} target=${target} forTarget=${chances} place=${change.toggle} />`}
          ${!isTargeted && html`<${Cuts} position=${position} roll=${roll} pick=${change.pick} />`}`}
    </section>
    <${Outlook} position=${position} target=${target} played=${played} online=${online} suggest=${setMark} />
    <${StrategyCard} game=${game} />
  </div><//>`;
}

/** The most points that a position can still make. */
function mostOf(position) {
  const { support } = position.game.distribution;
  const best = (slot) => Math.max(pointsOf(position.game, support[0], slot), pointsOf(position.game, support.at(-1), slot));
  return freeSlots(position).reduce((sum, slot) => sum + best(slot), score(position));
}

/** A button that copies a text, and what it says. */
function useCopy(text) {
  const [word, setWord] = useState(texts.lab.copyLink);
  const timer = useRef(0);
  useEffect(() => () => clearTimeout(timer.current), []);
  const say = (told) => {
    setWord(told);
    announce(told);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setWord(texts.lab.copyLink), COPIED);
  };
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text());
      say(texts.lab.copied);
    } catch {
      say(texts.lab.inAddress); // no clipboard: plain http, or not allowed
    }
  };
  return [word, copy];
}

// What the lab shows, as its address: /lab?dice=&slots=&board=&roll=&target=, so that it can be shared and gone back to.

/**
 * @typedef {object} LabState
 * @property {{dice: string, slots: string}} written  the fields as written, also where they cannot be read
 * @property {Record<string, string>} wrong  what is wrong with a field, by its name
 * @property {import("../game/position.js").Position} position  of the last game that could be read
 * @property {number} roll  the one that is picked
 * @property {number | null} target  the score to reach, where that is the aim; else the average
 */

/** The state that an address stands for. @param {Record<string, string>} query @returns {LabState} */
function readAddress(query) {
  const written = { dice: query.dice ?? CLASSIC.dice, slots: query.slots ?? CLASSIC.slots };
  const wrong = {};
  const kept = (field, read, instead) => {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof Wrong)) throw error;
      wrong[error.field === "slots" || error.field === "dice" ? error.field : field] = error.words;
      return instead();
    }
  };
  const game = kept("dice", () => gameOf(written.dice, written.slots), () => gameOf());
  const position = kept("board", () => replay(game, parseMoves(query.board ?? "")), () => start(game));
  const target = query.target === undefined || !Number.isFinite(Number(query.target)) ? null : Number(query.target);
  return { written, wrong, position, roll: rollFrom(game, Number(query.roll ?? NaN)), target };
}

/** The address of a state. @param {LabState} state */
function addressOf({ position, roll, target }) {
  const { dice, slots } = position.game;
  return link("lab", {
    dice: dice === CLASSIC.dice ? undefined : dice,
    slots: slots === CLASSIC.slots ? undefined : slots,
    board: formatMoves(position.placements).replaceAll(" ", ",") || undefined,
    roll: roll === rollFrom(position.game, NaN) ? undefined : roll,
    target: target ?? undefined,
  });
}

/** The state with other dice or slots: what still fits stays on the board. @param {LabState} state */
function withGame(state, written) {
  let game;
  try {
    game = gameOf(written.dice, written.slots);
  } catch (error) {
    if (!(error instanceof Wrong)) throw error;
    return { ...state, written, wrong: { [error.field ?? "dice"]: error.words } };
  }
  if (game === state.position.game) return { ...state, written, wrong: {} };
  const { placements } = state.position;
  const fits = ([roll, slot]) => canShow(game.distribution, roll) && slot <= game.size;
  const position = replay(game, game.slots === state.position.game.slots || game.dice === state.position.game.dice ? placements.filter(fits) : []);
  return { ...state, written, wrong: {}, position, roll: rollFrom(game, state.roll), target: state.target };
}

// The roll that was asked for, or the likeliest one that is above the mean: there is most to choose.
function rollFrom(game, roll) {
  if (canShow(game.distribution, roll)) return roll;
  const { support, mean } = game.distribution;
  return support.find((shown) => shown > mean + game.distribution.sd / 2) ?? support.at(-1);
}

// The game and the position of the lab: presets, dice and slots as text or by steps, the small board, the aim.

const SIMPLE_DICE = /^([1-9][0-9]?)d([1-9][0-9]?)$/;

/**
 * @param {object} props
 * @param {LabState} props.state
 * @param {object} props.change  game(written, isDone), pick(roll), toggle(slot), clear(), aim(target)
 * @param {() => void} props.copy
 * @param {string} props.copied  what is said on the button
 */
function GamePanel({ state, change, copy, copied }) {
  const { game } = state.position;
  const preset = namedGame(game);
  return html`<section class="card stack lab-game" aria-label=${texts.lab.game}><h2>${texts.lab.theGame}</h2>
    <div class="field"><label for="lab-preset">${texts.lab.preset}</label>
      <select id="lab-preset" value=${preset?.name ?? ""} onChange=${({ target }) => {
        const found = GAMES.find(({ name }) => name === target.value);
        if (found) change.game({ dice: found.dice, slots: found.slots }, true);
      }}>
        ${!preset && html`<option value="">${texts.lab.own}</option>`}
        ${GAMES.map(({ name, title }) => html`<option key=${name} value=${name}>${title}</option>`)}
      </select></div>
    <${Field} name="dice" title=${texts.lab.dice} state=${state} change=${change} />
    <${DiceSteps} state=${state} change=${change} />
    <${Field} name="slots" title=${texts.lab.slots} state=${state} change=${change} />
    <${SmallBoard} state=${state} change=${change} />
    ${!isStatic && html`<${AimChoice} state=${state} change=${change} />`}
    <button type="button" class="btn quiet" onClick=${copy}>${copied}</button>
  </section>`;
}

/** Dice or slots as text, with an error message below. */
function Field({ name, title, state, change }) {
  const wrong = state.wrong[name];
  const write = (value, isDone) => change.game({ ...state.written, [name]: value }, isDone);
  return html`<div class="field"><label for=${`lab-${name}`}>${title}</label>
    <input class="in" id=${`lab-${name}`} value=${state.written[name]} maxlength=${LIMITS.characters} autocomplete="off" autocapitalize="off" spellcheck=${false}
      aria-invalid=${wrong ? "true" : undefined} aria-describedby=${`lab-${name}-says`}
      onInput=${({ target }) => write(target.value, false)} onChange=${({ target }) => write(target.value, true)} />
    <p id=${`lab-${name}-says`} class=${wrong ? "wrong" : "xs muted hint"} role=${wrong ? "alert" : undefined}>${wrong ?? texts.lab.accepted[name]}</p></div>`;
}

/** Dice of one kind, one more or one less. */
function DiceSteps({ state, change }) {
  const found = SIMPLE_DICE.exec(state.position.game.dice);
  if (!found) return null;
  const [count, sides] = [Number(found[1]), Number(found[2])];
  const set = (n, m) => change.game({ ...state.written, dice: `${n}d${m}` }, true);
  const fits = (n, m) => n >= 1 && m >= 2 && n * (m - 1) + 1 <= LIMITS.rolls && n * Math.log2(m) <= LIMITS.totalBits;
  return html`<div class="lab-steps">
    <${Stepper} what="count" value=${count} less=${fits(count - 1, sides) && (() => set(count - 1, sides))} more=${fits(count + 1, sides) && (() => set(count + 1, sides))} />
    <${Stepper} what="sides" value=${sides} less=${fits(count, sides - 1) && (() => set(count, sides - 1))} more=${fits(count, sides + 1) && (() => set(count, sides + 1))} />
  </div>`;
}

function Stepper({ what, value, less, more }) {
  const { name, fewer, further } = texts.lab.steps[what];
  return html`<div class="row between"><span class="s muted">${name}</span><span class="stepper">
    <button type="button" aria-label=${fewer} disabled=${!less} onClick=${() => less && less()}>−</button><b>${value}</b>
    <button type="button" aria-label=${further} disabled=${!more} onClick=${() => more && more()}>+</button></span></div>`;
}

/** The position: a chip a slot. A free one takes the picked roll, a filled one gives it back. */
function SmallBoard({ state, change }) {
  const { position, roll, wrong } = state;
  const { game } = position;
  const { support } = game.distribution;
  const place = support.indexOf(roll);
  const isFull = freeSlots(position).length === 0;
  return html`<div class="stack tight"><h3>${texts.lab.position}</h3>
    <div class="row between"><span class="s muted">${texts.lab.roll}</span><span class="stepper">
      <button type="button" aria-label=${texts.lab.lower} disabled=${place === 0} onClick=${() => change.pick(support[place - 1])}>−</button><b class="pip" aria-live="polite">${told(roll)}</b>
      <button type="button" aria-label=${texts.lab.higher} disabled=${place === support.length - 1} onClick=${() => change.pick(support[place + 1])}>+</button></span></div>
    <p class="xs muted" id="lab-board-says">${isFull ? texts.lab.chipsFull : texts.lab.chips(told(roll))}</p>
    <ol class="chips lab-chips" style=${{ "--label": Math.max(...game.labels.map((label) => label.length)) }} aria-describedby="lab-board-says">${game.labels.map((label, i) => {
      const standing = rollIn(position, i + 1);
      return html`<li key=${i}><button type="button" class=${standing === null ? "chip" : "chip is-filled"} onClick=${() => change.toggle(i + 1)}
        aria-label=${standing === null ? texts.board.slotFree(texts.board.slot(label)) : texts.lab.holds(label, told(standing))}>
        <span>×${label}</span>${standing !== null && html`<b>${told(standing)}</b>`}</button></li>`;
    })}</ol>
    ${wrong.board && html`<p class="wrong" role="alert">${wrong.board}</p>`}
    <div class="row between so-far"><span class="s muted">${texts.lab.soFar}</span><b>${told(score(position))}</b></div>
    ${position.placements.length > 0 && html`<button type="button" class="btn quiet small" onClick=${change.clear}>${texts.lab.clear}</button>`}
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
  return html`<fieldset class="stack tight"><legend class="lab-legend">${texts.lab.aim}</legend>
    <label class="radio"><input type="radio" name="lab-aim" checked=${target === null} onChange=${() => change.aim(null)} /> ${texts.lab.average}</label>
    <div class="radio"><input type="radio" name="lab-aim" id="lab-aim-target" checked=${target !== null} onChange=${() => change.aim(isScore(shown) ? Number(shown) : state.suggested)} />
      <label for="lab-aim-target">${texts.lab.reach}</label>
      <input class="in num-in" inputmode="decimal" aria-label=${texts.lab.target} value=${shown} maxlength="12" aria-invalid=${isWrong ? "true" : undefined}
        onInput=${({ target: field }) => write(field.value)} onBlur=${() => setText(null)} /></div>
    ${isWrong && html`<p class="wrong" role="alert">${texts.lab.targetWrong}</p>`}
  </fieldset>`;
}

function isScore(text) {
  return /^\s*[+-]?[0-9]{1,9}(\.[0-9]{1,3})?\s*$/.test(text);
}
