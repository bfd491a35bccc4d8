// The picked roll in words: where it goes, what that is worth, what the next slots cost; and where all other rolls go.
import { html, useEffect, useLayoutEffect, useMemo, useRef, useState } from "../../html.js";
import { decimal, exact2, percent, points } from "../../core/format.js";
import { cardRows, rankName, shownSpan } from "../../game/card.js";
import { fixed } from "../../game/exact.js";
import { allSlots } from "../../game/game.js";
import { exactScore, freeSlots } from "../../game/position.js";
import { classNamed, classOf } from "../../game/qualities.js";
import { reasonFor } from "../../game/reasons.js";
import { adviseSlots, cutsOf, valueOf } from "../../game/thresholds.js";
import { texts } from "../../texts.js";

const NEXT = 3; // slots that are named beside the best

/**
 * The answer for the picked roll.
 * @param {object} props
 * @param {import("../../game/position.js").Position} props.position
 * @param {number} props.roll
 * @param {any} props.forTarget  the service's advice for this roll where a target is played for, or null
 * @param {number | null} props.target
 * @param {(slot: number) => void} props.place
 */
export function Answer({ position, roll, target, forTarget, place }) {
  const { game } = position;
  const free = freeSlots(position);
  const name = (slot) => `×${game.labels[slot - 1]}`;
  const goes = (slots) => {
    const [before, between] = texts.lab.goes(roll, slots.length);
    return html`${before} <span class="pip">${told(roll)}</span> ${between} <b>${texts.lab.list(slots.map(name))}</b>`;
  };
  if (target !== null) {
    if (!forTarget) return null;
    const { best, best_slots: equal, moves } = forTarget;
    return html`<div class="answer">
      <p class="lead" aria-live="polite">${goes(equal.length > 1 ? equal : [best])}: ${texts.lab.reaching(percent(moves[0].value), told(target))}</p>
      ${moves.length > 1 && html`<p class="s muted next">${texts.lab.then(moves.slice(1, 1 + NEXT).map((move) => `${name(move.slot)} ${percent(move.value)}`).join(", "))}</p>`}
      <button type="button" class="btn quiet small" onClick=${() => place(best)}>${texts.play.place(told(roll), game.labels[best - 1])}</button>
    </div>`;
  }
  const { best, bestSlots, moves } = adviseSlots(game, free, roll, exactScore(position));
  const others = moves.filter((move) => !move.isBest).slice(0, NEXT);
  return html`<div class="answer">
    <p class="lead" aria-live="polite">${goes(bestSlots)}: ${texts.lab.worth(exact2(moves[0].worth))}</p>
    ${others.length > 0 && html`<p class="s muted next">${texts.lab.thenOnAverage(others.map((move) => `${name(move.slot)} −${exact2(move.loss)}`).join(", "))}</p>`}
    <p class="s muted">${reasonFor(game, free, roll, name)}</p>
    <button type="button" class="btn quiet small" onClick=${() => place(best)}>${texts.play.place(told(roll), game.labels[best - 1])}</button>
  </div>`;
}

/**
 * The thresholds of now: runs of rolls and the slot they go to, in the order of the rolls.
 * @param {{position: import("../../game/position.js").Position, roll: number, pick: (roll: number) => void}} props
 */
export function Cuts({ position, roll, pick }) {
  const { game } = position;
  const free = freeSlots(position);
  const cuts = cutsOf(game, free);
  const support = game.distribution.support;
  const used = new Set(cuts.flatMap((cut) => cut.slots));
  const unused = free.filter((slot) => !used.has(slot));
  const list = unused.map((slot) => `×${game.labels[slot - 1]}`);
  const isFirst = position.placements.length === 0;
  return html`<section class="stack tight" aria-label=${texts.lab.thresholds}>
    <h3>${texts.lab.thresholdsNow}</h3>
    <ol class="cuts">${cuts.map(({ from, to, slots }) => {
      const rolls = support.filter((shown) => shown >= from && shown <= to);
      return html`<li key=${from} class=${roll >= from && roll <= to ? "is-picked" : ""} style=${{ "--share": rolls.length }}>
        <button type="button" onClick=${() => pick(rolls[Math.floor(rolls.length / 2)])}><span>${shownSpan(rolls)}</span><b><span class="vh"> ${texts.lab.goTo} </span>${slots.map((slot) => `×${game.labels[slot - 1]}`).join(" = ")}</b></button></li>`;
    })}</ol>
    ${unused.length > 0 && html`<p class="s muted">${texts.lab.unused(list, isFirst)}</p>`}
  </section>`;
}

// Roll by slot: where each roll goes, and what every other slot costs on average. On a phone it is turned: rolls are rows.

const SHADES = { best: "h0", fine: "h1", good: "h1", inaccuracy: "h2", mistake: "h3", blunder: "h4" };
const NARROW = "(max-width: 899px)";

/**
 * The matrix.
 * @param {object} props
 * @param {import("../../game/position.js").Position} props.position
 * @param {number} props.roll  the one that is picked
 * @param {(roll: number) => void} props.pick
 * @param {Record<string, number> | null} props.forTarget  the slot for each roll where a target is played for: then chances
 *   are at stake, and not points
 * @param {{roll: number, moves: {slot: number, loss: number}[]} | null} props.chances  then, what each slot costs for the roll
 */
export function Matrix({ position, roll, pick, forTarget, chances }) {
  const isTurned = useMedia(NARROW);
  const { game } = position;
  const free = freeSlots(position);
  const columns = useMemo(() => game.distribution.support.map((shown) => adviseSlots(game, free, shown)), [position]);
  const cell = (advice, slot) => (forTarget ? targetCell(forTarget, chances, advice.roll, slot) : cellOf(advice, slot));
  const rolls = game.distribution.support;
  const region = useRef(null);
  useLayoutEffect(() => showPicked(region.current), [roll, game, isTurned]);
  const head = (shown) => html`<button type="button" class="pick" aria-pressed=${String(shown === roll)} aria-label=${texts.lab.rollOf(told(shown))} onClick=${() => pick(shown)}>${told(shown)}</button>`;
  const marked = (shown) => (shown === roll ? "is-picked" : "");
  if (isTurned) {
    return html`<div class="scroll-x" ref=${region} tabindex="0" role="region" aria-label=${texts.lab.matrix}><table class="heat turned" style=${{ "--slots": free.length }}>
      <thead><tr><th><span class="vh">${texts.lab.roll}</span></th>${free.map((slot) => html`<th scope="col" key=${slot}>×${game.labels[slot - 1]}</th>`)}</tr></thead>
      <tbody>${rolls.map((shown, x) => html`<tr key=${shown} class=${marked(shown)}><th scope="row">${head(shown)}</th>
        ${free.map((slot) => html`<${Cell} key=${slot} ...${cell(columns[x], slot)} pick=${() => pick(shown)} />`)}</tr>`)}</tbody>
    </table></div>`;
  }
  return html`<div class="scroll-x" ref=${region} tabindex=${rolls.length > 16 ? 0 : undefined} role="region" aria-label=${texts.lab.matrix}><table class="heat" style=${{ "--rolls": rolls.length }}>
    <thead><tr><th><span class="vh">${texts.lab.slot}</span></th>${rolls.map((shown) => html`<th scope="col" key=${shown} class=${marked(shown)}>${head(shown)}</th>`)}</tr></thead>
    <tbody>${free.map((slot) => html`<tr key=${slot}><th scope="row">×${game.labels[slot - 1]}</th>
      ${columns.map((advice, x) => html`<${Cell} key=${rolls[x]} ...${cell(advice, slot)} mark=${marked(rolls[x])} pick=${() => pick(rolls[x])} />`)}</tr>`)}</tbody>
  </table></div>`;
}

// A wide matrix scrolls to the column of the picked roll, and nothing else moves.
function showPicked(region) {
  const picked = region.querySelector("thead .is-picked");
  if (!picked) return;
  const [from, to] = [picked.offsetLeft - picked.offsetWidth * 2, picked.offsetLeft + picked.offsetWidth * 2];
  if (from < region.scrollLeft || to > region.scrollLeft + region.clientWidth) region.scrollLeft = from - region.clientWidth / 2;
}

function Cell({ shade, text, mark = "", pick }) {
  const isBest = shade === "h0";
  return html`<td class=${`${shade} ${mark}`} onClick=${pick}>${isBest ? html`<span aria-hidden="true">✓</span><span class="vh">${texts.lab.best}</span>` : text}</td>`;
}

// Where a target is played for: the best slot of each roll, and for the picked one what the others cost, in percent.
function targetCell(best, chances, roll, slot) {
  if (best[roll] === slot) return { shade: "h0", text: "✓" };
  const move = chances?.roll === roll ? chances.moves.find((found) => found.slot === slot) : null;
  return move ? { shade: SHADES[classOf(100 * move.loss).name] === "h0" ? "h1" : SHADES[classOf(100 * move.loss).name], text: move.loss ? shownLoss(100 * move.loss) : "=" } : { shade: "h4", text: "" };
}

function cellOf(advice, slot) {
  const { loss, class: name } = advice.bySlot.get(slot);
  return { shade: SHADES[classNamed(name).name], text: shownLoss(loss) };
}

/** What a slot costs, in the room of a cell: three digits. @param {number} loss */
function shownLoss(loss) {
  if (loss < 0.005) return decimal("<.01");
  const digits = loss < 0.995 ? 2 : loss < 9.95 ? 1 : 0;
  return loss >= 99_999.5 ? loss.toExponential(0).replace("e+", "e") : decimal(fixed(loss, digits));
}

/** A roll as it is written. @param {number} roll */
export function told(roll) {
  return String(roll).replace("-", "−");
}

/** Whether a media query holds. @param {string} query */
function useMedia(query) {
  const [holds, setHolds] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const media = matchMedia(query);
    const look = () => setHolds(media.matches);
    look();
    media.addEventListener("change", look);
    return () => media.removeEventListener("change", look);
  }, [query]);
  return holds;
}

// The strategy card: the whole best play on one page, to print; computed here, so that it prints without the service.

const MOST_COLUMNS = 24; // rolls side by side; more are written as ranges, by rank

/** @param {{game: import("../../game/game.js").Game}} props */
export function StrategyCard({ game }) {
  const rows = useMemo(() => cardRows(game), [game]);
  const par = valueOf(game, allSlots(game));
  const random = game.distribution.mean * game.multipliers.reduce((sum, multiplier) => sum + multiplier, 0);
  const hasTies = rows.some(({ bands }) => bands.some((band) => band.tied));
  const isWide = game.distribution.support.length > MOST_COLUMNS;
  return html`<section class="strategy stack" aria-label=${texts.lab.card}>
    <header class="strategy-head"><div><h2>${texts.lab.card}</h2><p class="muted">${texts.lab.cardGame(game.dice, game.slots)}</p></div>
      <p class="strategy-par"><b>${points(par)}</b><span class="s muted">${texts.lab.cardPar(exact2(random))}</span></p>
      <button type="button" class="btn quiet no-print" onClick=${() => window.print()}>${texts.lab.print}</button></header>
    ${rows.length === 0
      ? html`<p>${texts.lab.oneSlot}</p>`
      : html`<ol class="strategy-steps">${texts.lab.steps3(isWide).map((step) => html`<li key=${step}>${step}</li>`)}</ol>
        <div class="scroll-x" tabindex="0" role="region" aria-label=${texts.lab.cardTable}>${isWide ? html`<${ByRank} game=${game} rows=${rows} />` : html`<${ByRoll} game=${game} rows=${rows} />`}</div>`}
    ${hasTies && html`<p class="s muted">${texts.lab.tie}</p>`}
  </section>`;
}

function ByRoll({ game, rows }) {
  return html`<table class="bands" style=${{ "--rows": rows.length + 1 }}>
    <caption class="vh">${texts.lab.byRoll}</caption>
    <thead><tr><th scope="col">${texts.lab.free}</th>${game.distribution.support.map((roll) => html`<th scope="col" key=${roll}>${told(roll)}</th>`)}</tr></thead>
    <tbody>${rows.map(({ free, bands }) => html`<tr key=${free}><th scope="row">${free}</th>
      ${bands.map((band) => html`<${BandCell} key=${band.rank} band=${band} free=${free} span=${band.rolls.length} text=${rankName(band.rank, free)} />`)}</tr>`)}
      <tr><th scope="row">1</th><td colspan=${game.distribution.support.length} class="left">${texts.lab.left}</td></tr></tbody>
  </table>`;
}

function ByRank({ game, rows }) {
  const ranks = allSlots(game);
  return html`<table class="bands by-rank" style=${{ "--rows": rows.length + 1 }}>
    <caption class="vh">${texts.lab.byRank}</caption>
    <thead><tr><th scope="col">${texts.lab.free}</th>${ranks.map((rank) => html`<th scope="col" key=${rank}>${rankName(rank, game.size + 1)}</th>`)}</tr></thead>
    <tbody>${rows.map(({ free, bands }) => html`<tr key=${free}><th scope="row">${free}</th>
      ${ranks.map((rank) => {
        const band = bands.find((found) => found.rank === rank);
        return band ? html`<${BandCell} key=${rank} band=${band} free=${free} span=${1} text=${shownSpan(band.rolls)} />` : html`<td key=${rank} class="none"></td>`;
      })}</tr>`)}</tbody>
  </table>`;
}

function BandCell({ band, free, span, text }) {
  return html`<td colspan=${span} style=${{ "--part": band.rank / free }}>${text}${band.tied && html`<span aria-hidden="true">=</span><span class="vh">${texts.lab.tied}</span>`}</td>`;
}
