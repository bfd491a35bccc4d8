// The moves of a reviewed game: columns under the curve on a desk, a table on a phone. A press shows the board of a round.
import { html } from "../../html.js";
import { PERCENT } from "../../core/format.js";
import { told } from "../../parts/scale.js";
import { unitOf } from "./units.js";

const MOST_COLUMNS = 12; // rounds that fit side by side
const BAR = 56; // pixels of the drawing of luck

/**
 * All moves.
 * @param {{reviewed: import("./measured.js").Reviewed, at: number, show: (round: number) => void}} props
 */
export function Moves({ reviewed, at, show }) {
  const isWide = reviewed.record.position.game.size <= MOST_COLUMNS;
  return html`${isWide && html`<${Columns} reviewed=${reviewed} at=${at} show=${show} />`}
    <${Rows} reviewed=${reviewed} at=${at} show=${show} kind=${isWide ? "moves only-phone" : "moves"} />`;
}

/** What stands of each move: a name and a cell, a column of one table, a row of the other. Chances stand without their sign. */
function partsOf({ record, found, ...rest }) {
  const unit = unitOf(rest);
  const { labels } = record.position.game;
  const times = (slot) => `×${labels[slot - 1]}`;
  const their = record.tags.against ?? "Theirs";
  const sign = unit.isChance ? ", %" : "";
  const bare = (text) => text.replace(PERCENT, "");
  return [
    ["You", ({ slot }) => html`<b>${times(slot)}</b>`],
    ["Best", (move) => (move.best.includes(move.slot) ? html`<span class="muted">same</span>` : bestText(move.best, times))],
    ...(record.opponent ? [[their, ({ round }) => times(record.opponent.placements[round - 1][1])]] : []),
    [`Luck${sign}`, ({ luck }) => html`<span class="c-luck">${bare(unit.signed(luck))}</span>`],
    ...(found.gift ? [[`Gift${sign}`, ({ gift }) => html`<span class="c-rival">${bare(unit.signed(gift))}</span>`]] : []),
    [`Cost${sign}`, ({ loss }) => html`<${Cost} text=${loss ? `−${bare(unit.amount(loss))}` : ""} />`],
  ];
}

function bestText(best, times) {
  return best.length > 2 ? `${times(best[0])}…` : best.map(times).join(" ");
}

function Cost({ text }) {
  if (!text) return html`<b class="cost ok"><span aria-hidden="true">✓</span><span class="vh">none</span></b>`;
  return html`<b class="cost">${text}</b>`;
}

function Columns({ reviewed, at, show }) {
  const { found, record } = reviewed;
  const empty = record.position.game.size - found.moves.length;
  return html`<div class="under only-desk"><table class="columns" aria-label="The moves, round by round" style=${{ "--rounds": record.position.game.size }}>
    <tbody><tr><th scope="row">Roll</th>${found.moves.map(({ round, roll }) => html`<td key=${round} class=${round === at ? "is-now" : ""}>
      <${Turn} round=${round} roll=${roll} at=${at} show=${show} /></td>`)}${rest(empty)}</tr>
    ${partsOf(reviewed).map(([name, cell]) => html`<tr key=${name}><th scope="row">${name}</th>
      ${found.moves.map((move) => html`<td key=${move.round} class=${move.round === at ? "is-now" : ""}>${cell(move)}</td>`)}${rest(empty)}</tr>`)}</tbody>
  </table></div>`;
}

const rest = (empty) => html`${Array.from({ length: empty }, (_, place) => html`<td key=${`empty ${place}`}></td>`)}<td class="end"></td>`;

function Turn({ round, roll, at, show }) {
  return html`<button type="button" class="turn" aria-label=${`Round ${round}: the ${told(roll)}`} aria-pressed=${String(round === at)}
    onClick=${() => show(round)}><span class="pip">${told(roll)}</span></button>`;
}

function Rows({ reviewed, at, show, kind }) {
  const { found, record } = reviewed;
  const most = Math.max(...found.moves.map(({ luck }) => Math.abs(luck))) || 1;
  const parts = partsOf(reviewed);
  return html`<div class="scroll-x"><table class=${kind} aria-label="The moves, round by round">
    <thead><tr><th scope="col">Round</th><th scope="col">Roll</th>${parts.map(([name]) => html`<th key=${name} scope="col" class=${name === "Luck" && !record.opponent ? "barred" : ""}>${name}</th>`)}</tr></thead>
    <tbody>${found.moves.map((move) => html`<tr key=${move.round} class=${move.round === at ? "is-now" : ""}>
      <th scope="row">${move.round}</th>
      <td><${Turn} round=${move.round} roll=${move.roll} at=${at} show=${show} /></td>
      ${parts.map(([name, cell]) => html`<td key=${name}>${cell(move)}${name === "Luck" && !record.opponent && html`<${LuckBar} share=${move.luck / most} />`}</td>`)}
    </tr>`)}</tbody>
  </table></div>`;
}

function LuckBar({ share }) {
  const width = (Math.abs(share) * BAR) / 2;
  return html`<svg width=${BAR} height="12" aria-hidden="true" focusable="false"><path class="rule" d=${`M${BAR / 2} 0V12`} />
    <rect class="k-luck" x=${share < 0 ? BAR / 2 - width : BAR / 2} y="1" width=${width} height="10" rx="1" /></svg>`;
}
