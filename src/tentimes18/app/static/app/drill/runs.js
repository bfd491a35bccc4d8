// The drill as a game: as many right answers as you can in three minutes, or until the third mistake. No question comes twice. The clock runs
// only while a question waits for an answer.
import { html, useEffect, useRef, useState } from "../html.js";
import { kept } from "../core/kept.js";
import { link } from "../core/links.js";
import { texts } from "../texts.js";

const SECONDS = 180;
const MISTAKES = 3;
const LOOK = 200; // ms between two looks at the clock
const BESTS = "drill-best"; // the most right answers, by run and game

/** @typedef {"time" | "mistakes"} Run */

/** @param {string | undefined} text @returns {Run | null} */
export const runOf = (text) => (text === "time" || text === "mistakes" ? text : null);

const keyOf = (run, game) => `${run} ${game.dice} ${game.slots}`;

/** The most right answers of a run so far, or null. @param {Run} run @param {import("../game/game.js").Game} game */
export const bestOf = (run, game) => kept.get(BESTS, {})[keyOf(run, game)] ?? null;

/** Keep a result if it is the best; returns the best before. @param {Run} run @param {import("../game/game.js").Game} game @param {number} right */
export function keepBest(run, game, right) {
  const before = bestOf(run, game);
  if (right > (before ?? -1)) kept.set(BESTS, { ...kept.get(BESTS, {}), [keyOf(run, game)]: right });
  return before;
}

/** Whether a run is over. @param {Run} run @param {{answers: {loss: number}[]}} session @param {number} left  seconds */
export const isRunOver = (run, { answers }, left) => (run === "time" ? left <= 0 : mistakesOf(answers) >= MISTAKES);

const mistakesOf = (answers) => answers.filter(({ loss }) => loss > 0).length;

/** The seconds that are left; they pass only while the clock runs. @param {boolean} isRunning */
export function useClock(isRunning) {
  const [left, show] = useState(SECONDS);
  const last = useRef(0);
  useEffect(() => {
    if (!isRunning) return undefined;
    last.current = performance.now();
    const timer = setInterval(() => {
      const now = performance.now();
      const passed = (now - last.current) / 1000;
      last.current = now;
      show((before) => Math.max(0, before - passed));
    }, LOOK);
    return () => clearInterval(timer);
  }, [isRunning]);
  return left;
}

/** What the tray shows in a run. @param {Run} run @param {{answers: object[], right: number}} session @param {number} left @param {number | null} best */
export function runFigures(run, { answers, right }, left, best) {
  const whole = Math.ceil(left);
  return [
    run === "time" ? { name: texts.runs.left, value: `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}` } : { name: texts.runs.mistakes, value: texts.play.roundOf(mistakesOf(answers), MISTAKES) },
    { name: texts.runs.right, value: String(right) },
    { name: texts.runs.best, value: best === null ? "–" : String(best) },
  ];
}

/** How far a run is, as segments of the strip below the dice. @param {Run} run @param {{answers: object[]}} session @param {number} left */
export const runStrip = (run, { answers }, left) => (run === "time" ? { rounds: SECONDS / 10, round: Math.floor((SECONDS - left) / 10) + 1 } : { rounds: MISTAKES, round: mistakesOf(answers) + 1 });

/** The three ways to drill, at the end of the header. @param {{run: Run | null}} props */
export function Ways({ run }) {
  return html`<nav class="seg ways" aria-label=${texts.runs.ways}>${[[null, texts.runs.ten], ["time", texts.runs.time], ["mistakes", texts.runs.three]].map(([way, label]) => html`<a key=${label} href=${link("drill", { run: way })}
    aria-current=${way === run ? "page" : undefined}>${label}</a>`)}</nav>`;
}

/** Before a run. @param {{run: Run, game: import("../game/game.js").Game, begin: () => void}} props */
export function Intro({ run, game, begin }) {
  const best = bestOf(run, game);
  return html`<div class="page drilled"><section class="hero"><h1>${texts.runs.heads[run]}</h1><p class="lead">${texts.runs.about[run]}</p></section>
    <p class="muted">${texts.runs.rule} ${best === null ? "" : texts.runs.toBeat(best)}</p>
    <div class="row"><button type="button" class="btn" onClick=${begin}>${texts.runs.start}</button></div></div>`;
}

/** The headline of a run that is over. @param {number} right @param {number | null} before  the best before it */
export const runWords = (right, before) => (before === null ? texts.runs.first : right > before ? texts.runs.newBest(right - before) : right === before ? texts.runs.asGood : texts.runs.toBeat(before));
