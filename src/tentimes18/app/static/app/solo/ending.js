// The end of a game alone: the score and its grade, one true sentence, the player's best and streak, two moves to remember, and how the
// score came about. The grade is exact: the share of the perfect player's games that end below this score.
import { html, useEffect, useMemo, useRef, useState } from "../html.js";
import { announce } from "../core/messages.js";
import { post } from "../core/api.js";
import { copyText } from "../core/copy.js";
import { longDay } from "../core/dates.js";
import { percent, points, signed } from "../core/format.js";
import { link } from "../core/links.js";
import { isOnline, isStatic } from "../core/online.js";
import { useSetting } from "../core/settings.js";
import { playSound } from "../core/sound.js";
import { isClassic, namedGame } from "../game/game.js";
import { place, start } from "../game/position.js";
import { formatRecord, recordOf } from "../game/record.js";
import { review } from "../game/review.js";
import { atLeast, isQuick, quantile, scoreDistribution } from "../game/scores.js";
import { advise } from "../game/thresholds.js";
import { Button, useSettled } from "../parts/actions.js";
import { Curve, useWidth } from "../parts/curve.js";
import { CountUp } from "../parts/dice.js";
import { Icon } from "../parts/icons.js";
import { scaleOf, shownCost, shownSlots, told } from "../parts/scale.js";
import { texts } from "../texts.js";
import { finishedBefore } from "./finished.js";
import { useToday } from "./today.js";
import { WARN_FROM } from "./words.js";

const GRADES = [[0.9, "superb"], [0.75, "great"], [0.5, "strong"], [0.25, "solid"], [0, "tough"]];
const RARE = 0.005; // the least share of perfect games that is shown
const HELD = 3; // rolls for which the largest slot was held open, worth a sentence
const HIGH = 0.9; // of all rolls are below one that is worth holding it for
const MOST_ROWS = 20; // that a small board has room for

/** The share of perfect games that end below a score. @param {import("../game/scores.js").ScoreDistribution} distribution @param {number} score */
export const shareBelow = (distribution, score) => 1 - atLeast(distribution, score);

/** The name of a grade. @param {number} share */
export const gradeOf = (share) => GRADES.find(([least]) => share >= least)[1];

/**
 * The two moves to remember: the best slot that was chosen where the next one was worth least, and the costliest.
 * @param {import("../game/position.js").Position} position @param {{moves: import("../game/review.js").ReviewedMove[]}} measured  by review()
 * @returns {{best: {round: number, roll: number, slot: number, gap: number} | null, costliest: import("../game/review.js").ReviewedMove | null}}
 */
export function twoMoves(position, { moves }) {
  let board = start(position.game);
  let best = null;
  for (const { round, roll, slot, loss } of moves) {
    const next = advise(board, roll).moves.find(({ isBest }) => !isBest);
    if (loss === 0 && next && next.loss > (best?.gap ?? 0)) best = { round, roll, slot, gap: next.loss };
    board = place(board, roll, slot);
  }
  const dearest = moves.reduce((most, move) => (move.loss > most.loss ? move : most));
  return { best, costliest: dearest.loss >= WARN_FROM ? dearest : null };
}

/**
 * One sentence that names something that went well, and is true.
 * @param {import("../game/position.js").Position} position @param {object} measured  by review() @param {number | null} lossBefore  of the last game of this kind
 */
export function praiseOf({ game }, { moves, score, optimal_score: perfect, loss, choices }, lossBefore) {
  if (score > perfect) return texts.ending.praisePerfect(score - perfect);
  if (loss === 0) return texts.ending.praiseAll;
  const top = moves.find(({ slot }) => slot === game.size);
  const share = game.distribution.support.reduce((sum, shown, at) => (shown < top.roll ? sum + game.distribution.chances[at] : sum), 0);
  if (top.loss === 0 && top.round > HELD && share >= HIGH) return texts.ending.praiseHeld(game.labels.at(-1), top.round - 1, top.roll, told(top.roll));
  if (lossBefore !== null && lossBefore - loss >= WARN_FROM) return texts.ending.praiseLess(points(lossBefore - loss));
  const right = moves.filter((move) => move.choice && move.loss === 0).length;
  if (right * 2 >= choices && right > 1) return texts.ending.praiseMost(right, choices);
  return texts.ending.praiseNone(game.size);
}

/** @param {{solo: import("./rounds.js").Solo, position: import("../game/position.js").Position, measured: object, busy: boolean, wrong: object | null, again: () => void}} props */
export function Ending({ solo, position, measured, busy, wrong, again }) {
  const { game } = position;
  const distribution = useDistribution(game);
  const before = useBefore(solo, game);
  const settled = useSettled();
  const head = useRef(null);
  const share = distribution && shareBelow(distribution, measured.score);
  const sentence = before && praiseOf(position, measured, before.lossBefore);
  const kind = texts.ending.kind(namedGame(game)?.title ?? texts.history.ownGame(game.dice, shownSlots(game.slots)), solo.coach !== "off" || solo.local);
  const better = share === null ? parWords(measured) : share < RARE ? texts.ending.rare : null;
  useEffect(() => {
    if (document.activeElement === document.body) head.current?.focus({ preventScroll: true });
    playSound("end");
  }, []);
  useEffect(() => {
    if (sentence && settled) announce([texts.ending.said(told(measured.score)), share !== null && share >= RARE ? texts.ending.saidBetter(percent(share, 0)) : "", sentence].filter(Boolean).join(" "));
  }, [sentence, settled]);
  const record = recordOf(position);
  const reviewed = solo.local ? link("review", { record: formatRecord(record) }) : link("review", { id: solo.id });
  return html`<div class="ended">
    <section class="felt cloth crown" aria-label=${texts.ending.result}>
      <p class="s">${solo.day ? texts.ending.practised(longDay(solo.day)) : kind}</p>
      <div class="head"><p class="num final" tabindex="-1" ref=${head}><span class="vh">${texts.play.finalScore} </span><${CountUp} to=${measured.score} /></p>
        <h2 class="right">${share === null ? "" : texts.ending.grades[gradeOf(share)]}</h2></div>
      <p class="lead">${better ?? html`${texts.ending.better[0]} <b>${percent(share, 0)}</b> ${texts.ending.better[1]}`}</p>
      <${Hill} distribution=${distribution} score=${measured.score} par=${measured.value} share=${share} />
    </section>
    <div class="after">
      <p class="lead praise">${sentence ?? ""}</p>
      <${Facts} score=${measured.score} before=${before} />
      <${TwoMoves} position=${position} measured=${measured} />
      <details class="fold"><summary><div>${texts.ending.how(told(measured.score))}<span>${texts.ending.sum(points(measured.value), signedWords(measured.luck), points(measured.loss))}</span></div><${Icon} name="down" /></summary>
        <dl class="stats"><div><dt>${texts.play.par}</dt><dd>${points(measured.value)}</dd></div><div><dt>${texts.play.luck}</dt><dd>${signed(measured.luck)}</dd></div><div><dt>${texts.play.mistakes}</dt><dd>${signed(-measured.loss)}</dd></div></dl>
        ${solo.ordered && html`<${Curve} game=${game} par=${measured.value} moves=${measured.moves} />`}
      </details>
      <p class="row links"><a class="link" href=${reviewed}>${texts.ending.review}</a>${solo.day && html`<a class="link" href=${link("daily", { day: solo.day })}>${texts.ending.othersDay}</a>`}</p>
    </div>
    <div class="act">
      ${wrong && html`<p class="wrong" role="alert">${wrong.detail}</p>`}
      <div class="pair"><${Share} solo=${solo} record=${record} measured=${measured} share=${share} />
        <${Button} label=${texts.play.again} act=${again} settled=${settled && !busy} /></div>
      <p class="only-desk s">${texts.play.againKey[0]}<kbd>N</kbd>${texts.play.againKey[1]}</p>
    </div>
  </div>`;
}

const signedWords = (luck) => `${luck < 0 ? "−" : "+"} ${texts.ending.luck} ${points(Math.abs(luck))}`;

/** Above, at or below par, where the distribution of the score is too large for the browser. */
function parWords({ score, value }) {
  const over = score - value;
  return Math.abs(over) < 0.5 ? texts.ending.atPar : (over > 0 ? texts.ending.overPar : texts.ending.underPar)(told(Math.round(Math.abs(over))));
}

/** The exact distribution of the perfect player's score, worked out after the first paint; null before, and for very large games. */
function useDistribution(game) {
  const [distribution, show] = useState(null);
  useEffect(() => {
    const timer = setTimeout(() => isQuick(start(game)) && show(scoreDistribution(start(game))), 30);
    return () => clearTimeout(timer);
  }, [game]);
  return distribution;
}

/** The player's earlier games of this kind on this device: the best score, and the cost of the last one. */
function useBefore(solo, game) {
  const [before, show] = useState(null);
  useEffect(() => {
    finishedBefore(solo).then((records) => {
      const same = records.map(({ position }) => position).filter((position) => position.game === game);
      const scores = same.map((position) => review(position).score);
      show({ best: scores.length ? Math.max(...scores) : null, lossBefore: same.length ? review(same[0]).loss : null });
    });
  }, [solo.id]);
  return before;
}

/** The distribution as a hill, lit up to the score. */
function Hill({ distribution, score, par, share }) {
  const [frame, width] = useWidth(358);
  const height = matchMedia("(min-width: 900px)").matches ? 170 : 96;
  const drawn = useMemo(() => distribution && hill(distribution, score, width, height), [distribution, score, width, height]);
  return html`<figure class="hill-frame" ref=${frame}>${drawn && html`<svg width=${width} height=${height + 22} viewBox=${`0 0 ${width} ${height + 22}`} role="img" aria-label=${texts.ending.curve(percent(share, 0), told(score))}>
    <path class="hill-all" d=${drawn.whole} /><path class="hill-below" d=${drawn.below} /><path class="hill-you" d=${`M${drawn.x(score)} 6V${height}`} />
    <text class="you" x=${drawn.x(score) + (drawn.isRight ? -8 : 8)} y="14" text-anchor=${drawn.isRight ? "end" : "start"}>${texts.ending.you(told(score))}</text>
    <text x=${drawn.x(par)} y=${height + 16} text-anchor="middle">${texts.board.curvePar(told(Math.round(par)))}</text>
    ${drawn.ends.map((end) => html`<text key=${end} x=${drawn.x(end)} y=${height + 16} text-anchor="middle">${told(end)}</text>`)}
  </svg>`}</figure>`;
}

const COLUMNS = 60;

function hill(distribution, score, width, height) {
  const [low, high] = [Math.min(quantile(distribution, 0.003), score), Math.max(quantile(distribution, 0.997), score)];
  const reach = (high - low || 1) / 0.96;
  const from = low - reach * 0.02;
  const x = (value) => Math.round(((value - from) / reach) * width * 10) / 10;
  const shares = new Array(COLUMNS).fill(0);
  distribution.scores.forEach((value, at) => {
    const column = Math.floor(((value - from) / reach) * COLUMNS);
    if (column >= 0 && column < COLUMNS) shares[column] += distribution.chances[at];
  });
  const soften = (list) => list.map((_, at) => (2 * list[at] + (list[at - 1] ?? 0) + (list[at + 1] ?? 0)) / 4); // columns hold unequal numbers of scores
  const smooth = soften(soften(soften(shares)));
  const top = Math.max(...smooth);
  const y = (share) => Math.round((height - (share / top) * (height - 24)) * 10) / 10;
  const points = smooth.map((share, at) => [((at + 0.5) / COLUMNS) * width, y(share)]);
  const line = (list) => list.map(([left, up]) => `L${Math.round(left * 10) / 10} ${up}`).join("");
  const cut = x(score);
  const inside = points.filter(([left]) => left <= cut);
  const after = points[inside.length] ?? points.at(-1);
  const ends = [0.05, 0.95].map((part) => quantile(distribution, part)).map((value) => (Math.abs(value) >= 100 ? Math.round(value / 10) * 10 : value));
  return {
    x, isRight: cut > width * 0.68, ends: ends.filter((end) => Math.abs(x(end) - width / 2) > 50),
    whole: `M0 ${height}${line(points)}L${width} ${height}Z`,
    below: `M0 ${height}${line(inside)}L${cut} ${inside.length ? (inside.at(-1)[1] + after[1]) / 2 : height}V${height}Z`,
  };
}

/** The player's best score of this game, and the days in a row. */
function Facts({ score, before }) {
  const today = useToday();
  const best = before?.best ?? null;
  const [head, text] = !before ? ["", ""] : best === null ? texts.ending.first : score > best ? texts.ending.newBest(told(score - best)) : texts.ending.best(told(best), told(best - score));
  return html`<div class=${today ? "duo-facts" : "duo-facts one"}><p class=${best !== null && score > best ? "fact is-new" : "fact"}><${Icon} name="cup" /><b>${head}</b><span>${text}</span></p>
    ${today && (today.streak > 0 ? html`<p class="fact"><${Icon} name="flame" /><b>${texts.ending.days(today.streak)}</b><span>${today.isPlayed ? texts.ending.inARow : texts.ending.notToday}</span></p>`
      : html`<a class="fact" href=${link("daily")}><${Icon} name="daily" /><b>${texts.shell.pages.daily}</b><span>${texts.ending.notToday}</span></a>`)}</div>`;
}

/** Two small boards. */
function TwoMoves({ position, measured }) {
  const { best, costliest } = useMemo(() => twoMoves(position, measured), [position]);
  const times = (slot) => texts.play.times(position.game.labels[slot - 1]);
  return html`<section class="moves" aria-label=${texts.ending.moves}><h2 class="only-desk">${texts.ending.moves}</h2><div class="moves2">
    <article class="card move"><h3>${texts.ending.bestMove}</h3>${best ? html`<${Mini} position=${position} move=${best} label=${texts.ending.board(best.round, told(best.roll), times(best.slot))} />
      <p><b>${texts.ending.move(told(best.roll), times(best.slot))}</b>${texts.ending.gap(shownCost(best.gap))}</p>` : html`<p>${texts.ending.noBest}</p>`}</article>
    <article class="card move"><h3>${texts.ending.costliest}</h3>${costliest ? html`<${Mini} position=${position} move=${costliest} best=${costliest.best[0]} label=${texts.ending.board(costliest.round, told(costliest.roll), times(costliest.slot))} />
      <p><b>${texts.ending.move(told(costliest.roll), times(costliest.slot))}</b>${texts.ending.cost(shownCost(costliest.loss), costliest.best.map(times))}</p>` : html`<p>${texts.ending.noCost}</p>`}</article>
  </div></section>`;
}

const GUTTER = 36;

/** The board when a move was made: older blocks are grey, so that one speaks. `best`: where it belonged, dashed. */
function Mini({ position: { game, placements }, move: { round, roll, slot }, best = null, label }) {
  const [frame, width] = useWidth(140);
  if (game.size > MOST_ROWS) return html`<div ref=${frame}></div>`;
  const scale = scaleOf(game);
  const unit = (width - GUTTER) / scale.span;
  const thick = width > 220 ? 5 : 2.6;
  const gap = Math.min(9, 3 + width / 60);
  let top = 7;
  const rows = game.multipliers.map((multiplier, at) => {
    const row = { slot: at + 1, top, height: Math.max(2, scale.heft(multiplier) * thick) };
    top += row.height + gap;
    return row;
  });
  const before = new Map(placements.slice(0, round - 1).map(([placed, where]) => [where, placed]));
  const bar = (shown, row, kind, over = 0) => html`<rect class=${kind} x=${GUTTER + (Math.min(shown, 0) - scale.low) * unit} y=${row.top - over} width=${Math.max(2, Math.abs(shown) * unit)} height=${row.height + 2 * over} rx="2" />`;
  return html`<div ref=${frame}><svg class="mini" width=${width} height=${top} viewBox=${`0 0 ${width} ${top}`} role="img" aria-label=${label}>
    ${rows.map((row) => html`<g key=${row.slot}><rect class="mb-g" x=${GUTTER} y=${row.top} width=${width - GUTTER} height=${row.height} rx="2" />
      ${before.has(row.slot) && bar(before.get(row.slot), row, "mb-o")}
      ${row.slot === slot && bar(roll, row, best === null ? "mb-n" : "mb-x")}
      ${row.slot === best && bar(roll, row, "mb-w", 1)}
      ${(row.slot === slot || row.slot === best) && html`<text class=${row.slot === best ? "lab is-best" : "lab"} x=${GUTTER - 6} y=${row.top + row.height / 2 + 4} text-anchor="end">${texts.play.times(game.labels[row.slot - 1])}</text>`}</g>`)}
  </svg></div>`;
}

const MARKS = ["🟩", "🟨", "⬛"]; // a best move, one that cost less than a point, one that cost more
const SHOWN = 2500; // ms for which the button says what it has done

/** Hands a text with a link to the phone's share sheet, or copies it. */
function Share({ solo, record, measured, share }) {
  const [done, setDone] = useState("");
  const field = useRef(null);
  const [words, setWords] = useState("");
  useEffect(() => {
    if (!done) return undefined;
    const timer = setTimeout(() => setDone(""), SHOWN);
    return () => clearTimeout(timer);
  }, [done]);
  const act = async () => {
    const url = await address(solo, record);
    const marks = measured.moves.map(({ loss }) => MARKS[loss === 0 ? 0 : loss < WARN_FROM ? 1 : 2]).join("");
    const text = [texts.ending.shared(told(measured.score), share === null || share < RARE ? "" : percent(share, 0)), marks].join("\n");
    setWords(`${text}\n${url}`);
    if (typeof navigator.share === "function" && matchMedia("(pointer: coarse)").matches) {
      try {
        await navigator.share({ text, url });
        return;
      } catch (error) {
        if (error.name === "AbortError") return; // closed by the player
      }
    }
    field.current.value = `${text}\n${url}`;
    const isCopied = await copyText(field.current.value, field.current);
    setDone(isCopied ? texts.daily.copied : texts.daily.copyFailed);
    announce(isCopied ? texts.daily.copied : texts.daily.copyFailed);
  };
  return html`<button type="button" class="btn quiet" onClick=${act}><${Icon} name="share" />${done || texts.ending.share}</button>
    <textarea class="vh" readonly tabindex="-1" aria-hidden="true" value=${words} ref=${field}></textarea>`;
}

async function address(solo, record) {
  const own = () => new URL(link("review", { record: formatRecord(record) }), location.href).href;
  if (solo.local || isStatic || !isOnline()) return own();
  try {
    return new URL(link("review", { id: (await post(`/games/${solo.id}/share`)).code }), location.href).href;
  } catch {
    return own();
  }
}

// The game so far: the curve of what the player was on course for, and the rounds below it.

const MOST_COLUMNS = 10; // that have room for their words

/**
 * @param {{game: import("../game/game.js").Game, measured: {value: number, moves: object[]}, now: {roll: number, worth: number} | null}} props
 */
export function SoFar({ game, measured, now }) {
  return html`<section class="sofar" aria-labelledby="sofar"><h2 id="sofar">${texts.play.soFar}</h2>
    <${Curve} game=${game} par=${measured.value} moves=${measured.moves} now=${now} />
    ${game.size <= MOST_COLUMNS && html`<ol class="strip" aria-hidden="true">
      ${Array.from({ length: game.size }, (_, place) => {
        const move = measured.moves[place];
        if (!move) return html`<li key=${place}>${now && place === measured.moves.length && html`<b>${told(now.roll)}</b><span>?</span>`}</li>`;
        return html`<li key=${place}><b>${told(move.roll)}</b><span>×${game.labels[move.slot - 1]}</span>
          <span class=${move.loss ? "cost" : "cost ok"}>${move.loss ? `−${short(move.loss)}` : "✓"}</span></li>`;
      })}
    </ol>`}
  </section>`;
}

/** A cost in the room of a column: whole points from ten on, and a tenth at least. */
function short(cost) {
  return cost >= 9.95 ? told(Math.round(cost)) : points(Math.max(cost, 0.1));
}
