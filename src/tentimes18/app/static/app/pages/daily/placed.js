// Where everybody put each roll of a day: a row per round, a column per slot.
import { html } from "../../html.js";
import { count, percent } from "../../core/format.js";
import { told } from "../../parts/scale.js";
import { texts } from "../../texts.js";

const SLOTS = Array.from({ length: 10 }, (_, place) => place + 1); // a daily game is classic

/**
 * @param {object} props
 * @param {{round: number, roll: number, optimal: number, placed: Record<string, number>}[]} props.rounds  of GET /daily/{day}
 * @param {number[]} props.own  the player's slots in the order of play; empty if they are not known
 */
export function Rounds({ rounds, own }) {
  return html`<section class="stack everybody"><h2>${texts.daily.everybody}</h2>
    <p class="s muted">${texts.daily.everybodyText}</p>
    <table class="placed"><caption class="vh">${texts.daily.everybodyCaption}</caption>
      <thead><tr><th scope="col">${texts.daily.roll}</th>${SLOTS.map((slot) => html`<th key=${slot} scope="col">×${slot}</th>`)}</tr></thead>
      <tbody>${rounds.map((round, place) => html`<${Round} key=${round.round} round=${round} own=${own[place] ?? null} />`)}</tbody>
    </table>
    <p class="s muted placed-key"><span><i class="is-perfect" aria-hidden="true"></i> ${texts.daily.perfectSlot}</span>${own.length > 0 && html`<span><i class="is-own" aria-hidden="true"></i> ${texts.daily.ownSlot}</span>`}</p>
  </section>`;
}

function Round({ round: { roll, optimal, placed }, own }) {
  const all = Object.values(placed).reduce((sum, players) => sum + players, 0) || 1;
  return html`<tr><th scope="row"><span class="pip">${told(roll)}</span></th>${SLOTS.map((slot) => {
    const players = placed[slot] ?? 0;
    const kind = [slot === optimal && "is-perfect", slot === own && "is-own"].filter(Boolean).join(" ");
    const marks = [slot === optimal && texts.daily.perfectSlot, slot === own && texts.daily.ownSlot].filter(Boolean).join(", ");
    return html`<td key=${slot} class=${kind} style=${{ "--share": players / all }} title=${players ? percent(players / all, 0) : undefined}>${players > 0 && count(players)}${marks && html`<span class="vh"> ${marks}</span>`}</td>`;
  })}</tr>`;
}
