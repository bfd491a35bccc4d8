// Roll by slot: where each roll goes, and what every other slot costs on average. On a phone it is turned: rolls are rows.
import { html, useEffect, useLayoutEffect, useMemo, useRef, useState } from "../../html.js";
import { fixed } from "../../game/exact.js";
import { classNamed, classOf } from "../../game/qualities.js";
import { freeSlots } from "../../game/position.js";
import { adviseSlots } from "../../game/thresholds.js";

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
  const columns = useMemo(() => game.law.support.map((shown) => adviseSlots(game, free, shown)), [position]);
  const cell = (advice, slot) => (forTarget ? targetCell(forTarget, chances, advice.roll, slot) : cellOf(advice, slot));
  const rolls = game.law.support;
  const region = useRef(null);
  useLayoutEffect(() => showPicked(region.current), [roll, game, isTurned]);
  const head = (shown) => html`<button type="button" class="pick" aria-pressed=${String(shown === roll)} aria-label=${`Roll ${told(shown)}`} onClick=${() => pick(shown)}>${told(shown)}</button>`;
  const marked = (shown) => (shown === roll ? "is-picked" : "");
  if (isTurned) {
    return html`<div class="scroll-x" ref=${region} tabindex="0" role="region" aria-label="Roll by slot"><table class="heat turned" style=${{ "--slots": free.length }}>
      <thead><tr><th><span class="vh">Roll</span></th>${free.map((slot) => html`<th scope="col" key=${slot}>×${game.labels[slot - 1]}</th>`)}</tr></thead>
      <tbody>${rolls.map((shown, x) => html`<tr key=${shown} class=${marked(shown)}><th scope="row">${head(shown)}</th>
        ${free.map((slot) => html`<${Cell} key=${slot} ...${cell(columns[x], slot)} pick=${() => pick(shown)} />`)}</tr>`)}</tbody>
    </table></div>`;
  }
  return html`<div class="scroll-x" ref=${region} tabindex=${rolls.length > 16 ? 0 : undefined} role="region" aria-label="Roll by slot"><table class="heat" style=${{ "--rolls": rolls.length }}>
    <thead><tr><th><span class="vh">Slot</span></th>${rolls.map((shown) => html`<th scope="col" key=${shown} class=${marked(shown)}>${head(shown)}</th>`)}</tr></thead>
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
  return html`<td class=${`${shade} ${mark}`} onClick=${pick}>${isBest ? html`<span aria-hidden="true">✓</span><span class="vh">best</span>` : text}</td>`;
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
  if (loss < 0.005) return "<.01";
  const digits = loss < 0.995 ? 2 : loss < 9.95 ? 1 : 0;
  return loss >= 99_999.5 ? loss.toExponential(0).replace("e+", "e") : fixed(loss, digits);
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
