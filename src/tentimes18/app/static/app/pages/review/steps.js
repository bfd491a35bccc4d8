// A round of a reviewed game, looked at again: the board before the move, what every free slot was worth, and what was taken.
// A slider and the arrow keys go from round to round.
import { html, useEffect, useLayoutEffect, useMemo, useState } from "../../html.js";
import { get } from "../../core/api.js";
import { percent } from "../../core/format.js";
import { boardOf, freeSlots, replay } from "../../game/position.js";
import { formatMoves } from "../../game/record.js";
import { reasonFor } from "../../game/reasons.js";
import { advise } from "../../game/thresholds.js";
import { Board } from "../../parts/board.js";
import { railOf } from "../../parts/costs.js";
import { Icon } from "../../parts/icons.js";
import { told } from "../../parts/scale.js";
import { unitOf } from "./units.js";

const PERCENT_RAIL = 10;

/**
 * The slider, with a step back and a step on.
 * @param {{reviewed: import("./measured.js").Reviewed, at: number, show: (round: number) => void}} props
 */
export function Slider({ reviewed, at, show }) {
  const { moves } = reviewed.found;
  const { roll, slot } = moves[at - 1];
  const label = reviewed.record.position.game.labels[slot - 1];
  return html`<div class="under"><div class="slider" style=${{ "--rounds": reviewed.record.position.game.size, "--played": moves.length }}>
    <button type="button" class="iconbtn key" aria-label="The round before" disabled=${at === 1} onClick=${() => show(at - 1)}><${Icon} name="back" /></button>
    <input type="range" min="1" max=${moves.length} step="1" value=${at} aria-label="Round"
      aria-valuetext=${`Round ${at} of ${moves.length}: the ${told(roll)} in times ${label}`} onInput=${({ target }) => show(Number(target.value))} />
    <button type="button" class="iconbtn key" aria-label="The next round" disabled=${at === moves.length} onClick=${() => show(at + 1)}><${Icon} name="on" /></button>
  </div></div>`;
}

/** Arrow keys, Home and End go from round to round, wherever the focus is but in a field. @param {number} at @param {number} last @param {(round: number) => void} show */
export function useArrows(at, last, show) {
  useLayoutEffect(() => {
    const onKey = (event) => {
      const isPlain = !event.metaKey && !event.ctrlKey && !event.altKey && !event.shiftKey && !event.defaultPrevented;
      const goal = { ArrowLeft: at - 1, ArrowRight: at + 1 }[event.key];
      if (!isPlain || goal === undefined || event.target.closest?.("input, textarea, select, dialog, [role=slider]")) return;
      event.preventDefault();
      show(Math.min(last, Math.max(1, goal)));
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [at, last, show]);
}

/**
 * The board of one round.
 * @param {{reviewed: import("./measured.js").Reviewed, at: number}} props
 */
export function Round({ reviewed, at }) {
  const { record, found } = reviewed;
  const { game, placements } = record.position;
  const move = found.moves[at - 1];
  const before = useMemo(() => replay(game, placements.slice(0, at - 1)), [record, at]);
  const advice = useAdvice(reviewed, before, at);
  return html`<div class="stack round">
    <p class="asked"><span class="pip">${told(move.roll)}</span> <span><${Sentence} reviewed=${reviewed} at=${at} /></span></p>
    ${advice && !reviewed.isChance && at < game.size && html`<p class="s muted">${reasonFor(game, freeSlots(before), move.roll, (slot) => `×${game.labels[slot - 1]}`)}</p>`}
    ${advice && reviewed.isChance && html`<p class="s muted">Worth and cost are chances in percent.</p>`}
    <${Board} game=${game} board=${boardOf(before)} roll=${move.roll} armed=${move.slot} wrong=${move.loss ? move.slot : null}
      advice=${advice} rail=${reviewed.isChance ? PERCENT_RAIL : railOf(game)} digits=${2} locked=${true} />
  </div>`;
}

/** What was done with a roll, and what would have been best. */
function Sentence({ reviewed, at }) {
  const { record, found } = reviewed;
  const unit = unitOf(reviewed);
  const move = found.moves[at - 1];
  const times = (slot) => `×${record.position.game.labels[slot - 1]}`;
  const theirs = record.opponent && ` ${record.tags.against ?? "The opponent"} took ${times(record.opponent.placements[at - 1][1])}.`;
  const mix = move.mix?.length > 1 && ` Perfect play mixes ${move.mix.map(([slot, chance]) => `${times(slot)} (${percent(chance, 0)})`).join(", ")}.`;
  const best = move.best.map(times).join(" or ");
  const verdict = move.loss
    ? html` ${best} ${move.best.length > 1 ? "were" : "was"} best: <b class="c-loss">${times(move.slot)} gave up ${unit.amount(move.loss)}</b> on average.`
    : move.choice ? html` <b class="c-ok">${move.best.length > 1 ? `As good as any: ${best}.` : "That was best."}</b>` : " All slots were as good.";
  return html`You put the ${told(move.roll)} in ${times(move.slot)}.${verdict}${theirs}${mix}`;
}

/** What every free slot was worth: in points from the game's own rows, chances from the service; null until they are there. */
function useAdvice({ record, found, isChance }, before, at) {
  const { roll } = found.moves[at - 1];
  const here = useMemo(() => (isChance ? null : advise(before, roll)), [before, roll, isChance]);
  const [asked, take] = useState({ at: 0, advice: null });
  useEffect(() => {
    if (!isChance) return undefined;
    const stop = new AbortController();
    get(`/lab/advise?${questionOf(record, found, at)}`, { signal: stop.signal }).then(
      (answer) => take({ at, advice: adviceOf(answer) }),
      () => {}, // the sentence says what counts; the board stands without numbers
    );
    return () => stop.abort();
  }, [record, at, isChance]);
  return here ?? (asked.at === at ? asked.advice : null);
}

function questionOf({ position, opponent }, { aim, moves }, at) {
  const { game, placements } = position;
  const isDuel = aim.startsWith("duel");
  return new URLSearchParams({
    dice: game.dice, slots: game.slots, aim, roll: moves[at - 1].roll, moves: formatMoves(placements.slice(0, at - 1)),
    ...(isDuel ? { opponent: formatMoves(opponent.placements.slice(0, at - 1)) } : {}),
  });
}

/** The service's advice as that of `advise`, its chances in percent. */
function adviceOf({ roll, best, best_slots: bestSlots, moves }) {
  const shown = moves.map(({ slot, value, loss, class: name }) => ({
    slot, value: 100 * value, worth: 100 * value, loss: 100 * loss, class: name, isBest: bestSlots.includes(slot),
  }));
  return { roll, best, bestSlots, isChoice: bestSlots.length < moves.length, moves: shown, bySlot: new Map(shown.map((move) => [move.slot, move])) };
}
