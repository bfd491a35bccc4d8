// The strategy card: the whole best play on one page, to print; computed here, so that it prints without the service.
import { html, useMemo } from "../../html.js";
import { exact2, points } from "../../core/format.js";
import { cardRows, rankName, shownSpan } from "../../game/card.js";
import { allSlots } from "../../game/game.js";
import { valueOf } from "../../game/thresholds.js";
import { told } from "./matrix.js";

const MOST_COLUMNS = 24; // rolls that stand side by side; more are written as ranges, by rank

/** @param {{game: import("../../game/game.js").Game}} props */
export function StrategyCard({ game }) {
  const rows = useMemo(() => cardRows(game), [game]);
  const par = valueOf(game, allSlots(game));
  const random = game.law.mean * game.multipliers.reduce((sum, multiplier) => sum + multiplier, 0);
  const hasTies = rows.some(({ bands }) => bands.some((band) => band.tied));
  const isWide = game.law.support.length > MOST_COLUMNS;
  return html`<section class="strategy stack" aria-label="Strategy card">
    <header class="strategy-head"><div><h2>Strategy card</h2><p class="muted">The best play for ${game.dice}, slots ${game.slots}</p></div>
      <p class="strategy-par"><b>${points(par)}</b><span class="s muted">points on average (any slot: ${exact2(random)})</span></p>
      <button type="button" class="btn quiet no-print" onClick=${() => window.print()}>Print the card</button></header>
    ${rows.length === 0
      ? html`<p>This game has one slot, and every roll goes there.</p>`
      : html`<ol class="strategy-steps"><li>Count your free slots: that is your row.</li>
          <li>${isWide ? "In that row find the cell with your roll." : "Find your roll at the top, and go down to your row."}</li>
          <li>${isWide ? "Its column" : "The band"} says which of your free slots takes the roll: 1st has the smallest multiplier, last the largest.</li></ol>
        <div class="scroll-x" tabindex="0" role="region" aria-label="Best play by free slots">${isWide ? html`<${ByRank} game=${game} rows=${rows} />` : html`<${ByRoll} game=${game} rows=${rows} />`}</div>`}
    ${hasTies && html`<p class="s muted">= marks a tie: this roll is exactly as good in the next free slot.</p>`}
  </section>`;
}

function ByRoll({ game, rows }) {
  return html`<table class="bands" style=${{ "--rows": rows.length + 1 }}>
    <caption class="vh">The free slot that takes a roll, by the number of free slots</caption>
    <thead><tr><th scope="col">free</th>${game.law.support.map((roll) => html`<th scope="col" key=${roll}>${told(roll)}</th>`)}</tr></thead>
    <tbody>${rows.map(({ free, bands }) => html`<tr key=${free}><th scope="row">${free}</th>
      ${bands.map((band) => html`<${BandCell} key=${band.rank} band=${band} free=${free} span=${band.rolls.length} text=${rankName(band.rank, free)} />`)}</tr>`)}
      <tr><th scope="row">1</th><td colspan=${game.law.support.length} class="left">the slot that is left</td></tr></tbody>
  </table>`;
}

function ByRank({ game, rows }) {
  const ranks = allSlots(game);
  return html`<table class="bands by-rank" style=${{ "--rows": rows.length + 1 }}>
    <caption class="vh">The rolls that each free slot takes, by the number of free slots</caption>
    <thead><tr><th scope="col">free</th>${ranks.map((rank) => html`<th scope="col" key=${rank}>${rankName(rank, game.size + 1)}</th>`)}</tr></thead>
    <tbody>${rows.map(({ free, bands }) => html`<tr key=${free}><th scope="row">${free}</th>
      ${ranks.map((rank) => {
        const band = bands.find((found) => found.rank === rank);
        return band ? html`<${BandCell} key=${rank} band=${band} free=${free} span=${1} text=${shownSpan(band.rolls)} />` : html`<td key=${rank} class="none"></td>`;
      })}</tr>`)}</tbody>
  </table>`;
}

function BandCell({ band, free, span, text }) {
  return html`<td colspan=${span} style=${{ "--part": band.rank / free }}>${text}${band.tied && html`<span aria-hidden="true">=</span><span class="vh">, a tie with the next</span>`}</td>`;
}
