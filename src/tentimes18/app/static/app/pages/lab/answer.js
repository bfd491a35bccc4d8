// The picked roll in words: where it goes, what that is worth, what the next slots cost; and where all other rolls go.
import { html } from "../../html.js";
import { exact2, percent } from "../../core/format.js";
import { shownSpan } from "../../game/card.js";
import { exactScore, freeSlots } from "../../game/position.js";
import { reasonFor } from "../../game/reasons.js";
import { adviseSlots, cutsOf } from "../../game/thresholds.js";
import { told } from "./matrix.js";

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
  const list = (slots) => (slots.length > 1 ? `${slots.slice(0, -1).map(name).join(", ")} and ${name(slots.at(-1))}` : name(slots[0]));
  const pip = html`<span class="pip">${told(roll)}</span>`;
  if (target !== null) {
    if (!forTarget) return null;
    const { best, best_slots: equal, moves } = forTarget;
    return html`<div class="answer">
      <p class="lead" aria-live="polite">${equal.length > 1 ? html`A ${pip} is as good in <b>${list(equal)}</b>` : html`A ${pip} goes in <b>${name(best)}</b>`}: ${percent(moves[0].value)} reach ${told(target)}.</p>
      ${moves.length > 1 && html`<p class="s muted next">Then ${moves.slice(1, 1 + NEXT).map((move) => `${name(move.slot)} ${percent(move.value)}`).join(", ")}</p>`}
      <button type="button" class="btn quiet small" onClick=${() => place(best)}>Place ${told(roll)} in ${name(best)}</button>
    </div>`;
  }
  const { best, bestSlots, moves } = adviseSlots(game, free, roll, exactScore(position));
  const others = moves.filter((move) => !move.isBest).slice(0, NEXT);
  return html`<div class="answer">
    <p class="lead" aria-live="polite">${bestSlots.length > 1 ? html`A ${pip} is equally good in <b>${list(bestSlots)}</b>` : html`A ${pip} goes in <b>${name(best)}</b>`}: worth ${exact2(moves[0].worth)}.</p>
    ${others.length > 0 && html`<p class="s muted next">Then ${others.map((move) => `${name(move.slot)} −${exact2(move.loss)}`).join(", ")} on average</p>`}
    <p class="s muted">${reasonFor(game, free, roll, name)}</p>
    <button type="button" class="btn quiet small" onClick=${() => place(best)}>Place ${told(roll)} in ${name(best)}</button>
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
  const support = game.law.support;
  const used = new Set(cuts.flatMap((cut) => cut.slots));
  const unused = free.filter((slot) => !used.has(slot));
  const list = unused.map((slot) => `×${game.labels[slot - 1]}`);
  const isFirst = position.placements.length === 0;
  return html`<section class="stack tight" aria-label="Thresholds">
    <h3>Thresholds now</h3>
    <ol class="cuts">${cuts.map(({ from, to, slots }) => {
      const rolls = support.filter((shown) => shown >= from && shown <= to);
      return html`<li key=${from} class=${roll >= from && roll <= to ? "is-picked" : ""} style=${{ "--share": rolls.length }}>
        <button type="button" onClick=${() => pick(rolls[Math.floor(rolls.length / 2)])}><span>${shownSpan(rolls)}</span><b><span class="vh"> go to </span>${slots.map((slot) => `×${game.labels[slot - 1]}`).join(" = ")}</b></button></li>`;
    })}</ol>
    ${unused.length > 0 && html`<p class="s muted">No ${isFirst ? "first " : ""}roll belongs in ${list.length > 1 ? `${list.slice(0, -1).join(", ")} or ${list.at(-1)}` : list[0]}.</p>`}
  </section>`;
}
