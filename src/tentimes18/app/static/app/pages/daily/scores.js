// The scores of a day: the best of them, and the player's own, always in sight.
import { html, useState } from "../../html.js";
import { count } from "../../core/format.js";
import { shownCost } from "../../parts/costs.js";
import { told } from "../../parts/scale.js";

const FIRST = 8;
const MORE = 100;

/**
 * @param {object} props
 * @param {object} props.result  of GET /daily/{day}
 * @param {string} props.name  what the player is called in the list
 */
export function Scores({ result, name }) {
  const [shown, setShown] = useState(FIRST);
  const { scores, own, players } = result;
  const isOwn = (row) => own.kind === "daily" && row.name === name && row.score === own.score && row.loss === own.loss;
  const ownPlace = scores.findIndex(isOwn);
  const listed = scores.slice(0, shown);
  const isPinned = ownPlace < 0 || ownPlace >= shown;
  return html`<section class="stack"><h2>Scores of the day</h2>
    ${players === 0 ? html`<p class="muted">Nobody has finished it on the day.</p>` : null}
    <table class="names"><caption class="vh">The best scores of the day, and your own</caption>
      <thead><tr><th scope="col">Rank</th><th scope="col">Player</th><th scope="col">Score</th><th scope="col">Mistakes</th></tr></thead>
      <tbody>${listed.map((row, place) => html`<${Row} key=${place} row=${row} isYou=${place === ownPlace} />`)}
        ${isPinned && listed.length > 0 && html`<tr class="gap" aria-hidden="true"><td colspan="4">⋯</td></tr>`}
        ${isPinned && html`<${Row} row=${{ ...own, name: own.kind === "daily" ? name : "You, in practice" }} isYou />`}</tbody>
    </table>
    <p class="s muted">Equal scores share a rank. Mistakes: points given up on average.</p>
    ${shown < scores.length && html`<button type="button" class="btn quiet small" onClick=${() => setShown(shown + MORE)}>
      ${scores.length - shown > MORE ? `Show ${MORE} more` : `Show all ${count(scores.length)}`}</button>`}
  </section>`;
}

function Row({ row, isYou }) {
  return html`<tr class=${isYou ? "is-you" : ""}><td>${count(row.rank)}</td><td>${row.name}${isYou && html` <span class="you-mark">you</span>`}</td>
    <td><b>${told(row.score)}</b></td><td><b class=${row.loss ? "cost" : "cost ok"}>${row.loss ? `−${shownCost(row.loss)}` : "none"}</b></td></tr>`;
}
