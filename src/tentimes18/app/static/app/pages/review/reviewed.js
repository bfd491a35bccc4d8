// A reviewed game: a sentence, where the points came from, the curve with its rounds, the moves, one round, and both boards.
import { html, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "../../html.js";
import { announce } from "../../core/messages.js";
import { expected, get, post } from "../../core/api.js";
import { copyText } from "../../core/copy.js";
import { dateOfTag } from "../../core/dates.js";
import { PERCENT, exact2, percent, signed } from "../../core/format.js";
import { go, isFile, isStatic, link } from "../../core/links.js";
import { setting } from "../../core/settings.js";
import { boardOf, freeSlots, replay } from "../../game/position.js";
import { differences, reasonFor } from "../../game/reasons.js";
import { formatMoves, formatRecord, recordToJson } from "../../game/record.js";
import { perfectPlay } from "../../game/review.js";
import { advise } from "../../game/thresholds.js";
import { recordAddress, shortText } from "./links.js";
import { Board } from "../../parts/board.js";
import { railOf, told, shownSlots } from "../../parts/scale.js";
import { Curve } from "../../parts/curve.js";
import { Duo } from "../../parts/duo.js";
import { Icon } from "../../parts/icons.js";
import { Empty } from "../../parts/notes.js";
import { texts } from "../../texts.js";

/** A reviewed game. @param {{reviewed: import("../review.js").Reviewed}} props */
export function Review({ reviewed }) {
  const { found, record } = reviewed;
  const { game } = record.position;
  const unit = unitOf(reviewed);
  const dearest = useMemo(() => found.moves.reduce((most, move) => (move.loss > (most?.loss ?? 0) ? move : most), null), [found]);
  const [at, goTo] = useState(dearest?.round ?? 1);
  const show = useCallback((round) => {
    goTo(round);
    const { roll, slot, loss } = found.moves[round - 1];
    announce(texts.review.announced(round, told(roll), game.labels[slot - 1], loss && unit.amount(loss)));
  }, [found]);
  useArrows(at, found.moves.length, show);
  const scaled = useMemo(() => found.moves.map((move) => ({ ...move, ...timesFactor(move, unit.factor) })), [found]);
  if (!found.moves.length) return html`<div class="page"><h1>${texts.review.title}</h1><${Empty} lead=${texts.review.nothingPlayed} action=${texts.shell.playGame} href=${link("play")} /></div>`;
  return html`<div class="page review">
    <${Summary} reviewed=${reviewed} />
    <section class="stack at-bill" aria-labelledby="bill-title"><h2 id="bill-title">${unit.isChance ? texts.review.chanceFrom : texts.review.pointsFrom}</h2><${Bill} reviewed=${reviewed} /></section>
    <section class="stack at-curve" aria-labelledby="rounds-title"><h2 id="rounds-title">${texts.review.rounds}</h2>
      <p class="s muted">${unit.isChance ? texts.review.chanceCurve : texts.review.pointsCurve}<span class="only-desk"> ${texts.review.stepKeys} <kbd>←</kbd> <kbd>→</kbd></span></p>
      <${Curve} game=${game} par=${found.value * unit.factor} moves=${scaled} size="large" at=${at} shown=${unit.onCurve} ended=${unit.tick} />
      <${Slider} reviewed=${reviewed} at=${at} show=${show} />
    </section>
    <section class="at-step" aria-labelledby="step-title"><div class="stack stays"><h2 id="step-title">${texts.review.round(at)}</h2><${Round} reviewed=${reviewed} at=${at} /></div></section>
    <div class="at-moves"><${Moves} reviewed=${reviewed} at=${at} show=${show} /></div>
    <${Boards} reviewed=${reviewed} dearest=${dearest} />
    <div class="only-phone stack"><${Actions} reviewed=${reviewed} /></div>
  </div>`;
}

function timesFactor({ luck, loss, gift, before, after }, factor) {
  return { luck: luck * factor, loss: loss * factor, gift: gift * factor, before: before * factor, after: after * factor };
}

/** The player's board beside the perfect player's, in a duel also beside the opponent's. */
function Boards({ reviewed, dearest }) {
  const { record, found } = reviewed;
  const { game, placements } = record.position;
  const [isRival, compare] = useState(record.opponent !== null);
  const perfect = useMemo(() => perfectPlay(game, placements.map(([roll]) => roll)), [record]);
  const against = record.tags.against ?? texts.review.opponent;
  const you = reviewed.isShared ? texts.review.thePlayer : texts.review.you;
  const other = isRival ? record.opponent : perfect;
  const score = isRival ? found.opponent_score : found.optimal_score;
  const times = (slot) => `×${game.labels[slot - 1]}`;
  return html`<section class="stack at-boards" aria-labelledby="boards-title">
    <h2 id="boards-title">${texts.review.boards(you, isRival ? against : texts.review.perfectPlayer)}</h2>
    ${record.opponent && html`<div class="seg" role="group" aria-label=${texts.review.whichBoard}><button type="button" aria-pressed=${String(isRival)} onClick=${() => compare(true)}>${against}</button>
      <button type="button" aria-pressed=${String(!isRival)} onClick=${() => compare(false)}>${texts.review.perfectButton}</button></div>`}
    ${score !== null && html`<div class="totals"><span>${capital(you)}<br /><b class="c-ok">${told(found.score)}</b></span><span></span><span>${isRival ? against : texts.review.perfectButton}<br /><b>${told(score)}</b></span></div>`}
    <${Duo} game=${game} slim=${true} kind=${isRival ? "rivals" : "perfect"} left=${{ name: you, board: boardOf(record.position) }}
      right=${{ name: isRival ? against : texts.review.perfectPlayer, board: boardOf(other) }} />
    <p class="s muted">${dearest ? texts.review.costliest(dearest.round, told(dearest.roll), times(dearest.slot), unitOf(reviewed).amount(dearest.loss), dearest.best.map(times)) : texts.review.allBest}</p>
  </section>`;
}

// A reviewed game in a sentence, with its score above it and what can be done with it beside it.

const capital = (text) => text[0].toUpperCase() + text.slice(1);
const AGAIN = { daily: "daily", duel: "duel" };

/**
 * The head of a review.
 * @param {{reviewed: import("../review.js").Reviewed}} props
 */
export function Summary({ reviewed }) {
  const { found, record } = reviewed;
  return html`<section class="hero span">
    <h1 class="num"><span class="vh">${texts.review.title}: </span>${told(found.score)}</h1>
    <div class="stack tight"><p class="lead">${sentences(reviewed)[0]}</p>
      ${sentences(reviewed).slice(1).map((text) => html`<p key=${text} class="muted">${text}</p>`)}
      <p class="s muted">${[record.tags.name, dateOfTag(record.tags.date), gameName(record.position.game), found.finished && found.level && texts.review.level(texts.review.levels[found.level])].filter(Boolean).join(" · ")}</p>
      ${notesOf(reviewed).map((note) => html`<p key=${note} class="s muted">${note}</p>`)}
      ${typeof record.tags.comment === "string" && html`<p class="s said">${record.tags.comment}</p>`}
    </div>
    <div class="actions only-desk"><${Actions} reviewed=${reviewed} /></div>
  </section>`;
}

/** What can be done with a reviewed game. @param {{reviewed: import("../review.js").Reviewed}} props */
function Actions({ reviewed }) {
  const { record, found } = reviewed;
  if (isFile) return html`<div class="row more-actions"><${Download} record=${record} /></div>`;
  return html`<div class="row main-actions">
      <${PlayAgain} record=${record} isShared=${reviewed.isShared} />
      ${found.loss > 0 && html`<a class="btn quiet" href=${link("drill", { record: shortText({ ...record, tags: {} }) })}>${texts.review.drill}</a>`}
    </div>
    <div class="row more-actions"><${CopyLink} reviewed=${reviewed} /><${Download} record=${record} /></div>`;
}

/** Begins another game with the same dice and slots; another daily game or duel begins on its own page. */
function PlayAgain({ record: { tags, position }, isShared }) {
  const [isBusy, setBusy] = useState(false);
  const { dice, slots } = position.game;
  const label = isShared ? texts.shell.playGame : texts.review.playAgain;
  const page = AGAIN[tags.kind];
  if (page || isStatic) return html`<a class="btn" href=${link(page ?? "play")}>${label}</a>`;
  const begin = async () => {
    setBusy(true);
    try {
      go(link("game", { id: (await post("/games", { dice, slots, coach: setting("coach") })).id }));
    } catch (error) {
      expected(error);
      go(link("play"));
    }
  };
  return html`<button type="button" class="btn" disabled=${isBusy} onClick=${begin}>${label}</button>`;
}

/** Copies a link to the review: a short one for a game on the server, otherwise one with the whole game in it. */
function CopyLink({ reviewed: { record, source, code } }) {
  const [state, setState] = useState("");
  const field = useRef(null);
  const [address, setAddress] = useState("");
  const copy = async () => {
    const found = await shareAddress(record, source, code);
    setAddress(found);
    if (await copyText(found, field.current)) {
      setState("copied");
      announce(texts.review.linkCopied);
    } else setState("failed"); // the link is shown, to copy by hand
  };
  return html`<button type="button" class="link s" onClick=${copy}>${state === "copied" ? texts.review.linkCopied : texts.review.copyLink}</button>
    <input class=${state === "failed" ? "in" : "vh"} readonly tabindex=${state === "failed" ? 0 : -1} aria-hidden=${state === "failed" ? undefined : "true"} value=${address} aria-label=${texts.review.link} ref=${field} onFocus=${({ target }) => target.select()} />`;
}

async function shareAddress(record, source, code) {
  if (code) return new URL(link("review", { id: code }), location.href).href;
  if (!source) return recordAddress(record);
  try {
    return new URL(link("review", { id: (await post(`/games/${source.id}/share`)).code }), location.href).href;
  } catch (error) {
    expected(error);
    return recordAddress(record);
  }
}

function Download({ record }) {
  const save = () => {
    const text = `${JSON.stringify(recordToJson(record))}\n`;
    const address = URL.createObjectURL(new Blob([text], { type: "application/x-ndjson" }));
    const anchor = Object.assign(document.createElement("a"), { href: address, download: `ten18-${record.tags.id ?? record.tags.day ?? "game"}.ndjson` });
    anchor.click();
    URL.revokeObjectURL(address);
  };
  return html`<button type="button" class="link s" onClick=${save} title=${formatRecord({ ...record, tags: {} })}>${texts.review.download}</button>`;
}

/** The game in a few sentences. @returns {string[]} */
function sentences(reviewed) {
  const { found, record, isShared } = reviewed;
  const unit = unitOf(reviewed);
  const { game } = record.position;
  const result = resultOf(reviewed);
  const against = record.tags.against ?? texts.review.opponent;
  const isSurplus = found.finished && found.optimal_score !== null && found.score > found.optimal_score;
  const luck = Math.abs(found.luck) < 0.005 / unit.factor ? "" : unit.signed(found.luck);
  return [
    result && texts.review.results[result](isShared, against, told(found.score), told(found.opponent_score)),
    texts.review.diceAndMoves(isShared, luck, found.luck > 0, found.loss ? unit.amount(found.loss) : ""),
    !found.finished && (unit.isChance ? texts.review.soFarChance : texts.review.soFar)(found.moves.length, game.size, unit.worth(found.moves.at(-1).after)),
    isSurplus && texts.review.surplus(told(found.score - found.optimal_score)),
    Number.isFinite(found.percentile) && texts.review.percentile(percent(found.percentile), told(found.score)),
  ].filter(Boolean);
}

/** Of a duel to the end: who won. */
function resultOf({ found, record }) {
  if (!record.opponent || !found.finished) return null;
  return found.score > found.opponent_score ? "won" : found.score < found.opponent_score ? "lost" : "drawn";
}

/** What a reader has to know about the numbers. */
function notesOf({ found, isHere }) {
  const { aim, played_for: playedFor, takebacks } = found;
  return [
    takebacks && texts.review.takebacks(takebacks),
    playedFor !== aim && playedFor !== "mean" && (isHere ? texts.review.playedForAway : texts.review.playedFor)(String(playedFor).slice(0, 60)),
    aim === "duel" && texts.review.byDuel,
    aim.startsWith("duel:") && texts.review.byDuelAgainst(aim.slice(5)),
    aim.startsWith("target:") && texts.review.byTarget(aim.slice(7)),
  ].filter(Boolean);
}

/** @param {import("../../game/game.js").Game} game */
function gameName({ dice, slots }) {
  const cut = (text) => (text.length > 24 ? `${text.slice(0, 22)}…` : text);
  return texts.review.game(cut(dice), cut(shownSlots(slots)));
}

// Where the points came from, as a bill: par + luck − mistakes = score, on one scale, and other scores on the same rolls.

const STEPS = [1, 2, 5, 10, 20];
const MOST_TICKS = 6;
const THINNEST = 0.6; // percent of the scale

/**
 * The bill.
 * @param {{reviewed: import("../review.js").Reviewed}} props
 */
function Bill({ reviewed }) {
  const unit = unitOf(reviewed);
  const rows = rowsOf(reviewed, unit);
  const ticks = ticksOf(rows.flatMap(({ from, to }) => [from, to]), unit.bounds);
  return html`<ol class="ledger">
    ${rows.map((row) => html`<${Row} key=${row.name} row=${row} ticks=${ticks} />`)}
    <li class="ref scale" aria-hidden="true"><span class="only-desk"></span><span class="only-desk"></span><svg aria-hidden="true" focusable="false">
      ${ticks.map((tick) => html`<text key=${tick} x=${at(tick, ticks)} y="14" text-anchor=${anchor(tick, ticks)}>${unit.tick(tick)}</text>`)}
    </svg></li>
  </ol>`;
}

function Row({ row: { name, text, kind, from, to }, ticks }) {
  const [left, right] = [Math.min(from, to), Math.max(from, to)];
  const width = Math.max(share(right, ticks) - share(left, ticks), from === to ? 0 : THINNEST);
  return html`<li class=${kind === "you" ? "total" : kind === "ref" ? "ref" : ""}>
    <span>${name}</span><b class=${COLOURS[kind] ?? ""}>${text}</b>
    <svg aria-hidden="true" focusable="false">
      ${ticks.map((tick) => html`<line key=${tick} class="rule" x1=${at(tick, ticks)} x2=${at(tick, ticks)} y1="0" y2="100%" />`)}
      ${kind in COLOURS ? html`<rect class=${`k-${kind}`} x=${at(left, ticks)} width=${`${width.toFixed(2)}%`} y="20%" height="60%" rx="2" />`
        : html`<circle class=${`k-${kind}`} cx=${at(from, ticks)} cy="50%" r="6" />`}
    </svg>
  </li>`;
}

const COLOURS = { luck: "c-luck", loss: "c-loss", gift: "c-rival" };

/** The lines of the bill; `from` and `to` as people read them, in points or percent. */
function rowsOf({ found, record }, unit) {
  const { value, luck, loss, gift, finished, score } = found;
  const end = found.moves.at(-1)?.after ?? value;
  const scaled = (x) => x * unit.factor;
  const line = (name, text, kind, from, to = from) => ({ name, text, kind, from: scaled(from), to: scaled(to) });
  const isScore = finished && !unit.isChance;
  const rows = [
    line(unit.isChance ? texts.review.chanceAtStart : texts.review.par, unit.worth(value), "par", value),
    line(texts.review.luck, unit.signed(luck), "luck", value, value + luck),
    line(texts.review.mistakes, unit.signed(-loss), "loss", value + luck, value + luck - loss),
    ...(gift ? [line(texts.review.givenBy(record.tags.against ?? texts.review.opponent), unit.signed(gift), "gift", value + luck - loss, end)] : []),
    line(isScore ? texts.review.score : unit.isChance ? texts.review.chanceAtEnd : texts.review.expectedScore, isScore ? told(score) : unit.worth(end), "you", end),
  ];
  if (!unit.isChance && found.optimal_score !== null) {
    rows.push(line(texts.review.perfectScore, told(found.optimal_score), "ref", found.optimal_score));
    rows.push(line(texts.review.bestScore, told(found.best_score), "ref", found.best_score));
  }
  return rows;
}

/** Round numbers from below the least to above the most, within what is possible. */
function ticksOf(places, [least, most]) {
  const [low, high] = [Math.min(...places), Math.max(...places)];
  const reach = high - low || 1;
  const power = 10 ** Math.floor(Math.log10(reach / MOST_TICKS));
  const step = power * STEPS.find((round) => (reach * 1.08) / (round * power) <= MOST_TICKS);
  const ticks = [];
  const first = Math.floor((low - reach * 0.04) / step);
  const last = Math.ceil((high + reach * 0.04) / step);
  for (let place = first; place <= last; place += 1) ticks.push(Number((place * step).toPrecision(12)));
  return ticks.filter((tick) => tick >= least && tick <= most);
}

const share = (place, ticks) => (100 * (place - ticks[0])) / (ticks.at(-1) - ticks[0]);
const at = (place, ticks) => `${share(place, ticks).toFixed(2)}%`;
const anchor = (tick, ticks) => (tick === ticks[0] ? "start" : tick === ticks.at(-1) ? "end" : "middle");

// The moves of a reviewed game: columns under the curve on a desk, a table on a phone. A press shows the board of a round.

const MOST_COLUMNS = 12; // rounds that fit side by side
const BAR = 56; // pixels of the drawing of luck

/**
 * All moves.
 * @param {{reviewed: import("../review.js").Reviewed, at: number, show: (round: number) => void}} props
 */
export function Moves({ reviewed, at, show }) {
  const isWide = reviewed.record.position.game.size <= MOST_COLUMNS;
  return html`${isWide && html`<${Columns} reviewed=${reviewed} at=${at} show=${show} />`}
    <${Rows} reviewed=${reviewed} at=${at} show=${show} kind=${isWide ? "moves only-phone" : "moves"} />`;
}

/** The cells of each move: a column of one table, a row of the other. Chances are written without the percent sign. */
function partsOf({ record, found, isShared, ...rest }) {
  const unit = unitOf(rest);
  const { labels } = record.position.game;
  const times = (slot) => `×${labels[slot - 1]}`;
  const their = record.tags.against ?? texts.review.theirs;
  const sign = unit.isChance ? ", %" : "";
  const bare = (text) => text.replace(PERCENT, "");
  return [
    [isShared ? texts.review.slot : texts.review.yourSlot, ({ slot }) => html`<b>${times(slot)}</b>`],
    [texts.review.best, (move) => (move.best.includes(move.slot) ? html`<span class="muted">${texts.review.same}</span>` : bestText(move.best, times))],
    ...(record.opponent ? [[their, ({ round }) => times(record.opponent.placements[round - 1][1])]] : []),
    [`${texts.review.luck}${sign}`, ({ luck }) => html`<span class="c-luck">${bare(unit.signed(luck))}</span>`],
    ...(found.gift ? [[`${texts.review.gift}${sign}`, ({ gift }) => html`<span class="c-rival">${bare(unit.signed(gift))}</span>`]] : []),
    [`${texts.review.cost}${sign}`, ({ loss }) => html`<${Cost} text=${loss ? `−${bare(unit.amount(loss))}` : ""} />`],
  ];
}

function bestText(best, times) {
  return best.length > 2 ? `${times(best[0])}…` : best.map(times).join(" ");
}

function Cost({ text }) {
  if (!text) return html`<b class="cost ok"><span aria-hidden="true">✓</span><span class="vh">${texts.review.none}</span></b>`;
  return html`<b class="cost">${text}</b>`;
}

function Columns({ reviewed, at, show }) {
  const { found, record } = reviewed;
  const empty = record.position.game.size - found.moves.length;
  return html`<div class="under only-desk"><table class="columns" aria-label=${texts.review.moves} style=${{ "--rounds": record.position.game.size }}>
    <tbody><tr><th scope="row">${texts.review.roll}</th>${found.moves.map(({ round, roll }) => html`<td key=${round} class=${round === at ? "is-now" : ""}>
      <${Turn} round=${round} roll=${roll} at=${at} show=${show} /></td>`)}${rest(empty)}</tr>
    ${partsOf(reviewed).map(([name, cell]) => html`<tr key=${name}><th scope="row">${name}</th>
      ${found.moves.map((move) => html`<td key=${move.round} class=${move.round === at ? "is-now" : ""}>${cell(move)}</td>`)}${rest(empty)}</tr>`)}</tbody>
  </table></div>`;
}

const rest = (empty) => html`${Array.from({ length: empty }, (_, place) => html`<td key=${`empty ${place}`}></td>`)}<td class="end"></td>`;

function Turn({ round, roll, at, show }) {
  return html`<button type="button" class="turn" aria-label=${texts.review.turn(round, told(roll))} aria-pressed=${String(round === at)}
    onClick=${() => show(round)}><span class="pip">${told(roll)}</span></button>`;
}

function Rows({ reviewed, at, show, kind }) {
  const { found, record } = reviewed;
  const most = Math.max(...found.moves.map(({ luck }) => Math.abs(luck))) || 1;
  const parts = partsOf(reviewed);
  return html`<div class="scroll-x"><table class=${kind} aria-label=${texts.review.moves}>
    <thead><tr><th scope="col">${texts.review.roundHead}</th><th scope="col">${texts.review.roll}</th>${parts.map(([name]) => html`<th key=${name} scope="col" class=${name === texts.review.luck && !record.opponent ? "barred" : ""}>${name}</th>`)}</tr></thead>
    <tbody>${found.moves.map((move) => html`<tr key=${move.round} class=${move.round === at ? "is-now" : ""}>
      <th scope="row">${move.round}</th>
      <td><${Turn} round=${move.round} roll=${move.roll} at=${at} show=${show} /></td>
      ${parts.map(([name, cell]) => html`<td key=${name}>${cell(move)}${name === texts.review.luck && !record.opponent && html`<${LuckBar} share=${move.luck / most} />`}</td>`)}
    </tr>`)}</tbody>
  </table></div>`;
}

function LuckBar({ share }) {
  const width = (Math.abs(share) * BAR) / 2;
  return html`<svg width=${BAR} height="12" aria-hidden="true" focusable="false"><path class="rule" d=${`M${BAR / 2} 0V12`} />
    <rect class="k-luck" x=${share < 0 ? BAR / 2 - width : BAR / 2} y="1" width=${width} height="10" rx="1" /></svg>`;
}

// One round: the board before the move, what every free slot was worth, and the slot that was chosen. A slider and the
// arrow keys go from round to round.

const PERCENT_RAIL = 10;

/**
 * The slider, with a step back and a step on.
 * @param {{reviewed: import("../review.js").Reviewed, at: number, show: (round: number) => void}} props
 */
function Slider({ reviewed, at, show }) {
  const { moves } = reviewed.found;
  const { roll, slot } = moves[at - 1];
  const label = reviewed.record.position.game.labels[slot - 1];
  return html`<div class="under"><div class="slider" style=${{ "--rounds": reviewed.record.position.game.size, "--played": moves.length }}>
    <button type="button" class="iconbtn key" aria-label=${texts.review.previousRound} disabled=${at === 1} onClick=${() => show(at - 1)}><${Icon} name="back" /></button>
    <input type="range" min="1" max=${moves.length} step="1" value=${at} aria-label=${texts.review.roundHead}
      aria-valuetext=${texts.review.slider(at, moves.length, told(roll), label)} onInput=${({ target }) => show(Number(target.value))} />
    <button type="button" class="iconbtn key" aria-label=${texts.review.nextRound} disabled=${at === moves.length} onClick=${() => show(at + 1)}><${Icon} name="on" /></button>
  </div></div>`;
}

/** Arrow keys, Home and End go from round to round, wherever the focus is but in a field. @param {number} at @param {number} last @param {(round: number) => void} show */
function useArrows(at, last, show) {
  useLayoutEffect(() => {
    const onKey = (event) => {
      const isPlain = !event.metaKey && !event.ctrlKey && !event.altKey && !event.shiftKey && !event.defaultPrevented;
      const goal = { ArrowLeft: at - 1, ArrowRight: at + 1 }[event.key];
      if (!isPlain || goal === undefined || event.target.closest?.("input, textarea, select, dialog, [role=slider]")) return;
      event.preventDefault();
      show(Math.min(last, Math.max(1, goal)));
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [at, last, show]);
}

/**
 * The board of one round.
 * @param {{reviewed: import("../review.js").Reviewed, at: number}} props
 */
export function Round({ reviewed, at }) {
  const { record, found } = reviewed;
  const { game, placements } = record.position;
  const move = found.moves[at - 1];
  const before = useMemo(() => replay(game, placements.slice(0, at - 1)), [record, at]);
  const advice = useAdvice(reviewed, before, at);
  return html`<div class="stack round">
    <p class="asked"><span class="pip">${told(move.roll)}</span> <span>${moveSentences(reviewed, at)}</span></p>
    ${advice && !reviewed.isChance && at < game.size && html`<p class="s muted">${reasonFor(game, freeSlots(before), move.roll, (slot) => `×${game.labels[slot - 1]}`)}</p>`}
    ${advice && reviewed.isChance && html`<p class="s muted">${texts.review.inPercent}</p>`}
    <${Board} game=${game} board=${boardOf(before)} roll=${move.roll} armed=${move.slot} wrong=${move.loss ? move.slot : null}
      advice=${advice} rail=${reviewed.isChance ? PERCENT_RAIL : railOf(game)} digits=${2} locked=${true} />
    ${!reviewed.isChance && move.loss > 0 && html`<${Why} game=${game} free=${freeSlots(before)} move=${move} isShared=${reviewed.isShared} />`}
  </div>`;
}

/** What every free slot can expect after this move and after the best one; the differences add up to the cost. */
function Why({ game, free, move, isShared }) {
  const [best] = move.best;
  const times = (slot) => `×${game.labels[slot - 1]}`;
  const rolled = (is) => (is ? html`<b>${told(move.roll)}</b>` : null);
  const difference = (points) => html`<b class=${points < 0 ? "cost" : points > 0 ? "cost ok" : "muted"}>${signed(points, 2)}</b>`;
  return html`<details class="why"><summary>${texts.review.why}</summary>
    <p class="s muted">${texts.review.whyText}</p>
    <table><caption class="vh">${texts.review.whyCaption}</caption>
      <thead><tr><th scope="col">${texts.review.slot}</th><th scope="col">${texts.review.after(times(move.slot))}</th><th scope="col">${texts.review.after(times(best))}</th><th scope="col">${texts.review.points}</th></tr></thead>
      <tbody>${differences(game, free, move.roll, move.slot, best).map(({ slot, chosen, other, points }) => html`<tr key=${slot}><th scope="row">${times(slot)}</th>
        <td>${rolled(slot === move.slot) ?? exact2(chosen)}</td><td>${rolled(slot === best) ?? exact2(other)}</td><td>${difference(points)}</td></tr>`)}</tbody>
      <tfoot><tr><th scope="row" colspan="3">${isShared ? texts.review.moveCost : texts.review.yourCost}</th><td>${difference(-move.loss)}</td></tr></tfoot>
    </table></details>`;
}

/** Where the roll went, and where it belonged. */
function moveSentences(reviewed, at) {
  const { record, found, isShared } = reviewed;
  const { roll, slot, best, loss, choice, mix } = found.moves[at - 1];
  const times = (number) => `×${record.position.game.labels[number - 1]}`;
  return [
    texts.review.placed(isShared, told(roll), times(slot)),
    loss ? texts.review.wasCostly(best.map(times), times(slot), unitOf(reviewed).amount(loss)) : !choice ? texts.review.noChoice : texts.review.wasBest(best.map(times)),
    record.opponent && texts.review.theirMove(record.tags.against, times(record.opponent.placements[at - 1][1])),
    mix?.length > 1 && texts.review.mix(mix.map(([number, chance]) => `${times(number)} (${percent(chance, 0)})`)),
  ].filter(Boolean).join(" ");
}

/** What every free slot was worth: points are computed here, chances come from the server; null until they are known. */
function useAdvice({ record, found, isChance }, before, at) {
  const { roll } = found.moves[at - 1];
  const here = useMemo(() => (isChance ? null : advise(before, roll)), [before, roll, isChance]);
  const [asked, take] = useState({ at: 0, advice: null });
  useEffect(() => {
    if (!isChance) return undefined;
    const stop = new AbortController();
    get(`/lab/advise?${questionOf(record, found, at)}`, { signal: stop.signal }).then(
      (answer) => take({ at, advice: adviceOf(answer) }),
      () => {}, // then the board has no numbers
    );
    return () => stop.abort();
  }, [record, at, isChance]);
  return here ?? (asked.at === at ? asked.advice : null);
}

function questionOf({ position, opponent }, { aim, moves }, at) {
  const { game, placements } = position;
  const isDuel = aim.startsWith("duel");
  return new URLSearchParams({
    dice: game.dice, slots: game.slots, aim, roll: moves[at - 1].roll, moves: formatMoves(placements.slice(0, at - 1)),
    ...(isDuel ? { opponent: formatMoves(opponent.placements.slice(0, at - 1)) } : {}),
  });
}

/** The server's advice in the form of `advise`, its chances in percent. */
function adviceOf({ roll, best, best_slots: bestSlots, moves }) {
  const shown = moves.map(({ slot, value, loss, class: name }) => ({
    slot, value: 100 * value, worth: 100 * value, loss: 100 * loss, class: name, isBest: bestSlots.includes(slot),
  }));
  return { roll, best, bestSlots, isChoice: bestSlots.length < moves.length, moves: shown, bySlot: new Map(shown.map((move) => [move.slot, move])) };
}

// How worths and their changes are written in a review: points with two decimals, or chances in percent. No DOM.

const HUGE = 1e9; // from here on with fewer digits

const inPoints = (x) => (Math.abs(x) >= HUGE ? x.toPrecision(6).replace("-", "−") : exact2(x));
const change = (x) => (Math.abs(x) >= HUGE ? `${x > 0 ? "+" : ""}${inPoints(x)}` : signed(x, 2));

/** How points are written. */
const POINTS = Object.freeze({
  isChance: false,
  factor: 1,
  worth: inPoints,
  amount: (x) => atLeastSeen(x, inPoints),
  signed: change,
  tick: told,
  onCurve: inPoints,
  bounds: [-Infinity, Infinity],
});

/** How chances, from 0 to 1, are written. */
const CHANCE = Object.freeze({
  isChance: true,
  factor: 100,
  worth: (x) => `${exact2(100 * x)}${PERCENT}`,
  amount: (x) => `${atLeastSeen(100 * x, exact2)}${PERCENT}`,
  signed: (x) => `${signed(100 * x, 2)}${PERCENT}`,
  tick: (x) => `${told(Number(x.toFixed(2)))}${PERCENT}`,
  onCurve: (x) => `${exact2(x)}${PERCENT}`,
  bounds: [0, 100],
});

/** @param {import("../review.js").Reviewed} reviewed */
export const unitOf = ({ isChance }) => (isChance ? CHANCE : POINTS);

/** A cost never reads as 0. */
function atLeastSeen(x, shown) {
  return x > 0 && x < 0.005 ? exact2(0.01) : shown(x);
}
