// The guided game: five slots, the first three rolls always the same. One sentence at a time is above the board; no choice is blocked,
// and the end says what was luck and what was choice. It needs no server and is stored nowhere.
import { html, useEffect, useMemo, useRef, useState } from "../html.js";
import { announce } from "../core/messages.js";
import { percent, points, signed } from "../core/format.js";
import { useSetting } from "../core/settings.js";
import { facesOf } from "../game/faces.js";
import { gameOf } from "../game/game.js";
import { drawId, drawRolls } from "../game/distribution.js";
import { boardOf, freeSlots, isFinished, place, score, start } from "../game/position.js";
import { review } from "../game/review.js";
import { advise } from "../game/thresholds.js";
import { Actions, Keys, useSettled } from "../parts/actions.js";
import { Board } from "../parts/board.js";
import { Tray } from "../parts/dice.js";
import { shownCost, told } from "../parts/scale.js";
import { Shell } from "../parts/shell.js";
import { texts } from "../texts.js";
import { useBoardKeys } from "./keys.js";
import { listed, pickedWords, placedWords } from "./words.js";

export const LESSON = Object.freeze({ dice: "3d6", slots: "1-5" });
const FACES = [[1, 3, 1], [6, 3, 4], [2, 4, 3]]; // of the rolls that are always the same
const HIGH = 16; // the roll that the second sentence speaks of

/** The rolls of a guided game: the fixed ones, and the others drawn. */
const newRolls = (game) => [...FACES.map((faces) => faces.reduce((sum, face) => sum + face)), ...drawRolls(game.distribution, game.size - FACES.length)];

/** The chance of at least one roll this high in a number of rolls. @param {import("../game/distribution.js").Distribution} distribution */
export function chanceOfHigh(distribution, roll, rolls) {
  const below = distribution.support.reduce((sum, shown, place) => (shown < roll ? sum + distribution.chances[place] : sum), 0);
  return 1 - below ** rolls;
}

/**
 * What the coach says before a roll is placed, and the slot that the thread leads to.
 * @param {import("../game/position.js").Position} position @param {number} roll
 * @returns {{head: string, rest: string, slot: number | null}}
 */
export function lessonOf(position, roll) {
  const { game, placements } = position;
  const free = freeSlots(position);
  if (placements.length === 0) return { head: texts.guided.low(told(roll)), rest: texts.guided.lowText(points(game.distribution.mean)), slot: free[0] };
  if (placements.length === 1) {
    const rest = texts.guided.waitText(told(HIGH), free.length - 1, percent(chanceOfHigh(game.distribution, HIGH, free.length - 1), 0));
    return { head: texts.guided.wait(game.labels[free.at(-1) - 1], told(HIGH)), rest, slot: free.at(-1) };
  }
  if (placements.length === 2) return { head: texts.guided.yours, rest: texts.guided.yoursText(free.length), slot: null };
  return { head: feedbackOf(position), rest: free.length > 1 ? texts.guided.next(roll, told(roll), free.length) : texts.guided.last, slot: null };
}

/** What the last placement was worth. @param {import("../game/position.js").Position} position */
function feedbackOf({ game, placements }) {
  const [roll, slot] = placements.at(-1);
  const before = placements.slice(0, -1).reduce((board, [placed, where]) => place(board, placed, where), start(game));
  const { bestSlots, bySlot } = advise(before, roll);
  const times = (number) => texts.play.times(game.labels[number - 1]);
  if (bestSlots.includes(slot)) return texts.guided.wasBest(told(roll), times(slot));
  return texts.guided.wasCostly(listed(bestSlots.map(times)), bestSlots.length, times(slot), shownCost(bySlot.get(slot).loss));
}

/** @param {{hasGame: boolean, leave: () => void, playTen: () => void}} props  hasGame: another game is on the table */
export function Guided({ hasGame, leave, playTen }) {
  const [placing] = useSetting("placing");
  const game = useMemo(() => gameOf(LESSON.dice, LESSON.slots), []);
  const [{ rolls, seed, position }, show] = useState(() => ({ rolls: newRolls(game), seed: drawId(), position: start(game) }));
  const [armed, arm] = useState(null);
  const said = useRef("");
  const round = position.placements.length;
  const isDone = isFinished(position);
  const roll = isDone ? null : rolls[round];
  const lesson = isDone ? null : lessonOf(position, roll);
  const commit = (slot) => {
    said.current = placedWords(game, roll, slot, null);
    arm(null);
    show({ rolls, seed, position: place(position, roll, slot) });
  };
  const pick = (slot) => (armed === slot || placing === "tap" ? commit(slot) : arm(slot));
  const again = () => show({ rolls: newRolls(game), seed: drawId(), position: start(game) });
  useBoardKeys({ size: game.size, isFree: (slot) => !isDone && freeSlots(position).includes(slot), pick, arm, commit: armed === null ? undefined : () => commit(armed), cancel: () => arm(null) });
  useEffect(() => {
    if (document.activeElement === document.body) document.querySelector(".say, .ask")?.focus({ preventScroll: true });
    const words = lesson ? `${texts.guided.rolled(told(roll))} ${lesson.head} ${lesson.rest}` : texts.guided.end;
    announce([said.current, words].filter(Boolean).join(" "));
    said.current = "";
  }, [round, seed]);
  useEffect(() => {
    if (armed !== null) announce(pickedWords(game, roll, armed));
  }, [armed]);

  const end = html`<button type="button" class="link" onClick=${leave}>${isDone ? texts.guided.close : texts.guided.skip}</button>`;
  if (isDone) return html`<${Shell} page="play" hasActions end=${end}><h1 class="vh">${texts.guided.title}</h1><${Result} position=${position} hasGame=${hasGame} leave=${leave} playTen=${playTen} again=${again} /><//>`;
  const faces = round < FACES.length ? FACES[round].map((face) => ({ face, sides: 6 })) : facesOf(game.dice, roll, `${seed} ${round}`);
  const figures = [{ name: texts.play.score, value: told(score(position)), count: score(position) }, { name: texts.guided.roll, value: texts.play.roundOf(round + 1, game.size) }, { name: texts.play.freeSlots, value: String(game.size - round) }];
  const ask = round === 0 ? texts.guided.askFirst(game.labels[0], told(roll)) : texts.play.ask(told(roll));
  return html`<${Shell} page="play" hasActions end=${end}>
    <h1 class="vh">${texts.guided.title}</h1>
    <div class="table guided">
      <${Tray} roll=${roll} faces=${faces} turn=${round} figures=${figures} rounds=${game.size} round=${round + 1} />
      <div class="lesson">
        <p class=${lesson.slot === null ? "say" : "say t"} tabindex="-1"><b>${lesson.head}</b> ${lesson.rest}</p>
        <${Board} game=${game} board=${boardOf(position)} roll=${roll} armed=${armed} arming=${placing === "arm"} thread=${lesson.slot} fresh=${position.placements.at(-1)?.[1] ?? null} pick=${pick} />
      </div>
      ${armed === null ? html`<${Actions} ask=${ask}><${Keys} most=${game.size} places=${placing === "tap"} /><//>`
        : html`<${Actions} primary=${{ label: texts.play.place(told(roll), game.labels[armed - 1]), act: () => commit(armed) }}><${Keys} most=${game.size} /><//>`}
    </div>
  <//>`;
}

/** The end of a guided game: the score as par, luck and choices. */
function Result({ position, hasGame, leave, playTen, again }) {
  const { value, luck, loss, score: made, moves } = useMemo(() => review(position), [position]);
  const settled = useSettled();
  const dearest = moves.reduce((most, move) => (move.loss > most.loss ? move : most));
  const times = (slot) => texts.play.times(position.game.labels[slot - 1]);
  useEffect(() => document.querySelector(".guided-end .ask")?.focus({ preventScroll: true }), []);
  return html`<div class="table guided-end flat">
    <section class="felt cloth"><p class="s muted">${texts.guided.made}</p><p class="sum final">${told(made)}</p></section>
    <section class="bill-of-game">
      <h2 class="ask" tabindex="-1">${texts.guided.end}</h2>
      <dl class="bill">
        <div><dt>${texts.guided.par}</dt><dd>${points(value)}</dd></div>
        <div><dt>${texts.guided.luck}</dt><dd class="c-luck">${signed(luck)}</dd></div>
        <div><dt>${texts.guided.choices}</dt><dd class=${loss ? "c-loss" : ""}>${signed(-loss)}</dd></div>
        <div class="total"><dt>${texts.guided.score}</dt><dd>${told(made)}</dd></div>
      </dl>
      <p class="muted">${loss === 0 ? texts.guided.allBest : texts.guided.dearest(told(dearest.roll), times(dearest.slot), shownCost(dearest.loss), listed(dearest.best.map(times)), dearest.best.length)}</p>
    </section>
    <${Board} game=${position.game} board=${boardOf(position)} />
    <${Actions} settled=${settled} second=${{ label: texts.guided.again, act: again }} primary=${hasGame ? { label: texts.guided.back, act: leave } : { label: texts.guided.ten, act: playTen }} />
  </div>`;
}
