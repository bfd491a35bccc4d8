// The board: a row a slot. Free rows are buttons, raised, with a ghost of the roll; placed rows lie flat with their block.
import { html } from "../html.js";
import { exact2, points as brief } from "../core/format.js";
import { pointsOf } from "../game/position.js";
import { texts } from "../texts.js";
import { numberAt, reach, scaleOf, shownCost, told } from "./scale.js";

/**
 * The rows of a game.
 * @param {object} props
 * @param {import("../game/game.js").Game} props.game
 * @param {Record<string, number>} props.board  roll by slot, as in the API
 * @param {number | null} [props.roll]  the one that waits
 * @param {number | null} [props.armed]  the slot that was picked and not placed yet
 * @param {boolean} [props.arming]  whether a pick arms, and a second one places
 * @param {import("../game/thresholds.js").Advice | null} [props.advice]  for the roll: given where the coach may speak
 * @param {boolean} [props.coached]  room is left for what the coach says, also while there is no advice
 * @param {number} [props.rail]  the points that a rail spans
 * @param {1 | 2} [props.digits]  decimals of worths and costs
 * @param {number | null} [props.warning]  what the armed slot costs, where the player is warned
 * @param {number | null} [props.fresh]  the slot that was filled last: its block slides in
 * @param {number | null} [props.wrong]  the slot that was answered, where another was better
 * @param {number[]} [props.unsent]  slots whose placement is kept here and not sent yet
 * @param {boolean} [props.locked]  free slots cannot be picked now
 * @param {number | null} [props.thread]  the slot that a thread leads to, down from the words above the board
 * @param {boolean} [props.raised]  free rows stay keys while the next roll is on its way
 * @param {(slot: number) => void} [props.pick]
 */
export function Board({ game, board, roll = null, armed = null, arming = false, advice = null, coached = advice !== null, rail = 10, digits = 1, warning = null,
  fresh = null, wrong = null, unsent = [], locked = false, raised = false, thread = null, pick }) {
  const scale = scaleOf(game, advice ? Math.max(...advice.moves.map(({ worth, loss }) => worthText(worth, digits).length + Math.max(6, shownCost(loss, digits).length + 1))) : undefined);
  const isKeyed = game.size <= 10 && game.multipliers.some((multiplier, place) => multiplier !== place + 1);
  const kind = `board${scale.style["--label"] > 3 ? " long" : ""}${isKeyed ? " keyed" : ""}`;
  return html`<section class=${coached ? "sheet" : "sheet roomy"} aria-label=${texts.board.name}>
    <div class="axis" aria-hidden="true" style=${scale.style}>
      <span></span>
      <ol>${scale.ticks.map((tick) => html`<li key=${tick} class=${tick === scale.high ? "end" : ""} style=${{ "--at": tick }}>${told(tick)}</li>`)}</ol>
      <span>${coached && html`<span>${texts.board.worth}</span><span>${texts.board.cost}</span>`}</span>
    </div>
    <ol class=${kind} style=${scale.style}>
      ${game.labels.map((_, place) => {
        const slot = place + 1;
        const isArmed = armed === slot;
        return html`<${Slot} key=${slot} game=${game} slot=${slot} scale=${scale} placed=${board[slot] ?? null} roll=${roll}
          isArmed=${isArmed} arming=${arming} move=${advice?.bySlot.get(slot) ?? null} isBest=${advice?.best === slot} rail=${rail} digits=${digits}
          warning=${isArmed ? warning : null} isFresh=${fresh === slot} isWrong=${wrong === slot} isUnsent=${unsent.includes(slot)}
          locked=${locked || roll === null} raised=${raised} keyed=${isKeyed}
          thread=${thread === null || slot > thread ? "" : slot === thread ? "thread-end" : "thread"} pick=${pick} />`;
      })}
    </ol>
  </section>`;
}

/**
 * One row.
 * @param {object} props  as of Board, for one slot. placed: the roll that lies in it, or null. move: what the coach says of it
 */
function Slot({ game, slot, scale, placed, roll, isArmed, arming, move, isBest, rail, digits, warning, isFresh, isWrong, isUnsent, locked, raised, keyed, thread, pick }) {
  const multiplier = game.multipliers[slot - 1];
  const label = game.labels[slot - 1];
  const name = texts.board.slot(label);
  const shown = placed ?? roll;
  const points = shown === null ? "" : told(pointsOf(game, shown, slot));
  const minus = shown !== null && multiplier * shown < 0 ? " minus" : "";
  const style = { "--m": scale.heft(multiplier) };
  if (placed !== null || (roll === null && !raised)) {
    const words = placed === null ? texts.board.slotFree(name) : (isUnsent ? texts.board.slotUnsent : texts.board.slotPlaced)(name, told(placed), texts.board.points(points));
    return html`<li data-m=${label} style=${style} class=${thread || undefined}>
      <div class=${`slot${minus}${isUnsent ? " is-unsent" : ""}`}>
        <span class="vh">${words}</span>
        <${Multiplier} label=${label} />
        <${Trough} scale=${scale} multiplier=${multiplier} roll=${placed} hasLanded=${isFresh} />
        ${placed !== null && html`<span class="pts" aria-hidden="true">${points}</span>`}
      </div>
    </li>`;
  }
  const isWarned = isArmed && warning !== null;
  const states = { "is-best": isBest, "is-armed": isArmed, "is-warned": isWarned, "is-wrong": isWrong };
  const kind = `slot${minus}${Object.keys(states).filter((state) => states[state]).map((state) => ` ${state}`).join("")}`;
  return html`<li data-m=${label} style=${style} class=${thread || undefined}>
    <button type="button" class=${kind} aria-label=${move ? spoken(name, move, isBest, digits) : name}
      aria-description=${points && (isWarned ? texts.board.warned(texts.board.points(points), shownCost(warning)) : texts.board.points(points))}
      aria-pressed=${arming ? String(isArmed) : undefined} aria-disabled=${locked ? "true" : undefined}
      data-slot=${slot} onClick=${() => !locked && pick?.(slot)}>
      ${keyed && html`<kbd class="keyhint" aria-hidden="true">${slot % 10}</kbd>`}
      <${Multiplier} label=${label} />
      <${Trough} scale=${scale} multiplier=${multiplier} roll=${roll} isGhost=${!isArmed} isFresh=${isArmed} />
      ${move ? html`<${Advised} move=${move} isBest=${isBest} rail=${rail} digits=${digits} />` : points && html`<span class=${isArmed ? "pts" : "pts muted"}>${points}${
        isWarned && html`<b class="cost">−${shownCost(warning)}</b>`}</span>`}
    </button>
  </li>`;
}

/**
 * The multiplier, as it is written beside a groove.
 * @param {{label: string}} props
 */
export function Multiplier({ label }) {
  return html`<span class="mult" aria-hidden="true"><i>×</i>${label}</span>`;
}

/**
 * A groove with a block or a ghost in it, or nothing.
 * @param {{scale: import("./scale.js").Scale, multiplier: number, roll: number | null, isGhost?: boolean, isFresh?: boolean, hasLanded?: boolean}} props  isFresh: it slides in. hasLanded: it drops
 */
export function Trough({ scale, multiplier, roll, isGhost = false, isFresh = false, hasLanded = false }) {
  const trough = scale.low < 0 ? "trough below" : "trough";
  if (roll === null) return html`<span class=${trough} aria-hidden="true"></span>`;
  const where = reach(scale, roll);
  if (isGhost) {
    return html`<span class=${trough} aria-hidden="true"><span class=${roll < 0 ? "ghost back" : "ghost"} data-r=${roll} style=${where}></span></span>`;
  }
  const at = numberAt(scale, multiplier, roll);
  const block = `block${at === "inside" ? "" : " thin"}${isFresh ? " is-new" : hasLanded ? " is-down" : ""}`;
  return html`<span class=${trough} aria-hidden="true">
    <span class=${block} data-r=${roll} style=${where}>${at === "inside" && told(roll)}</span>
    ${at !== "inside" && html`<b class=${at === "tucked" ? "tucked" : ""}>${told(roll)}</b>`}
  </span>`;
}

/** What a free slot is worth, what it costs, and a rail on which the missing part is hatched. */
function Advised({ move, isBest, rail, digits }) {
  const missing = Math.min(100, (move.loss / rail) * 100);
  const cost = isBest ? texts.board.best : move.isBest ? texts.board.asGood : `−${shownCost(move.loss, digits)}`;
  return html`<span class="coach">
    <span>${worthText(move.worth, digits)} <b class=${move.isBest ? "cost ok" : "cost"}>${cost}</b></span>
    <svg class="rail" aria-hidden="true" focusable="false">
      <rect class="v" width=${`${100 - missing}%`} height="100%" />
      <rect class="hatched" x=${`${100 - missing}%`} width=${`${missing}%`} height="100%" />
    </svg>
  </span>`;
}

const worthText = (worth, digits) => (digits === 1 ? brief : exact2)(worth);

function spoken(name, move, isBest, digits) {
  const worth = worthText(move.worth, digits);
  if (isBest) return texts.board.slotBest(name, worth);
  return move.isBest ? texts.board.slotAsGood(name, worth) : texts.board.slotCosts(name, worth, shownCost(move.loss, digits));
}
