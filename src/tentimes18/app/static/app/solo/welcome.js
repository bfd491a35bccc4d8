// The first visit: one question, one line of rules, and a board that shows what the roll makes in each slot. It marks no slot as best.
import { html } from "../html.js";
import { link } from "../core/links.js";
import { isStatic } from "../core/online.js";
import { gameOf } from "../game/game.js";
import { pointsOf } from "../game/position.js";
import { Multiplier, Trough } from "../parts/board.js";
import { Dice } from "../parts/dice.js";
import { scaleOf, told } from "../parts/scale.js";
import { texts } from "../texts.js";

const FACES = [4, 3, 2].map((face) => ({ face, sides: 6 }));
const ROLL = 9;

/** @param {{busy: boolean, guide: () => void, skip: () => void}} props  guide: begin the guided game. skip: begin the classic one */
export function Welcome({ busy, guide, skip }) {
  const game = gameOf();
  const scale = scaleOf(game);
  const most = game.distribution.support.at(-1);
  return html`<div class="first">
    <section class="felt cloth ask9" aria-labelledby="question">
      <div class="tray"><${Dice} roll=${ROLL} faces=${FACES} still /><p class="sum" aria-hidden="true"><i>=</i>${ROLL}</p></div>
      <h1 id="question">${texts.first.question[0]} <span class="nb">${texts.first.question[1]}</span></h1>
      <p>${texts.first.rules}</p>
    </section>
    <section class="sheet roomy" aria-label=${texts.first.board(told(ROLL))} onClick=${guide}>
      <div class="axis" aria-hidden="true" style=${scale.style}><span></span>
        <ol>${scale.ticks.map((tick) => html`<li key=${tick} class=${tick === scale.high ? "end" : ""} style=${{ "--at": tick }}>${told(tick)}</li>`)}</ol><span></span></div>
      <ol class="board" style=${scale.style}>${game.labels.map((label, place) => html`<li key=${label} data-m=${label} style=${{ "--m": scale.heft(game.multipliers[place]) }}>
        <div class="slot"><${Multiplier} label=${label} />
          <span class="reach"><${Trough} scale=${scale} multiplier=${game.multipliers[place]} roll=${ROLL} isGhost />
            ${place === game.size - 1 && html`<b><span class="only-phone">${texts.first.couldBe(told(pointsOf(game, most, place + 1)))}</span><span class="only-desk">${texts.first.wouldMake(told(most), told(pointsOf(game, most, place + 1)))}</span></b>`}</span>
          <span class="pts muted">${told(pointsOf(game, ROLL, place + 1))}</span></div></li>`)}</ol>
    </section>
    <div class="go">
      <button type="button" class="btn" onClick=${guide}><span>${texts.first.guide}<br /><small>${texts.first.guideText}</small></span></button>
      <button type="button" class="link" disabled=${busy} onClick=${skip}>${texts.first.skip}</button>
    </div>
    <ol class="how only-desk" aria-label=${texts.first.how}>
      <li><svg viewBox="0 0 120 62" aria-hidden="true"><g class="how-die"><rect x="4" y="16" width="32" height="32" rx="6.4" /><circle cx="13" cy="25" r="2.9" /><circle cx="27" cy="25" r="2.9" /><circle cx="13" cy="39" r="2.9" /><circle cx="27" cy="39" r="2.9" />
        <rect x="43" y="12" width="32" height="32" rx="6.4" /><circle cx="51" cy="20" r="2.9" /><circle cx="59" cy="28" r="2.9" /><circle cx="67" cy="36" r="2.9" /><rect x="82" y="17" width="32" height="32" rx="6.4" /><circle cx="91" cy="26" r="2.9" /><circle cx="105" cy="40" r="2.9" /></g></svg>
        <span><b>${texts.first.roll[0]}</b> ${texts.first.roll[1]}</span></li>
      <li><svg viewBox="0 0 120 62" aria-hidden="true"><rect class="how-groove" y="2" width="120" height="6" rx="2" /><rect class="how-groove" y="19" width="120" height="14" rx="3" /><rect class="how-ghost" y="19" width="60" height="14" rx="3" />
        <rect class="how-groove" y="42" width="120" height="19" rx="3" /><path class="how-line" d="M86 10C96 14 94 26 70 26M75 22l-5 4 5 4" /></svg>
        <span><b>${texts.first.choose[0]}</b> ${texts.first.choose[1]}</span></li>
      <li><svg viewBox="0 0 120 62" aria-hidden="true"><rect class="how-groove" y="14" width="120" height="26" rx="3" /><rect class="how-block" y="14" width="62" height="26" rx="3" /><text class="how-told" x="31" y="32" text-anchor="middle">36</text>
        <path class="how-line" d="M1 47H61M1 44V50M61 44V50M70 15V39M67 15H73M67 39H73" /><text x="31" y="61" text-anchor="middle">9</text><text x="79" y="31">×4</text></svg>
        <span><b>${texts.first.area[0]}</b> ${texts.first.area[1]}</span></li>
    </ol>
    ${!isStatic && html`<section class="card today-card only-desk"><h2>${texts.today.daily}</h2><p class="s muted">${texts.today.sameRolls}</p><a class="btn quiet small" href=${link("daily")}>${texts.today.playDaily}</a></section>`}
  </div>`;
}
