// A reviewed game: its sentence, the bill, the curve with its rounds, the moves, the board of one round, and both boards.
import { html, useCallback, useMemo, useState } from "../../html.js";
import { announce } from "../../core/announce.js";
import { link } from "../../core/links.js";
import { boardOf } from "../../game/position.js";
import { perfectPlay } from "../../game/review.js";
import { Curve } from "../../parts/curve.js";
import { Duo } from "../../parts/duo.js";
import { Empty } from "../../parts/notes.js";
import { told } from "../../parts/scale.js";
import { Bill } from "./bill.js";
import { Moves } from "./moves.js";
import { Round, Slider, useArrows } from "./steps.js";
import { Actions, Summary } from "./summary.js";
import { unitOf } from "./units.js";

/** A reviewed game. @param {{reviewed: import("./measured.js").Reviewed}} props */
export function Review({ reviewed }) {
  const { found, record } = reviewed;
  const { game } = record.position;
  const unit = unitOf(reviewed);
  const dearest = useMemo(() => found.moves.reduce((most, move) => (move.loss > (most?.loss ?? 0) ? move : most), null), [found]);
  const [at, goTo] = useState(dearest?.round ?? 1);
  const show = useCallback((round) => {
    goTo(round);
    const { roll, slot, loss } = found.moves[round - 1];
    announce(`Round ${round}: ${told(roll)} in slot times ${game.labels[slot - 1]}, ${loss ? `cost ${unit.amount(loss)}` : "nothing given up"}`);
  }, [found]);
  useArrows(at, found.moves.length, show);
  const scaled = useMemo(() => found.moves.map((move) => ({ ...move, ...timesFactor(move, unit.factor) })), [found]);
  if (!found.moves.length) return html`<div class="page"><h1>Review</h1><${Empty} lead="Nothing is played yet." action="Play a game" href=${link("play")} /></div>`;
  return html`<div class="page review">
    <${Summary} reviewed=${reviewed} />
    <section class="stack at-bill" aria-labelledby="bill-title"><h2 id="bill-title">Where the ${unit.isChance ? "chance" : "points"} came from</h2><${Bill} reviewed=${reviewed} /></section>
    <section class="stack at-curve" aria-labelledby="rounds-title"><h2 id="rounds-title">Round by round</h2>
      <p class="s muted">The line is ${unit.isChance ? "the chance" : "the score"} you were on course for. Luck moves it; ▼ marks a mistake.<span class="only-desk"> Step with <kbd>←</kbd> <kbd>→</kbd>.</span></p>
      <${Curve} game=${game} par=${found.value * unit.factor} moves=${scaled} size="large" at=${at} shown=${unit.onCurve} ended=${unit.tick} />
      <${Slider} reviewed=${reviewed} at=${at} show=${show} />
    </section>
    <section class="at-step" aria-labelledby="step-title"><div class="stack stays"><h2 id="step-title">Round ${at}</h2><${Round} reviewed=${reviewed} at=${at} /></div></section>
    <div class="at-moves"><${Moves} reviewed=${reviewed} at=${at} show=${show} /></div>
    <${Boards} reviewed=${reviewed} dearest=${dearest} />
    <div class="only-phone stack"><${Actions} reviewed=${reviewed} /></div>
  </div>`;
}

function timesFactor({ luck, loss, gift, before, after }, factor) {
  return { luck: luck * factor, loss: loss * factor, gift: gift * factor, before: before * factor, after: after * factor };
}

/** One's own board beside the perfect player's, in a duel also beside the opponent's. */
function Boards({ reviewed, dearest }) {
  const { record, found } = reviewed;
  const { game, placements } = record.position;
  const [isRival, compare] = useState(record.opponent !== null);
  const perfect = useMemo(() => perfectPlay(game, placements.map(([roll]) => roll)), [record]);
  const against = record.tags.against ?? "the opponent";
  const other = isRival ? record.opponent : perfect;
  const score = isRival ? found.opponent_score : found.optimal_score;
  const times = (slot) => `×${game.labels[slot - 1]}`;
  return html`<section class="stack at-boards" aria-labelledby="boards-title">
    <h2 id="boards-title">You and ${isRival ? against : "the perfect player"}</h2>
    ${record.opponent && html`<div class="seg" role="group" aria-label="Whose board is beside yours"><button type="button" aria-pressed=${String(isRival)} onClick=${() => compare(true)}>${against}</button>
      <button type="button" aria-pressed=${String(!isRival)} onClick=${() => compare(false)}>Perfect player</button></div>`}
    ${score !== null && html`<div class="totals"><span>You<br /><b class="c-ok">${told(found.score)}</b></span><span></span><span>${isRival ? against : "Perfect"}<br /><b>${told(score)}</b></span></div>`}
    <${Duo} game=${game} slim=${true} kind=${isRival ? "rivals" : "perfect"} left=${{ name: "you", board: boardOf(record.position) }}
      right=${{ name: isRival ? against : "the perfect player", board: boardOf(other) }} />
    ${dearest && html`<p class="s muted">Your dearest move: round ${dearest.round}, the ${told(dearest.roll)} in ${times(dearest.slot)}. It cost ${unitOf(reviewed).amount(dearest.loss)} on average; ${dearest.best.map(times).join(" or ")} ${dearest.best.length > 1 ? "were" : "was"} best.</p>`}
    ${!dearest && html`<p class="s muted">Not one move could have been better.</p>`}
  </section>`;
}
