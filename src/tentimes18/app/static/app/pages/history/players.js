// The board of players by skill: who gives up least by a choice, and oneself.
import { html } from "../../html.js";
import { exact2 } from "../../core/format.js";

const SHOWN = 10;

/** @param {{board: object}} props  of GET /skill */
export function Players({ board: { players, own } }) {
  const listed = players.slice(0, SHOWN);
  const place = own ? players.findIndex((row) => row.rank === own.rank && row.name === own.name && row.cost === own.cost) : -1;
  const isPinned = own && (place < 0 || place >= SHOWN);
  return html`<section class="stack"><h2>Players by skill</h2>
    ${players.length ? html`<table class="names skill-board"><caption class="vh">Players by what a choice costs them, the lowest first</caption>
      <thead><tr><th scope="col">Rank</th><th scope="col">Player</th><th scope="col">Games</th><th scope="col">Cost</th></tr></thead>
      <tbody>${listed.map((row, at) => html`<${Row} key=${at} row=${row} isYou=${at === place} />`)}
        ${isPinned && html`<tr class="gap" aria-hidden="true"><td colspan="4">⋯</td></tr><${Row} row=${own} isYou />`}</tbody></table>`
      : html`<p class="muted">Nobody has ten rated games yet. Classic games without a coach count, solo and daily.</p>`}
    ${players.length > 0 && html`<p class="s muted">Cost: points given up by a choice, on average over the last 30 classic games without a coach, from ten on; ± is the standard error.</p>`}
  </section>`;
}

function Row({ row, isYou }) {
  return html`<tr class=${isYou ? "is-you" : ""}><td>${row.rank}</td><td>${row.name}${isYou && html` <span class="you-mark">you</span>`}</td>
    <td>${row.games}</td><td><b>${exact2(row.cost)}</b> <span class="band">± ${exact2(row.error)}</span></td></tr>`;
}
