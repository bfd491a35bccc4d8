// Where the points came from, as a bill: par + luck − mistakes = score, each on one scale, and what others make of the rolls.
import { html } from "../../html.js";
import { told } from "../../parts/scale.js";
import { unitOf } from "./units.js";

const STEPS = [1, 2, 5, 10, 20];
const MOST_TICKS = 6;
const THINNEST = 0.6; // percent of the scale

/**
 * The bill.
 * @param {{reviewed: import("./measured.js").Reviewed}} props
 */
export function Bill({ reviewed }) {
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
    line(unit.par, unit.worth(value), "par", value),
    line("Luck", unit.signed(luck), "luck", value, value + luck),
    line("Mistakes", unit.signed(-loss), "loss", value + luck, value + luck - loss),
    ...(gift ? [line(`Given by ${record.tags.against ?? "the opponent"}`, unit.signed(gift), "gift", value + luck - loss, end)] : []),
    line(isScore ? "Your score" : unit.isChance ? "The chance at the end" : "On course for", isScore ? told(score) : unit.worth(end), "you", end),
  ];
  if (!unit.isChance && found.optimal_score !== null) {
    rows.push(line("Perfect player, same rolls", told(found.optimal_score), "ref", found.optimal_score));
    rows.push(line("Best possible in hindsight", told(found.best_score), "ref", found.best_score));
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
